import { Effect, Layer, Option, Ref, Result, type Scope, Stream } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { position } from "../domain/JsoncEdit.ts"
import { decodeText, parse } from "../domain/LenientJson.ts"
import { readSettings } from "../domain/settings/readSettings.ts"
import { DirectoryWatch } from "../services/DirectoryWatch.ts"
import { Paths } from "../services/Paths.ts"
import { SharedFile } from "../services/SharedFile.ts"
import { SettingsError, type SettingsRead, UserSettings } from "../services/UserSettings.ts"

/** The file is looked at so often even when nothing told of a change: a link may lead elsewhere by now. */
const look = "30 seconds"
/** An editor that does not replace the file in one step writes it in several: what it leaves half done gets this long. */
const settling = "250 millis"

const equal = (a: Uint8Array | null, b: Uint8Array | null): boolean => a === null || b === null ? a === b : Buffer.compare(a, b) === 0

/** Why a content cannot be edited as settings; null when it can. */
const fault = (content: Uint8Array): string | null => {
  const { exact, text } = decodeText(content)
  if (!exact) return "it is not UTF-8 text"
  const { problems: [problem], root } = parse(text)
  if (problem !== undefined) {
    const { column, line } = position(text, problem.offset)
    return `line ${line}, column ${column}: ${problem.why}`
  }
  return root === null || root.kind === "object" ? null : "the settings in it are not an object"
}

const make = (builtin: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const shared = yield* SharedFile
    const watch = yield* DirectoryWatch
    const { config } = yield* Paths
    const file = path.join(config, "settings.json")
    const directory = Effect.promise(() => fs.mkdir(config, { recursive: true, mode: 0o700 }).catch(() => {}))

    interface Content {
      readonly bytes: Uint8Array | null
      /** Why it cannot be read at all. */
      readonly trouble: string | null
    }
    const content: Effect.Effect<Content> = shared.read(file).pipe(
      Effect.map((bytes) => ({ bytes, trouble: null })),
      Effect.catch((error) => Effect.succeed({ bytes: null, trouble: error.why }))
    )
    const understand = ({ bytes, trouble }: Content): SettingsRead => {
      const { settings, warnings } = readSettings(bytes, builtin)
      return trouble === null ? { settings, warnings } : unreadable(settings, trouble)
    }
    const read = Effect.map(content, understand)

    const change = Effect.fn("UserSettings.change")(function*(edit: (text: string | null) => Result.Result<string, string>) {
      yield* directory
      yield* shared.change(file, (bytes) => {
        const why = bytes === null ? null : fault(bytes)
        if (why !== null) return Result.fail(new SettingsError({ file, why }))
        // the mark before the text is no part of it, and stays
        const mark = bytes !== null && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "\uFEFF" : ""
        return edit(bytes === null ? null : decodeText(bytes).text).pipe(Result.mapBoth({
          onSuccess: (text) => new TextEncoder().encode(mark + text),
          onFailure: (why) => new SettingsError({ file, why })
        }))
      }).pipe(Effect.catchTag("SharedFileError", ({ why }) => Effect.fail(new SettingsError({ file, why }))))
    })

    const changes: Effect.Effect<Stream.Stream<SettingsRead>, never, Scope.Scope> = Effect.gen(function*() {
      yield* directory
      const target = yield* Effect.promise(() => fs.realpath(file).catch(() => file))
      const watchers = yield* Effect.forEach([...new Set([config, path.dirname(target)])], (dir) => watch.watch(dir))
      const changed = Effect.raceAll(watchers.map((watcher) => watcher.changed(look)))
      const first = yield* content
      const seen = yield* Ref.make(first)
      const isSame = (a: Content, b: Content): boolean => equal(a.bytes, b.bytes) && a.trouble === b.trouble
      const next = Effect.gen(function*() {
        yield* changed
        const before = yield* Ref.get(seen)
        let now = yield* content
        if (isSame(now, before)) return Option.none<SettingsRead>()
        if (now.bytes === null || now.bytes.length === 0 || fault(now.bytes) !== null) {
          yield* Effect.sleep(settling)
          now = yield* content
          if (isSame(now, before)) return Option.none<SettingsRead>()
        }
        yield* Ref.set(seen, now)
        return Option.some(understand(now))
      })
      return Stream.concat(
        Stream.succeed(understand(first)),
        Stream.fromEffectRepeat(next).pipe(Stream.filter(Option.isSome), Stream.map((found) => found.value))
      )
    })

    return UserSettings.of({ file, read, change, changes })
  })

/** A file that is there and cannot be read may hold rules: as long as that is so, everything is asked. */
const unreadable = (settings: SettingsRead["settings"], why: string): SettingsRead => ({
  settings: {
    ...settings,
    policy: { ...settings.policy, ask: [{ reason: `leap's settings cannot be read (${why}), so everything is asked` }] }
  },
  warnings: [`it cannot be read: ${why}`]
})

/** The settings file in leap's configuration directory. `builtin`: ids of the CLIs that leap itself brings. */
export const layerOf = (builtin: ReadonlyArray<string>): Layer.Layer<UserSettings, never, DirectoryWatch | Paths | SharedFile> =>
  Layer.effect(UserSettings, make(builtin))

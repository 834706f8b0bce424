import { Effect, Layer, Result, type Scope, Stream } from "effect"
import { lstatSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { tryOr } from "../../domain/words/reading/tryOr.ts"
import { problemAt, problemText } from "../../domain/words/formats/EditProblem.ts"
import { decodeText, parse } from "../../domain/words/formats/LenientJson.ts"
import { unreadPolicy } from "../../domain/store/settings/readPolicySettings.ts"
import { readSettings } from "../../domain/store/settings/readSettings.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { Paths } from "../../services/Paths.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { type LoadedSettings, UserSettings } from "../../services/UserSettings.ts"
import { sameContent } from "./sameContent.ts"
import { makeDirectory } from "./madeDirectories.ts"
import { StoreError } from "../../services/StoreError.ts"

/** The interval of checks without a reported change: a link may lead elsewhere by now. */
const safetyInterval = "30 seconds"
/** The wait for the rest of an incomplete file, since an editor may write it in several steps. */
const settling = "250 millis"

/** Why a content cannot be edited as settings; null when it can. */
const fault = (content: Uint8Array): string | null => {
  const { exact, text } = decodeText(content)
  if (!exact) return "it is not UTF-8 text"
  const {
    problems: [problem],
    root
  } = parse(text)
  if (problem !== undefined) return problemText(problemAt(text, problem.offset, problem.why))
  return root === null || root.kind === "object" ? null : "the settings in it are not an object"
}

const make = (builtin: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const shared = yield* SharedFile
    const watch = yield* DirectoryWatch
    const { config } = yield* Paths
    const file = path.join(config, "settings.json")
    const directory = Effect.ignore(Effect.try(() => makeDirectory(config, 0o700)))

    const failed = (why: string) => new StoreError({ store: "settings", reason: "failed", file, why })

    interface Content {
      readonly bytes: Uint8Array | null
      /** Why the file cannot be read at all; null: it can, or there is none. */
      readonly problem: string | null
    }
    /** A link without a target may have one again, when its disk is mounted. */
    // synchronous: for most commands loading Node's asynchronous calls would cost more
    const dangles = Effect.sync(() => tryOr(() => lstatSync(file).isSymbolicLink(), false))
    const content = shared.read(file).pipe(
      Effect.flatMap((bytes) =>
        Effect.map(bytes === null ? dangles : Effect.succeed(false), (link): Content => ({
          bytes,
          problem: link ? "its link leads to nothing" : null
        }))
      ),
      Effect.catch((error) => Effect.succeed<Content>({ bytes: null, problem: error.why }))
    )
    const interpret = ({ bytes, problem }: Content): LoadedSettings => {
      const { settings, warnings } = readSettings(bytes, builtin)
      return problem === null ? { settings, warnings } : unreadable(settings, problem)
    }
    const read = Effect.map(content, interpret)

    const change = Effect.fn("UserSettings.change")(function* (
      edit: (text: string | null) => Result.Result<string, string>
    ) {
      yield* directory
      yield* shared
        .change(file, (bytes) => {
          const why = bytes === null ? null : fault(bytes)
          if (why !== null) return Result.fail(failed(why))
          // the byte order mark is not part of the text; it stays in the file
          const mark = bytes !== null && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "\uFEFF" : ""
          return edit(bytes === null ? null : decodeText(bytes).text).pipe(
            Result.mapBoth({
              onSuccess: (text) => new TextEncoder().encode(mark + text),
              onFailure: failed
            })
          )
        })
        .pipe(Effect.mapError((error) => new StoreError({ ...error, store: "settings" })))
    })

    const changes: Effect.Effect<Stream.Stream<LoadedSettings>, never, Scope.Scope> = Effect.gen(function* () {
      yield* directory
      const target = yield* Effect.promise(() => fs.realpath(file).catch(() => file))
      const watchers = yield* Effect.forEach([...new Set([config, path.dirname(target)])], (dir) => watch.watch(dir))
      const changed = Effect.raceAll(watchers.map((watcher) => watcher.changedUnlessLost(safetyInterval)))
      let last = yield* content
      const isSame = (a: Content, b: Content): boolean => sameContent(a.bytes, b.bytes) && a.problem === b.problem
      const next = Effect.gen(function* () {
        yield* changed
        let now = yield* content
        if (isSame(now, last)) return []
        if (now.bytes === null || now.bytes.length === 0 || fault(now.bytes) !== null) {
          yield* Effect.sleep(settling)
          now = yield* content
          if (isSame(now, last)) return []
        }
        last = now
        return [interpret(now)]
      })
      return Stream.concat(Stream.succeed(interpret(last)), Stream.fromIterableEffectRepeat(next))
    })

    return UserSettings.of({ file, read, change, changes })
  })

/** An existing but unreadable file may contain rules: until it is readable, every request is asked. */
const unreadable = (settings: LoadedSettings["settings"], why: string): LoadedSettings => ({
  settings: { ...settings, policy: unreadPolicy(settings.policy, `leap's settings cannot be read (${why})`) },
  warnings: [`it cannot be read: ${why}`]
})

/** The settings file in leap's configuration directory. `builtin`: ids of the built-in CLIs. */
export const layerOf = (
  builtin: ReadonlyArray<string>
): Layer.Layer<UserSettings, never, DirectoryWatch | Paths | SharedFile> => Layer.effect(UserSettings, make(builtin))

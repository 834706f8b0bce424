import { Clock, Effect, FileSystem, Option, Ref } from "effect"
import { fromTilde } from "../../domain/surfaces/picker/Rows.ts"
import { commandOf } from "../../domain/cli/provider/CommandSource.ts"
import type { CompletionKind } from "../../domain/surfaces/queueClient/Completion.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { Providers } from "../../services/Providers.ts"
import { System } from "../../services/System.ts"

export type NameSource = (kind: CompletionKind, word: string) => Effect.Effect<ReadonlyArray<string>>

/** Bounds of the search, since a project's own files are rarely deep. */
const entriesMost = 4_000
const depthMost = 8
const timeout = "2 seconds"
/** How long names are cached, in milliseconds, because each typed letter asks for them. */
const fresh = 10_000
/** Folders in a project that are not its own files. */
const foreign: ReadonlySet<string> = new Set(["node_modules", "__pycache__"])

/** Identifies a directory, whatever path leads to it; null where the system does not. */
const identityOf = ({ dev, ino }: FileSystem.File.Info): string | null =>
  Option.isNone(ino) ? null : `${dev} ${ino.value}`

/** The paths below a directory, folders with a trailing `/`, the nearest first. Bounded, and never fails. */
const below = Effect.fn("nameSource.below")(function* (root: string, hidden: boolean) {
  const files = yield* FileSystem.FileSystem
  const found: Array<string> = []
  const atRoot = yield* Effect.option(files.stat(root))
  // each folder with the directories above it: a link to one of them is listed, and not followed
  let folders = [{ folder: "", above: Option.isSome(atRoot) ? [identityOf(atRoot.value)] : [] }]
  const walk = Effect.gen(function* () {
    for (let depth = 0; depth < depthMost && folders.length > 0; depth++) {
      const next: typeof folders = []
      for (const { above, folder } of folders) {
        const names = yield* files.readDirectory(`${root}/${folder}`).pipe(Effect.orElseSucceed(() => []))
        const shown = names.filter((name) => !foreign.has(name) && (hidden || !name.startsWith(".")))
        const left = entriesMost - found.length
        const kinds = yield* Effect.forEach(
          shown.toSorted().slice(0, left),
          (name) =>
            Effect.map(Effect.option(files.stat(`${root}/${folder}${name}`)), (stat) => ({
              name,
              isFolder: Option.isSome(stat) && stat.value.type === "Directory",
              identity: Option.isSome(stat) ? identityOf(stat.value) : null
            })),
          { concurrency: 16 }
        )
        for (const { identity, isFolder, name } of kinds) {
          found.push(`${folder}${name}${isFolder ? "/" : ""}`)
          // skips hidden folders, which are rarely meant
          if (isFolder && !name.startsWith(".") && (identity === null || !above.includes(identity)))
            next.push({ folder: `${folder}${name}/`, above: [...above, identity] })
        }
        if (found.length >= entriesMost) return
      }
      folders = next
    }
  })
  yield* Effect.timeoutOption(walk, timeout)
  return found
})

export const nameSource = Effect.fn("nameSource")(function* (session: () => SessionStatus | null) {
  const providers = yield* Providers
  const system = yield* System
  const files = yield* FileSystem.FileSystem
  const cache = yield* Ref.make<ReadonlyMap<string, { readonly at: number; readonly names: ReadonlyArray<string> }>>(
    new Map()
  )
  const cached = Effect.fnUntraced(function* (key: string, names: Effect.Effect<ReadonlyArray<string>>) {
    const now = yield* Clock.currentTimeMillis
    const known = (yield* Ref.get(cache)).get(key)
    if (known !== undefined && now - known.at < fresh) return known.names
    const found = yield* names
    yield* Ref.update(cache, (all) => new Map([...all].slice(-8)).set(key, { at: now, names: found }))
    return found
  })
  const walked = (root: string, hidden: boolean) =>
    below(root, hidden).pipe(Effect.provideService(FileSystem.FileSystem, files))
  const commands = Effect.fnUntraced(function* ({ cli, cwd }: SessionStatus) {
    const provider = yield* Effect.option(providers.get(cli))
    const source = Option.isSome(provider) ? provider.value.commands : undefined
    if (source === undefined) return []
    const own = yield* Effect.forEach(
      source.folders(system.env, cwd),
      (folder) =>
        Effect.map(walked(folder.path, false), (paths) => paths.flatMap((path) => commandOf(folder, path) ?? [])),
      { concurrency: 4 }
    )
    return [...own.flat(), ...source.known]
  })
  const inDirectory = (word: string, cwd: string) => {
    const folder = word.slice(0, word.lastIndexOf("/") + 1)
    const hidden = word.slice(folder.length).startsWith(".")
    const path = fromTilde(folder, system.env["HOME"] ?? "")
    const named = path.startsWith("/") ? path : `${cwd}/${folder}`
    const root = named.replace(/\/+$/, "")
    return cached(
      `${hidden ? "." : ""}${root}`,
      Effect.map(walked(root, hidden), (names) => names.map((name) => folder + name))
    )
  }
  const source: NameSource = (kind, word) =>
    Effect.suspend(() => {
      const status = session()
      if (status === null) return Effect.succeed([])
      return kind === "command"
        ? cached(`/${status.cli} ${status.cwd}`, commands(status))
        : inDirectory(word, status.cwd)
    })
  return source
})

import { Effect, Fiber, FileSystem, Option } from "effect"
import { fromTilde } from "../../domain/surfaces/picker/Rows.ts"
import { clean } from "../../domain/surfaces/tui/Cells.ts"
import { absolutePath } from "../../domain/words/text/paths.ts"
import { System } from "../../services/System.ts"
import { askText } from "./ask.ts"

/** How long a slow disk or an unreachable share may delay its user. */
const timeout = "500 millis"

/** The most names to check; a user with more types another letter. */
const namesMost = 1_000

/**
 * Finds directories while the user types. A directory that does not answer is waited for only briefly. No other look
 * begins until it answers, because each look blocks one of few threads.
 */
export const makeDirectories = Effect.gen(function* () {
  const system = yield* System
  const files = yield* FileSystem.FileSystem
  const pathOf = (text: string) => absolutePath(system.cwd, fromTilde(text, system.env["HOME"] ?? ""))
  let last: Fiber.Fiber<unknown> | null = null
  const look = Effect.fnUntraced(function* <A>(looking: Effect.Effect<A>) {
    if (last !== null && last.pollUnsafe() === undefined) return Option.none<A>()
    const fiber = yield* Effect.forkDetach(looking)
    last = fiber
    return yield* Effect.timeoutOption(Fiber.join(fiber), timeout)
  })
  const isDirectory = (path: string) =>
    Effect.match(files.stat(path), { onFailure: () => false, onSuccess: ({ type }) => type === "Directory" })
  /** The subfolders whose names have this prefix, without names that no row can show. */
  const folders = Effect.fnUntraced(function* (folder: string, start: string) {
    const found = yield* Effect.orElseSucceed(files.readDirectory(folder), () => [])
    const fitting = found.filter(
      (name) => name.startsWith(start) && (start !== "" || !name.startsWith(".")) && clean(name) === name
    )
    return yield* Effect.filter(fitting.toSorted().slice(0, namesMost), (name) => isDirectory(`${folder}/${name}`), {
      concurrency: 16
    })
  })
  return {
    /** The directory that a text means, relative to leap's own; `~` is the user's home. */
    pathOf,
    /** The completions of a text's last part, as in a shell; null if they are not known in time. */
    complete: (text: string): Effect.Effect<ReadonlyArray<string> | null> => {
      const from = text.lastIndexOf("/") + 1
      // `~` alone is the home directory, as `~/` is
      if (text === "~") return Effect.succeed(["~"])
      return Effect.map(look(folders(pathOf(text.slice(0, from) || "."), text.slice(from))), Option.getOrNull)
    },
    check: (text: string): Effect.Effect<string | null> =>
      Effect.map(look(isDirectory(pathOf(text))), (found) =>
        Option.match(found, {
          onNone: () => "that directory does not answer",
          onSome: (isThere) => (isThere ? null : "there is no such directory")
        })
      )
  }
})

export const askDirectory = Effect.fn("askDirectory")(function* (message: string) {
  const { check, complete, pathOf } = yield* makeDirectories
  return pathOf(yield* askText(message, (yield* System).cwd, check, complete))
})

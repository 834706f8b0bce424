import { Effect, Fiber, FileSystem, Option } from "effect"
import { fromTilde } from "../../domain/surfaces/picker/Rows.ts"
import { clean } from "../../domain/surfaces/tui/Cells.ts"
import { absoluteIn } from "../../domain/words/text/normalPath.ts"
import { System } from "../../services/System.ts"

/** How long a disk or a share that is away may keep its user waiting. */
const patience = "500 millis"

/** Names that are looked at: who has more of them writes another letter. */
const namesMost = 1_000

/**
 * Looks for directories while their names are written. One that does not answer is waited for no longer than the bound,
 * and asked no second time while it still has not: each look at it keeps a thread, of which there are few.
 */
export const makeDirectories = Effect.gen(function* () {
  const system = yield* System
  const files = yield* FileSystem.FileSystem
  const pathOf = (text: string) => absoluteIn(system.cwd, fromTilde(text, system.env["HOME"] ?? ""))
  let last: Fiber.Fiber<unknown> | null = null
  /** None where there is no answer in time. */
  const look = <A>(looking: Effect.Effect<A>) =>
    Effect.gen(function* () {
      if (last !== null && last.pollUnsafe() === undefined) return Option.none<A>()
      const fiber = yield* Effect.forkDetach(looking)
      last = fiber
      return yield* Effect.timeoutOption(Fiber.join(fiber), patience)
    })
  const isDirectory = (path: string) =>
    Effect.match(files.stat(path), { onFailure: () => false, onSuccess: ({ type }) => type === "Directory" })
  /** The folders in one whose names begin so; one with a name that no row can show is left out. */
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
    /** The directory that a text means: from leap's own on, and with the user's home behind `~`. */
    pathOf,
    /** The names that a text's last part may go on with, as a shell has them; null where nobody can tell in time. */
    complete: (text: string): Effect.Effect<ReadonlyArray<string> | null> => {
      const from = text.lastIndexOf("/") + 1
      // the user's home by its sign alone is that folder, as `~/` is
      if (text === "~") return Effect.succeed(["~"])
      return Effect.map(look(folders(pathOf(text.slice(0, from) || "."), text.slice(from))), Option.getOrNull)
    },
    /** Why there is no such directory; null where there is. */
    check: (text: string): Effect.Effect<string | null> =>
      Effect.map(look(isDirectory(pathOf(text))), (found) =>
        Option.match(found, {
          onNone: () => "that directory does not answer",
          onSome: (isThere) => (isThere ? null : "there is no such directory")
        })
      )
  }
})

import { Effect } from "effect"
import type { Edit } from "../../domain/relocation/Plan.ts"
import type { RelocationFileError, RelocationFiles } from "../../services/RelocationFiles.ts"
import { BookkeepingError, RelocationRefusedError } from "../../services/Relocator.ts"

export type Files = RelocationFiles["Service"]
type Io<A> = Effect.Effect<A, RelocationFileError>

/** Names in a directory; none where there is no such directory. */
export const namesIn = (files: Files, directory: string): Io<ReadonlyArray<string>> =>
  files.list(directory).pipe(Effect.catchIf(({ code }) => code === "ENOENT" || code === "ENOTDIR", () => Effect.succeed([])))

/** What a name leads to, links followed, is of this kind. */
export const isThere = Effect.fnUntraced(function*(files: Files, path: string, kind: "file" | "directory") {
  const seen = yield* files.stat(path)
  if (seen?.kind !== "link") return seen?.kind === kind
  const real = yield* files.realPath(path).pipe(Effect.catchIf(({ code }) => code === "ENOENT", () => Effect.succeed(null)))
  return real !== null && (yield* files.stat(real))?.kind === kind
})

/** Of these directories the ones that have such an entry. */
export const having = Effect.fnUntraced(function*(files: Files, directories: ReadonlyArray<string>, name: string, kind: "file" | "directory") {
  const found: Array<string> = []
  for (const directory of directories) {
    if (yield* isThere(files, `${directory}/${name}`, kind)) found.push(directory)
  }
  return found
})

/** Refuses to move the session. */
export const refusing = (sessionId: string) => (reason: RelocationRefusedError["reason"], path: string, why: string) =>
  new RelocationRefusedError({ sessionId, reason, path, why })

/** A look that does not succeed refuses the move: what cannot be seen cannot be moved. */
export const unreadable = (sessionId: string) => ({ path, why }: RelocationFileError) => refusing(sessionId)("unreadable", path, why)

/** For a CLI that keeps no list of its sessions: there is no edit of its that could be carried out. */
export const noEdits = ({ kind }: Edit): Effect.Effect<never, BookkeepingError> =>
  Effect.fail(new BookkeepingError({ what: `change ${JSON.stringify(kind)}`, why: "this version of leap does not know how; use the one that began the move" }))

/** Which of several places has the session: the first that is preferred, else the only one. */
export const choose = (preferred: ReadonlyArray<string>, found: ReadonlyArray<string>): string | null =>
  preferred.find((place) => found.includes(place)) ?? (found.length === 1 ? found[0] ?? null : null)

/** Paths as a user reads them in a message. */
export const listed = (paths: ReadonlyArray<string>): string => paths.map((path) => JSON.stringify(path)).join(", ")

import { Effect } from "effect"
import type { Edits } from "../../domain/store/relocation/Edits.ts"
import type { Edit } from "../../domain/store/relocation/Plan.ts"
import type { OpenFiles } from "../../services/OpenFiles.ts"
import { RelocationFiles, type RelocationFilesService } from "../../services/RelocationFiles.ts"
import type { MoveRequest, PlannedMove, RelocationProtocol } from "../../services/RelocationProtocol.ts"
import { type FileFault, insteadOf } from "../../services/FileFault.ts"
import { RelocationError } from "../../services/Relocator.ts"
import { registryError, type StoreError } from "../../services/StoreError.ts"

type Io<A> = Effect.Effect<A, FileFault>

export const namesIn = (files: RelocationFilesService, directory: string): Io<ReadonlyArray<string>> =>
  files.list(directory).pipe(insteadOf([], "ENOENT", "ENOTDIR"))

export const isThere = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  path: string,
  kind: "file" | "directory"
) {
  const seen = yield* files.stat(path)
  if (seen?.kind !== "link") return seen?.kind === kind
  const real = yield* files.realPath(path).pipe(insteadOf(null, "ENOENT"))
  return real !== null && (yield* files.stat(real))?.kind === kind
})

export const having = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  directories: ReadonlyArray<string>,
  name: string,
  kind: "file" | "directory"
) {
  const found: Array<string> = []
  for (const directory of directories) {
    if (yield* isThere(files, `${directory}/${name}`, kind)) found.push(directory)
  }
  return found
})

const refusing = (sessionId: string) => (reason: RelocationError["reason"], path: string, why: string) =>
  new RelocationError({ sessionId, reason, path, why })

/** A CLI's plan of a move. A failed read refuses the move: something unreadable cannot be moved. */
export const planning =
  (name: string) =>
  (
    look: (
      given: MoveRequest & { readonly files: RelocationFilesService; readonly refuse: ReturnType<typeof refusing> }
    ) => Effect.fn.Return<PlannedMove, RelocationError | FileFault, OpenFiles | RelocationFiles>
  ): RelocationProtocol["plan"] =>
    Effect.fn(name)(function* (request: MoveRequest) {
      const files = yield* RelocationFiles
      const refuse = refusing(request.session.sessionId)
      return yield* Effect.gen(() => look({ ...request, files, refuse })).pipe(
        Effect.catchTag("FileFault", ({ path = "", why }) => refuse("unreadable", path, why))
      )
    })

/** For a CLI without a list of its sessions, which has no edits. */
export const noEdits = ({ kind }: Edit): Effect.Effect<never, StoreError> =>
  Effect.fail(
    registryError(`change ${JSON.stringify(kind)}`, {
      message: "this version of leap does not know how; use the one that began the move"
    })
  )

export const editHandler = <Detail>(
  { decode, kind }: Edits<Detail>,
  work: (files: RelocationFilesService, detail: Detail) => Io<void>
) => ({
  kind,
  carry: (files: RelocationFilesService, { detail }: Edit) =>
    Effect.flatMap(decode(detail), (decoded) => work(files, decoded))
})

/** Applies an edit of any of these kinds; `what` describes it in an error. */
export const applyEdit = (what: string, ...kinds: ReadonlyArray<ReturnType<typeof editHandler<never>>>) =>
  Effect.fnUntraced(function* (edit: Edit) {
    const known = kinds.find(({ kind }) => kind === edit.kind)
    if (known === undefined) return yield* noEdits(edit)
    const files = yield* RelocationFiles
    yield* known.carry(files, edit).pipe(Effect.mapError((error) => registryError(what, error)))
  })

/** The session's place: the first preferred one that has it, else the only one that has it, else null. */
export const choose = (preferred: ReadonlyArray<string>, found: ReadonlyArray<string>): string | null =>
  preferred.find((place) => found.includes(place)) ?? (found.length === 1 ? (found[0] ?? null) : null)

export const listed = (paths: ReadonlyArray<string>): string => paths.map((path) => JSON.stringify(path)).join(", ")

import { Effect, Layer, Option, Schema } from "effect"
import type { Edit } from "../domain/relocation/Plan.ts"
import { type Relocated, Said } from "../domain/sessions/RecordBook.ts"
import * as RecordBook from "../domain/sessions/RecordBook.ts"
import type { SessionRecord } from "../domain/sessions/SessionRecord.ts"
import { Machine } from "../services/Machine.ts"
import { OpenFiles } from "../services/OpenFiles.ts"
import { environmentOf } from "../services/CLIProvider.ts"
import { providerOf, Providers } from "../services/Providers.ts"
import { RelocationFiles } from "../services/RelocationFiles.ts"
import { type Bookkeeper, BookkeepingError, RelocationFailedError, Relocator } from "../services/Relocator.ts"
import { type MovedSession, NotMovableError, SessionMover } from "../services/SessionMover.ts"
import { SessionRecords } from "../services/SessionRecords.ts"

/** Kind of the edit of leap's own records. Every other kind begins with the id of the CLI whose registry it changes. */
const recordsKind = "records"

/** All that the edit of the records needs, in the journal, when the mover has died. */
const RecordsDetail = Schema.Struct({
  cli: Schema.String,
  sessionId: Schema.String,
  cwd: Schema.String,
  transcriptPath: Schema.optionalKey(Schema.String),
  /** What every record said. */
  said: Schema.fromJsonString(Schema.Array(Said)),
  /** For a record that came meanwhile: what the one said whose session was moved. */
  otherwise: Schema.fromJsonString(Said)
})
type RecordsDetail = typeof RecordsDetail.Type

const encodeDetail = Schema.encodeSync(RecordsDetail)
const decodeDetail = Schema.decodeUnknownEffect(RecordsDetail)

const relocatedOf = ({ cli, cwd, sessionId, transcriptPath }: RecordsDetail): Relocated => ({ cli, sessionId, cwd, transcriptPath: transcriptPath ?? null })

const make = Effect.gen(function*() {
  const relocator = yield* Relocator
  const records = yield* SessionRecords
  const providers = yield* Providers
  const machine = yield* Machine
  const files = yield* RelocationFiles
  const openFiles = yield* OpenFiles

  const changeRecords = (edit: Edit, change: (detail: RecordsDetail) => Effect.Effect<unknown, { readonly message: string }>) =>
    decodeDetail(edit.detail).pipe(
      Effect.flatMap(change),
      Effect.mapError(({ message }) => new BookkeepingError({ what: "change leap's records of the session", why: message }))
    )

  /** Who carries out an edit of this kind: known without the session's record, which may be gone when a move is recovered. */
  const keeperOf = Effect.fnUntraced(function*({ kind }: Edit) {
    const base = kind.split(".")[0] ?? ""
    const owners = providers.all.filter((provider) => provider.base === base)
    const relocation = (owners.find(({ id }) => id === base) ?? owners[0])?.relocation ?? null
    if (relocation === null) {
      return yield* new BookkeepingError({ what: `change ${JSON.stringify(kind)}`, why: "this version of leap does not know how; use the one that began the move" })
    }
    return relocation
  })

  /** `forgotten`: nobody may know the session any more, and then there is nothing to say. */
  const apply = (forgotten: boolean) => (edit: Edit): Effect.Effect<void, BookkeepingError, RelocationFiles> =>
    edit.kind === recordsKind
      ? changeRecords(edit, (detail) =>
        records.relocate(relocatedOf(detail)).pipe(
          Effect.catchTag("UnrecordedSessionError", (error) => forgotten ? Effect.void : Effect.fail(error))
        ))
      : Effect.flatMap(keeperOf(edit), (keeper) => keeper.apply(edit))

  const revert = (edit: Edit): Effect.Effect<void, BookkeepingError, RelocationFiles> =>
    edit.kind === recordsKind
      ? changeRecords(edit, (detail) => records.restore(relocatedOf(detail), detail.said, detail.otherwise))
      : Effect.flatMap(keeperOf(edit), (keeper) => keeper.revert(edit))

  const inOrder = (edits: ReadonlyArray<Edit>, change: (edit: Edit) => Effect.Effect<void, BookkeepingError, RelocationFiles>) =>
    Effect.forEach(edits, change, { discard: true }).pipe(Effect.provideService(RelocationFiles, files))

  const booksOf = (forgotten: boolean): Bookkeeper => ({
    apply: ({ edits }) => inOrder(edits, apply(forgotten)),
    revert: ({ edits }) => inOrder(edits.toReversed(), revert)
  })

  /** The directory with its links resolved, also when it is not there any more. */
  const resolved = Effect.fnUntraced(function*(directory: string) {
    return (yield* machine.realPath(directory)) ?? directory
  })

  /** What an earlier move that was cut off made of the session: the records know. */
  const current = (session: SessionRecord) =>
    Effect.map(records.all, (books) => RecordBook.current(books, session))

  const recordsEdit = Effect.fnUntraced(function*(session: SessionRecord, cwd: string, transcriptPath: string | null) {
    const moved: Relocated = { cli: session.base, sessionId: session.sessionId, cwd, transcriptPath }
    const said = yield* records.said(moved).pipe(
      Effect.mapError(({ message }) => new RelocationFailedError({ sessionId: session.sessionId, why: message, undone: true }))
    )
    if (said.length > 0 && said.every((it) => it.cwd === cwd && (transcriptPath === null || it.transcriptPath === transcriptPath))) return null
    const detail = encodeDetail({
      cli: moved.cli,
      sessionId: moved.sessionId,
      cwd,
      ...transcriptPath === null ? {} : { transcriptPath },
      said,
      otherwise: { tag: "", cli: session.cli, cwd: session.cwd, transcriptPath: session.transcriptPath }
    })
    return { kind: recordsKind, detail } satisfies Edit
  })

  const move: SessionMover["Service"]["move"] = Effect.fn("SessionMover.move")(function*(named, to) {
    const notMovable = (why: string) => new NotMovableError({ sessionId: named.sessionId, why })
    const provider = providerOf(providers, named)
    if (provider === undefined) return yield* notMovable(`leap knows no CLI '${named.cli}'`)
    const { relocation } = provider
    if (relocation === null) {
      return yield* notMovable(`leap cannot move sessions of ${provider.displayName}; 'leap resume' goes on with it where it is`)
    }
    const destination = to.startsWith("/") ? yield* machine.directory(to) : Option.none()
    if (Option.isNone(destination)) return yield* notMovable(`there is no directory ${JSON.stringify(to)}`)
    if (!named.cwd.startsWith("/")) return yield* notMovable("it is not known in which directory it lives")
    const env = environmentOf(provider, machine)

    let session = named
    const plan = Effect.gen(function*() {
      const before = yield* current(named)
      const from = yield* resolved(yield* records.heal(before))
      const { plan, transcriptPath } = yield* relocation.plan({ session: before, from, to: destination.value, env }).pipe(
        Effect.provideService(RelocationFiles, files),
        Effect.provideService(OpenFiles, openFiles)
      )
      const own = yield* recordsEdit(before, destination.value, transcriptPath)
      session = { ...before, cwd: destination.value, transcriptPath: transcriptPath ?? before.transcriptPath }
      return { ...plan, edits: [...plan.edits, ...own === null ? [] : [own]] }
    })
    const moved = yield* relocator.moveBy({ cli: named.base, sessionId: named.sessionId }, plan, booksOf(false))
    return { ...moved, session } satisfies MovedSession
  })

  return SessionMover.of({ move, unsettled: relocator.unsettled, recoverAll: relocator.recoverAll(booksOf(true)) })
})

/** Moves by the engine with a journal: what a provider plans, and leap's records of the session as the last of the books. */
export const layer: Layer.Layer<SessionMover, never, Relocator | SessionRecords | Providers | Machine | RelocationFiles | OpenFiles> = Layer.effect(SessionMover, make)

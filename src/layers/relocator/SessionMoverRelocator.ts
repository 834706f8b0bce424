import { Effect, Layer, Option, Schema } from "effect"
import type { Edit } from "../../domain/store/relocation/Plan.ts"
import { type Relocated, RecordedLocation } from "../../domain/store/conversations/RecordBook.ts"
import * as RecordBook from "../../domain/store/conversations/RecordBook.ts"
import type { SessionRecord } from "../../domain/store/conversations/SessionRecord.ts"
import { System } from "../../services/System.ts"
import { OpenFiles } from "../../services/OpenFiles.ts"
import { environmentOf } from "../../domain/cli/provider/Launch.ts"
import { providerOf, Providers } from "../../services/Providers.ts"
import { RelocationFiles } from "../../services/RelocationFiles.ts"
import { type SessionRegistries, Relocator, RelocationError } from "../../services/Relocator.ts"
import { type MovedSession, SessionMover } from "../../services/SessionMover.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { registryError, type StoreError } from "../../services/StoreError.ts"

/**
 * The kind of the edit of leap's own records. Every other kind begins with the id of the CLI whose registry it changes.
 */
const recordsKind = "records"

/** The edit of the records in the journal: enough data to continue if the mover dies. */
const RecordsDetail = Schema.Struct({
  cli: Schema.String,
  sessionId: Schema.String,
  cwd: Schema.String,
  transcriptPath: Schema.optionalKey(Schema.String),
  said: Schema.fromJsonString(Schema.Array(RecordedLocation)),
  /** The moved session's location, for a record that was added meanwhile. */
  otherwise: Schema.fromJsonString(RecordedLocation)
})
type RecordsDetail = typeof RecordsDetail.Type

const encodeDetail = Schema.encodeSync(RecordsDetail)
const decodeDetail = Schema.decodeUnknownEffect(RecordsDetail)

const relocatedOf = ({ cli, cwd, sessionId, transcriptPath }: RecordsDetail): Relocated => ({
  cli,
  sessionId,
  cwd,
  transcriptPath: transcriptPath ?? null
})

const make = Effect.gen(function* () {
  const relocator = yield* Relocator
  const records = yield* SessionRecords
  const providers = yield* Providers
  const system = yield* System
  const files = yield* RelocationFiles
  const openFiles = yield* OpenFiles

  const changeRecords = (
    edit: Edit,
    change: (detail: RecordsDetail) => Effect.Effect<unknown, { readonly message: string }>
  ) =>
    decodeDetail(edit.detail).pipe(
      Effect.flatMap(change),
      Effect.mapError((error) => registryError("change leap's records of the session", error))
    )

  /**
   * The relocation that applies an edit of this kind. It is found without the session's record, which may be gone when
   * a move is recovered.
   */
  const relocationOf = Effect.fnUntraced(function* ({ kind }: Edit) {
    const base = kind.split(".")[0] ?? ""
    const variant = providers.all.find((cli) => cli.base === base)?.id ?? base
    const owner = yield* providerOf(providers, { cli: base, base: variant })
    const relocation = Option.isSome(owner) ? owner.value.relocation : null
    if (relocation === null) {
      return yield* registryError(`change ${JSON.stringify(kind)}`, {
        message: "this version of leap does not know how; use the one that began the move"
      })
    }
    return relocation
  })

  /** `allowUnrecorded`: the session may have lost its record; then nothing is changed. */
  const apply =
    (allowUnrecorded: boolean) =>
    (edit: Edit): Effect.Effect<void, StoreError, RelocationFiles> =>
      edit.kind === recordsKind
        ? changeRecords(edit, (detail) =>
            records.relocate(relocatedOf(detail)).pipe(
              Effect.catchIf(
                ({ reason }) => allowUnrecorded && reason === "missing",
                () => Effect.void
              )
            )
          )
        : Effect.flatMap(relocationOf(edit), (relocation) => relocation.apply(edit))

  const revert = (edit: Edit): Effect.Effect<void, StoreError, RelocationFiles> =>
    edit.kind === recordsKind
      ? changeRecords(edit, (detail) => records.restore(relocatedOf(detail), detail.said, detail.otherwise))
      : Effect.flatMap(relocationOf(edit), (relocation) => relocation.revert(edit))

  const inOrder = (
    edits: ReadonlyArray<Edit>,
    change: (edit: Edit) => Effect.Effect<void, StoreError, RelocationFiles>
  ) => Effect.forEach(edits, change, { discard: true }).pipe(Effect.provideService(RelocationFiles, files))

  const registriesOf = (allowUnrecorded: boolean): SessionRegistries => ({
    apply: ({ edits }) => inOrder(edits, apply(allowUnrecorded)),
    revert: ({ edits }) => inOrder(edits.toReversed(), revert)
  })

  const resolved = Effect.fnUntraced(function* (directory: string) {
    return (yield* system.realPath(directory)) ?? directory
  })

  /** The session in the present records, which an earlier interrupted move may have changed. */
  const current = (session: SessionRecord) => Effect.map(records.all, (books) => RecordBook.current(books, session))

  const recordsEdit = Effect.fnUntraced(function* (session: SessionRecord, cwd: string, transcriptPath: string | null) {
    const moved: Relocated = { cli: session.base, sessionId: session.sessionId, cwd, transcriptPath }
    const locations = yield* records
      .locationsOf(moved)
      .pipe(
        Effect.mapError(
          ({ message }) =>
            new RelocationError({ sessionId: session.sessionId, reason: "failed", path: "", why: message })
        )
      )
    if (
      locations.length > 0 &&
      locations.every((it) => it.cwd === cwd && (transcriptPath === null || it.transcriptPath === transcriptPath))
    )
      return null
    const detail = encodeDetail({
      cli: moved.cli,
      sessionId: moved.sessionId,
      cwd,
      ...(transcriptPath === null ? {} : { transcriptPath }),
      said: locations,
      otherwise: { tag: "", cli: session.cli, cwd: session.cwd, transcriptPath: session.transcriptPath }
    })
    return { kind: recordsKind, detail } satisfies Edit
  })

  const move: SessionMover["Service"]["move"] = Effect.fn("SessionMover.move")(function* (requested, to) {
    const notMovable = (why: string) =>
      new RelocationError({ sessionId: requested.sessionId, reason: "not-movable", path: "", why })
    const provider = Option.getOrUndefined(yield* providerOf(providers, requested))
    if (provider === undefined) return yield* notMovable(`leap knows no CLI '${requested.cli}'`)
    const { relocation } = provider
    if (relocation === null) {
      return yield* notMovable(
        `leap cannot move sessions of ${provider.displayName}; 'leap resume' goes on with it where it is`
      )
    }
    const destination = to.startsWith("/") ? yield* system.directory(to) : Option.none()
    if (Option.isNone(destination)) return yield* notMovable(`there is no directory ${JSON.stringify(to)}`)
    if (!requested.cwd.startsWith("/")) return yield* notMovable("it is not known in which directory it lives")
    const env = environmentOf(provider, system)

    let session = requested
    const plan = Effect.gen(function* () {
      const before = yield* current(requested)
      const from = yield* resolved(yield* records.heal(before))
      const { plan, transcriptPath } = yield* relocation
        .plan({ session: before, from, to: destination.value, env })
        .pipe(Effect.provideService(RelocationFiles, files), Effect.provideService(OpenFiles, openFiles))
      const recordEdit = yield* recordsEdit(before, destination.value, transcriptPath)
      session = { ...before, cwd: destination.value, transcriptPath: transcriptPath ?? before.transcriptPath }
      return { ...plan, edits: [...plan.edits, ...(recordEdit === null ? [] : [recordEdit])] }
    })
    const moved = yield* relocator.moveBy(
      { cli: requested.base, sessionId: requested.sessionId },
      plan,
      registriesOf(false)
    )
    return { ...moved, session } satisfies MovedSession
  })

  return SessionMover.of({ move, unsettled: relocator.unsettled, recoverAll: relocator.recoverAll(registriesOf(true)) })
})

/** Moves sessions by the engine with a journal: the provider's plan, and last the edit of leap's records. */
export const layer: Layer.Layer<
  SessionMover,
  never,
  Relocator | SessionRecords | Providers | System | RelocationFiles | OpenFiles
> = Layer.effect(SessionMover, make)

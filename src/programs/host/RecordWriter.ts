import { Clock, Context, Effect, Exit, Latch, Layer, Schedule, Scope, Semaphore, Stream, SubscriptionRef } from "effect"
import type { AuditEntry } from "../../domain/engine/approvals/AuditEntry.ts"
import type { QueueRecord } from "../../domain/engine/queue/Queue.ts"
import type { RecordRow } from "../../domain/engine/history/RecordRow.ts"
import * as SessionFold from "../../domain/engine/history/SessionFold.ts"
import { checkpointBytes } from "../../domain/engine/history/checkpointBytes.ts"
import { dropOldRows, sizeOf } from "../../domain/engine/history/dropOldRows.ts"
import type { EndCause } from "../../domain/words/session/exitText.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { type LifeWriter, RecordStore } from "../../services/RecordStore.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { RestoredSession } from "./RestoredSession.ts"
import { SessionContext } from "./SessionContext.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { statusSeen } from "./statusSeen.ts"
import { UsageTracker } from "./UsageTracker.ts"
import { isBusy, type StoreError } from "../../services/StoreError.ts"
import { whenever } from "./waits.ts"

/**
 * Records the session's states, turns, messages, decisions and usage. Nothing waits for it, and its failures affect
 * nothing: rows wait in a bounded buffer, and lost rows are counted.
 */
export class RecordWriter extends Context.Service<
  RecordWriter,
  {
    readonly queue: (records: ReadonlyArray<QueueRecord>) => void
    readonly decided: (entry: AuditEntry) => void
    /** Takes a person's answer to a dialog, given through leap. */
    readonly answered: () => void
    /** Takes an announcement of leap's own actions. */
    readonly announced: (kind: "night", text: string) => void
    /** Takes the reason before the session ends. */
    readonly ending: (why: EndCause) => void
    readonly follow: Effect.Effect<void, never, Scope.Scope>
    /** Writes the last rows at the session's end, within a short time limit. */
    readonly flush: Effect.Effect<void>
  }
>()("leap/programs/host/RecordWriter") {}

/** Rows of this interval are written together. */
const pace = "250 millis"
/** Rows of one write, which blocks the host. */
const batchSize = 100
const mostRows = 2_000
const mostBytes = 4 << 20
/** Milliseconds before the next attempt, at first and at most. */
const firstDelay = 250
const longestDelay = 30_000
/** A record that is locked for this long, in milliseconds, is reported. */
const busyTimeout = 10_000
/** The session's end waits no longer for its record. */
const lastTimeout = "1 second"
/** Upkeep runs after the first write, and after this many rows. */
const upkeepRows = 1_000
/** The least time between two upkeeps of a long log, in milliseconds. */
const upkeepPause = 30_000

/** The message of an older host after a newer leap has upgraded the record. */
const outgrown = (version: string): string =>
  `its host is of leap ${version}, and a later leap has brought the record to a form that this one does not know; ` +
  "stopped and resumed, it is recorded again"

const make = Effect.gen(function* () {
  const { hostPid, spec, startedAt, tag, version } = yield* SessionContext
  const provider = yield* CLIProvider
  const publisher = yield* StatusPublisher
  const usage = yield* UsageTracker
  const store = yield* RecordStore
  const settings = yield* UserSettings
  const { memory } = yield* RestoredSession
  const clock = yield* Clock.Clock
  const scope = yield* Effect.scope
  const now = () => clock.currentTimeMillisUnsafe()
  const filled = yield* Latch.make(false)
  const life = {
    tag,
    cli: provider.id,
    base: provider.base,
    cwd: spec.cwd,
    hostPid,
    version,
    since: startedAt
  }

  let wanted = (yield* settings.read).settings
  const [started, firstRows] = SessionFold.start(
    startedAt,
    wanted.record === "meta" ? "meta" : "full",
    spec.resumes !== undefined
  )
  let state = started
  let rows: Array<RecordRow> = []
  let bytes = 0
  let lost = 0
  let isFull = false

  const put = (more: ReadonlyArray<RecordRow>): void => {
    if (wanted.record === "off" || more.length === 0) return
    rows.push(...more)
    for (const row of more) bytes += sizeOf(row)
    filled.openUnsafe()
    if (!isFull && (rows.length > mostRows || bytes > mostBytes)) {
      isFull = true
      const [paused, closing] = SessionFold.step(state, { _tag: "Paused", at: now() })
      state = paused
      const all = [...rows, ...closing]
      rows = [...dropOldRows(all)]
      lost += all.length - rows.length
      bytes = 0
    }
  }
  const take = (event: SessionFold.RecordEvent): void => {
    const [next, more] = SessionFold.step(state, event)
    state = next
    put(more)
  }
  /** Notes wait for the status of the same moment, because their cause comes first. */
  let notes: ReadonlyArray<SessionFold.RecordEvent> = []
  const takeNotes = (): void => {
    for (const note of notes) take(note)
    notes = []
  }
  const takeSeen = (status: SessionStatus): void =>
    take({
      _tag: "Status",
      at: now(),
      status: statusSeen(status, publisher.memory().tracker.facts, usage.view().usage)
    })
  const takeStatus = (status: SessionStatus): void => {
    if (status.state === "exited") takeNotes()
    takeSeen(status)
    takeNotes()
  }

  put(firstRows)
  if (spec.continues !== undefined) take({ _tag: "Noted", at: startedAt, kind: "continues", text: spec.continues })
  take({ _tag: "Restored", at: startedAt, messages: memory.delivery.queue.entries.map(({ message }) => message) })
  if (wanted.record === "off") state = SessionFold.step(state, { _tag: "Paused", at: startedAt })[0]

  let writer: { readonly to: LifeWriter; readonly scope: Scope.Closeable } | null = null
  let opened = 0
  let written = 0
  let keptAt = 0
  const close = Effect.suspend(() => {
    const old = writer
    writer = null
    return old === null ? Effect.void : Scope.close(old.scope, Exit.void)
  })
  const resume = (): void => {
    if (wanted.record !== "off") take({ _tag: "Resumed", at: now(), detail: wanted.record, lost })
    lost = 0
    isFull = false
  }
  const open = Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    const to = yield* store.open(life).pipe(
      Effect.provideService(Scope.Scope, own),
      Effect.onError(() => Scope.close(own, Exit.void))
    )
    writer = { to, scope: own }
    // a new file lacks the earlier rows
    if (to.isNew && opened++ > 0) resume()
    return to
  })

  const writeSome = Effect.gen(function* () {
    const to = writer?.to ?? (yield* open)
    const batch = rows.splice(0, batchSize)
    const log = yield* to
      .write(batch, now())
      .pipe(Effect.tapError(() => Effect.sync(() => void rows.unshift(...batch))))
    bytes = rows.length === 0 ? 0 : bytes
    if (isFull) resume()
    const before = written
    written += batch.length
    const isLong = log > checkpointBytes && now() - keptAt >= upkeepPause
    if (before === 0 || isLong || Math.floor(before / upkeepRows) !== Math.floor(written / upkeepRows)) {
      keptAt = now()
      yield* store.upkeep(wanted.recordDays, wanted.recordMegabytes)
    }
  })
  const mutex = yield* Semaphore.make(1)
  const writeRest: Effect.Effect<void, StoreError> = Effect.suspend(() =>
    rows.length === 0 ? Effect.void : Effect.andThen(Effect.andThen(writeSome, Effect.yieldNow), writeRest)
  )
  const writeAll = mutex.withPermits(1)(writeRest)

  let reported: StoreError["reason"] | null = null
  /** Writes the waiting rows, with retries and without a time limit. */
  const persist = Effect.gen(function* () {
    let since: number | null = null
    let delay = firstDelay
    while (true) {
      const failure = yield* writeAll.pipe(
        Effect.as(null),
        Effect.catch((error) => Effect.succeed(error))
      )
      if (failure === null) {
        if (reported !== null) {
          yield* Effect.logInfo("the session is recorded again")
          yield* publisher.update({ recordProblem: null })
        }
        reported = null
        return
      }
      since ??= now()
      if (failure.reason !== "busy") yield* close
      const isNews = failure.reason !== reported && (failure.reason !== "busy" || now() - since >= busyTimeout)
      // a deleted record is simply created again
      if (isNews && (failure.reason !== "failed" || delay > firstDelay)) {
        reported = failure.reason
        yield* Effect.logWarning(
          `${failure.message}: what the session does is not recorded until it can be ('leap doctor' says more)`
        )
        // only this host knows: the newer leap's doctor finds no problem in its own record
        yield* publisher.update({ recordProblem: failure.reason === "newer" ? outgrown(version) : failure.message })
      }
      yield* Effect.sleep(delay)
      delay = Math.min(longestDelay, delay * 2)
    }
  })

  const follow = Effect.gen(function* () {
    yield* SubscriptionRef.changes(publisher.status).pipe(
      Stream.runForEach((status) => Effect.sync(() => takeStatus(status))),
      Effect.forkScoped
    )
    // A turn's last usage may arrive after its end, without a change of the status; notes wait for their status.
    yield* usage.views.pipe(
      Stream.runForEach(() => Effect.map(SubscriptionRef.get(publisher.status), takeSeen)),
      Effect.forkScoped
    )
    yield* (yield* settings.changes).pipe(
      Stream.runForEach((read) =>
        Effect.sync(() => {
          const before = wanted.record
          const { record } = read.settings
          if (record === "off") take({ _tag: "Paused", at: now() })
          wanted = read.settings
          if (record !== "off" && record !== before) take({ _tag: "Resumed", at: now(), detail: record, lost: 0 })
        })
      ),
      Effect.forkScoped
    )
    yield* whenever(
      filled,
      Effect.andThen(Effect.sleep(pace), persist).pipe(
        Effect.catchCause((cause) => Effect.logWarning("the session could not be recorded", cause))
      )
    )
  })

  return RecordWriter.of({
    queue: (records) => take({ _tag: "Queue", at: now(), records }),
    decided: (entry) => take({ _tag: "Decided", at: now(), entry }),
    answered: () => take({ _tag: "Answered", at: now() }),
    announced: (kind, text) => void (notes = [...notes, { _tag: "Noted", at: now(), kind, text }]),
    ending: (why) => take({ _tag: "Noted", at: now(), kind: "ending", text: why }),
    follow,
    flush: Effect.gen(function* () {
      takeStatus(yield* SubscriptionRef.get(publisher.status))
      yield* writeAll.pipe(
        Effect.retry({ while: isBusy, times: 20, schedule: Schedule.spaced("40 millis") }),
        Effect.catch((error) => Effect.logWarning(`${error.message}: the session's end is not recorded`)),
        Effect.timeoutOption(lastTimeout),
        Effect.asVoid
      )
    })
  })
})

export const layer = Layer.effect(RecordWriter, make)

import type { EndCause } from "../../../src/domain/words/session/exitText.ts"
import { Clock, Effect, Layer, Result, Schema, Stream, SubscriptionRef } from "effect"
import * as SessionMachine from "../../../src/domain/engine/machine/SessionMachine.ts"
import * as Queue from "../../../src/domain/engine/queue/Queue.ts"
import type { HostSpec } from "../../../src/domain/words/session/HostSpec.ts"
import type { UncountedUse } from "../../../src/domain/words/session/OverBudget.ts"
import type { NotedWrite } from "../../../src/domain/words/session/RecentWrites.ts"
import { defaultModes, type SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { CliCommand } from "../../../src/programs/host/CliCommand.ts"
import { Recorder } from "../../../src/programs/host/Recorder.ts"
import { RecordWriter } from "../../../src/programs/host/RecordWriter.ts"
import * as SessionMetrics from "../../../src/programs/host/SessionMetrics.ts"
import { SessionContext } from "../../../src/programs/host/SessionContext.ts"
import { SessionRuntime } from "../../../src/programs/host/SessionRuntime.ts"
import { StatusPublisher } from "../../../src/programs/host/StatusPublisher.ts"
import type { UsageView } from "../../../src/programs/host/sessionStatus.ts"
import { RefusedError } from "../../../src/services/HostProtocol.ts"
import { sessionStatus } from "../data/sessionStatus.ts"

const decodeTag = Schema.decodeUnknownSync(Tag)

export const specOf = (own: Partial<HostSpec> = {}): HostSpec => ({
  tag: "one",
  cli: "demo",
  cwd: "/work",
  args: [],
  cols: 80,
  rows: 24,
  waitForViewer: false,
  ...own
})

/** Where a session in memory keeps its files, by name only. */
export const pathsOf = (tag: string) => ({
  dir: `/state/${tag}`,
  socket: `/state/${tag}/host.sock`,
  lock: `/state/${tag}/lock`,
  queue: `/state/${tag}/queue.ndjson`,
  modes: `/state/${tag}/modes.json`,
  status: `/state/${tag}/status.json`,
  screen: `/state/${tag}/screen.txt`,
  spool: `/state/${tag}/spool`,
  log: `/state/${tag}/host.log`,
  snapshots: `/state/${tag}/snapshots`
})

/** A session that is this host's already, and its figures. */
export const contextOf = (own: Partial<HostSpec> = {}): Layer.Layer<SessionContext | SessionMetrics.SessionMetrics> => {
  const spec = specOf(own)
  const context = Layer.succeed(SessionContext, {
    spec,
    tag: decodeTag(spec.tag),
    paths: pathsOf(spec.tag),
    lock: { isCurrent: Effect.succeed(true), renew: Effect.void },
    startedAt: 0,
    hostPid: 7,
    version: "1.2.3"
  })
  return Layer.provideMerge(SessionMetrics.layer, context)
}

export const commandOf = (env: Readonly<Record<string, string>> = {}): Layer.Layer<CliCommand> =>
  Layer.succeed(CliCommand, { command: "cli", args: [], ownFlags: [], bareArgs: [], env })

export const freshMemory = (at = 0): SessionMachine.SessionMemory =>
  SessionMachine.start({ at, modes: defaultModes, queue: Queue.emptyQueue })

type Tracked = SessionMachine.SessionMemory["tracker"]

/** This memory with other facts, and another view of them. */
export const withFacts = (
  memory: SessionMachine.SessionMemory,
  facts: Partial<Tracked["facts"]>,
  view: Partial<Tracked["view"]> = {}
): SessionMachine.SessionMemory => ({
  ...memory,
  tracker: {
    ...memory.tracker,
    facts: { ...memory.tracker.facts, ...facts },
    view: { ...memory.tracker.view, ...view }
  }
})

/** A runtime with no machine in it: the test sets the memory, and reads the events that come. */
export class RuntimeFake {
  memory: SessionMachine.SessionMemory = freshMemory()
  readonly events: Array<SessionMachine.MachineEvent> = []

  /** What has come since this was last asked. */
  take(): ReadonlyArray<SessionMachine.MachineEvent> {
    return this.events.splice(0)
  }

  readonly layer: Layer.Layer<SessionRuntime> = Layer.succeed(SessionRuntime, {
    memory: () => this.memory,
    offer: (event) => void this.events.push(event),
    offerSoon: (event) => void this.events.push(event),
    tell: (event) => Effect.sync(() => void this.events.push(event)),
    between: (task) =>
      Effect.map(
        Effect.suspend(() => task(this.memory)),
        (events) => void this.events.push(...events)
      ),
    changeQueue: (change) =>
      Effect.gen({ self: this }, function* () {
        const at = yield* Clock.currentTimeMillis
        const changed = change(this.memory.delivery.queue, at)
        if (Result.isFailure(changed)) return yield* RefusedError.because(changed.failure.reason, changed.failure.why)
        this.events.push({ _tag: "QueueChanged", at, records: changed.success.records })
        return changed.success
      })
  })
}

/** A status that the test sets, and the details that parts report for it. */
export const publisherOf = Effect.fnUntraced(function* (
  status: Partial<SessionStatus> = {},
  memory: () => SessionMachine.SessionMemory = freshMemory
) {
  const ref = yield* SubscriptionRef.make(sessionStatus(status))
  const attached: Array<number> = []
  const usages: Array<UsageView> = []
  const pids: Array<number | null> = []
  const writes: Array<ReadonlyArray<NotedWrite>> = []
  const recordProblems: Array<string | null> = []
  const uncounted: Array<UncountedUse | null> = []
  let refreshes = 0
  return {
    set: (change: Partial<SessionStatus>) => SubscriptionRef.update(ref, (now) => ({ ...now, ...change })),
    attached,
    usages,
    pids,
    writes,
    recordProblems,
    uncounted,
    refreshes: () => refreshes,
    layer: Layer.succeed(StatusPublisher, {
      status: ref,
      memory,
      publish: () => Effect.void,
      update: (details) =>
        Effect.sync(() => {
          if (details.attached !== undefined) attached.push(details.attached)
          if (details.usage !== undefined) usages.push(details.usage)
          if (details.pid !== undefined) pids.push(details.pid)
          if (details.writes !== undefined) writes.push(details.writes)
          if (details.uncounted !== undefined) uncounted.push(details.uncounted)
          if (details.recordProblem !== undefined) recordProblems.push(details.recordProblem)
        }),
      refresh: Effect.sync(() => void refreshes++)
    })
  }
})

/** A record that notes nothing, or the causes for which the session is ended. */
export const recordOf = (causes: Array<EndCause>): Layer.Layer<RecordWriter> =>
  Layer.succeed(RecordWriter, {
    queue: () => {},
    decided: () => {},
    answered: () => {},
    announced: () => {},
    ending: (why) => void causes.push(why),
    follow: Effect.void,
    flush: Effect.void
  })

export const unrecorded = recordOf([])

/** A recorder that only notes what it is told. */
export const recorderOf = () => {
  const notes: Array<string> = []
  const layer = Layer.succeed(Recorder, {
    output: (chunk) => void notes.push(`o ${Buffer.from(chunk).toString("latin1")}`),
    input: (latin1, by) => void notes.push(`i ${by} ${latin1}`),
    resize: ({ cols, rows }) => void notes.push(`r ${cols}x${rows}`),
    marker: (label) => void notes.push(`m ${label}`),
    end: () => void notes.push("end"),
    record: () => ({ size: { cols: 80, rows: 24 }, at: 0, batches: Stream.empty })
  })
  return { notes, layer }
}

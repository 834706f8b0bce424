import { Clock, Deferred, Duration, Effect, Layer, Queue, type Scope, Stream, type Cause } from "effect"
import { makeDirectory } from "./madeDirectories.ts"
import * as fs from "node:fs"
import * as path from "node:path"
import {
  dataName,
  type HookFile,
  type HookFileName,
  markOf,
  parseFile,
  parseName
} from "../../domain/store/hookSpool/HookFile.ts"
import * as HookOrigin from "../../domain/store/hookSpool/HookOrigin.ts"
import * as HookReply from "../../domain/store/hookSpool/HookReply.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { type HookDelivery, HookInbox, type HookSession } from "../../services/HookInbox.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { isBellUsed, makeBell } from "./HookInboxSpoolBell.ts"
import {
  arrived,
  attempt,
  truncated,
  writeWhole,
  readBounded,
  remove,
  stamp,
  rewriteAs
} from "./HookInboxSpoolFiles.ts"

/** The interval of checks without a notice, so that a lost notice costs seconds, not an event. */
const safetyInterval = Duration.seconds(2)
/** The interval while a hook is being written: its writer may have died, or its CLI may keep the pipe open. */
const pendingInterval = Duration.millis(300)
/**
 * Milliseconds until a delivered file is deleted. Handling the event comes first, since a CLI may wait for it, and the
 * file may be reused for the reply.
 */
const tidyAge = 20
const tidyInterval = Duration.millis(25)
/** The scheduler turns that handle an event: its delivery, its reader, the machine, its commands. */
const handlingTurns = 4
/**
 * The age in milliseconds at which a file without its mark is delivered: its writer has died, or the payload is
 * complete and its writer still waits for the end of the pipe.
 */
const pendingAge = 1000
/** A waiting hook takes its reply within this time. */
const replyTimeout = Duration.seconds(5)
/** The age in milliseconds at which files of a script that gave up count as abandoned. */
const markAge = 65_000
/** Unfinished events and this process's own replies are not urgent: a check for them would coincide with the bell. */
const isUrgent = (name: string): boolean => markOf(name) === null && !HookReply.isReply(name)

type Files = ReadonlySet<string> | "unknown"

interface PendingReply {
  readonly writer: number
  readonly outcome: Deferred.Deferred<"taken" | "late">
}

/**
 * Whether there is a process with this pid. The process table could tell whether it is the same process, but takes
 * longer than all the rest of a reply.
 */
const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

const make = Effect.gen(function* () {
  const directories = yield* DirectoryWatch
  const processes = yield* ProcessTable

  const ensure = (spool: string) => attempt(() => makeDirectory(spool, 0o700))

  const clear = Effect.fn("HookInbox.clear")(function* (spool: string) {
    yield* ensure(spool)
    for (const name of (yield* attempt(() => fs.readdirSync(spool))) ?? []) yield* remove(path.join(spool, name), true)
  })

  /** The events in each spool's decision file, and the file's text. */
  const decisionFiles = new Map<string, { readonly events: ReadonlyArray<string>; readonly text: string }>()
  /** The hooks' own answers in each spool, by event. */
  const silentFiles = new Map<string, Readonly<Record<string, string>>>()
  const decisionPath = (spool: string) => path.join(spool, HookReply.decisionFile)

  const setDecisionEvents: HookInbox["Service"]["announceAwaited"] = Effect.fn("HookInbox.setDecisionEvents")(
    function* (spool, events, silent = {}) {
      yield* ensure(spool)
      const before = silentFiles.get(spool) ?? {}
      for (const event of Object.keys(before))
        if (silent[event] === undefined) yield* remove(path.join(spool, HookReply.silentName(event)), true)
      // A file that cannot be written stays unchanged.
      const said: Record<string, string> = {}
      let placed = true
      for (const [event, line] of Object.entries(silent)) {
        const file = path.join(spool, HookReply.silentName(event))
        const isPlaced = before[event] === line || (yield* writeWhole(file, HookReply.silentText(line))) === true
        const now = isPlaced ? line : before[event]
        if (now !== undefined) said[event] = now
        placed = placed && isPlaced
      }
      silentFiles.set(spool, said)
      if (events === null || events.length === 0) {
        decisionFiles.delete(spool)
        yield* remove(decisionPath(spool), true)
        return placed
      }
      const text = HookReply.decisionText(process.pid, events)
      decisionFiles.set(spool, { events, text })
      return (yield* writeWhole(decisionPath(spool), text)) === true && placed
    }
  )

  /** Restores the decision file after a deletion. Without it hooks would not wait, and no rule would apply. */
  const renew = Effect.fnUntraced(function* (spool: string) {
    const text = decisionFiles.get(spool)?.text
    if (text !== undefined && (yield* stamp(decisionPath(spool))) === null) yield* writeWhole(decisionPath(spool), text)
    for (const [event, line] of Object.entries(silentFiles.get(spool) ?? {})) {
      const file = path.join(spool, HookReply.silentName(event))
      if ((yield* stamp(file)) === null) yield* writeWhole(file, HookReply.silentText(line))
    }
  })

  const watch = Effect.fn("HookInbox.watch")(function* (
    session: HookSession
  ): Effect.fn.Return<Stream.Stream<HookDelivery>, never, Scope.Scope> {
    const { cliPid, spool } = session
    const out = yield* Effect.acquireRelease(Queue.unbounded<HookDelivery, Cause.Done>(), Queue.end)
    const birth = (yield* processes.ancestry(cliPid))[0]?.birth ?? null
    let origins = HookOrigin.start({ pid: cliPid, birth })
    let sequence = 0
    /**
     * Delivered events that are still in the spool: for a moment, because deletion failed, or because their writer has
     * not marked them as complete.
     */
    const delivered = new Map<string, { readonly since: number; readonly whole: boolean }>()
    const pendingReplies = new Map<string, PendingReply>()
    const file = (name: string) => path.join(spool, name)
    const forget = (mark: string, there: Files) => {
      const names = [HookReply.replyName(mark), HookReply.takenName(mark), HookReply.gaveUpName(mark)]
      const left = there === "unknown" ? names : names.filter((name) => there.has(name))
      return Effect.forEach(left, (name) => remove(file(name)), { discard: true })
    }

    const settle = Effect.fnUntraced(function* (mark: string, outcome: "taken" | "late", there: Files = "unknown") {
      const call = pendingReplies.get(mark)
      pendingReplies.delete(mark)
      yield* forget(mark, there)
      if (call !== undefined) yield* Deferred.succeed(call.outcome, outcome)
    })

    /** Settles replies that the script confirmed or gave up, or whose script had ended before the spool was read. */
    const settleReplies = Effect.fnUntraced(function* (
      calls: ReadonlyArray<string>,
      rung: ReadonlyArray<string>,
      gone: ReadonlyArray<string>
    ) {
      const there = new Set(calls)
      const says = (name: string) => there.has(name) || rung.includes(name)
      for (const mark of pendingReplies.keys()) {
        if (says(HookReply.takenName(mark))) yield* settle(mark, "taken", there)
        // The script's confirmation may have come after the spool was read.
        else if (says(HookReply.gaveUpName(mark)) || gone.includes(mark)) yield* settle(mark, "late")
      }
      const now = yield* Clock.currentTimeMillis
      for (const name of calls) {
        const mark = HookReply.callOf(name)
        if (mark === null || pendingReplies.has(mark)) continue
        const at = yield* stamp(file(name))
        if (at !== null && now - Number(at / 1_000_000n) > markAge) yield* remove(file(name), true)
      }
    })

    /** The call's file is no longer written or read: its script only waits. */
    const isFinished = (mark: string, event: string): boolean =>
      delivered.get(mark)?.whole === true && decisionFiles.get(spool)?.events.includes(event) === true

    const replyTo = (mark: string, { event, writer }: HookFileName) =>
      Effect.fnUntraced(function* (line: string | null) {
        // Most hooks do not wait: the process is gone, and nothing is written.
        if (pendingReplies.has(mark) || !exists(writer)) return "late" as const
        const outcome = yield* Deferred.make<"taken" | "late">()
        pendingReplies.set(mark, { writer, outcome })
        const reply = file(HookReply.replyName(mark))
        const text = HookReply.replyText(mark, line)
        const rewritten = isFinished(mark, event) && (yield* rewriteAs(reply, file(dataName(mark)), text)) === true
        if (!rewritten && (yield* writeWhole(reply, text)) === null) yield* settle(mark, "late")
        return yield* Deferred.await(outcome).pipe(
          Effect.timeoutOrElse({
            duration: replyTimeout,
            orElse: () => Effect.as(settle(mark, "late"), "late" as const)
          })
        )
      })

    const originOf = Effect.fnUntraced(function* ({ caller, parent, payload }: HookFile) {
      const { hosted, cliProcess } = origins
      const known = caller === null ? [] : [caller]
      // The caller is mostly the CLI itself, or a shell that it started: then no lookup is needed.
      const direct = HookOrigin.callerOf(parent, known, hosted)?.pid === hosted.pid
      const from = caller?.parent ?? parent
      const ancestors = direct || from <= 1 ? known : [...known, ...(yield* processes.ancestry(from))]
      return HookOrigin.decide(origins, {
        parent,
        ancestors,
        sessionId: HookOrigin.sessionIdIn(payload),
        cliAlive: cliProcess !== null && (direct || (yield* processes.isAlive(cliProcess)))
      })
    })

    const deliver = Effect.fnUntraced(function* (mark: string, file: HookFile, at: bigint) {
      const origin = yield* originOf(file)
      origins = origin.memory
      sequence++
      yield* Queue.offer(out, {
        event: file.event,
        payload: file.payload,
        raw: truncated(file.raw),
        flaw: file.flaw,
        at: Number(at / 1_000_000n),
        sequence,
        callerPid: origin.callerPid,
        nested: origin.nested,
        reply: replyTo(mark, file)
      })
    })

    const read = (mark: string, name: HookFileName) =>
      Effect.map(readBounded(path.join(spool, dataName(mark))), (file) =>
        parseFile(name, file?.text ?? "", file?.damage ?? null)
      )

    const removeDelivered = Effect.fnUntraced(function* (mark: string) {
      const gone = (yield* remove(file(dataName(mark)))) && (yield* remove(file(mark)))
      if (gone === true) delivered.delete(mark)
    })

    /**
     * Takes an event without its mark after a while: its writer died in the middle, or waits for the end of a complete
     * payload.
     */
    const takePending = Effect.fnUntraced(function* (mark: string, now: number) {
      const name = parseName(mark)
      const at = yield* stamp(file(dataName(mark)))
      if (name === null || at === null || now - Number(at / 1_000_000n) < pendingAge) return
      const writing = yield* processes.isAlive({ pid: name.writer, birth: null })
      // It may have been marked after the spool was read; then it is delivered in order.
      if ((yield* stamp(file(mark))) !== null) return
      if (!delivered.has(mark)) {
        const call = yield* read(mark, name)
        if (writing && call.payload === null) return
        delivered.set(mark, { since: now, whole: false })
        yield* deliver(mark, call, at)
      }
      if (!writing) yield* removeDelivered(mark)
    })

    const bell = makeBell(spool)

    /** Delivers new events and deletes earlier ones; returns when to check again, null: at the next notice. */
    const scan = Effect.gen(function* () {
      // Processes are checked before the spool is read, so that the last writes of an ended script are seen.
      const gone = [...pendingReplies].flatMap(([mark, { writer }]) => (exists(writer) ? [] : [mark]))
      const rung = (isBellUsed ? yield* attempt(bell.readMarks) : null) ?? []
      const { calls, events, later, unmarked } = yield* arrived(spool, rung)
      const now = yield* Clock.currentTimeMillis
      for (const { at, mark, name } of events) {
        const before = delivered.get(mark)
        if (before?.whole !== true) delivered.set(mark, { since: before?.since ?? now, whole: true })
        if (before === undefined) yield* deliver(mark, yield* read(mark, name), at)
      }
      // Lets a waiting CLI get its answer before the rest of this scan.
      for (let turn = 0; events.length > 0 && turn < handlingTurns; turn++) yield* Effect.yieldNow
      yield* ensure(spool)
      yield* renew(spool)
      if (pendingReplies.size + calls.length > 0) yield* settleReplies(calls, rung, gone)
      for (const mark of unmarked) yield* takePending(mark, now)
      let untidy = false
      for (const [mark, { since, whole }] of delivered) {
        if (Math.abs(now - since) < tidyAge) untidy = true
        else if (whole) yield* removeDelivered(mark)
        else if ((yield* stamp(file(dataName(mark)))) === null) delivered.delete(mark)
      }
      if (later) return Duration.zero
      if (untidy) return tidyInterval
      if (unmarked.length + pendingReplies.size > 0) return pendingInterval
      if (events.length === 0) yield* attempt(bell.shorten)
      return null
    })

    const watcher = yield* directories.watch(spool, isUrgent)
    // When the watch ends, each caller that still waits for an outcome gets one.
    yield* Effect.addFinalizer(() =>
      Effect.forEach([...pendingReplies.keys()], (mark) => settle(mark, "late"), { discard: true })
    )
    yield* Effect.gen(function* () {
      while (true) {
        const wait = yield* scan
        if (wait === null) yield* watcher.changedUnlessLost(safetyInterval)
        else if (!Duration.isZero(wait)) yield* watcher.changed(wait)
      }
    }).pipe(Effect.forkScoped)
    return Stream.fromQueue(out)
  })

  return HookInbox.of({ watch, clear, announceAwaited: setDecisionEvents })
})

/** Hook events as files in a spool directory, written by `leap-hook.sh`. */
export const layer: Layer.Layer<HookInbox, never, DirectoryWatch | ProcessTable> = Layer.effect(HookInbox, make)

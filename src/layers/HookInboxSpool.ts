import { Clock, Deferred, Duration, Effect, Layer, Queue, type Scope, Stream } from "effect"
import type { Cause } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { byArrival, dataName, type HookArrival, type HookFile, type HookFileName, markOf, parseFile, parseName } from "../domain/HookFile.ts"
import * as HookOrigin from "../domain/HookOrigin.ts"
import * as HookReply from "../domain/HookReply.ts"
import { DirectoryWatch } from "../services/DirectoryWatch.ts"
import { type HookDelivery, HookInbox, type HookSession } from "../services/HookInbox.ts"
import { ProcessTable } from "../services/ProcessTable.ts"
import { isHeard, makeBell } from "./HookInboxSpoolBell.ts"
import { attempt, bounded, place, readBounded, remove, stamp, turnInto } from "./HookInboxSpoolFiles.ts"

/** Looked at without any notice this often, so that a notice that never came costs seconds, not an event. */
const safetyInterval = Duration.seconds(2)
/** While a hook is being written: its writer may have died, or its CLI may keep the pipe open. */
const pendingInterval = Duration.millis(300)
/** What was delivered is deleted this much later: what comes of it goes before, for which a CLI may wait, and its file may become the answer. */
const tidyAge = 20
const tidyInterval = Duration.millis(25)
/** A file whose writer has died, or that is whole though its writer still waits for more, is taken when it is this old. */
const pendingAge = 1000
/** A hook that waits has taken its answer by then. */
const replyPatience = Duration.seconds(5)
/** What a script that gave up has left behind is nobody's when it is this old. */
const markAge = 65_000
interface Arrived extends HookArrival {
  readonly mark: string
  readonly name: HookFileName
}

/** A hook that has been answered and has not yet said what became of the answer. */
interface Answered {
  readonly writer: number
  readonly outcome: Deferred.Deferred<"taken" | "late">
}

/** Whether there is a process with this pid. A look at the process table tells more, and takes longer than all the rest of an answer. */
const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/**
 * The whole events in the spool, oldest first: marked, or rung for. A directory that is read while entries are added may show
 * a later one and not an earlier one; so it is read twice, and the marks that are newer than all of the first reading wait for
 * the next.
 */
const arrived = Effect.fnUntraced(function*(spool: string, rung: ReadonlyArray<string>) {
  const list = attempt(() => fs.readdirSync(spool))
  const first = new Set(yield* list)
  const names = new Set(yield* list)
  const events: Array<Arrived> = []
  let newest = -1n
  for (const mark of names) {
    const name = parseName(mark)
    const at = name === null ? null : yield* stamp(path.join(spool, mark))
    if (name === null || at === null) continue
    events.push({ mark, name, at, writer: name.writer, count: name.count })
    if (first.has(mark) && at > newest) newest = at
  }
  const later = events.some((it) => it.at > newest)
  const ready = events.filter((it) => it.at <= newest)
  for (const mark of new Set(rung)) {
    const name = names.has(mark) ? null : parseName(mark)
    const at = name === null ? null : yield* stamp(path.join(spool, dataName(mark)))
    if (name !== null && at !== null) ready.push({ mark, name, at, writer: name.writer, count: name.count })
  }
  return {
    events: ready.sort(byArrival),
    later,
    calls: [...names].filter((name) => HookReply.callOf(name) !== null),
    unmarked: [...names].flatMap((name) => markOf(name) ?? []).filter((mark) => !names.has(mark) && !rung.includes(mark))
  }
})

const make = Effect.gen(function*() {
  const directories = yield* DirectoryWatch
  const processes = yield* ProcessTable

  const ensure = (spool: string) => attempt(() => fs.mkdirSync(spool, { recursive: true, mode: 0o700 }))

  const clear = Effect.fn("HookInbox.clear")(function*(spool: string) {
    yield* ensure(spool)
    for (const name of (yield* attempt(() => fs.readdirSync(spool))) ?? []) yield* remove(path.join(spool, name), true)
  })

  /** The events that each spool's decision file lists, and all of what it is to say. */
  const deciding = new Map<string, { readonly events: ReadonlyArray<string>; readonly text: string }>()
  const decisionIn = (spool: string) => path.join(spool, HookReply.decisionFile)

  const decides: HookInbox["Service"]["decides"] = Effect.fn("HookInbox.decides")(function*(spool, events) {
    yield* ensure(spool)
    if (events === null || events.length === 0) {
      deciding.delete(spool)
      yield* remove(decisionIn(spool), true)
    } else {
      const text = HookReply.decisionText(process.pid, events)
      deciding.set(spool, { events, text })
      yield* place(decisionIn(spool), text)
    }
  })

  /** Puts the decision file back that somebody has deleted: without it no rule would count any more. */
  const renew = Effect.fnUntraced(function*(spool: string) {
    const text = deciding.get(spool)?.text
    if (text !== undefined && (yield* stamp(decisionIn(spool))) === null) yield* place(decisionIn(spool), text)
  })

  const watch = Effect.fn("HookInbox.watch")(function*(session: HookSession): Effect.fn.Return<
    Stream.Stream<HookDelivery>,
    never,
    Scope.Scope
  > {
    const { cliPid, spool } = session
    const out = yield* Effect.acquireRelease(Queue.unbounded<HookDelivery, Cause.Done>(), Queue.end)
    const birth = (yield* processes.ancestry(cliPid))[0]?.birth ?? null
    let origins = HookOrigin.start({ pid: cliPid, birth })
    let sequence = 0
    /** Delivered, but still in the spool: for a moment, or they could not be deleted, or their writer has not said that they are whole. */
    const delivered = new Map<string, { readonly since: number; readonly whole: boolean }>()
    const answered = new Map<string, Answered>()
    const file = (name: string) => path.join(spool, name)
    const forget = (mark: string) =>
      Effect.forEach([HookReply.replyName, HookReply.takenName, HookReply.gaveUpName], (of) => remove(file(of(mark))), { discard: true })

    const settle = Effect.fnUntraced(function*(mark: string, outcome: "taken" | "late") {
      const call = answered.get(mark)
      answered.delete(mark)
      yield* forget(mark)
      if (call !== undefined) yield* Deferred.succeed(call.outcome, outcome)
    })

    /** What has become of answers: the script has said so, or was gone before that was looked for. */
    const settleAnswered = Effect.fnUntraced(function*(calls: ReadonlyArray<string>, gone: ReadonlyArray<string>) {
      for (const mark of answered.keys()) {
        if (calls.includes(HookReply.takenName(mark))) yield* settle(mark, "taken")
        else if (calls.includes(HookReply.gaveUpName(mark)) || gone.includes(mark)) yield* settle(mark, "late")
      }
      const now = yield* Clock.currentTimeMillis
      for (const name of calls) {
        const mark = HookReply.callOf(name)
        if (mark === null || answered.has(mark)) continue
        const at = yield* stamp(file(name))
        if (at !== null && now - Number(at / 1_000_000n) > markAge) yield* remove(file(name), true)
      }
    })

    /** Nobody writes or reads the file of such a call any more: its script only waits. */
    const isDone = (mark: string, event: string): boolean =>
      delivered.get(mark)?.whole === true && deciding.get(spool)?.events.includes(event) === true

    const replyTo = (mark: string, { event, writer }: HookFileName) =>
      Effect.fnUntraced(function*(line: string | null) {
        // Mostly a hook does not wait: then it is gone, and there is nothing to write.
        if (answered.has(mark) || !exists(writer)) return "late" as const
        const outcome = yield* Deferred.make<"taken" | "late">()
        answered.set(mark, { writer, outcome })
        const reply = file(HookReply.replyName(mark))
        const text = HookReply.replyText(mark, line)
        const turned = isDone(mark, event) && (yield* turnInto(reply, file(dataName(mark)), text)) === true
        if (!turned && (yield* place(reply, text)) === null) yield* settle(mark, "late")
        return yield* Deferred.await(outcome).pipe(
          Effect.timeoutOrElse({ duration: replyPatience, orElse: () => Effect.as(settle(mark, "late"), "late" as const) })
        )
      })

    const originOf = Effect.fnUntraced(function*({ caller, parent, payload }: HookFile) {
      const { hosted, own } = origins
      const known = caller === null ? [] : [caller]
      // Mostly the CLI itself called, or a shell of its own: then there is nothing to look up.
      const direct = HookOrigin.callerOf(parent, known, hosted)?.pid === hosted.pid
      const from = caller?.parent ?? parent
      const ancestors = direct || from <= 1 ? known : [...known, ...(yield* processes.ancestry(from))]
      return HookOrigin.decide(origins, {
        parent,
        ancestors,
        sessionId: HookOrigin.sessionIdIn(payload),
        ownAlive: own !== null && (direct || (yield* processes.isAlive(own)))
      })
    })

    const deliver = Effect.fnUntraced(function*(mark: string, file: HookFile, at: bigint) {
      const origin = yield* originOf(file)
      origins = origin.memory
      sequence++
      yield* Queue.offer(out, {
        event: file.event,
        payload: file.payload,
        raw: bounded(file.raw),
        at: Number(at / 1_000_000n),
        sequence,
        callerPid: origin.callerPid,
        nested: origin.nested,
        reply: replyTo(mark, file)
      })
    })

    const read = (mark: string, name: HookFileName) =>
      Effect.map(readBounded(path.join(spool, dataName(mark))), (text) => parseFile(name, text ?? ""))

    const taken = Effect.fnUntraced(function*(mark: string) {
      const gone = (yield* remove(file(dataName(mark)))) && (yield* remove(file(mark)))
      if (gone === true) delivered.delete(mark)
    })

    /** An event without its mark, after a while: its writer died in the middle, or waits for the end of a whole payload. */
    const takePending = Effect.fnUntraced(function*(mark: string, now: number) {
      const name = parseName(mark)
      const at = yield* stamp(file(dataName(mark)))
      if (name === null || at === null || now - Number(at / 1_000_000n) < pendingAge) return
      const writing = yield* processes.isAlive({ pid: name.writer, birth: null })
      // It may have been marked since the spool was read: then it is taken in its turn.
      if ((yield* stamp(file(mark))) !== null) return
      if (!delivered.has(mark)) {
        const call = yield* read(mark, name)
        if (writing && call.payload === null) return
        delivered.set(mark, { since: now, whole: false })
        yield* deliver(mark, call, at)
      }
      if (!writing) yield* taken(mark)
    })

    const bell = makeBell(spool)

    /** Delivers what is there, and tidies up after what was delivered before; tells how soon to look again. */
    const scan = Effect.gen(function*() {
      // In this order: what a script did last is seen, though it is gone.
      const gone = [...answered].flatMap(([mark, { writer }]) => exists(writer) ? [] : [mark])
      const heard = (isHeard ? yield* attempt(bell.heard) : null) ?? []
      const { calls, events, later, unmarked } = yield* arrived(spool, heard)
      const now = yield* Clock.currentTimeMillis
      for (const { at, mark, name } of events) {
        const before = delivered.get(mark)
        if (before?.whole !== true) delivered.set(mark, { since: before?.since ?? now, whole: true })
        if (before === undefined) yield* deliver(mark, yield* read(mark, name), at)
      }
      // What comes of these is under way before all that follows.
      yield* Effect.yieldNow
      yield* ensure(spool)
      yield* renew(spool)
      if (answered.size + calls.length > 0) yield* settleAnswered([...calls, ...heard], gone)
      for (const mark of unmarked) yield* takePending(mark, now)
      let untidy = false
      for (const [mark, { since, whole }] of delivered) {
        if (Math.abs(now - since) < tidyAge) untidy = true
        else if (whole) yield* taken(mark)
        else if ((yield* stamp(file(dataName(mark)))) === null) delivered.delete(mark)
      }
      if (later) return Duration.zero
      if (untidy) return tidyInterval
      if (unmarked.length + answered.size > 0) return pendingInterval
      if (events.length === 0) yield* attempt(bell.shorten)
      return safetyInterval
    })

    const watcher = yield* directories.watch(spool)
    // Who waits for an outcome when nobody listens any more is told.
    yield* Effect.addFinalizer(() => Effect.forEach([...answered.keys()], (mark) => settle(mark, "late"), { discard: true }))
    yield* Effect.gen(function*() {
      while (true) {
        const wait = yield* scan
        if (!Duration.isZero(wait)) yield* watcher.changed(wait)
      }
    }).pipe(Effect.forkScoped)
    return Stream.fromQueue(out)
  })

  return HookInbox.of({ watch, clear, decides })
})

/** Hook events as files in a spool directory, written by `leap-hook.sh`. */
export const layer: Layer.Layer<HookInbox, never, DirectoryWatch | ProcessTable> = Layer.effect(HookInbox, make)

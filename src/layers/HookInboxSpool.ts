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

/** Looked at without any notice this often, so that a notice that never came costs seconds, not an event. */
const safetyInterval = Duration.seconds(2)
/** While a hook is being written: its writer may have died, or its CLI may keep the pipe open. */
const pendingInterval = Duration.millis(300)
/** A file whose writer has died, or that is whole though its writer still waits for more, is taken when it is this old. */
const pendingAge = 1000
/** A hook that waits has taken its answer by then. */
const replyPatience = Duration.seconds(5)
/** What a script that gave up has left behind is nobody's when it is this old. */
const markAge = 65_000
/** A larger payload is not parsed. */
const largestPayload = 64 << 20
/** One that takes no time to read. */
const smallPayload = 256 << 10
/** What `raw` keeps of a payload, in characters. */
const rawLimit = 64 << 10

interface Arrived extends HookArrival {
  readonly mark: string
  readonly name: HookFileName
}

/** A hook that has been answered and has not yet said what became of the answer. */
interface Answered {
  readonly writer: number
  readonly outcome: Deferred.Deferred<"taken" | "late">
}

/**
 * The answer, or null: every file here may be gone by the time it is asked for. All of it is small and leap's own, and a CLI
 * may wait for what comes of it: the thread pool would cost more time than the calls themselves, several times over.
 */
const attempt = <A>(run: () => A): Effect.Effect<A | null> => Effect.orElseSucceed(Effect.try(run), () => null)

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants

/** Opens a regular file, never through a link and never waiting on a pipe; with its size, or null for what is none. */
const openRegular = (file: string): { readonly handle: number; readonly size: number } | null => {
  const handle = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  const stat = fs.fstatSync(handle)
  if (stat.isFile()) return { handle, size: stat.size }
  fs.closeSync(handle)
  return null
}

const startOf = (handle: number, length: number): string => {
  const buffer = Buffer.alloc(length)
  return buffer.toString("utf8", 0, fs.readSync(handle, buffer, 0, length, 0))
}

/** A regular file's text, or null; of one that is too large, its beginning. */
const readBounded = (file: string): Effect.Effect<string | null> =>
  Effect.acquireUseRelease(
    attempt(() => openRegular(file)),
    (open) => {
      if (open === null) return Effect.succeed(null)
      const { handle, size } = open
      if (size > largestPayload) return attempt(() => startOf(handle, rawLimit))
      if (size <= smallPayload) return attempt(() => fs.readFileSync(handle, "utf8"))
      return Effect.callback<string | null>((resume) => fs.readFile(handle, "utf8", (error, text) => resume(Effect.succeed(error === null ? text : null))))
    },
    (open) => open === null ? Effect.void : Effect.asVoid(attempt(() => fs.closeSync(open.handle)))
  )

/** Deletes it; null when it cannot. A directory is left alone unless `whole`. */
const remove = (file: string, whole = false): Effect.Effect<true | null> =>
  attempt(() => {
    fs.rmSync(file, { recursive: whole, force: true })
    return true as const
  })

/** Puts a file there whole, or not at all; null when it cannot. */
const place = (file: string, text: string): Effect.Effect<true | null> => {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.tmp`)
  return attempt(() => {
    fs.writeFileSync(temporary, text, { mode: 0o600 })
    fs.renameSync(temporary, file)
    return true as const
  }).pipe(Effect.tap((placed) => placed === null ? remove(temporary) : Effect.void))
}

/** Cut to the limit, never within a character. */
const bounded = (raw: string): string => {
  if (raw.length <= rawLimit) return raw
  const last = raw.charCodeAt(rawLimit - 1)
  return raw.slice(0, last >= 0xd800 && last < 0xdc00 ? rawLimit - 1 : rawLimit)
}

const stamp = (file: string): Effect.Effect<bigint | null> =>
  attempt(() => fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? null)

/**
 * The marks in the spool, oldest first. A directory that is read while entries are added may show a later one and not an
 * earlier one; so it is read twice, and what is newer than all of the first reading waits for the next.
 */
const arrived = Effect.fnUntraced(function*(spool: string) {
  const list = attempt(() => fs.readdirSync(spool))
  const first = new Set(yield* list)
  const names = (yield* list) ?? []
  const marks: Array<Arrived> = []
  let newest = -1n
  for (const mark of names) {
    const name = parseName(mark)
    const at = name === null ? null : yield* stamp(path.join(spool, mark))
    if (name === null || at === null) continue
    marks.push({ mark, name, at, writer: name.writer, count: name.count })
    if (first.has(mark) && at > newest) newest = at
  }
  return {
    marks: marks.filter((it) => it.at <= newest).sort(byArrival),
    later: marks.some((it) => it.at > newest),
    calls: names.filter((name) => HookReply.callOf(name) !== null),
    unmarked: names.flatMap((name) => markOf(name) ?? []).filter((mark) => !names.includes(mark))
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

  /** What each spool's decision file is to say. */
  const deciding = new Map<string, string>()
  const decisionIn = (spool: string) => path.join(spool, HookReply.decisionFile)

  const decides: HookInbox["Service"]["decides"] = Effect.fn("HookInbox.decides")(function*(spool, events) {
    yield* ensure(spool)
    if (events === null || events.length === 0) {
      deciding.delete(spool)
      yield* remove(decisionIn(spool), true)
    } else {
      const text = HookReply.decisionText(process.pid, events)
      deciding.set(spool, text)
      yield* place(decisionIn(spool), text)
    }
  })

  /** Puts the decision file back that somebody has deleted: without it no rule would count any more. */
  const renew = Effect.fnUntraced(function*(spool: string) {
    const text = deciding.get(spool)
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
    /** Delivered, but still in the spool: they could not be deleted, or their writer has not finished. */
    const delivered = new Set<string>()
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

    /** What has become of answers: the script says so, or it is gone. */
    const settleAnswered = Effect.fnUntraced(function*(calls: ReadonlyArray<string>) {
      for (const [mark, { writer }] of answered) {
        const alive = yield* processes.isAlive({ pid: writer, birth: null })
        if (calls.includes(HookReply.takenName(mark))) yield* settle(mark, "taken")
        else if (calls.includes(HookReply.gaveUpName(mark)) || !alive && (yield* stamp(file(HookReply.takenName(mark)))) === null) yield* settle(mark, "late")
      }
      const now = yield* Clock.currentTimeMillis
      for (const name of calls) {
        const mark = HookReply.callOf(name)
        if (mark === null || answered.has(mark)) continue
        const at = yield* stamp(file(name))
        if (at !== null && now - Number(at / 1_000_000n) > markAge) yield* remove(file(name), true)
      }
    })

    const replyTo = (mark: string, { writer }: HookFileName) =>
      Effect.fnUntraced(function*(line: string | null) {
        // Mostly a hook does not wait: then it is gone, and there is nothing to write.
        if (answered.has(mark) || !(yield* processes.isAlive({ pid: writer, birth: null }))) return "late" as const
        const outcome = yield* Deferred.make<"taken" | "late">()
        answered.set(mark, { writer, outcome })
        if ((yield* place(file(HookReply.replyName(mark)), HookReply.replyText(mark, line))) === null) yield* settle(mark, "late")
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
      delivered.add(mark)
      const gone = (yield* remove(file(dataName(mark)))) && (yield* remove(file(mark)))
      if (gone === true) delivered.delete(mark)
    })

    /** An event without its mark, after a while: its writer died in the middle, or waits for the end of a whole payload. */
    const takePending = Effect.fnUntraced(function*(mark: string, now: number) {
      const name = parseName(mark)
      const at = yield* stamp(path.join(spool, dataName(mark)))
      if (name === null || at === null || now - Number(at / 1_000_000n) < pendingAge) return
      const writing = yield* processes.isAlive({ pid: name.writer, birth: null })
      // It may have been marked since the spool was read: then it is taken in its turn.
      if ((yield* stamp(path.join(spool, mark))) !== null) return
      if (!delivered.has(mark)) {
        const file = yield* read(mark, name)
        if (writing && file.payload === null) return
        delivered.add(mark)
        yield* deliver(mark, file, at)
      }
      if (!writing) yield* taken(mark)
    })

    /** Delivers what is there; true when something is still to come. */
    const scan = Effect.gen(function*() {
      yield* ensure(spool)
      yield* renew(spool)
      const { calls, later, marks, unmarked } = yield* arrived(spool)
      for (const { at, mark, name } of marks) {
        if (!delivered.has(mark)) yield* deliver(mark, yield* read(mark, name), at)
        yield* taken(mark)
      }
      if (answered.size + calls.length > 0) yield* settleAnswered(calls)
      const now = yield* Clock.currentTimeMillis
      for (const mark of unmarked) yield* takePending(mark, now)
      for (const mark of delivered) {
        const left = (yield* stamp(path.join(spool, mark))) ?? (yield* stamp(path.join(spool, dataName(mark))))
        if (left === null) delivered.delete(mark)
      }
      return later ? "now" as const : unmarked.length + answered.size > 0 ? "soon" as const : "quiet" as const
    })

    const watcher = yield* directories.watch(spool)
    // Who waits for an outcome when nobody listens any more is told.
    yield* Effect.addFinalizer(() => Effect.forEach([...answered.keys()], (mark) => settle(mark, "late"), { discard: true }))
    yield* Effect.gen(function*() {
      while (true) {
        const next = yield* scan
        if (next !== "now") yield* watcher.changed(next === "soon" ? pendingInterval : safetyInterval)
      }
    }).pipe(Effect.forkScoped)
    return Stream.fromQueue(out)
  })

  return HookInbox.of({ watch, clear, decides })
})

/** Hook events as files in a spool directory, written by `leap-hook.sh`. */
export const layer: Layer.Layer<HookInbox, never, DirectoryWatch | ProcessTable> = Layer.effect(HookInbox, make)

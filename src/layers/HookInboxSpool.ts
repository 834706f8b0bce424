import { Clock, Duration, Effect, Layer, Queue, type Scope, Stream } from "effect"
import type { Cause } from "effect"
import * as fs from "node:fs/promises"
import { constants } from "node:fs"
import * as path from "node:path"
import { byArrival, dataName, type HookArrival, type HookFile, type HookFileName, markOf, parseFile, parseName } from "../domain/HookFile.ts"
import * as HookOrigin from "../domain/HookOrigin.ts"
import { DirectoryWatch } from "../services/DirectoryWatch.ts"
import { type HookDelivery, HookInbox, type HookSession } from "../services/HookInbox.ts"
import { ProcessTable } from "../services/ProcessTable.ts"

/** Looked at without any notice this often, so that a notice that never came costs seconds, not an event. */
const safetyInterval = Duration.seconds(2)
/** While a hook is being written: its writer may have died, or its CLI may keep the pipe open. */
const pendingInterval = Duration.millis(300)
/** A file whose writer has died, or that is whole though its writer still waits for more, is taken when it is this old. */
const pendingAge = 1000
/** A larger payload is not parsed. */
const largestPayload = 64 << 20
/** What `raw` keeps of a payload, in characters. */
const rawLimit = 64 << 10

interface Arrived extends HookArrival {
  readonly mark: string
  readonly name: HookFileName
}

/** The answer, or null: every file here may be gone by the time it is asked for. */
const attempt = <A>(run: () => Promise<A>): Effect.Effect<A | null> =>
  Effect.orElseSucceed(Effect.tryPromise(run), () => null)

/** A regular file's text, never through a link and never waiting on a pipe. Of one that is too large, its beginning. */
const readBounded = async (file: string): Promise<string> => {
  const handle = await fs.open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) return ""
    if (stat.size <= largestPayload) return await handle.readFile("utf8")
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(rawLimit), 0, rawLimit, 0)
    return buffer.toString("utf8", 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Cut to the limit, never within a character. */
const bounded = (raw: string): string => {
  if (raw.length <= rawLimit) return raw
  const last = raw.charCodeAt(rawLimit - 1)
  return raw.slice(0, last >= 0xd800 && last < 0xdc00 ? rawLimit - 1 : rawLimit)
}

const stamp = (file: string) => attempt(async () => (await fs.lstat(file, { bigint: true })).mtimeNs)

/**
 * The marks in the spool, oldest first. A directory that is read while entries are added may show a later one and not an
 * earlier one; so it is read twice, and what is newer than all of the first reading waits for the next.
 */
const arrived = Effect.fnUntraced(function*(spool: string) {
  const list = attempt(() => fs.readdir(spool))
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
    unmarked: names.flatMap((name) => markOf(name) ?? []).filter((mark) => !names.includes(mark))
  }
})

const make = Effect.gen(function*() {
  const directories = yield* DirectoryWatch
  const processes = yield* ProcessTable

  const ensure = (spool: string) => attempt(() => fs.mkdir(spool, { recursive: true, mode: 0o700 }))

  const clear = Effect.fn("HookInbox.clear")(function*(spool: string) {
    yield* ensure(spool)
    const names = (yield* attempt(() => fs.readdir(spool))) ?? []
    yield* Effect.forEach(names, (name) => attempt(() => fs.rm(path.join(spool, name), { recursive: true, force: true })))
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

    const deliver = Effect.fnUntraced(function*(file: HookFile, at: bigint) {
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
        nested: origin.nested
      })
    })

    const read = (mark: string, name: HookFileName) =>
      Effect.map(attempt(() => readBounded(path.join(spool, dataName(mark)))), (text) => parseFile(name, text ?? ""))

    const remove = Effect.fnUntraced(function*(mark: string) {
      delivered.add(mark)
      const gone = yield* attempt(async () => {
        await fs.rm(path.join(spool, dataName(mark)), { force: true })
        await fs.rm(path.join(spool, mark), { force: true })
        return true
      })
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
        yield* deliver(file, at)
      }
      if (!writing) yield* remove(mark)
    })

    /** Delivers what is there; true when something is still to come. */
    const scan = Effect.gen(function*() {
      yield* ensure(spool)
      const { later, marks, unmarked } = yield* arrived(spool)
      for (const { at, mark, name } of marks) {
        if (!delivered.has(mark)) yield* deliver(yield* read(mark, name), at)
        yield* remove(mark)
      }
      const now = yield* Clock.currentTimeMillis
      for (const mark of unmarked) yield* takePending(mark, now)
      for (const mark of delivered) {
        const left = (yield* stamp(path.join(spool, mark))) ?? (yield* stamp(path.join(spool, dataName(mark))))
        if (left === null) delivered.delete(mark)
      }
      return later ? "now" as const : unmarked.length > 0 ? "soon" as const : "quiet" as const
    })

    const watcher = yield* directories.watch(spool)
    yield* Effect.gen(function*() {
      while (true) {
        const next = yield* scan
        if (next !== "now") yield* watcher.changed(next === "soon" ? pendingInterval : safetyInterval)
      }
    }).pipe(Effect.forkScoped)
    return Stream.fromQueue(out)
  })

  return HookInbox.of({ watch, clear })
})

/** Hook events as files in a spool directory, written by `leap-hook.sh`. */
export const layer: Layer.Layer<HookInbox, never, DirectoryWatch | ProcessTable> = Layer.effect(HookInbox, make)

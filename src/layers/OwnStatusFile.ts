import { Clock, Duration, Effect, Equal, Layer, Queue, type Scope, Stream } from "effect"
import type { Cause } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import type { HostedProcess, OwnStatusSource } from "../services/CLIProvider.ts"
import { DirectoryWatch } from "../services/DirectoryWatch.ts"
import { OwnStatus } from "../services/OwnStatus.ts"

/** Looked at without any notice this often: what a file belongs to may become clear later than its content. */
const safetyInterval = Duration.seconds(2)
/** A file that is no JSON has been read while it was written, if it is young: how soon to read it again, and how young. */
const retryInterval = Duration.millis(15)
const youth = Duration.seconds(1)
/**
 * File systems keep time no finer than a few milliseconds: a file that was rewritten only just now may be rewritten again
 * without a trace. Such a file is read once more when this much time has gone by.
 */
const settling = Duration.millis(50)
/** Far beyond any status file. */
const largest = 1 << 20

interface Known {
  /** The file as it was when it was read; null when it must be read again whatever it looks like. */
  readonly version: string | null
  /** Its content; undefined when it was no JSON. */
  readonly content: unknown
  readonly changedAt: bigint
  /** How soon to look at it again without notice. */
  readonly again: Duration.Duration
}

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A | null> =>
  Effect.orElseSucceed(Effect.tryPromise(run), () => null)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The file's parsed content, as `known` when nothing has changed since; null when it is gone or no file. */
const readStatus = async (file: string, known: Known | undefined, now: number): Promise<Known | null> => {
  const stat = await fs.stat(file, { bigint: true })
  if (!stat.isFile() || stat.size > largest) return null
  const version = `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
  if (known !== undefined && known.version === version) return known
  const content = parse(await fs.readFile(file, "utf8"))
  const age = Duration.millis(Math.max(0, now - Number(stat.mtimeNs / 1_000_000n)))
  const settled = content !== undefined && Duration.isGreaterThan(age, settling)
  const again = content === undefined
    ? Duration.isLessThan(age, youth) ? retryInterval : safetyInterval
    : settled ? safetyInterval : settling
  return { version: settled ? version : null, content, changedAt: stat.mtimeNs, again }
}

const make = Effect.gen(function*() {
  const directories = yield* DirectoryWatch

  const watch = Effect.fn("OwnStatus.watch")(function*(
    source: OwnStatusSource,
    env: Readonly<Record<string, string>>,
    session: Effect.Effect<HostedProcess>
  ): Effect.fn.Return<Stream.Stream<unknown>, never, Scope.Scope> {
    const directory = source.directory(env)
    const out = yield* Effect.acquireRelease(Queue.unbounded<unknown, Cause.Done>(), Queue.end)
    const files = new Map<string, Known>()
    let followed: string | null = null
    let last: unknown = null

    /** Reads what has changed. */
    const read = Effect.gen(function*() {
      const names = (yield* attempt(() => fs.readdir(directory))) ?? []
      const clock = yield* Clock.currentTimeMillis
      for (const name of files.keys()) if (!names.includes(name)) files.delete(name)
      for (const name of names) {
        const before = files.get(name)
        const now = yield* attempt(() => readStatus(path.join(directory, name), before, clock))
        // Caught half-written: what it said before stands until it can be read again.
        if (now === null) files.delete(name)
        else files.set(name, now.content === undefined && before !== undefined ? { ...now, content: before.content } : now)
      }
    })

    const scan = Effect.gen(function*() {
      yield* read
      const hosted = yield* session
      const mine = [...files].flatMap(([name, known]) =>
        known.content !== undefined && source.belongs(name, known.content, hosted) ? [name] : []
      )
      // The file once followed is left only for one that fits better: what fits later may be a CLI nested in the session.
      if (followed === null || !files.has(followed) || (mine.length > 0 && !mine.includes(followed))) {
        followed = mine.reduce<string | null>((newest, name) =>
          newest === null || (files.get(name)?.changedAt ?? 0n) > (files.get(newest)?.changedAt ?? 0n) ? name : newest, null)
      }
      const content = followed === null ? null : files.get(followed)?.content ?? null
      if (!Equal.equals(content, last)) {
        last = content
        yield* Queue.offer(out, content)
      }
      return [...files.values()].reduce((soonest, { again }) => Duration.min(soonest, again), safetyInterval)
    })

    const watcher = yield* directories.watch(directory)
    yield* Effect.gen(function*() {
      while (true) yield* watcher.changed(yield* scan)
    }).pipe(Effect.forkScoped)
    return Stream.fromQueue(out)
  })

  return OwnStatus.of({ watch })
})

/** A CLI's own status file, in the directory its provider names. */
export const layer: Layer.Layer<OwnStatus, never, DirectoryWatch> = Layer.effect(OwnStatus, make)

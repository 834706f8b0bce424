import { Clock, Duration, Effect, Equal, Layer, Option, Queue, type Scope, Stream, type Cause } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { parseJson } from "../../domain/words/formats/Json.ts"
import type { HostedProcess, OwnStatusSource } from "../../services/CLIProvider.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import type { ProcessKey } from "../../domain/store/hookSpool/HookOrigin.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { OwnStatus } from "../../services/OwnStatus.ts"
import { call, orNull } from "./fileCalls.ts"

/** The interval of checks without a notice: a file's process may become known after its content. */
const safetyInterval = Duration.seconds(2)
/**
 * A young file that is not JSON was probably read during a write: the interval of retries, and the age up to which a
 * file is young.
 */
const retryInterval = Duration.millis(15)
const youth = Duration.seconds(1)
/**
 * File systems store times in steps of a few milliseconds, so a new write may be invisible. Such a file is read again
 * after this time.
 */
const settling = Duration.millis(50)
const largest = 1 << 20

interface CachedFile {
  /** The file's identity when it was read; null: it must be read again in any case. */
  readonly version: string | null
  readonly content: unknown
  readonly changedAt: bigint
  readonly recheckAfter: Duration.Duration
}

/** The file's parsed content, which is `cached` if unchanged; null: none, or too large. Fails if it is gone. */
const readStatus = Effect.fnUntraced(function* (file: string, cached: CachedFile | undefined, now: number) {
  const stat = yield* call(() => fs.stat(file, { bigint: true }))
  if (!stat.isFile() || stat.size > largest) return null
  const version = `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
  if (cached !== undefined && cached.version === version) return cached
  const content = Option.getOrUndefined(parseJson(yield* call(() => fs.readFile(file, "utf8"))))
  const age = Duration.millis(Math.max(0, now - Number(stat.mtimeNs / 1_000_000n)))
  const settled = content !== undefined && Duration.isGreaterThan(age, settling)
  const recheckAfter =
    content === undefined
      ? Duration.isLessThan(age, youth)
        ? retryInterval
        : safetyInterval
      : settled
        ? safetyInterval
        : settling
  return { version: settled ? version : null, content, changedAt: stat.mtimeNs, recheckAfter } satisfies CachedFile
})

const make = Effect.gen(function* () {
  const directories = yield* DirectoryWatch
  const processes = yield* ProcessTable

  const watch = Effect.fn("OwnStatus.watch")(function* (
    source: OwnStatusSource,
    env: Readonly<Record<string, string>>,
    session: Effect.Effect<HostedProcess>
  ): Effect.fn.Return<Stream.Stream<unknown>, never, Scope.Scope> {
    const directory = source.directory(env)
    const out = yield* Effect.acquireRelease(Queue.unbounded<unknown, Cause.Done>(), Queue.end)
    const files = new Map<string, CachedFile>()
    let followed: string | null = null
    let last: unknown = null

    /** Whether a process that a file names is a descendant of the hosted one; each is looked up once. */
    const known = new Map<string, boolean>()
    const keyOf = ({ birth, pid }: ProcessKey) => `${pid}/${birth}`
    const descent = Effect.fnUntraced(function* (owner: ProcessKey, hosted: HostedProcess) {
      if (known.has(keyOf(owner))) return
      const [self, ...ancestors] = yield* processes.ancestry(owner.pid)
      const isSame = self !== undefined && (owner.birth === null || self.birth === null || self.birth === owner.birth)
      known.set(keyOf(owner), isSame && ancestors.some(({ pid }) => pid === hosted.pid))
    })
    const descends = (name: string, content: unknown): boolean => {
      const owner = source.runs(name, content)
      return owner !== null && known.get(keyOf(owner.process)) === true
    }

    const read = Effect.gen(function* () {
      const names = (yield* orNull(call(() => fs.readdir(directory)))) ?? []
      const clock = yield* Clock.currentTimeMillis
      for (const name of files.keys()) if (!names.includes(name)) files.delete(name)
      for (const name of names) {
        const before = files.get(name)
        const now = yield* orNull(readStatus(path.join(directory, name), before, clock))
        // The file was read during a write: its earlier content counts until it is readable again.
        if (now === null) files.delete(name)
        else
          files.set(name, now.content === undefined && before !== undefined ? { ...now, content: before.content } : now)
      }
    })

    const scan = Effect.gen(function* () {
      yield* read
      const hosted = yield* session
      for (const [name, { content }] of files) {
        const owner = content === undefined ? null : source.runs(name, content)
        if (owner !== null) yield* descent(owner.process, hosted)
      }
      const matching = [...files].flatMap(([name, file]) =>
        file.content !== undefined && source.belongs(name, file.content, hosted, descends(name, file.content))
          ? [name]
          : []
      )
      // The followed file is given up only when it is gone, or when it no longer fits and another one does: a file that
      // fits later may belong to a CLI nested in the session.
      if (followed === null || !files.has(followed) || (matching.length > 0 && !matching.includes(followed))) {
        followed = matching.reduce<string | null>(
          (newest, name) =>
            newest === null || (files.get(name)?.changedAt ?? 0n) > (files.get(newest)?.changedAt ?? 0n)
              ? name
              : newest,
          null
        )
      }
      const content = followed === null ? null : (files.get(followed)?.content ?? null)
      if (!Equal.equals(content, last)) {
        last = content
        yield* Queue.offer(out, content)
      }
      return [...files.values()].reduce(
        (soonest, { recheckAfter }) => Duration.min(soonest, recheckAfter),
        safetyInterval
      )
    })

    const watcher = yield* directories.watch(directory)
    yield* Effect.gen(function* () {
      while (true) {
        const wait = yield* scan
        yield* wait === safetyInterval ? watcher.changedUnlessLost(wait) : watcher.changed(wait)
      }
    }).pipe(Effect.forkScoped)
    return Stream.fromQueue(out)
  })

  return OwnStatus.of({ watch })
})

/** A CLI's own status file, in the directory its provider names. */
export const layer: Layer.Layer<OwnStatus, never, DirectoryWatch | ProcessTable> = Layer.effect(OwnStatus, make)

/** What a host held at one moment, after a collection. */
export interface Held {
  readonly heapUsed: number
  readonly rss: number
  readonly external: number
  readonly arrayBuffers: number
  readonly heapTotal: number
  readonly resources: ReadonlyArray<string>
  readonly fds: ReadonlyArray<string>
  readonly hostPid: number | null
}

const mb = (bytes: number): number => Math.round(bytes / 104_857.6) / 10

/** How often each is there more often than before. */
const more = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => {
  const count = (all: ReadonlyArray<string>, what: string) => all.filter((other) => other === what).length
  return [...new Set(after)].flatMap((what) => {
    const grown = count(after, what) - count(before, what)
    return grown > 0 ? [`${grown} × ${what}`] : []
  })
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * A host's heap may grow by this much between two times of rest. What it remembers of the output is full both times,
 * and swings by two megabytes; the other is for what was loaded, and compiled, since.
 */
const heapBound = 6 * 2 ** 20
/** What is resident beside the room that the engine keeps for its heap: that is used again, and often given back late. */
const beside = ({ heapTotal, rss }: Held): number => rss - heapTotal
/** That may grow by what the allocator keeps. */
const timerBound = 5
const rssBound = 40 * 2 ** 20

/** What hosts hold that they did not hold before, at rest both times. */
export const growth = (before: ReadonlyMap<string, Held>, after: ReadonlyMap<string, Held>) => {
  const pairs = [...after].flatMap(([tag, now]) => {
    const then = before.get(tag)
    return then === undefined ? [] : [{ tag, then, now }]
  })
  const found = pairs.flatMap(({ now, tag, then }) => {
    if (now.hostPid !== then.hostPid) return [`${tag}: its host is another one, and nobody had killed it`]
    const fds = more(then.fds, now.fds)
    // one timer more is one more thing remembered; a leak is as many as there were troubles
    const isTimer = (what: string) => what === "Timeout"
    const timers = now.resources.filter(isTimer).length - then.resources.filter(isTimer).length
    const resources = [
      ...more(
        then.resources.filter((what) => !isTimer(what)),
        now.resources.filter((what) => !isTimer(what))
      ),
      ...(timers > timerBound ? [`${timers} × Timeout`] : [])
    ]
    return [
      ...(fds.length > 0 ? [`${tag}: its host has open what it had not: ${fds.join(", ")}`] : []),
      ...(resources.length > 0 ? [`${tag}: its host waits for what it did not: ${resources.join(", ")}`] : []),
      ...(now.heapUsed - then.heapUsed > heapBound
        ? [`${tag}: its host's heap grew from ${mb(then.heapUsed)} to ${mb(now.heapUsed)} MB`]
        : []),
      ...(beside(now) - beside(then) > rssBound
        ? [`${tag}: its host grew beside its heap from ${mb(beside(then))} to ${mb(beside(now))} MB`]
        : [])
    ]
  })
  const of = (get: (held: Held) => number) =>
    `${mb(median(pairs.map(({ then }) => get(then))))} to ${mb(median(pairs.map(({ now }) => get(now))))} MB, ` +
    `most ${mb(Math.max(0, ...pairs.map(({ now, then }) => get(now) - get(then))))} MB more`
  const line =
    `${pairs.length} hosts that lived all the time: heap ${of(({ heapUsed }) => heapUsed)}; ` +
    `beside the heap ${of(({ external }) => external)}, array buffers ${of(({ arrayBuffers }) => arrayBuffers)}, reserved ${of(({ heapTotal }) => heapTotal)}; ` +
    `resident ${of(({ rss }) => rss)}; open files ${median(pairs.map(({ then }) => then.fds.length))} ` +
    `to ${median(pairs.map(({ now }) => now.fds.length))}`
  return { found, line }
}

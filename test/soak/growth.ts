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
const timerBound = 5
/** What is resident beside the room that the engine keeps for its heap: that is used again, and often given back late. */
const beside = ({ heapTotal, rss }: Held): number => rss - heapTotal

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

/**
 * By how much the least that a host held in the later rounds may be above the least of the earlier ones. Heap and
 * buffers swing by a megabyte or two from round to round, as what is remembered of the output is cut, so the least is
 * looked at, which a leak raises. What the allocator keeps beside it comes and goes by tens of megabytes. What is for `each` counts where all
 * hosts have more, as all do the same.
 */
const bounds = [
  { what: "heap", of: ({ heapUsed }: Held) => heapUsed, bound: 2 ** 20, each: true },
  { what: "heap", of: ({ heapUsed }: Held) => heapUsed, bound: 3 * 2 ** 20, each: false },
  { what: "buffers", of: ({ external }: Held) => external, bound: 2 ** 20, each: true },
  { what: "buffers", of: ({ external }: Held) => external, bound: 3 * 2 ** 20, each: false },
  { what: "memory beside its heap", of: beside, bound: 8 * 2 ** 20, each: true }
] as const

/**
 * What hosts hold more with each round of the same: it may be much, since a session has its size, but no round may add
 * to it. The first round is not counted: it brings what is loaded and set aside for a flood.
 */
export const growthOverRounds = (rounds: ReadonlyArray<ReadonlyMap<string, Held>>) => {
  const counted = rounds.slice(1)
  const half = counted.length >> 1
  const tags = [...(counted[0]?.keys() ?? [])]
  const hosts = tags.map((tag) => ({ tag, held: counted.flatMap((round) => round.get(tag) ?? []) }))
  const missing = hosts.flatMap(({ held, tag }) =>
    held.length < counted.length ? [`${tag}: its host was not there in each round`] : []
  )
  const least = (all: ReadonlyArray<Held>, of: (held: Held) => number) => Math.min(...all.map(of))
  const figures = bounds.map(({ bound, each, of, what }) => ({
    what,
    bound,
    each,
    grown: hosts.map(({ held, tag }) => ({
      tag,
      from: least(held.slice(0, half), of),
      to: least(held.slice(half), of)
    }))
  }))
  const found = figures.flatMap(({ bound, each, grown, what }) => {
    const more = grown.filter(({ from, to }) => to - from > bound)
    return each && more.length < grown.length
      ? []
      : more.map(
          ({ from, tag, to }) => `${tag}: its host's ${what} grew with each round, from ${mb(from)} to ${mb(to)} MB`
        )
  })
  const shown = figures.filter(({ what }, n) => figures.findIndex((other) => other.what === what) === n)
  const line = shown.map(({ grown, what }) => {
    const most = Math.max(0, ...grown.map(({ from, to }) => to - from))
    return `${what} ${mb(median(grown.map(({ from }) => from)))} to ${mb(median(grown.map(({ to }) => to)))} MB, most ${mb(most)} MB more`
  })
  return {
    found: [...new Set([...missing, ...growth(counted[0] ?? new Map(), counted.at(-1) ?? new Map()).found, ...found])],
    line: `${rounds.length} rounds of the same at ${hosts.length} hosts: ${line.join("; ")}`
  }
}

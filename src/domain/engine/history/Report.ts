import type { SessionState } from "../../words/session/Session.ts"

/** A span of time, in milliseconds since the epoch, without its end. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A recorded life. `seen`: the last write of its host; `until` null: its end is not recorded. */
export interface LifeSeen {
  readonly id: number
  readonly tag: string
  readonly cli: string
  readonly hostPid: number
  readonly since: number
  readonly seen: number
  readonly until: number | null
}

/**
 * The record of consecutive spans, summed by life and span (by its number) if the store could do so. `crossing`:
 * intervals that cross a span's end, or have no end.
 */
export interface ReportSource {
  readonly lives: ReadonlyArray<LifeSeen>
  readonly intervals: ReadonlyArray<{
    readonly life: number
    readonly span: number
    readonly state: SessionState
    readonly ms: number
    readonly count: number
    readonly longest: number
  }>
  readonly crossing: ReadonlyArray<{
    readonly life: number
    readonly state: SessionState
    readonly since: number
    readonly until: number | null
  }>
  readonly turns: ReadonlyArray<Counted & { readonly outcome: string | null }>
  readonly messages: ReadonlyArray<Counted>
  readonly decisions: ReadonlyArray<Counted & { readonly by: string; readonly verdict: string }>
  readonly usage: ReadonlyArray<{
    readonly life: number
    readonly span: number
    readonly input: number
    readonly cacheRead: number
    readonly cacheWrite: number
    readonly output: number
    readonly usd: number | null
    readonly estimated: boolean
    /** A part of the cost could not be counted, or all of it. */
    readonly floor?: boolean
  }>
}

export interface Counted {
  readonly life: number
  readonly span: number
  readonly count: number
}

/** Times are in milliseconds. */
export interface ReportRow {
  readonly key: string
  readonly sessions: number
  readonly turns: number
  readonly interrupted: number
  readonly failed: number
  readonly workedMs: number
  /** How long dialogs waited for a person in all, and the longest wait. */
  readonly waitedMs: number
  readonly longestWaitMs: number
  readonly dialogs: number
  /** The turn was over, and background work was not. */
  readonly churnedMs: number
  readonly restedMs: number
  readonly messages: number
  readonly allowed: number
  readonly denied: number
  readonly tokens: { readonly input: number; readonly cached: number; readonly output: number }
  readonly usd: number | null
  readonly estimated: boolean
  /** The cost may be higher: a part of it is unknown. */
  readonly floor?: boolean
}

export type ReportBy = "tag" | "cli" | "day"

const none = (key: string): ReportRow => ({
  key,
  sessions: 0,
  turns: 0,
  interrupted: 0,
  failed: 0,
  workedMs: 0,
  waitedMs: 0,
  longestWaitMs: 0,
  dialogs: 0,
  churnedMs: 0,
  restedMs: 0,
  messages: 0,
  allowed: 0,
  denied: 0,
  tokens: { input: 0, cached: 0, output: 0 },
  usd: null,
  estimated: false
})

/** The end of a life: as recorded, or now while it runs, else the last write of its host. */
export const endOf = (life: LifeSeen, now: number, runs: (life: LifeSeen) => boolean): number =>
  life.until ?? (runs(life) ? Math.max(now, life.since) : life.seen)

const kindOf = (state: SessionState): "workedMs" | "waitedMs" | "churnedMs" | "restedMs" => {
  switch (state) {
    case "running":
      return "workedMs"
    case "needs_permission":
    case "needs_input":
      return "waitedMs"
    case "churning":
      return "churnedMs"
    default:
      return "restedMs"
  }
}

export const overlap = (since: number, until: number, { from, to }: Span): number =>
  Math.max(0, Math.min(until, to) - Math.max(since, from))

interface Group {
  row: ReportRow
  readonly lives: Set<number>
}

/** Sums up the record by groups, and in all. `names`: the names of spans, if each is a group of its own. */
export const fold = (
  source: ReportSource,
  options: {
    readonly by: ReportBy
    readonly spans: ReadonlyArray<Span>
    readonly names: ReadonlyArray<string>
    readonly now: number
    readonly runs: (life: LifeSeen) => boolean
  }
): { readonly rows: ReadonlyArray<ReportRow>; readonly total: ReportRow } => {
  const { by, names, now, runs, spans } = options
  const lives = new Map(source.lives.map((life) => [life.id, life]))
  const groups = new Map<string, Group>()
  const total: Group = { row: none("total"), lives: new Set() }

  const add = (id: number, span: number, change: (row: ReportRow) => ReportRow): void => {
    const life = lives.get(id)
    if (life === undefined) return
    const key = by === "day" ? (names[span] ?? "") : by === "cli" ? life.cli : life.tag
    const group = groups.get(key) ?? { row: none(key), lives: new Set<number>() }
    groups.set(key, group)
    for (const one of [group, total]) {
      one.row = change(one.row)
      one.lives.add(id)
    }
  }

  const addTime = (life: number, span: number, state: SessionState, ms: number, count: number, longest: number) => {
    const kind = kindOf(state)
    add(life, span, (row) => ({
      ...row,
      [kind]: row[kind] + ms,
      ...(kind === "waitedMs"
        ? { dialogs: row.dialogs + count, longestWaitMs: Math.max(row.longestWaitMs, longest) }
        : {})
    }))
  }
  for (const { count, life, longest, ms, span, state } of source.intervals)
    addTime(life, span, state, ms, count, longest)
  for (const { life: id, since, state, until } of source.crossing) {
    const life = lives.get(id)
    if (life === undefined) continue
    const end = Math.max(since, until ?? endOf(life, now, runs))
    spans.forEach((span, index) => {
      const ms = overlap(since, end, span)
      const begins = since >= span.from && since < span.to
      if (ms > 0 || begins) addTime(id, index, state, ms, begins ? 1 : 0, ms)
    })
  }
  for (const { count, life, outcome, span } of source.turns)
    add(life, span, (row) => ({
      ...row,
      turns: row.turns + count,
      interrupted: row.interrupted + (outcome === "interrupted" ? count : 0),
      failed: row.failed + (outcome === "failed" ? count : 0)
    }))
  for (const { count, life, span } of source.messages)
    add(life, span, (row) => ({ ...row, messages: row.messages + count }))
  for (const { by: decided, count, life, span, verdict } of source.decisions) {
    if (decided !== "rule" && decided !== "mode") continue
    add(life, span, (row) => ({
      ...row,
      allowed: row.allowed + (verdict === "allow" ? count : 0),
      denied: row.denied + (verdict === "deny" ? count : 0)
    }))
  }
  for (const { cacheRead, cacheWrite, estimated, floor = false, input, life, output, span, usd } of source.usage)
    add(life, span, (row) => ({
      ...row,
      tokens: {
        input: row.tokens.input + input + cacheWrite,
        cached: row.tokens.cached + cacheRead,
        output: row.tokens.output + output
      },
      usd: usd === null ? row.usd : (row.usd ?? 0) + usd,
      estimated: row.estimated || (usd !== null && estimated),
      ...(row.floor === true || floor ? { floor: true } : {})
    }))

  const finished = ({ lives: seen, row: { floor, ...row } }: Group): ReportRow => ({
    ...row,
    sessions: seen.size,
    // Without a known cost, `floor` means nothing.
    ...(floor === true && row.usd !== null ? { floor } : {})
  })
  const rows = [...groups.values()].map(finished)
  const sorted =
    by === "day"
      ? rows.sort((a, b) => (a.key < b.key ? -1 : 1))
      : rows.sort((a, b) => b.workedMs + b.waitedMs - (a.workedMs + a.waitedMs) || (a.key < b.key ? -1 : 1))
  return { rows: sorted, total: finished(total) }
}

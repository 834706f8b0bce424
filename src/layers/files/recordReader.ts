import type { Spent } from "../../domain/cli/usage/Budget.ts"
import type { RecordedCourse } from "../../domain/engine/history/RecordedCourse.ts"
import type { LogSource } from "../../domain/engine/history/LogEntry.ts"
import { lifeKey, type RecordedLife, type RowsKnown } from "../../domain/engine/history/RecordedLife.ts"
import type { LifeSeen, ReportSource, Span } from "../../domain/engine/history/Report.ts"
import type { Found, RecordQuery, Said, SaidQuery } from "../../services/RecordStore.ts"
import { literal, piece, type Select, selectIn } from "./select.ts"
import * as fs from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { timeout, schemaVersion } from "./recordVersion.ts"

type Numbered<A> = A & { readonly span: number }

/** The lives that overlap this time. */
const livesIn = (select: Select, from: number, to: number) =>
  select<LifeSeen>`SELECT id, tag, cli, host_pid AS "hostPid", since, seen, until FROM lives
    WHERE since < ${to} AND max(coalesce(until, 0), seen) >= ${from}`

/** The record of these consecutive spans. SQLite adds up a million rows, not this code. */
export const reportIn = (select: Select, spans: ReadonlyArray<Span>) => {
  const from = spans[0]?.from ?? 0
  const to = spans.at(-1)?.to ?? 0
  const each = <A extends object>(query: (span: Span) => ReadonlyArray<A>): ReadonlyArray<Numbered<A>> =>
    spans.flatMap((span, index) => query(span).map((row) => ({ ...row, span: index })))

  const intervals = each(
    ({ from, to }) =>
      select<Omit<ReportSource["intervals"][number], "span">>`SELECT life, state, sum(until - since) AS ms,
          count(*) AS count, max(until - since) AS longest FROM intervals
          WHERE since >= ${from} AND since < ${to} AND until <= ${to} GROUP BY life, state`
  )
  const cut = each(
    ({ from, to }) =>
      select<ReportSource["crossing"][number]>`SELECT life, state, since, until FROM intervals
          WHERE since >= ${from} AND since < ${to} AND (until IS NULL OR until > ${to})`
  )
  // of each life that began earlier, the interval in progress
  const begun = select<ReportSource["crossing"][number]>`SELECT i.life, i.state, i.since, i.until
      FROM lives l JOIN intervals i ON i.life = l.id
        AND i.n = (SELECT max(n) FROM intervals WHERE life = l.id AND since < ${from})
      WHERE l.since < ${from} AND (l.until IS NULL OR l.until > ${from}) AND (i.until IS NULL OR i.until > ${from})`
  const turns = each(
    ({ from, to }) =>
      select<Omit<ReportSource["turns"][number], "span">>`SELECT life, outcome, count(*) AS count FROM turns
          WHERE since >= ${from} AND since < ${to} GROUP BY life, outcome`
  )
  const messages = each(
    ({ from, to }) =>
      select<Omit<ReportSource["messages"][number], "span">>`SELECT life, count(*) AS count FROM messages
          WHERE queued >= ${from} AND queued < ${to} GROUP BY life`
  )
  const decisions = each(
    ({ from, to }) =>
      select<Omit<ReportSource["decisions"][number], "span">>`SELECT life, by, verdict, count(*) AS count
          FROM decisions WHERE at >= ${from} AND at < ${to} GROUP BY life, by, verdict`
  )
  const usage = usageIn(select, spans)
  return {
    lives: livesIn(select, from, to),
    intervals,
    crossing: [...begun, ...cut.map(({ life, since, state, until }) => ({ life, state, since, until }))],
    turns,
    messages,
    decisions,
    usage
  } satisfies ReportSource
}

const counts = ["input", "cache_read", "cache_write", "output"]
const sizes = counts.join(" + ")
/** The previous figure of the conversation; rows without one of this kind do not count. */
const before = (figure: string, name: string, kind: string): string =>
  `lag(${figure}) OVER (PARTITION BY session, ${kind} IS NULL ORDER BY at, life, n) AS before_${name}`
const compared = literal(
  `life, at, fresh, estimated, usd, ${counts.join()}, ${sizes} AS size, ${before("usd", "usd", "usd")},
    ${before(sizes, "size", "input")}, ${counts.map((column) => before(column, column, "input")).join()}`
)
/** What a better figure moves from one count to another is not counted again. */
const grown = (column: string): string =>
  `CASE WHEN before_size IS NULL THEN fresh * ${column} WHEN size >= before_size THEN ${column} - before_${column}
    ELSE ${column} END`
// a better figure for the same tokens (the CLI's after leap's) may be smaller
const costGrown = literal(`CASE WHEN before_usd IS NULL THEN fresh * usd
    WHEN usd >= before_usd OR size >= before_size THEN usd - before_usd ELSE usd END`)
const tokensGrown = (columns: ReadonlyArray<string>) => literal(`total(${columns.map(grown).join(" + ")})`)
const isFloor = literal("max(estimated >= 2 OR (usd IS NULL AND size > 0))")

/**
 * A span's rows, each with the figures before. A total that fell began again from zero. The first figure of a
 * conversation that began before its life is the starting point.
 */
const figuresIn = ({ from, to }: Span) => {
  const last = (kind: string) =>
    piece`SELECT at FROM usage WHERE session = name AND at < ${from} AND ${literal(kind)} IS NOT NULL
      ORDER BY at DESC LIMIT 1`
  return piece`(SELECT ${compared} FROM (
      SELECT * FROM usage WHERE at >= ${from} AND at < ${to}
      UNION ALL SELECT u.* FROM (SELECT DISTINCT session AS name FROM usage WHERE at >= ${from} AND at < ${to})
        JOIN usage u ON u.session = name AND u.at IN ((${last("input")}), (${last("usd")})))) WHERE at >= ${from}`
}

/** The usage in each span: the growth of each figure since the previous one of its conversation. */
const usageIn = (select: Select, spans: ReadonlyArray<Span>) =>
  spans.flatMap((span, index) =>
    select<
      Omit<ReportSource["usage"][number], "span" | "estimated" | "floor"> & {
        readonly estimated: number
        readonly floor: number
      }
    >`SELECT life, ${tokensGrown(["input"])} AS input, ${tokensGrown(["cache_read"])} AS "cacheRead",
        ${tokensGrown(["cache_write"])} AS "cacheWrite", ${tokensGrown(["output"])} AS output,
        sum(${costGrown}) AS usd, max(estimated) AS estimated, ${isFloor} AS floor
      FROM ${figuresIn(span)} GROUP BY life`.map(({ estimated, floor, ...row }) => ({
      ...row,
      estimated: estimated >= 1,
      floor: floor === 1,
      span: index
    }))
  )

/** The usage of all lives in this span, as one row. */
export const spentIn = (select: Select, span: Span): ReadonlyArray<Spent> =>
  select<Omit<Spent, "floor"> & { readonly floor: number | null }>`SELECT ${tokensGrown(counts)} AS tokens,
      total(${costGrown}) AS usd, ${isFloor} AS floor FROM ${figuresIn(span)}`.map(({ floor, ...row }) => ({
    ...row,
    floor: floor === 1
  }))

/** The most rows of each kind in the course of all sessions; the last ones count. */
const mostOfCourse = 20_000

/** The states and figures of all sessions since a time, and those in force at that time. */
export const courseIn = (select: Select, from: number) => {
  const then = piece`l.since < ${from} AND (l.until IS NULL OR l.until > ${from})`
  const interval = literal(
    'l.tag, i.life, i.state, i.since, i.until, l.until AS "lifeUntil", l.seen ' +
      "FROM lives l JOIN intervals i ON i.life = l.id"
  )
  const usage = literal("l.tag, u.at, u.context, u.usd FROM lives l JOIN usage u ON u.life = l.id")
  const begun = select<RecordedCourse["intervals"][number]>`SELECT ${interval}
      AND i.n = (SELECT max(n) FROM intervals WHERE life = l.id AND since < ${from}) WHERE ${then} ORDER BY i.since`
  const later = select<RecordedCourse["intervals"][number]>`SELECT ${interval}
      WHERE i.since >= ${from} ORDER BY i.since DESC, i.life DESC, i.n DESC LIMIT ${mostOfCourse}`
  const had = select<RecordedCourse["usage"][number]>`SELECT ${usage}
      AND u.n = (SELECT max(n) FROM usage WHERE life = l.id AND at < ${from}) WHERE ${then} ORDER BY u.at`
  const used = select<RecordedCourse["usage"][number]>`SELECT ${usage}
      WHERE u.at >= ${from} ORDER BY u.at DESC, u.life DESC, u.n DESC LIMIT ${mostOfCourse}`
  return {
    intervals: [...begun, ...[...later].reverse()],
    usage: [...had, ...[...used].reverse()]
  } satisfies RecordedCourse
}

/** More lives than anybody has: a match may be in any of them. */
const mostLives = 100_000
/** The most characters of a text that are read for a line. */
const excerpt = 400

/** The last events of each kind, up to a limit, and their lives. */
export const logIn = (select: Select, { from, limit, tag }: RecordQuery) => {
  const of = tag === null ? literal("") : piece`AND life IN (SELECT id FROM lives WHERE tag = ${tag})`
  const text = (key: string) => literal(`(SELECT substr(text, 1, ${excerpt}) FROM texts WHERE key = ${key})`)
  const ofTurn = (kind: string) => text(`'${kind} ' || turns.life || ' ' || turns.n`)
  const found = select<LogSource["lives"][number] & { readonly before: string | null }>`
      SELECT id, tag, cli, cwd, host_pid AS "hostPid", since, seen, until, code, signal,
        (SELECT cwd FROM lives b WHERE b.session = lives.session AND b.since < lives.since
          ORDER BY b.since DESC LIMIT 1) AS before
      FROM lives WHERE max(coalesce(until, 0), seen) >= ${from}
        ${tag === null ? literal("") : piece`AND tag = ${tag}`}
      ORDER BY since DESC LIMIT ${mostLives}`
  const moved = found.flatMap(({ before, cwd, id }) =>
    before === null || before === cwd ? [] : [[id, before] as const]
  )
  return {
    lives: found,
    movedFrom: new Map(moved),
    turns: select<LogSource["turns"][number]>`SELECT life, since, until, outcome,
        coalesce(${ofTurn("prompt")}, ${text("'message ' || turns.message")}) AS prompt, ${ofTurn("answer")} AS answer
        FROM turns WHERE since >= ${from} ${of} ORDER BY since DESC LIMIT ${limit}`,
    messages: select<LogSource["messages"][number]>`SELECT life, id, queued, started, ended, status, outcome, why,
        ${text("'message ' || messages.id")} AS text
        FROM messages WHERE queued >= ${from} ${of} ORDER BY queued DESC LIMIT ${limit}`,
    dialogs: select<LogSource["dialogs"][number]>`SELECT life, since, until, state, asked,
        answered_by AS "answeredBy" FROM intervals
        WHERE since >= ${from} AND state IN ('needs_permission', 'needs_input') ${of}
        ORDER BY since DESC LIMIT ${limit}`,
    decisions: select<LogSource["decisions"][number]>`SELECT life, at, verdict, by, rule, tool, what
        FROM decisions WHERE at >= ${from} ${of} ORDER BY at DESC LIMIT ${limit}`,
    notes: select<LogSource["notes"][number]>`SELECT life, at, kind, text, problem FROM notes
        WHERE at >= ${from} ${of} ORDER BY at DESC LIMIT ${limit}`,
    continuedIn: select<LogSource["continuedIn"][number]>`SELECT n.at, n.text AS tag, l.tag AS text
        FROM notes n JOIN lives l ON l.id = n.life WHERE n.kind = 'continues' AND n.at >= ${from}
        ${tag === null ? literal("") : piece`AND n.text = ${tag}`} ORDER BY n.at DESC LIMIT ${limit}`
  } satisfies LogSource
}

/** The most rows of one life that are read in one call. */
const mostOfLife = 1_000
const unknown: RowsKnown = { interval: 0, turn: 0, note: 0, seen: null }

/** The lives written since a time, each with its unknown rows in order. */
export const afterIn = (select: Select, from: number, known: ReadonlyMap<string, RowsKnown>) =>
  select<Omit<RecordedLife, "horizon" | "intervals" | "problems" | "turns"> & { readonly id: number }>`
      SELECT id, tag, cli, cwd, since, seen, until, code, signal FROM lives
      WHERE max(coalesce(until, 0), seen) >= ${from} ORDER BY since`.flatMap(
    ({ id, ...life }): ReadonlyArray<RecordedLife> => {
      const { interval, note, seen, turn } = known.get(lifeKey(life)) ?? unknown
      if (seen === life.seen) return []
      const intervals = select<RecordedLife["intervals"][number]>`SELECT n, state, since, until, reason, asked
        FROM intervals WHERE life = ${id} AND n >= ${interval} ORDER BY n LIMIT ${mostOfLife}`
      const turns = select<RecordedLife["turns"][number]>`SELECT n, since, until, outcome,
        (SELECT text FROM texts WHERE key = 'answer ' || turns.life || ' ' || turns.n) AS answer
        FROM turns WHERE life = ${id} AND n >= ${turn} ORDER BY n LIMIT ${mostOfLife}`
      const problems = select<RecordedLife["problems"][number]>`SELECT n, at, text, problem
        FROM notes WHERE life = ${id} AND n >= ${note} AND kind = 'problem' ORDER BY n LIMIT ${mostOfLife}`
      const ends = [
        intervals.map(({ since }) => since),
        turns.map(({ since }) => since),
        problems.map(({ at }) => at)
      ].flatMap((times) => (times.length < mostOfLife ? [] : times.slice(-1)))
      return [{ ...life, intervals, turns, problems, horizon: ends.length === 0 ? null : Math.min(...ends) }]
    }
  )

/** Texts that contain the words, newest first. */
export const foundIn = (select: Select, { from, limit, tag }: RecordQuery, words: string) =>
  select<Found>`SELECT texts.at, lives.tag, texts.kind, snippet(words, 0, '[', ']', '...', 24) AS excerpt,
    (SELECT text FROM notes WHERE life = texts.life AND kind = 'conversation'
      ORDER BY notes.at > texts.at, abs(notes.at - texts.at), n DESC LIMIT 1) AS sessionId
    FROM words JOIN texts ON texts.id = words.rowid JOIN lives ON lives.id = texts.life
    WHERE words MATCH ${words} AND texts.at >= ${from} ${tag === null ? literal("") : piece`AND lives.tag = ${tag}`}
    ORDER BY texts.at DESC LIMIT ${limit}`

/** What was said in a conversation, or (null) in the last life of its session: the latest turns, newest first. */
export const saidIn = (select: Select, { limit, sessionId, tag }: SaidQuery) =>
  select<Said>`SELECT coalesce(
      (SELECT text FROM texts WHERE key = 'prompt ' || turns.life || ' ' || turns.n),
      (SELECT text FROM texts WHERE key = 'message ' || turns.message)) AS prompt,
    (SELECT text FROM texts WHERE key = 'answer ' || turns.life || ' ' || turns.n) AS answer
    FROM turns WHERE ${
      sessionId === null
        ? piece`life = (SELECT id FROM lives WHERE tag = ${tag} ORDER BY since DESC LIMIT 1)`
        : piece`life IN (SELECT life FROM notes WHERE kind = 'conversation' AND text = ${sessionId})
          AND ${sessionId} = (SELECT text FROM notes WHERE life = turns.life AND kind = 'conversation'
            ORDER BY notes.at > turns.since, abs(notes.at - turns.since), n DESC LIMIT 1)`
    } ORDER BY since DESC LIMIT ${limit}`

const pragmas = "PRAGMA trusted_schema = OFF; PRAGMA cache_size = -16384"

/** A later leap wrote the record. `version`: its schema's. */
export interface LaterRecord {
  readonly later: number
}

/**
 * Reads the record without changing it; `otherwise` if there is none, or its first host is about to make it. Throws the
 * errors of the file system and of SQLite. It loads no Effect, because quick commands use it.
 */
export const selectRecord = <A>(
  file: string,
  otherwise: A,
  run: (select: Select) => A
): { readonly value: A } | LaterRecord => {
  if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return { value: otherwise }
  const database = new DatabaseSync(file, { readOnly: true, timeout, enableForeignKeyConstraints: false })
  try {
    database.exec(pragmas)
    const select = selectIn(database)
    const version = select<{ user_version: number }>`PRAGMA user_version`[0]?.user_version ?? 0
    if (version > schemaVersion) return { later: version }
    // builds before 0.1.0 stored the schema's version in a table, not in `user_version`
    const isMade = select`SELECT 1 FROM sqlite_schema WHERE name = 'upkeep'`.length > 0
    return { value: isMade ? run(select) : otherwise }
  } finally {
    database.close()
  }
}

/** The report, the log and the search of an empty record. */
export const nothing: {
  readonly report: ReportSource
  readonly log: LogSource
  readonly search: ReadonlyArray<Found>
} = {
  report: { lives: [], intervals: [], crossing: [], turns: [], messages: [], decisions: [], usage: [] },
  log: {
    lives: [],
    movedFrom: new Map(),
    turns: [],
    messages: [],
    dialogs: [],
    decisions: [],
    notes: [],
    continuedIn: []
  },
  search: []
}

import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { LifeRow, RecordRow } from "../../domain/engine/history/RecordRow.ts"

/** The column for the time of a step of a message's receipt, by status. */
const stepColumns: Readonly<Record<string, string>> = {
  typed: "typed",
  submitted: "submitted",
  started: "started",
  done: "ended",
  failed: "ended",
  removed: "ended"
}

export const lifeIn = (sql: SqlClient, life: LifeRow) =>
  Effect.gen(function* () {
    const { base, cli, cwd, hostPid, since, tag, version } = life
    const made = yield* sql<{ id: number }>`INSERT INTO lives ${sql.insert({
      tag,
      cli,
      base,
      cwd,
      host_pid: hostPid,
      version,
      since,
      seen: since
    })} ON CONFLICT DO NOTHING RETURNING id`
    const [row] =
      made.length > 0 ? made : yield* sql<{ id: number }>`SELECT id FROM lives WHERE tag = ${tag} AND since = ${since}`
    return { id: row?.id ?? 0, isNew: made.length > 0 }
  })

const writeRow = (sql: SqlClient, life: number, row: RecordRow): Effect.Effect<unknown, SqlError> => {
  switch (row._tag) {
    case "Interval": {
      const { asked, n, reason, since, state } = row
      return sql`INSERT OR IGNORE INTO intervals ${sql.insert({ life, n, state, since, reason, asked })}`
    }
    case "IntervalEnded":
      return sql`UPDATE intervals SET until = ${row.until}, answered_by = ${row.answeredBy}
        WHERE life = ${life} AND n = ${row.n}`
    case "Turn":
      return sql`INSERT OR IGNORE INTO turns ${sql.insert({ life, n: row.n, since: row.since, message: row.message })}`
    case "TurnOfMessage":
      return sql`UPDATE turns SET message = ${row.message} WHERE life = ${life} AND n = ${row.n}`
    case "TurnEnded":
      return sql`UPDATE turns SET until = ${row.until}, outcome = ${row.outcome} WHERE life = ${life} AND n = ${row.n}`
    case "Message": {
      const { at, id, images, length, status } = row
      return sql`INSERT OR IGNORE INTO messages ${sql.insert({ id, life, queued: at, status, length, images })}`
    }
    case "MessageStep": {
      const column = stepColumns[row.status]
      const step = column === undefined ? sql.literal("") : sql`, ${sql(column)} = ${row.at}`
      // A message that is queued again has no outcome.
      const outcome = row.status === "queued" ? sql`${row.outcome}` : sql`coalesce(${row.outcome}, outcome)`
      return sql`UPDATE messages SET life = ${life}, status = ${row.status}, why = ${row.why},
        outcome = ${outcome}${step} WHERE id = ${row.id}`
    }
    case "MessageEdited":
      return sql`UPDATE messages SET length = ${row.length} WHERE id = ${row.id}`
    case "Decision": {
      const { at, by, n, rule, told, tool, verdict, what, why } = row
      return sql`INSERT OR IGNORE INTO decisions
        ${sql.insert({ life, n, at, verdict, by, told, rule, why, tool, what })}`
    }
    case "Usage": {
      const { at, context = null, estimated, floor = false, fresh, model, n, session, tokens, usd } = row
      return sql`INSERT OR IGNORE INTO usage ${sql.insert({
        life,
        n,
        at,
        session,
        model,
        input: tokens?.input ?? null,
        cache_read: tokens?.cacheRead ?? null,
        cache_write: tokens?.cacheWrite ?? null,
        output: tokens?.output ?? null,
        usd,
        context,
        // 2: a part of the cost could not be counted.
        estimated: floor ? 2 : Number(estimated),
        fresh: Number(fresh)
      })}`
    }
    case "Note": {
      const { at, kind, n, problem, text } = row
      const note = sql`INSERT OR IGNORE INTO notes ${sql.insert({ life, n, at, kind, text, problem })}`
      return kind === "conversation"
        ? Effect.andThen(note, sql`UPDATE lives SET session = ${text} WHERE id = ${life}`)
        : note
    }
    case "Text": {
      const { at, kind, ref, text } = row
      const key = kind === "message" ? `message ${ref}` : `${kind} ${life} ${ref}`
      return sql`INSERT INTO texts ${sql.insert({ key, life, at, kind, text })}
        ON CONFLICT (key) DO UPDATE SET text = excluded.text WHERE text <> excluded.text`
    }
    case "LifeEnded":
      return sql`UPDATE lives SET until = ${row.at}, code = ${row.exit?.code ?? null},
        signal = ${row.exit?.signal ?? null} WHERE id = ${life}`
  }
}

export const writeRows = (
  sql: SqlClient,
  life: number,
  rows: ReadonlyArray<RecordRow>,
  at: number
): Effect.Effect<void, SqlError> =>
  sql.withTransaction(
    Effect.andThen(
      Effect.forEach(rows, (row) => writeRow(sql, life, row), { discard: true }),
      Effect.asVoid(sql`UPDATE lives SET seen = max(seen, ${at}) WHERE id = ${life}`)
    )
  )

import type { LifeRow, RecordRow } from "../../domain/engine/history/RecordRow.ts"
import { literal, piece, type Select } from "./select.ts"
import { rowOf, type Sqlite } from "./sqliteDatabase.ts"

/** The column for the time of a step of a message's receipt, by status. */
const stepColumns: Readonly<Record<string, string>> = {
  typed: "typed",
  submitted: "submitted",
  started: "started",
  done: "ended",
  failed: "ended",
  removed: "ended"
}

export const lifeIn = (select: Select, { base, cli, cwd, hostPid, since, tag, version }: LifeRow) => {
  const row = rowOf({ tag, cli, base, cwd, host_pid: hostPid, version, since, seen: since })
  const made = select<{ id: number }>`INSERT INTO lives ${row} ON CONFLICT DO NOTHING RETURNING id`
  const [own] =
    made.length > 0 ? made : select<{ id: number }>`SELECT id FROM lives WHERE tag = ${tag} AND since = ${since}`
  return { id: own?.id ?? 0, isNew: made.length > 0 }
}

const writeRow = (run: Sqlite["run"], life: number, row: RecordRow): void => {
  switch (row._tag) {
    case "Interval": {
      const { asked, n, reason, since, state } = row
      return run(piece`INSERT OR IGNORE INTO intervals ${rowOf({ life, n, state, since, reason, asked })}`)
    }
    case "IntervalEnded":
      return run(piece`UPDATE intervals SET until = ${row.until}, answered_by = ${row.answeredBy}
        WHERE life = ${life} AND n = ${row.n}`)
    case "Turn":
      return run(
        piece`INSERT OR IGNORE INTO turns ${rowOf({ life, n: row.n, since: row.since, message: row.message })}`
      )
    case "TurnOfMessage":
      return run(piece`UPDATE turns SET message = ${row.message} WHERE life = ${life} AND n = ${row.n}`)
    case "TurnEnded":
      return run(
        piece`UPDATE turns SET until = ${row.until}, outcome = ${row.outcome} WHERE life = ${life} AND n = ${row.n}`
      )
    case "Message": {
      const { at, id, images, length, status } = row
      return run(piece`INSERT OR IGNORE INTO messages ${rowOf({ id, life, queued: at, status, length, images })}`)
    }
    case "MessageStep": {
      const column = stepColumns[row.status]
      const step = column === undefined ? literal("") : piece`, ${literal(column)} = ${row.at}`
      // A message that is queued again has no outcome.
      const outcome = row.status === "queued" ? piece`${row.outcome}` : piece`coalesce(${row.outcome}, outcome)`
      return run(piece`UPDATE messages SET life = ${life}, status = ${row.status}, why = ${row.why},
        outcome = ${outcome}${step} WHERE id = ${row.id}`)
    }
    case "MessageEdited":
      return run(piece`UPDATE messages SET length = ${row.length} WHERE id = ${row.id}`)
    case "Decision": {
      const { at, by, n, rule, told, tool, verdict, what, why } = row
      return run(piece`INSERT OR IGNORE INTO decisions
        ${rowOf({ life, n, at, verdict, by, told, rule, why, tool, what })}`)
    }
    case "Usage": {
      const { at, context = null, estimated, floor = false, fresh, model, n, session, tokens, usd } = row
      return run(
        piece`INSERT OR IGNORE INTO usage ${rowOf({
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
      )
    }
    case "Note": {
      const { at, kind, n, problem, text } = row
      run(piece`INSERT OR IGNORE INTO notes ${rowOf({ life, n, at, kind, text, problem })}`)
      if (kind === "conversation") run(piece`UPDATE lives SET session = ${text} WHERE id = ${life}`)
      return
    }
    case "Text": {
      const { at, kind, ref, text } = row
      const key = kind === "message" ? `message ${ref}` : `${kind} ${life} ${ref}`
      return run(piece`INSERT INTO texts ${rowOf({ key, life, at, kind, text })}
        ON CONFLICT (key) DO UPDATE SET text = excluded.text WHERE text <> excluded.text`)
    }
    case "LifeEnded":
      return run(piece`UPDATE lives SET until = ${row.at}, code = ${row.exit?.code ?? null},
        signal = ${row.exit?.signal ?? null} WHERE id = ${life}`)
  }
}

export const writeRows = (run: Sqlite["run"], life: number, rows: ReadonlyArray<RecordRow>, at: number): void => {
  for (const row of rows) writeRow(run, life, row)
  run(piece`UPDATE lives SET seen = max(seen, ${at}) WHERE id = ${life}`)
}

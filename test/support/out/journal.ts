import { Effect, Layer } from "effect"
import type { OutEvent } from "../../../src/domain/surfaces/outgoing/OutEvent.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as OutJournalSqlite from "../../../src/layers/files/OutJournalSqlite.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import type { OpenOutJournal } from "../../../src/services/OutJournal.ts"

/** The journal in a directory. */
export const journalIn = (home: string) =>
  OutJournalSqlite.layer.pipe(
    Layer.provide([FileLockSqlite.layer, PathsXdg.layerFrom({ HOME: home, LEAP_HOME: home })])
  )

const begin = Date.UTC(2026, 0, 1)
export const day = 86_400_000

/** The nth event of a session. */
export const eventOf = (n: number, tag = "one", response = `answer ${n}`): OutEvent => ({
  schema: 1,
  id: `turn_${tag}_${n}`,
  type: "turn.ended",
  timestamp: new Date(begin + n).toISOString(),
  session: { tag, cli: "demo", cwd: "/work", startedAt: new Date(begin).toISOString() },
  data: { outcome: "completed", startedAt: new Date(begin + n).toISOString(), response }
})

/** Writes these events down. */
export const write = (journal: OpenOutJournal, events: ReadonlyArray<OutEvent>, at = begin, keptMs = 3 * day) =>
  journal.append({ events, memories: new Map(), at }, keptMs)

/** Takes all that waits for a receiver; the ids, and how many were given up. */
export const takeAll = Effect.fnUntraced(function* (journal: OpenOutJournal, receiver: string) {
  const ids: Array<string> = []
  let dropped = 0
  for (;;) {
    const next = yield* journal.next(receiver)
    if (next === null) return { ids, dropped }
    ids.push(next.entry.event.id)
    dropped += next.dropped
    yield* journal.passed(receiver, next.entry.sequence, next.dropped)
  }
})

import type { NoteKind } from "./RecordRow.ts"
import type { LifeSeen } from "./Report.ts"

/** The recorded rows of some time. `tag` is the session's. */
export interface LogSource {
  readonly lives: ReadonlyArray<
    LifeSeen & { readonly cwd: string; readonly code: number | null; readonly signal: string | null }
  >
  /** The former directory of each conversation that a life continues in another one, by the life's id. */
  readonly movedFrom: ReadonlyMap<number, string>
  readonly turns: ReadonlyArray<{
    readonly life: number
    readonly since: number
    readonly until: number | null
    readonly outcome: string | null
    readonly prompt: string | null
    readonly answer: string | null
  }>
  readonly messages: ReadonlyArray<{
    readonly life: number
    readonly id: string
    readonly queued: number
    readonly started: number | null
    readonly ended: number | null
    readonly status: string
    readonly outcome: string | null
    readonly why: string | null
    readonly text: string | null
  }>
  readonly dialogs: ReadonlyArray<{
    readonly life: number
    readonly since: number
    readonly until: number | null
    readonly state: string
    readonly asked: string | null
    readonly answeredBy: string | null
  }>
  readonly decisions: ReadonlyArray<{
    readonly life: number
    readonly at: number
    readonly verdict: string
    readonly by: string
    readonly rule: string | null
    readonly tool: string | null
    readonly what: string | null
  }>
  readonly notes: ReadonlyArray<{
    readonly life: number
    readonly at: number
    readonly kind: string
    readonly text: string | null
    readonly problem: string | null
  }>
  /** The sessions in which a conversation goes on that began in the session `tag`. */
  readonly continuedIn: ReadonlyArray<{ readonly at: number; readonly tag: string; readonly text: string }>
}

interface Of {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly tag: string
}

export type LogEntry =
  | (Of & { readonly kind: "started"; readonly cli: string; readonly cwd: string; readonly movedFrom: string | null })
  /** `lost`: the host did not record its end. `why`: the cause for which it ended its session. */
  | (Of & {
      readonly kind: "ended"
      readonly lost: boolean
      readonly code: number | null
      readonly signal: string | null
      readonly why: string | null
    })
  | (Of & {
      readonly kind: "turn"
      readonly until: number | null
      readonly outcome: string | null
      readonly prompt: string | null
      readonly answer: string | null
    })
  | (Of & {
      readonly kind: "message"
      readonly id: string
      readonly status: string
      readonly outcome: string | null
      readonly waitedMs: number | null
      readonly why: string | null
      readonly text: string | null
    })
  | (Of & {
      readonly kind: "dialog"
      readonly until: number | null
      readonly state: string
      readonly asked: string | null
      readonly answeredBy: string | null
    })
  | (Of & {
      readonly kind: "decision"
      readonly verdict: string
      readonly by: string
      readonly rule: string | null
      readonly what: string | null
    })
  | (Of & { readonly kind: ToldNote | "continued"; readonly text: string | null })

type ToldNote = Exclude<NoteKind, "ending">
const noteKinds: ReadonlySet<string> = new Set<ToldNote>([
  "problem",
  "over",
  "conversation",
  "gap",
  "night",
  "continues"
])
const isToldNote = (kind: string): kind is ToldNote => noteKinds.has(kind)

/** The entries from this time on, in the order of time; of the decisions those by a rule or the mode. */
export const logEntries = (
  source: LogSource,
  from: number,
  runs: (life: LifeSeen) => boolean
): ReadonlyArray<LogEntry> => {
  const lives = new Map(source.lives.map((life) => [life.id, life]))
  const tagOf = (id: number): string => lives.get(id)?.tag ?? "?"
  const endOf = (id: number, until: number | null): number | null => {
    const life = lives.get(id)
    // An open interval ended with the host's death, as far as is known.
    return until ?? (life === undefined || runs(life) ? null : (life.until ?? life.seen))
  }
  const endings = new Map(source.notes.flatMap(({ kind, life, text }) => (kind === "ending" ? [[life, text]] : [])))
  const entries: Array<LogEntry> = []
  for (const life of source.lives) {
    const { cli, code, cwd, id, seen, signal, since, tag, until } = life
    entries.push({ at: since, tag, kind: "started", cli, cwd, movedFrom: source.movedFrom.get(id) ?? null })
    const end = { tag, kind: "ended", code, signal, why: endings.get(id) ?? null } as const
    if (until !== null) entries.push({ ...end, at: until, lost: false })
    else if (!runs(life)) entries.push({ ...end, at: seen, lost: true })
  }
  for (const { answer, life, outcome, prompt, since, until } of source.turns)
    entries.push({
      at: since,
      tag: tagOf(life),
      kind: "turn",
      until: endOf(life, until),
      outcome,
      prompt,
      answer
    })
  for (const { ended, id, life, outcome, queued, started, status, text, why } of source.messages)
    entries.push({
      at: ended ?? started ?? queued,
      tag: tagOf(life),
      kind: "message",
      id,
      status,
      outcome,
      waitedMs: started === null ? null : Math.max(0, started - queued),
      why,
      text
    })
  for (const { answeredBy, asked, life, since, state, until } of source.dialogs)
    entries.push({ at: since, tag: tagOf(life), kind: "dialog", until: endOf(life, until), state, asked, answeredBy })
  for (const { at, by, life, rule, tool, verdict, what } of source.decisions)
    if (by === "rule" || by === "mode")
      entries.push({ at, tag: tagOf(life), kind: "decision", verdict, by, rule, what: what ?? tool })
  for (const { at, kind, life, problem, text } of source.notes)
    if (isToldNote(kind))
      entries.push({ at, tag: tagOf(life), kind, text: kind === "over" ? problem : (text ?? problem) })
  for (const one of source.continuedIn) entries.push({ ...one, kind: "continued" })
  return entries.filter(({ at }) => at >= from).sort((a, b) => a.at - b.at)
}

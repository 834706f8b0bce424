import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import { unnamedTool } from "../../words/session/AskedTools.ts"
import type { Signal } from "../../words/session/Signal.ts"
import type { WiredEvent } from "../wiring/HookWiring.ts"
import { firstText } from "./RequestReading.ts"

/** A CLI's hook events as one table: what each tells, and how leap has it called. Imported as `Hook`. */

/** One call of a hook: its payload, and what in it all CLIs have, under one name or another. */
export interface Call {
  readonly fields: Fields
  readonly sessionId: string | null
  readonly transcriptPath: string | null
  readonly place: { readonly directory?: string }
  /** The subagent that it comes from; null for the session itself. */
  readonly agent: string | null
  readonly tool: string | null
  readonly id: string | null
  readonly input: Fields
}

/** What a call tells. Total: payloads may be anything. */
export type Says = (call: Call) => ReadonlyArray<Signal>

/** One event of a CLI's hooks. */
export interface HookEvent {
  readonly says: Says
  /** What of a subagent's it is where it comes from one, which says nothing of the session: its turn, its prompt. */
  readonly aside?: string
  /** The CLI waits so many seconds for the answer. */
  readonly waits?: number
  /** The seconds that it is given otherwise, where they are not those of the CLI's other events. */
  readonly timeout?: number
  /** The cases that are wanted, in the CLI's own terms. */
  readonly matcher?: string
  /** The first version that knows it, where older ones refuse it. */
  readonly since?: string
  /** False where leap reads it, but does not have it called. */
  readonly isWired?: false
}

/** The events by their names, in the order in which they are wired. */
export type HookTable = Readonly<Record<string, HookEvent>>

/** Nothing of the state, and why. */
export const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/** A call by the names that most CLIs use. */
export const usualCall = (fields: Fields): Call => ({
  fields,
  sessionId: text(fields["session_id"]),
  transcriptPath: text(fields["transcript_path"]),
  place: placeOf(fields["cwd"]),
  agent: text(fields["agent_id"]),
  tool: text(fields["tool_name"]),
  id: text(fields["tool_use_id"]),
  input: fieldsOf(fields["tool_input"])
})

/** Translates the hooks of a table. Total: an event that it does not have is ignored. */
export const reader =
  (table: HookTable, callOf: (fields: Fields) => Call = usualCall) =>
  (event: string, payload: unknown): ReadonlyArray<Signal> => {
    const row = Object.hasOwn(table, event) ? table[event] : undefined
    if (row === undefined) return ignored(`${event} says nothing of the state`)
    const call = callOf(fieldsOf(payload))
    return row.aside !== undefined && call.agent !== null ? ignored(`a subagent's ${row.aside}`) : row.says(call)
  }

/** The events of a table that leap has called. `timeout`: the seconds of those that state none. */
export const wiredEvents = (table: HookTable, timeout: number): ReadonlyArray<WiredEvent> =>
  Object.entries(table).flatMap(([event, row]) =>
    row.isWired === false
      ? []
      : [
          {
            event,
            canAnswer: row.waits !== undefined,
            timeout: row.waits ?? row.timeout ?? timeout,
            matcher: row.matcher ?? null,
            ...(row.since === undefined ? {} : { since: row.since })
          }
        ]
  )

/** The session's ids and its directory. `source`: why they are told. */
export const named = ({ place, sessionId, transcriptPath }: Call, source: string): Signal => ({
  _tag: "SessionStarted",
  sessionId,
  transcriptPath,
  source,
  ...place
})

/** The same where the call names the session, as it does with every turn. */
export const session: Says = (call) =>
  call.sessionId === null && call.transcriptPath === null ? [] : [named(call, "turn")]

export const sessionStarts: Says = (call) => [named(call, text(call.fields["source"]) ?? "startup")]

export const sessionEnds: Says = ({ fields }) => [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]

export const turnStarts: Says = (call) => [
  ...session(call),
  { _tag: "TurnStarted", prompt: text(call.fields["prompt"]), own: false }
]

/** A turn's end that says no more than that. */
export const turnEnds: Says = (call) => [...session(call), { _tag: "TurnEnded", response: null, background: null }]

export const interrupts: Says = () => [{ _tag: "Interrupted", at: null }]

export const toolStarts: Says = ({ agent, id, tool }) => [{ _tag: "ToolStarted", tool: tool ?? unnamedTool, id, agent }]

export const toolEnds: Says = ({ agent, id, tool }) => [{ _tag: "ToolEnded", tool: tool ?? unnamedTool, id, agent }]

export const compactStarts: Says = () => [{ _tag: "CompactStarted" }]

export const compactEnds: Says = () => [{ _tag: "CompactEnded" }]

export const answered: Says = () => [{ _tag: "Answered" }]

/** A request of the user. */
export const asked = (
  kind: Extract<Signal, { _tag: "Asked" }>["kind"],
  tool: string | null,
  message: string | null
): Signal => ({ _tag: "Asked", kind, tool, message })

/** What is said of a tool and of its arguments; null where there is nothing. */
export const toolText = (...parts: ReadonlyArray<string | null>): string | null =>
  parts.filter((part) => part !== null && part !== "").join(": ") || null

/** A permission for a tool. `names`: the arguments that tell best what it would do, the first of them that is there. */
export const asksPermission =
  (...names: ReadonlyArray<string>): Says =>
  ({ input, tool }) => [asked("permission", tool, toolText(tool, firstText(input, ...names)))]

/** The text of the first of several questions. */
export const firstQuestion = (questions: unknown): string | null =>
  Array.isArray(questions) ? text(fieldsOf(questions[0])["question"]) : null

import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import { unnamedTool } from "../../words/session/AskedTools.ts"
import type { Signal } from "../../words/session/Signal.ts"
import type { WiredEvent } from "../wiring/HookWiring.ts"
import { firstText } from "./RequestReading.ts"

/** A CLI's hook events as one table: the signals of each, and how it is wired. Imported as `Hook`. */

/** One call of a hook: its payload, and the fields that all CLIs have under some name. */
export interface Call {
  readonly fields: Fields
  readonly sessionId: string | null
  readonly transcriptPath: string | null
  readonly place: { readonly directory?: string }
  /** The subagent of the call; null: the session itself. */
  readonly agent: string | null
  readonly tool: string | null
  /** The id of the tool's call. */
  readonly id: string | null
  readonly input: Fields
}

/** The signals of a call. Total: payloads may be anything. */
export type Says = (call: Call) => ReadonlyArray<Signal>

export interface HookEvent {
  readonly says: Says
  /** A subagent's event says nothing of the session, so it is ignored. This names its subject (`turn`, `prompt`). */
  readonly ignoredOfSubagents?: string
  /** The seconds that the CLI waits for leap's answer; absent: it does not wait. */
  readonly waits?: number
  /** Its timeout in seconds, if it differs from the CLI's other events. */
  readonly timeout?: number
  /** The cases for which the CLI calls the hook, in its own terms; absent: all. */
  readonly matcher?: string
  /** The first version that knows the event, if older ones refuse it. */
  readonly since?: string
  /** False: leap reads the event, but does not wire it. */
  readonly isWired?: false
}

/** The events by name, in the order of their wiring. */
export type HookTable = Readonly<Record<string, HookEvent>>

/** The signal of a call that says nothing of the state, and why. */
export const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

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

/** Translates the hooks of a table. Total: an unknown event is ignored. */
export const reader =
  (table: HookTable, callOf: (fields: Fields) => Call = usualCall) =>
  (event: string, payload: unknown): ReadonlyArray<Signal> => {
    const row = Object.hasOwn(table, event) ? table[event] : undefined
    if (row === undefined) return ignored(`${event} says nothing of the state`)
    const call = callOf(fieldsOf(payload))
    return row.ignoredOfSubagents !== undefined && call.agent !== null
      ? ignored(`a subagent's ${row.ignoredOfSubagents}`)
      : row.says(call)
  }

/** The wired events of a table. `timeout`: the default in seconds. */
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

/** The session's id, transcript and directory. `source`: why they are reported. */
export const named = ({ place, sessionId, transcriptPath }: Call, source: string): Signal => ({
  _tag: "SessionStarted",
  sessionId,
  transcriptPath,
  source,
  ...place
})

/** {@link named}, if the call has an id or a transcript. The source `turn` begins no conversation. */
export const session: Says = (call) =>
  call.sessionId === null && call.transcriptPath === null ? [] : [named(call, "turn")]

export const sessionStarts: Says = (call) => [named(call, text(call.fields["source"]) ?? "startup")]

export const sessionEnds: Says = ({ fields }) => [{ _tag: "SessionEnded", reason: text(fields["reason"]) ?? "other" }]

export const turnStarts: Says = (call) => [
  ...session(call),
  { _tag: "TurnStarted", prompt: text(call.fields["prompt"]), own: false }
]

export const turnEnds: Says = (call) => [...session(call), { _tag: "TurnEnded", response: null, background: null }]

export const interrupts: Says = () => [{ _tag: "Interrupted", at: null }]

export const toolStarts: Says = ({ agent, id, tool }) => [{ _tag: "ToolStarted", tool: tool ?? unnamedTool, id, agent }]

export const toolEnds: Says = ({ agent, id, tool }) => [{ _tag: "ToolEnded", tool: tool ?? unnamedTool, id, agent }]

export const compactStarts: Says = () => [{ _tag: "CompactStarted" }]

export const compactEnds: Says = () => [{ _tag: "CompactEnded" }]

export const answered: Says = () => [{ _tag: "Answered" }]

export const asked = (
  kind: Extract<Signal, { _tag: "Asked" }>["kind"],
  tool: string | null,
  message: string | null
): Signal => ({ _tag: "Asked", kind, tool, message })

export const toolText = (...parts: ReadonlyArray<string | null>): string | null =>
  parts.filter((part) => part !== null && part !== "").join(": ") || null

/** A permission request for a tool. `names`: its most telling arguments; the first that is present counts. */
export const asksPermission =
  (...names: ReadonlyArray<string>): Says =>
  ({ input, tool }) => [asked("permission", tool, toolText(tool, firstText(input, ...names)))]

export const firstQuestion = (questions: unknown): string | null =>
  Array.isArray(questions) ? text(fieldsOf(questions[0])["question"]) : null

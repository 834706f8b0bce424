import type { ToolRequest } from "../../policy/ToolRequest.ts"
import { oneLine, printable } from "../../words/text/printable.ts"
import { contentOf, textPart, type ToolKind, type Update } from "./Updates.ts"

interface OpenTool {
  readonly id: string
  readonly tool: string
}

/**
 * An editor's part of the conversation. Hooks are early, the transcript is late but complete; each text is sent once.
 */
export interface Conversation {
  /** A transcript is read. It decides which prompt an answer belongs to. */
  readonly reads: boolean
  readonly told: ReadonlyArray<string>
  /** Texts that were sent before they appeared in the transcript. */
  readonly ahead: ReadonlyArray<string>
  /** The editor's own prompts that no source has repeated yet. */
  readonly awaited: ReadonlyArray<string>
  /** The last prompt, until an answer to it: some CLIs record it twice. */
  readonly prompt: string | null
  /** The last prompt has an answer: editors join its messages to one text, so the next one needs a break before it. */
  readonly spoken: boolean
  readonly open: ReadonlyArray<OpenTool>
  readonly count: number
}

export const start: Conversation = {
  reads: false,
  told: [],
  ahead: [],
  awaited: [],
  prompt: null,
  spoken: false,
  open: [],
  count: 0
}

export type Heard =
  | { readonly _tag: "Reads" }
  | { readonly _tag: "Sent"; readonly text: string }
  | { readonly _tag: "Prompted"; readonly text: string; readonly by: "transcript" | "hook" }
  | { readonly _tag: "Said"; readonly text: string; readonly by: "transcript" | "hook" }
  | { readonly _tag: "Answered"; readonly text: string; readonly prompt: string }
  | {
      readonly _tag: "ToolStarted"
      readonly tool: string
      readonly id: string | null
      /** The subagent that made the call; null for the session's own agent. */
      readonly agent: string | null
      readonly request: ToolRequest | null
    }
  | { readonly _tag: "ToolEnded"; readonly tool: string; readonly id: string | null }
  | { readonly _tag: "TurnOver"; readonly interrupted: boolean }

const most = 40

/** Sent with each call, because an editor's user looks there for its output. */
export const byHook = "Known by a hook of the CLI's: what the call gives back is in the session's terminal"
const unseenEnd = "The turn is over; that this call ended was not reported"

const keyOf = (text: string): string => text.replaceAll(/\s+/g, " ").trim()
const without = (list: ReadonlyArray<string>, one: string): ReadonlyArray<string> => {
  const at = list.indexOf(one)
  return at < 0 ? list : list.toSpliced(at, 1)
}
const remembered = (list: ReadonlyArray<string>, one: string): ReadonlyArray<string> => [...list, one].slice(-most)

const saying = ({ spoken }: Conversation, text: string): Update => ({
  sessionUpdate: "agent_message_chunk",
  content: textPart(`${spoken ? "\n\n" : ""}${printable(text).trim()}`)
})

type Step = readonly [Conversation, ReadonlyArray<Update>]

/** Sends a text before it appears in the transcript, if one is read. */
const tellEarly = (state: Conversation, text: string): Step => {
  const key = keyOf(text)
  const field = state.reads ? "ahead" : "told"
  return [{ ...state, prompt: null, spoken: true, [field]: remembered(state[field], key) }, [saying(state, text)]]
}

const prompted = (state: Conversation, text: string, by: "transcript" | "hook"): Step => {
  const key = keyOf(text)
  if (key === "" || state.prompt === key || (by === "hook" && state.reads)) return [state, []]
  const next = { ...state, told: [], prompt: key }
  if (state.awaited.includes(key)) return [{ ...next, awaited: without(state.awaited, key) }, []]
  return [{ ...next, spoken: false }, [{ sessionUpdate: "user_message_chunk", content: textPart(printable(text)) }]]
}

const said = (state: Conversation, text: string, by: "transcript" | "hook"): Step => {
  const key = keyOf(text)
  if (key === "" || state.told.includes(key)) return [state, []]
  const isAhead = state.ahead.includes(key)
  if (by === "hook") return isAhead ? [state, []] : tellEarly(state, text)
  const next = { ...state, prompt: null, told: remembered(state.told, key), ahead: without(state.ahead, key) }
  return isAhead ? [next, []] : [{ ...next, spoken: true }, [saying(state, text)]]
}

const answered = (state: Conversation, text: string, prompt: string): Step => {
  const key = keyOf(text)
  // Until the transcript reaches this prompt, the texts in `told` belong to an earlier turn.
  const told = state.awaited.includes(keyOf(prompt)) ? state.ahead : [...state.told, ...state.ahead]
  return key === "" || ` ${told.join(" ")} `.includes(` ${key} `) ? [state, []] : tellEarly(state, text)
}

/** Whether this answer to a prompt is empty, or was sent already. */
export const sendsNothing = (state: Conversation, text: string, prompt: string): boolean =>
  answered(state, text, prompt)[1].length === 0

const kinds: Readonly<Record<ToolRequest["kind"], ToolKind>> = {
  command: "execute",
  read: "read",
  edit: "edit",
  fetch: "fetch",
  mcp: "other",
  agent: "other",
  other: "other",
  question: "other",
  plan: "switch_mode",
  elicitation: "other"
}

const toolStarted = (
  state: Conversation,
  { agent, id, request, tool }: Extract<Heard, { readonly _tag: "ToolStarted" }>
): Step => {
  const toolCallId = `hook-${id ?? state.count + 1}`
  if (state.open.some((one) => one.id === toolCallId)) return [state, []]
  const about = request?.command ?? request?.paths[0] ?? request?.url ?? null
  const title = about === null ? tool : `${tool}: ${about}`
  const paths = (request?.paths ?? []).filter((path) => path.startsWith("/"))
  return [
    { ...state, count: state.count + 1, open: [...state.open, { id: toolCallId, tool }].slice(-most) },
    [
      {
        sessionUpdate: "tool_call",
        toolCallId,
        title: oneLine(agent === null ? title : `${agent}: ${title}`, 300),
        name: tool,
        kind: request === null ? "other" : kinds[request.kind],
        status: "in_progress",
        ...(paths.length === 0 ? {} : { locations: paths.map((path) => ({ path })) }),
        content: contentOf(byHook),
        _meta: { leap: { knownBy: "hook" } }
      }
    ]
  ]
}

const toolEnded = (state: Conversation, tool: string, id: string | null): Step => {
  const ended = state.open.find((one) => (id === null ? one.tool === tool : one.id === `hook-${id}`))
  if (ended === undefined) return [state, []]
  return [
    { ...state, open: state.open.filter((one) => one !== ended) },
    [{ sessionUpdate: "tool_call_update", toolCallId: ended.id, status: "completed" }]
  ]
}

export const hear = (state: Conversation, heard: Heard): Step => {
  switch (heard._tag) {
    case "Reads":
      return [{ ...state, reads: true }, []]
    case "Sent":
      return [{ ...state, spoken: false, awaited: remembered(state.awaited, keyOf(heard.text)) }, []]
    case "Prompted":
      return prompted(state, heard.text, heard.by)
    case "Said":
      return said(state, heard.text, heard.by)
    case "Answered":
      return answered(state, heard.text, heard.prompt)
    case "ToolStarted":
      return toolStarted(state, heard)
    case "ToolEnded":
      return toolEnded(state, heard.tool, heard.id)
    case "TurnOver":
      return [
        { ...state, open: [] },
        state.open.map(({ id }) => ({
          sessionUpdate: "tool_call_update",
          toolCallId: id,
          status: heard.interrupted ? "failed" : "completed",
          content: contentOf(unseenEnd)
        }))
      ]
  }
}

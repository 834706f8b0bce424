import { problemOf } from "../ProblemText.ts"
import type { Problem } from "../Session.ts"
import type { Signal } from "../Signal.ts"

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {}

const text = (value: unknown): string | null => typeof value === "string" && value !== "" ? value : null

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/**
 * Translates what OpenCode tells its plugins: an event of its bus by its own name, a plugin hook as `hook.<name>` with its
 * `{input, output}`. Every signal names its session, for a subagent is one of its own. Total: what it does not know says nothing.
 */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  const input = fieldsOf(fields["input"])
  const id = text(fields["sessionID"]) ?? text(input["sessionID"])
  const session = id === null ? {} : { session: id }
  switch (event) {
    case "session.created": {
      const info = fieldsOf(fields["info"])
      return [{
        _tag: "SessionStarted",
        sessionId: id ?? text(info["id"]),
        transcriptPath: null,
        source: "startup",
        parent: text(info["parentID"])
      }]
    }
    case "hook.chat.message":
      return [
        // a resumed session is named here first
        ...id === null ? [] : [{ _tag: "SessionStarted", sessionId: id, transcriptPath: null, source: "turn" } as const],
        { _tag: "TurnStarted", prompt: promptOf(fieldsOf(fields["output"])["parts"]), own: false, ...session }
      ]
    case "session.status":
      return status(fieldsOf(fields["status"]), session)
    case "session.deleted":
      return [own("rest", "deleted", session)]
    case "session.idle":
      return [{ _tag: "TurnEnded", response: null, background: null, ...session }]
    case "session.error":
      return [failure(fieldsOf(fields["error"]), session)]
    case "permission.asked":
      return [{ _tag: "Asked", kind: "permission", tool: text(fields["permission"]), message: permissionOf(fields), ...asking(fields["id"]) }]
    case "permission.replied":
      return [
        { _tag: "Answered", ...asking(fields["requestID"]) },
        ...fields["reply"] === "reject" && fields["explained"] !== true ? [stopped(session)] : []
      ]
    case "question.asked":
      return [{ _tag: "Asked", kind: "question", tool: "question", message: questionOf(fields["questions"]), ...asking(fields["id"]) }]
    case "question.replied":
      return [{ _tag: "Answered", ...asking(fields["requestID"]) }]
    case "question.rejected":
      return [{ _tag: "Answered", ...asking(fields["requestID"]) }, stopped(session)]
    case "hook.tool.execute.before":
    case "hook.tool.execute.after":
      return [{
        _tag: event === "hook.tool.execute.before" ? "ToolStarted" : "ToolEnded",
        tool: text(input["tool"]) ?? "a tool",
        id: text(input["callID"]),
        agent: null,
        ...session
      }]
    case "message.part.updated":
      return said(fieldsOf(fields["part"]), session)
    case "hook.experimental.session.compacting":
      return [{ _tag: "CompactStarted", ...session }]
    case "session.compacted":
      return [{ _tag: "CompactEnded", ...session }]
    default:
      return ignored(`event ${event} says nothing of the state`)
  }
}

interface Of {
  readonly session?: string
}

const asking = (id: unknown): { readonly id?: string } => typeof id === "string" ? { id } : {}

// A rejection without a word ends the turn; after one with a word it goes on, and leap's plugin says where it gave one.
const stopped = (session: Of): Signal => ({ _tag: "Interrupted", at: null, ...session })

const own = (phase: "work" | "rest", word: string, session: Of): Signal => ({
  _tag: "OwnStatus", phase, waitingFor: null, background: false, word, sessionId: null, ...session
})

const status = (fields: Fields, session: Of): ReadonlyArray<Signal> => {
  switch (fields["type"]) {
    case "busy":
      return [own("work", "busy", session)]
    case "retry": {
      const message = text(fields["message"]) ?? "a request failed"
      return [{ _tag: "RequestFailed", problem: retried(message, fields["next"]), message, ...session }, own("work", `retry: ${message}`, session)]
    }
    case "idle":
      return [own("rest", "idle", session)]
    default:
      return ignored("a status that leap does not know")
  }
}

/** `next`: when it tries again, in milliseconds since the epoch. */
const retried = (message: string, next: unknown): Problem | null => {
  const problem = problemOf(message)
  const at = typeof next === "number" && Number.isFinite(next) && Math.abs(next) < 8.64e15 ? new Date(next).toISOString() : null
  return problem === null ? null : { ...problem, until: at }
}

const failure = (error: Fields, session: Of): Signal => {
  const name = text(error["name"]) ?? "error"
  if (name === "MessageAbortedError") return stopped(session)
  const data = fieldsOf(error["data"])
  const message = text(data["message"]) ?? text(error["message"]) ?? name
  const code = data["statusCode"]
  const named = name === "ProviderAuthError" ? "authentication" : name === "ProviderModelNotFoundError" ? "model not found" : name
  return {
    _tag: "TurnFailed",
    problem: problemOf(typeof code === "number" ? `status code ${code}` : named, named, message),
    message,
    ...session
  }
}

const promptOf = (parts: unknown): string | null => {
  if (!Array.isArray(parts)) return null
  const typed = parts.map(fieldsOf).filter((part) => part["type"] === "text" && part["synthetic"] !== true)
  // Behind a paste that it has folded stands a space that nobody typed.
  return typed.map((part) => text(part["text"]) ?? "").join("\n").trimEnd() || null
}

const permissionOf = (fields: Fields): string | null => {
  const metadata = fieldsOf(fields["metadata"])
  const patterns = fields["patterns"]
  const what = text(metadata["command"]) ?? text(metadata["filepath"]) ?? text(metadata["url"]) ??
    (Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === "string").join(", ") : null)
  return [text(fields["permission"]), what].filter((part) => part !== null && part !== "").join(": ") || null
}

const questionOf = (questions: unknown): string | null =>
  Array.isArray(questions) ? text(fieldsOf(questions[0])["question"]) : null

/** A part of the assistant's answer that has come to its end; a prompt's parts have no times. */
const said = (part: Fields, session: Of): ReadonlyArray<Signal> => {
  const words = text(part["text"])
  const whose = text(part["sessionID"])
  return part["type"] === "text" && words !== null && typeof fieldsOf(part["time"])["end"] === "number"
    ? [{ _tag: "Responded", text: words, ...session, ...whose === null ? {} : { session: whose } }]
    : ignored("a part of a message")
}

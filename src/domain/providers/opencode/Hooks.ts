import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import { problemOf } from "../../words/reading/ProblemText.ts"
import type { Problem } from "../../words/session/Session.ts"
import type { Signal } from "../../words/session/Signal.ts"

const ignored = (why: string): ReadonlyArray<Signal> => [{ _tag: "Ignored", why }]

/**
 * Translates the events that OpenCode sends to its plugins: an event of its bus under its own name, a plugin hook as
 * `hook.<name>` with its `{input, output}`. Every signal names its session, because a subagent has its own. Total: an
 * unknown event is ignored.
 */
export const readHook = (event: string, payload: unknown): ReadonlyArray<Signal> => {
  const fields = fieldsOf(payload)
  const input = fieldsOf(fields["input"])
  const id = text(fields["sessionID"]) ?? text(input["sessionID"])
  const session = id === null ? {} : { session: id }
  switch (event) {
    case "session.created": {
      const info = fieldsOf(fields["info"])
      return [
        {
          _tag: "SessionStarted",
          sessionId: id ?? text(info["id"]),
          transcriptPath: null,
          source: "startup",
          parent: text(info["parentID"]),
          ...placeOf(info["directory"])
        }
      ]
    }
    case "hook.chat.message":
      return [
        // This is the first event that names a resumed session.
        ...(id === null
          ? []
          : [{ _tag: "SessionStarted", sessionId: id, transcriptPath: null, source: "turn" } as const]),
        { _tag: "TurnStarted", prompt: promptOf(fieldsOf(fields["output"])["parts"]), own: false, ...session }
      ]
    case "session.status":
      return statusSignals(fieldsOf(fields["status"]), session)
    case "session.deleted":
      return [statusSignal("rest", "deleted", session)]
    case "session.idle":
      return [{ _tag: "TurnEnded", response: null, background: null, ...session }]
    case "session.error":
      return [failureSignal(fieldsOf(fields["error"]), session)]
    case "permission.asked":
      return [
        {
          _tag: "Asked",
          kind: "permission",
          tool: text(fields["permission"]),
          message: permissionOf(fields),
          ...requestId(fields["id"])
        }
      ]
    case "permission.replied":
      return [
        { _tag: "Answered", ...requestId(fields["requestID"]) },
        ...(fields["reply"] === "reject" && fields["explained"] !== true ? [interruptSignal(session)] : [])
      ]
    case "question.asked":
      return [
        {
          _tag: "Asked",
          kind: "question",
          tool: "question",
          message: questionOf(fields["questions"]),
          ...requestId(fields["id"])
        }
      ]
    case "question.replied":
      return [{ _tag: "Answered", ...requestId(fields["requestID"]) }]
    case "question.rejected":
      return [{ _tag: "Answered", ...requestId(fields["requestID"]) }, interruptSignal(session)]
    case "hook.tool.execute.before":
    case "hook.tool.execute.after":
      return [
        {
          _tag: event === "hook.tool.execute.before" ? "ToolStarted" : "ToolEnded",
          tool: text(input["tool"]) ?? "a tool",
          id: text(input["callID"]),
          agent: null,
          ...session
        }
      ]
    case "message.part.updated":
      return responseSignals(fieldsOf(fields["part"]), session)
    case "hook.experimental.session.compacting":
      return [{ _tag: "CompactStarted", ...session }]
    case "session.compacted":
      return [{ _tag: "CompactEnded", ...session }]
    default:
      return ignored(`event ${event} says nothing of the state`)
  }
}

interface SessionRef {
  readonly session?: string
}

const requestId = (id: unknown): { readonly id?: string } => (typeof id === "string" ? { id } : {})

// A rejection without a message ends the turn; after one with a message it continues. leap's plugin marks the ones for
// which it gave a message.
const interruptSignal = (session: SessionRef): Signal => ({ _tag: "Interrupted", at: null, ...session })

const statusSignal = (phase: "work" | "rest", status: string, session: SessionRef): Signal => ({
  _tag: "OwnStatus",
  phase,
  waitingFor: null,
  background: false,
  word: status,
  sessionId: null,
  ...session
})

const statusSignals = (fields: Fields, session: SessionRef): ReadonlyArray<Signal> => {
  switch (fields["type"]) {
    case "busy":
      return [statusSignal("work", "busy", session)]
    case "retry": {
      const message = text(fields["message"]) ?? "a request failed"
      return [
        { _tag: "RequestFailed", problem: retryProblem(message, fields["next"]), message, ...session },
        statusSignal("work", `retry: ${message}`, session)
      ]
    }
    case "idle":
      return [statusSignal("rest", "idle", session)]
    default:
      return ignored("a status that leap does not know")
  }
}

/** `next`: when OpenCode tries again, in milliseconds since the epoch. */
const retryProblem = (message: string, next: unknown): Problem => {
  const until =
    typeof next === "number" && Number.isFinite(next) && Math.abs(next) < 8.64e15 ? new Date(next).toISOString() : null
  return { ...problemOf(message), until }
}

const failureSignal = (error: Fields, session: SessionRef): Signal => {
  const name = text(error["name"]) ?? "error"
  if (name === "MessageAbortedError") return interruptSignal(session)
  const data = fieldsOf(error["data"])
  const message = text(data["message"]) ?? text(error["message"]) ?? name
  const code = data["statusCode"]
  const reply = text(data["responseBody"])
  const cause =
    name === "ProviderAuthError" ? "authentication" : name === "ProviderModelNotFoundError" ? "model not found" : name
  return {
    _tag: "TurnFailed",
    problem: problemOf(
      typeof code === "number" ? `status code ${code}` : cause,
      cause,
      ...(reply === null ? [] : [reply]),
      message
    ),
    message,
    ...session
  }
}

const promptOf = (parts: unknown): string | null => {
  if (!Array.isArray(parts)) return null
  const typed = parts.map(fieldsOf).filter((part) => part["type"] === "text" && part["synthetic"] !== true)
  // OpenCode puts a space that was not typed after a folded paste.
  return (
    typed
      .map((part) => text(part["text"]) ?? "")
      .join("\n")
      .trimEnd() || null
  )
}

const permissionOf = (fields: Fields): string | null => {
  const metadata = fieldsOf(fields["metadata"])
  const patterns = fields["patterns"]
  const detail =
    text(metadata["command"]) ??
    text(metadata["filepath"]) ??
    text(metadata["url"]) ??
    (Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === "string").join(", ") : null)
  return [text(fields["permission"]), detail].filter((part) => part !== null && part !== "").join(": ") || null
}

const questionOf = (questions: unknown): string | null =>
  Array.isArray(questions) ? text(fieldsOf(questions[0])["question"]) : null

/** A finished part of the assistant's answer; the parts of a prompt have no times. */
const responseSignals = (part: Fields, session: SessionRef): ReadonlyArray<Signal> => {
  const content = text(part["text"])
  const sessionId = text(part["sessionID"])
  return part["type"] === "text" && content !== null && typeof fieldsOf(part["time"])["end"] === "number"
    ? [{ _tag: "Responded", text: content, ...session, ...(sessionId === null ? {} : { session: sessionId }) }]
    : ignored("a part of a message")
}

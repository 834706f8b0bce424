import * as Hook from "../../cli/provider/HookVocabulary.ts"
import { firstText } from "../../cli/provider/RequestReading.ts"
import { type Fields, fieldsOf, nonEmptyOf as text, placeOf } from "../../words/reading/Fields.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import type { Problem } from "../../words/session/Session.ts"
import type { Signal } from "../../words/session/Signal.ts"
import { decidedEvents } from "./Permissions.ts"

/** Reported when a text of the answer is complete; the text was streamed before. */
export const textPartEvent = "message.part.updated"

/**
 * OpenCode sends an event of its bus under its own name, and a plugin hook as `hook.<name>` with its `{input, output}`.
 */
const callOf = (fields: Fields): Hook.Call => {
  const input = fieldsOf(fields["input"])
  return {
    fields,
    sessionId: text(fields["sessionID"]) ?? text(input["sessionID"]),
    transcriptPath: null,
    place: {},
    agent: null,
    tool: text(input["tool"]),
    id: text(input["callID"]),
    input
  }
}

/** Signals with their session's name, because a subagent has its own session. */
const inSession =
  (says: Hook.Says): Hook.Says =>
  (call) =>
    says(call).map((signal) =>
      call.sessionId === null || signal._tag === "Ignored" ? signal : { session: call.sessionId, ...signal }
    )

const requestId = (id: unknown): { readonly id?: string } => (typeof id === "string" ? { id } : {})

const answered: Hook.Says = ({ fields }) => [{ _tag: "Answered", ...requestId(fields["requestID"]) }]
const interrupts = inSession(Hook.interrupts)

const status = (phase: "work" | "rest", word: string): Signal => ({
  _tag: "OwnStatus",
  phase,
  waitingFor: null,
  background: false,
  word,
  sessionId: null
})

const statusSignals = (fields: Fields): ReadonlyArray<Signal> => {
  switch (fields["type"]) {
    case "busy":
      return [status("work", "busy")]
    case "retry": {
      const message = text(fields["message"]) ?? "a request failed"
      return [
        { _tag: "RequestFailed", problem: retryProblem(message, fields["next"]), message },
        status("work", `retry: ${message}`)
      ]
    }
    case "idle":
      return [status("rest", "idle")]
    default:
      return Hook.ignored("a status that leap does not know")
  }
}

/** `next`: when OpenCode retries, in milliseconds since the epoch. */
const retryProblem = (message: string, next: unknown): Problem => {
  const until =
    typeof next === "number" && Number.isFinite(next) && Math.abs(next) < 8.64e15 ? new Date(next).toISOString() : null
  return { ...problemOf(message), until }
}

const failureSignals: Hook.Says = (call) => {
  const error = fieldsOf(call.fields["error"])
  const name = text(error["name"]) ?? "error"
  if (name === "MessageAbortedError") return Hook.interrupts(call)
  const data = fieldsOf(error["data"])
  const words = text(data["message"]) ?? text(error["message"]) ?? name
  const retry = text(fieldsOf(data["responseHeaders"])["retry-after"])
  // it gives up in the middle of a long limit, and only the header says when that ends
  const message = retry === null ? words : `${words} (retry after ${/^\d+$/.test(retry) ? `${retry} s` : retry})`
  const code = data["statusCode"]
  const reply = text(data["responseBody"])
  const cause =
    name === "ProviderAuthError" ? "authentication" : name === "ProviderModelNotFoundError" ? "model not found" : name
  const status = typeof code === "number" ? `status code ${code}` : cause
  const problem = problemOf(status, cause, ...(reply === null ? [] : [reply]), message)
  return [{ _tag: "TurnFailed", problem, message }]
}

const promptOf = (parts: unknown): string | null => {
  if (!Array.isArray(parts)) return null
  const typed = parts.map(fieldsOf).filter((part) => part["type"] === "text" && part["synthetic"] !== true)
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
    firstText(metadata, "command", "filepath", "url") ??
    (Array.isArray(patterns) ? patterns.filter((pattern) => typeof pattern === "string").join(", ") : null)
  return Hook.toolText(text(fields["permission"]), detail)
}

/** A finished part of the assistant's answer; the parts of a prompt have no times. */
const responseSignals = (part: Fields): ReadonlyArray<Signal> => {
  const content = text(part["text"])
  const session = text(part["sessionID"])
  return part["type"] === "text" && content !== null && typeof fieldsOf(part["time"])["end"] === "number"
    ? [{ _tag: "Responded", text: content, ...(session === null ? {} : { session }) }]
    : Hook.ignored("a part of a message")
}

// A plugin has no timeout; leap's plugin limits its own waiting, so no event states one.
const events: Hook.HookTable = {
  "session.created": {
    says: (call) => {
      const info = fieldsOf(call.fields["info"])
      const sessionId = call.sessionId ?? text(info["id"])
      const place = placeOf(info["directory"])
      return [{ ...Hook.named({ ...call, sessionId, place }, "startup"), parent: text(info["parentID"]) }]
    }
  },
  "session.deleted": { says: inSession(() => [status("rest", "deleted")]) },
  "session.status": { says: inSession(({ fields }) => statusSignals(fieldsOf(fields["status"]))) },
  "session.idle": { says: inSession(() => [{ _tag: "TurnEnded", response: null, background: null }]) },
  "session.error": { says: inSession(failureSignals) },
  "session.compacted": { says: inSession(Hook.compactEnds) },
  [decidedEvents.permission]: {
    waits: 0,
    says: ({ fields }) => [
      { ...Hook.asked("permission", text(fields["permission"]), permissionOf(fields)), ...requestId(fields["id"]) }
    ]
  },
  // A rejection without a message ends the turn; leap's plugin marks rejections to which it gave a message.
  "permission.replied": {
    says: (call) => [
      ...answered(call),
      ...(call.fields["reply"] === "reject" && call.fields["explained"] !== true ? interrupts(call) : [])
    ]
  },
  "question.asked": {
    says: ({ fields }) => [
      {
        ...Hook.asked("question", "question", Hook.firstQuestion(fields["questions"])),
        ...requestId(fields["id"])
      }
    ]
  },
  "question.replied": { says: answered },
  "question.rejected": { says: (call) => [...answered(call), ...interrupts(call)] },
  [textPartEvent]: { says: inSession(({ fields }) => responseSignals(fieldsOf(fields["part"]))) },
  "hook.chat.message": {
    says: (call) => [
      // This is the first event that names a resumed session.
      ...Hook.session(call),
      ...inSession(({ fields }) => [
        { _tag: "TurnStarted", prompt: promptOf(fieldsOf(fields["output"])["parts"]), own: false }
      ])(call)
    ]
  },
  [decidedEvents.tool]: { waits: 0, says: inSession(Hook.toolStarts) },
  "hook.tool.execute.after": { says: inSession(Hook.toolEnds) },
  "hook.experimental.session.compacting": { says: inSession(Hook.compactStarts) }
}

export const readHook = Hook.reader(events, callOf)

export const wiredEvents = Hook.wiredEvents(events, 0)

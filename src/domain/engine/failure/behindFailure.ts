import type { ProblemKind } from "../../words/session/Session.ts"

/** What is wrong, as people read it. */
export const problemWords = {
  rate_limited: "the usage limit is reached",
  overloaded: "the service fails",
  network: "the service cannot be reached",
  auth: "the account is refused (login, credit or rights)",
  context: "the conversation is full",
  model: "the model, or a tool of the session's, is refused",
  refused: "message after message is refused",
  crashed: "the CLI crashed",
  stuck: "the session is stuck",
  unknown: "the last turn failed"
} as const satisfies Record<ProblemKind, string>

const behind = "it waits behind a turn that failed"

/** Why a message is held that stands behind one whose turn failed. */
export const behindFailure = (kind: ProblemKind): string =>
  kind === "unknown" ? behind : `${behind}: ${problemWords[kind]}`

/** It is held for that reason, as its `why` says: nothing of it was sent. */
export const isBehindFailure = (why: string): boolean => why.startsWith(behind)

import type { MessageCause } from "../session/MessageCause.ts"
import type { ProblemKind } from "../session/Session.ts"

/** Problems in words. */
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

/** Why a CLI's hooks are disabled, as an end of a sentence. */
export const offWords = (off: ReadonlyArray<string>): string => (off.length === 0 ? "" : ` (${off.join("; ")})`)

/** Why a message is held or failed, in words. Nothing reads the words again: the cause decides. */
export const causeWords = (cause: MessageCause): string => {
  switch (cause._tag) {
    case "HeldByUser":
      return "you held it"
    case "LeftOver":
      return "left over from an earlier run"
    case "BehindFailure": {
      const behind = "it waits behind a turn that failed"
      return cause.problem === "unknown" ? behind : `${behind}: ${problemWords[cause.problem]}`
    }
    case "NotWired":
      return `no hook of its CLI calls leap${offWords(cause.off)}, and your rules rest on them`
    case "OverBudget":
      return cause.of === null
        ? "what its budget has left is not known"
        : `the ${cause.of}'s budget leaves nothing for it`
    case "TurnFailed":
      return `its turn failed: ${cause.failure}`
  }
}

/** A cause and its words, as records and messages store them. */
export const because = (cause: MessageCause): { readonly why: string; readonly cause: MessageCause } => ({
  why: causeWords(cause),
  cause
})

import { Result } from "effect"
import { tagLength, tagPattern } from "../../words/session/tagRules.ts"
import { outsider } from "../queue/AgentMessageHeader.ts"
import { cleanText } from "../queue/MessageText.ts"

/** Longest text that an agent may send, in UTF-16 units: a longer one belongs in a file. */
export const longestAgentMessage = 20_000

/** Invisible characters and direction marks, which models still read. The joiners of scripts and emoji stay. */
const hidden = new RegExp(
  [
    "[\\u00ad\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]",
    "[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\uffa0]",
    "[\\u{e0000}-\\u{e0fff}]"
  ].join("|"),
  "gu"
)

/** Line ends for some readers only. */
const lineEnds = /[\u2028\u2029\v\f]/g

/**
 * A text of others as it may be typed. Every line begins with `>`, so that none can be a line of leap's, a command of
 * the CLI or the end of the quotation, and no `@` names a file that the CLI would read without asking.
 */
export const quotedText = (raw: string): Result.Result<string, string> =>
  Result.map(cleanText(raw.replace(lineEnds, "\n").replace(hidden, "")), ({ text }) =>
    text
      .replaceAll("@", "＠")
      .split("\n")
      .map((line) => (line === "" ? ">" : `> ${line}`))
      .join("\n")
  )

/** An agent's text as it is stored and typed. */
export const agentMessageBody = (raw: string): Result.Result<string, string> =>
  raw.length > longestAgentMessage
    ? Result.fail(
        `the message is too long: ${raw.length} characters, at most ${longestAgentMessage} are taken from an agent; ` +
          "write it to a file and name that"
      )
    : quotedText(raw)

/** Whether this can be a sender: a session's tag, or `outsider`. */
export const isSender = (from: string): boolean =>
  from === outsider || (from.length <= tagLength && tagPattern.test(from))

import { currentLine } from "../attention/needWords.ts"
import { needOf } from "../attention/needsOf.ts"
import { exitText } from "../session/exitText.ts"
import type { SessionStatus } from "../session/Session.ts"
import { runs } from "../session/states.ts"
import { troublesOf } from "./troublesOf.ts"

/** Its need, else its activity or problem, else its end or a fault; "" for none. */
const plainText = (status: SessionStatus): string => {
  const ended = runs(status) || status.exit === null ? "" : exitText(status.exit)
  const [trouble] = troublesOf(status)
  return [currentLine(status) ?? "", ended, trouble?.text ?? ""].find((text) => text.trim() !== "") ?? ""
}

/** The reason for a session's state, in texts of models as they are. */
export const whyLine = (status: SessionStatus): string => plainText(status) || status.reason

/** What a session's row says: its need; at rest its last answer; else its activity, or what its state is known by. */
export const nowText = (status: SessionStatus): string => {
  if (status.state !== "idle" || needOf(status) !== null) return whyLine(status)
  const answer = status.lastResponse ?? ""
  return answer.trim() === "" ? plainText(status) : answer
}

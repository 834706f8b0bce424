import type { Question } from "../../words/session/Session.ts"
import type { ClientCommand } from "./ClientState.ts"

/** Answers the dialog that was seen; null where none can be told from the screen. */
export const answering = (answer: string, question: Question | null): ClientCommand => ({
  _tag: "Do",
  call: { _tag: "Answer", answer, ...(question === null ? {} : { question }) }
})

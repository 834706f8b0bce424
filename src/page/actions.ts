import type { WebCall } from "../domain/web/Frames.ts"
import { ask, send } from "./connection.ts"
import { announcement, selectedTag, shown, unshownWhy } from "./store.ts"

/** Looks at a session, or with null at none. */
export const select = (tag: string | null): void => {
  location.hash = tag === null ? "" : `#${tag}`
}

/** Shows the selected session's screen, to look at it or to type into it. */
export const reshow = (typing: boolean): void => {
  const tag = selectedTag.value
  shown.value = null
  unshownWhy.value = null
  send(tag === null ? { _tag: "Hide" } : { _tag: "Show", tag, typing })
}

/** Asks for something and says what came of it; whether it was done. */
export const act = async (call: WebCall, done: string): Promise<boolean> => {
  const why = await ask(call)
  announcement.value = why === null ? done : `not done: ${why}`
  return why === null
}

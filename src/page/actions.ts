import type { Call } from "../domain/surfaces/operations/calls.ts"
import type { Found, Wish } from "../domain/surfaces/web/Frames.ts"
import { ask, send } from "./connection.ts"
import { announcement, selectedTag, sessions, shown, unshownWhy } from "./store.ts"

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

/** Asks for something to be done with a session and says what came of it; whether it was done. */
export const act = async (tag: string, asked: Call | Wish): Promise<boolean> => {
  const { isDone, said } = await ask(tag, asked)
  announcement.value = isDone ? `${tag}: ${said === "" ? "done" : said}` : `not done: ${said}`
  return isDone
}

/** What is to be found by a name. */
export type FoundAs<Name extends Found["_tag"]> = Extract<Found, { readonly _tag: Name }>

/** Asks for what is to be found; in its place why nothing was. */
export const find = async <Name extends Found["_tag"]>(name: Name, wish: Wish): Promise<FoundAs<Name> | string> => {
  const { found, said } = await ask("leap", wish)
  return found?._tag === name ? (found as FoundAs<Name>) : said
}

/** Looks at a session as soon as the page knows of it. */
export const selectOnceKnown = (tag: string): void => {
  if (sessions.value.has(tag)) return select(tag)
  const end = sessions.subscribe((now) => {
    if (!now.has(tag)) return
    select(tag)
    queueMicrotask(() => end())
  })
}

/** A host lets notices wait for ten seconds from when its user looked. */
const lookPeriod = 4_000
let looked = { tag: "", at: -lookPeriod }
/** The user does something on the page: the session that is shown there is looked at. */
export const lookAt = (): void => {
  const tag = selectedTag.value
  const at = performance.now()
  if (tag === null || document.hidden || (looked.tag === tag && at - looked.at < lookPeriod)) return
  looked = { tag, at }
  void ask(tag, { _tag: "Seen" })
}

/** Asks for something to read; in its place why there is nothing. */
export const learn = async (tag: string, asked: Call | Wish): Promise<string> => {
  const { isDone, said, text } = await ask(tag, asked)
  return isDone ? (text ?? said) : `not known: ${said}`
}

/** Takes the text that stands in the CLI's own box out of it; null where there is none, or it stays there. */
export const takeDraft = async (tag: string): Promise<string | null> => {
  const { isDone, text } = await ask(tag, { _tag: "Draft" })
  if (!isDone || text === null || text === "") {
    announcement.value = `${tag}: nothing is typed in its box, as far as can be told`
    return null
  }
  const taken = await ask(tag, { _tag: "TakeDraft", text })
  announcement.value = `${tag}: ${taken.said}`
  return taken.text
}

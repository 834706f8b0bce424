import type { Call } from "../domain/surfaces/operations/calls.ts"
import type { Found, Wish } from "../domain/surfaces/web/Frames.ts"
import { ask, send } from "./connection.ts"
import { announcement, selectedTag, sessions, shown, unshownWhy } from "./store.ts"

export const select = (tag: string | null): void => {
  location.hash = tag === null ? "" : `#${tag}`
}

/** A `ref`: the element gets the focus when it appears. One function for all, it is not called again at a redrawing. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

export const reshow = (typing: boolean): void => {
  const tag = selectedTag.value
  shown.value = null
  unshownWhy.value = null
  send(tag === null ? { _tag: "Hide" } : { _tag: "Show", tag, typing })
}

/** Requests an action on a session and announces the outcome. Returns whether it was done. */
export const act = async (tag: string, asked: Call | Wish): Promise<boolean> => {
  const { isDone, said } = await ask(tag, asked)
  announcement.value = isDone ? `${tag}: ${said === "" ? "done" : said}` : `not done: ${said}`
  return isDone
}

export type FoundAs<Name extends Found["_tag"]> = Extract<Found, { readonly _tag: Name }>

/** Requests a list of things; a text says why there is none. */
export const find = async <Name extends Found["_tag"]>(name: Name, wish: Wish): Promise<FoundAs<Name> | string> => {
  const { found, said } = await ask("leap", wish)
  return found?._tag === name ? (found as FoundAs<Name>) : said
}

export const selectOnceKnown = (tag: string): void => {
  if (sessions.value.has(tag)) return select(tag)
  const end = sessions.subscribe((now) => {
    if (!now.has(tag)) return
    select(tag)
    queueMicrotask(() => end())
  })
}

/** Milliseconds between two `Seen`s. A host delays notices for ten seconds after each. */
const lookPeriod = 4_000
let looked = { tag: "", at: -lookPeriod }
/** The user does something on the page: the shown session counts as seen. */
export const lookAt = (): void => {
  const tag = selectedTag.value
  const at = performance.now()
  if (tag === null || document.hidden || (looked.tag === tag && at - looked.at < lookPeriod)) return
  looked = { tag, at }
  void ask(tag, { _tag: "Seen" })
}

/** Requests a text; the result may be why there is none. */
export const learn = async (tag: string, asked: Call | Wish): Promise<string> => {
  const { isDone, said, text } = await ask(tag, asked)
  return isDone ? (text ?? said) : `not known: ${said}`
}

/** Takes the text out of the CLI's own box; null if there is none, or if it stays there. */
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

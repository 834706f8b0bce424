import type { Call } from "../domain/surfaces/operations/calls.ts"
import { answerTimeout, type Liveness, openTimeout, verdictOf } from "../domain/surfaces/web/Liveness.ts"
import type { ClientFrame, Found, FoundAs, ServerFrame, Wish } from "../domain/surfaces/web/Frames.ts"
import { fits } from "../domain/words/formats/JsonForm.ts"
import form from "#generated/frameForm.mts"
import { announcement, connection, heardAt, lostWhy, shown, take, selectedTag, sessions, unshownWhy } from "./store.ts"

/** The name under which the key is stored: only for this origin, and worthless when the server has ended. */
const keyName = "leap-key"
/** How many frames the page takes before it acknowledges them; fewer are acknowledged after a pause in milliseconds. */
const ackEvery = 32
const ackPause = 25
const retryPauses = [500, 1000, 2000, 5000]
const lookEvery = 500

export interface Answer {
  readonly isDone: boolean
  readonly said: string
  readonly text: string | null
  readonly found?: Found
}

interface Waiting {
  readonly at: number
  readonly tag: string
  readonly answer: (answer: Answer) => void
  /** The user was told that there is no answer yet. */
  isTold: boolean
}

const failed = (said: string): Answer => ({ isDone: false, said, text: null })

type ScreenFrame = Extract<ServerFrame, { readonly _tag: "Shown" | "Repaint" | "Output" | "Unshown" }>

let socket: WebSocket | null = null
let liveness: Omit<Liveness, "asked"> = { heard: 0, pinged: null }
let attempts = 0
let retry: ReturnType<typeof setTimeout> | null = null
let taken = 0
let acknowledged = 0
let ackTimer: ReturnType<typeof setTimeout> | null = null
let calls = 0
const waiting = new Map<number, Waiting>()
let onScreen: (frame: ScreenFrame) => Promise<void> = () => Promise.resolve()
let onOpen: () => void = () => {}

/** Sends a frame; does nothing while there is no connection. */
export const send = (frame: ClientFrame): void => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
}

const request = (tag: string, frameOf: (id: number) => ClientFrame): Promise<Answer> =>
  new Promise((answer) => {
    if (socket?.readyState !== WebSocket.OPEN) return answer(failed("there is no connection to leap web"))
    const id = ++calls
    waiting.set(id, { at: performance.now(), tag, answer, isTold: false })
    send(frameOf(id))
  })

export const ask = (tag: string, call: Call | Wish): Promise<Answer> =>
  request(tag, (id) => ({ _tag: "Call", id, tag, call }))

type PushFrame = Extract<ClientFrame, { readonly _tag: "Subscribe" | "Unsubscribe" | "TestPush" }>
type PushRequest = PushFrame extends infer F extends PushFrame ? (F extends PushFrame ? Omit<F, "id"> : never) : never

/** Requests a change of the pushes to this device, or a test. */
export const askPush = (asked: PushRequest): Promise<Answer> => request("leap", (id) => ({ ...asked, id }))

const ack = (): void => {
  if (ackTimer !== null) clearTimeout(ackTimer)
  ackTimer = null
  if (acknowledged === taken) return
  acknowledged = taken
  send({ _tag: "Ack", taken })
}
const took = (): void => {
  taken += 1
  if (taken - acknowledged >= ackEvery) ack()
  else ackTimer ??= setTimeout(ack, ackPause)
}

const receive = async (text: string): Promise<void> => {
  const value: unknown = JSON.parse(text)
  if (!fits(form, value)) throw new Error("leap web sent what this page does not know: reload it")
  const frame = value as ServerFrame
  switch (frame._tag) {
    case "Shown":
    case "Repaint":
    case "Output":
    case "Unshown":
      return onScreen(frame)
    case "Answered":
      waiting.get(frame.id)?.answer(frame)
      waiting.delete(frame.id)
      return
    case "Hello":
      attempts = 0
      take(frame)
      return onOpen()
    default:
      return take(frame)
  }
}

const heard = (): void => {
  liveness = { heard: performance.now(), pinged: null }
  if (connection.value === "quiet") connection.value = "open"
}

/** What is shown may be old: says so, and since when. */
const markStale = (state: "quiet" | "lost"): void => {
  // Not kept at each frame, because each change redraws the page.
  if (liveness.heard > 0) heardAt.value = Date.now() - (performance.now() - liveness.heard)
  connection.value = state
}

/** Closes the connection, whatever its state in the browser, and tries again. */
const dropConnection = (why: string): void => {
  const old = socket
  socket = null
  old?.close()
  if (why !== "") lostWhy.value = why
  shown.value = null
  for (const { answer } of waiting.values()) {
    answer(failed("the connection to leap web broke: look whether it was done"))
  }
  waiting.clear()
  markStale("lost")
  tryLater()
}

const tryLater = (): void => {
  if (retry !== null) clearTimeout(retry)
  retry = setTimeout(() => void reopen(), retryPauses[Math.min(attempts++, retryPauses.length - 1)])
}

const open = (key: string): void => {
  // Behind a proxy the page may use TLS, and a path of its own.
  const address = new URL("socket", location.href)
  address.protocol = address.protocol.replace("http", "ws")
  address.hash = ""
  const opened = new WebSocket(address)
  socket = opened
  taken = 0
  acknowledged = 0
  const slow = setTimeout(() => {
    if (socket === opened && opened.readyState === WebSocket.CONNECTING) dropConnection("")
  }, openTimeout)
  opened.addEventListener("open", () => {
    clearTimeout(slow)
    if (socket !== opened) return
    heard()
    send({ _tag: "Begin", key })
  })
  opened.addEventListener("message", ({ data }) => {
    if (socket !== opened) return
    heard()
    void receive(String(data)).then(
      () => (socket === opened ? took() : undefined),
      (error: unknown) => (socket === opened ? dropConnection(String(error)) : undefined)
    )
  })
  opened.addEventListener("close", ({ reason }) => {
    clearTimeout(slow)
    if (socket === opened) dropConnection(reason)
  })
}

/** Null: no answer has come in time, or not all of it. */
const session = async (request: RequestInit = {}) => {
  try {
    const answer = await fetch("session", { ...request, signal: AbortSignal.timeout(openTimeout) })
    return { ok: answer.ok, status: answer.status, text: await answer.text() }
  } catch {
    return null
  }
}

/** A token that the server has not answered yet. */
let token: string | null = null

/** Takes the token out of the address and the history, and exchanges it for a key. Returns whether there was one. */
const exchangeToken = async (): Promise<boolean> => {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1]
  if (given !== undefined) {
    token = given
    history.replaceState(null, "", location.pathname)
  }
  if (token === null) return false
  const answer = await session({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token })
  })
  // a server that is slow or away is asked again with it
  if (answer === null || answer.status >= 500) return true
  token = null
  if (answer.ok) localStorage.setItem(keyName, (JSON.parse(answer.text) as { readonly key: string }).key)
  lostWhy.value = answer.ok ? "" : answer.text.trim()
  return true
}

const reopen = async (): Promise<void> => {
  if (retry !== null) clearTimeout(retry)
  retry = null
  if (token !== null) await exchangeToken()
  const key = localStorage.getItem(keyName)
  // a token without an answer is asked about again: without it this browser may not be signed in
  const answer = token === null ? await session() : null
  // Another connection was made meanwhile.
  if (socket !== null || retry !== null) return
  // a proxy whose server is away says so by 502 and the like
  if (answer === null || answer.status >= 500) {
    markStale("lost")
    tryLater()
  } else if (answer.status === 204 && key !== null) open(key)
  else connection.value = "locked"
}

/** Checks whether the connection is alive; `isAsked`: the user is back, and waits. */
const checkLiveness = (isAsked: boolean): void => {
  if (socket === null) {
    if (isAsked && retry !== null) void reopen()
    return
  }
  if (socket.readyState !== WebSocket.OPEN) return
  const now = performance.now()
  const [oldest] = waiting.values()
  const verdict = verdictOf({ ...liveness, asked: oldest?.at ?? null }, now)
  if (verdict === "lost") return dropConnection("it does not answer any more")
  if (verdict === "quiet") markStale("quiet")
  if (verdict === "ping" || (isAsked && liveness.pinged === null)) {
    liveness = { ...liveness, pinged: now }
    send({ _tag: "Ping" })
  }
  for (const call of waiting.values()) {
    if (now - call.at < answerTimeout || call.isTold) continue
    call.isTold = true
    announcement.value =
      `${call.tag}: no answer for ${answerTimeout / 1000} s; ` +
      "what was asked for may be done or not: look before it is repeated"
  }
}

/** Opens the connection, with a token if the address has one, now or later: the server may have been restarted. */
export const connect = async (listeners: {
  readonly screen: (frame: ScreenFrame) => Promise<void>
  readonly open: () => void
}): Promise<void> => {
  onScreen = listeners.screen
  onOpen = listeners.open
  addEventListener("hashchange", () => {
    void exchangeToken().then((entered) => (entered && socket === null ? reopen() : undefined))
  })
  setInterval(() => checkLiveness(false), lookEvery)
  for (const back of ["pageshow", "online", "focus"]) addEventListener(back, () => checkLiveness(true))
  document.addEventListener("visibilitychange", () => (document.hidden ? undefined : checkLiveness(true)))
  await exchangeToken()
  await reopen()
}

export const select = (tag: string | null): void => {
  location.hash = tag === null ? "" : `#${tag}`
}

/** The address of what the session has changed. */
export const changesAddress = (tag: string): string => `#${tag}/changes`

/** A `ref`: the element gets the focus when it appears. One function for all, so that no redrawing calls it again. */
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

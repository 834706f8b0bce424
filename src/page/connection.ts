import type { Call } from "../domain/surfaces/operations/calls.ts"
import type { ClientFrame, ServerFrame } from "../domain/surfaces/web/Frames.ts"
import { fits, type JsonForm } from "../domain/words/reading/JsonForm.ts"
import form from "#generated/frameForm.json" with { type: "json" }
import { connection, lostWhy, shown, take } from "./store.ts"

/** Where the key is kept: it is this origin's alone, and worth nothing when the server has ended. */
const keyName = "leap-key"
/** How many frames the page takes before it says so; else it says so a little later. */
const ackEvery = 32
const ackPause = 25
const retryPauses = [500, 1000, 2000, 5000]

/** What became of a call: whether it was done, and what there is to say of it. */
export interface Answer {
  readonly isDone: boolean
  readonly said: string
  /** What was asked for, where that is a text to read. */
  readonly text: string | null
}

const failed = (said: string): Answer => ({ isDone: false, said, text: null })

type ScreenFrame = Extract<ServerFrame, { readonly _tag: "Shown" | "Repaint" | "Output" | "Unshown" }>

let socket: WebSocket | null = null
let attempts = 0
let taken = 0
let acknowledged = 0
let ackTimer: ReturnType<typeof setTimeout> | null = null
let calls = 0
const waiting = new Map<number, (answer: Answer) => void>()
let onScreen: (frame: ScreenFrame) => Promise<void> = () => Promise.resolve()
let onOpen: () => void = () => {}

/** Sends a frame; nothing while there is no connection. */
export const send = (frame: ClientFrame): void => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
}

/** Asks for an operation of a session. */
export const ask = (tag: string, call: Call): Promise<Answer> =>
  new Promise((resolve) => {
    if (socket?.readyState !== WebSocket.OPEN) return resolve(failed("there is no connection to leap web"))
    const id = ++calls
    waiting.set(id, resolve)
    send({ _tag: "Call", id, tag, call })
  })

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
  if (!fits(form as JsonForm, value)) throw new Error("leap web sent what this page does not know: reload it")
  const frame = value as ServerFrame
  switch (frame._tag) {
    case "Shown":
    case "Repaint":
    case "Output":
    case "Unshown":
      return onScreen(frame)
    case "Answered":
      waiting.get(frame.id)?.(frame)
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

const open = (key: string): void => {
  const opened = new WebSocket(`ws://${location.host}/socket`)
  socket = opened
  taken = 0
  acknowledged = 0
  opened.addEventListener("open", () => send({ _tag: "Begin", key }))
  opened.addEventListener("message", ({ data }) => {
    void receive(String(data)).then(
      () => (socket === opened ? took() : undefined),
      (error: unknown) => {
        lostWhy.value = String(error)
        opened.close()
      }
    )
  })
  opened.addEventListener("close", ({ reason }) => {
    if (socket !== opened) return
    socket = null
    if (reason !== "") lostWhy.value = reason
    shown.value = null
    for (const answer of waiting.values()) answer(failed("the connection to leap web broke: look whether it was done"))
    waiting.clear()
    connection.value = "lost"
    setTimeout(() => void reopen(), retryPauses[Math.min(attempts++, retryPauses.length - 1)])
  })
}

const reopen = async (): Promise<void> => {
  const key = localStorage.getItem(keyName)
  const answer = await fetch("/session").catch(() => null)
  if (answer === null) {
    connection.value = "lost"
    setTimeout(() => void reopen(), retryPauses[Math.min(attempts++, retryPauses.length - 1)])
  } else if (answer.status === 204 && key !== null) open(key)
  else connection.value = "locked"
}

/** Opens the connection, with the token where the address has one. It is taken out of the address and its history. */
export const connect = async (listeners: {
  readonly screen: (frame: ScreenFrame) => Promise<void>
  readonly open: () => void
}): Promise<void> => {
  onScreen = listeners.screen
  onOpen = listeners.open
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1]
  if (token !== undefined) {
    history.replaceState(null, "", "/")
    const answer = await fetch("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token })
    }).catch(() => null)
    if (answer?.ok === true) localStorage.setItem(keyName, ((await answer.json()) as { readonly key: string }).key)
  }
  await reopen()
}

import type * as net from "node:net"

/**
 * Milliseconds of silence until a host that owes an answer is asked whether it lives; after as many again it is dead.
 */
const silence = 5_000

/** Takes the exit of a call as it is on the wire; undefined: the connection is lost. */
export type Settle = (exit: unknown) => void

/** The client's end of a connection to a session's host, for calls that have one answer (Effect RPC, NDJSON). */
export interface HostWire {
  /** Makes a call. The returned function cancels it. */
  readonly ask: (name: string, payload: unknown, settle: Settle) => () => void
  /** Closes the connection once no answer is pending. */
  readonly finish: () => void
  readonly close: () => void
}

export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/** A client on a connected socket. It does not load Effect: quick commands use it. */
export const hostWire = (socket: net.Socket): HostWire => {
  const waiting = new Map<string, Settle>()
  let calls = 0
  let rest = ""
  let asked = false
  let isLast = false
  const finish = () => {
    isLast = true
    if (waiting.size === 0) socket.destroy()
  }
  const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`)
  const settleAll = (exit: unknown) => {
    const all = [...waiting.values()]
    waiting.clear()
    for (const settle of all) settle(exit)
  }
  const lose = () => {
    socket.destroy()
    settleAll(undefined)
  }
  socket.setEncoding("utf8")
  socket.setTimeout(silence)
  socket.on("timeout", () => {
    if (waiting.size === 0) return
    if (asked) return lose()
    asked = true
    send({ _tag: "Ping" })
  })
  socket.on("error", lose)
  socket.on("close", lose)
  socket.on("data", (piece: string) => {
    asked = false
    const lines = (rest + piece).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      let message: unknown
      try {
        message = JSON.parse(line)
      } catch {
        return lose()
      }
      const { _tag, defect, exit, requestId } = fieldsOf(message)
      if (_tag === "Defect") settleAll({ _tag: "Failure", cause: [{ _tag: "Die", defect }] })
      if (_tag !== "Exit") continue
      const id = String(requestId)
      const settle = waiting.get(id)
      waiting.delete(id)
      settle?.(exit ?? null)
    }
    if (isLast) finish()
  })
  return {
    ask: (name, payload, settle) => {
      const id = String(calls++)
      if (socket.destroyed) {
        settle(undefined)
        return () => {}
      }
      waiting.set(id, settle)
      send({ _tag: "Request", id, tag: name, payload, headers: [] })
      return () => {
        if (waiting.delete(id)) send({ _tag: "Interrupt", requestId: id })
        if (isLast) finish()
      }
    },
    finish,
    close: () => void socket.destroy()
  }
}

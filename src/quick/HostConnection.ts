import * as net from "node:net"
import { fits, formed, type JsonForm } from "../domain/words/formats/JsonForm.ts"
import forms from "#generated/hostForms.mts"
import { fieldsOf, hostWire } from "../layers/control/hostWire.ts"

/** Milliseconds for the connection and the host's greeting. The whole program waits longer, and explains more. */
const helloTimeout = 1_000
/** Milliseconds before the check whether the host is stopped. */
const lookAfter = 200

/** The outcome of a call. `unclear`: the host did not answer, or in an unknown form. */
export type Outcome =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "refused"; readonly why: string; readonly exitCode: number }
  | { readonly kind: "unclear" }

export type Called = keyof typeof forms
const known = forms as unknown as Readonly<Record<Called, JsonForm>>
const unclear = { kind: "unclear" } as const

/** Reads the exit of a call from the wire (Effect RPC, NDJSON). */
const outcomeOf = (name: Called, exit: unknown): Outcome => {
  const { _tag, cause, value = null } = fieldsOf(exit)
  if (_tag === "Success") {
    // a host of another version may have more fields, or another order
    const read = fits(known[name], value) ? value : formed(known[name], value)
    return read === undefined ? unclear : { kind: "value", value: read }
  }
  const [failure] = Array.isArray(cause) && cause.length === 1 ? (cause as ReadonlyArray<unknown>) : []
  const error = fieldsOf(fieldsOf(failure)["error"])
  const { exitCode, why } = error
  return fieldsOf(failure)["_tag"] === "Fail" &&
    error["_tag"] === "RefusedError" &&
    typeof why === "string" &&
    typeof exitCode === "number"
    ? { kind: "refused", why, exitCode }
    : unclear
}

export interface HostConnection {
  readonly call: (name: Called, payload?: unknown) => Promise<Outcome>
  readonly close: () => void
}

const speak = (socket: net.Socket): HostConnection => {
  const { ask, close } = hostWire(socket)
  const call: HostConnection["call"] = (name, payload = null) =>
    new Promise((resolve) => {
      ask(name, payload, (exit) => resolve(exit === undefined ? unclear : outcomeOf(name, exit)))
    })
  return { call, close }
}

/**
 * Connects to the host behind a socket. `none`: nobody listens there, or the host's CLI has ended. `unclear`: the host
 * does not answer in time, `isStopped` is true, or it speaks another version of the protocol. `asked` is the first
 * call; it must have no side effects. It is sent before the host's greeting, so that the host wakes up only once, which
 * is most of the cost of a call.
 */
export const connectTo = (
  path: string,
  asked?: Called,
  isStopped: () => boolean = () => false
): Promise<HostConnection | "none" | "unclear"> =>
  new Promise((resolve) => {
    const socket = net.connect({ path })
    const give = (result: HostConnection | "none" | "unclear") => {
      clearTimeout(look)
      clearTimeout(timer)
      if (typeof result === "string") socket.destroy()
      resolve(result)
    }
    const look = setTimeout(() => isStopped() && give("unclear"), lookAfter)
    const timer = setTimeout(() => give("unclear"), helloTimeout)
    socket.once("error", ({ code }: NodeJS.ErrnoException) =>
      give(code === "ENOENT" || code === "ECONNREFUSED" ? "none" : "unclear")
    )
    socket.once("connect", () => {
      const connection = speak(socket)
      socket.cork()
      const first = connection.call("Hello")
      let early = asked === undefined ? null : connection.call(asked)
      socket.uncork()
      const call: HostConnection["call"] = (name, payload) => {
        if (early === null || name !== asked) return connection.call(name, payload)
        const answer = early
        early = null
        return answer
      }
      void first.then((hello) => {
        const { ended, protocol } = hello.kind === "value" ? fieldsOf(hello.value) : {}
        give(protocol !== 1 ? "unclear" : ended === true ? "none" : { ...connection, call })
      })
    })
  })

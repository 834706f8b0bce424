import { Effect, Scope, Stream } from "effect"
import type * as net from "node:net"
import { fits, type JsonForm } from "../../domain/words/formats/JsonForm.ts"
import type { StreamName } from "../../domain/surfaces/operations/operations.ts"
import type { HostClient, NoHostError } from "../../services/ControlSocket.ts"
import forms from "#generated/hostForms.mts"
import { fieldsOf, hostWire } from "./hostWire.ts"

/**
 * The calls whose answers are streams. All others have a form. The names are listed here because the catalogue of
 * operations is too large to load for them; the compiler checks them.
 */
export const streams = Object.keys({
  Watch: true,
  Receipt: true,
  Attach: true,
  Record: true
} satisfies Record<StreamName, true>)

/** Few calls need these, so they are loaded on demand: the wire's schemas, and the RPC client's errors. */
const load = Effect.promise(() => import("../system/exitReading.ts"))

/** A value of this form equals its schema's result; a call without a result has null on the wire. */
export const readExit = (name: keyof typeof forms, exit: unknown): Effect.Effect<unknown, unknown> => {
  const form = forms[name] as unknown as JsonForm
  const { _tag, value = null } = fieldsOf(exit)
  if (_tag === "Success" && fits(form, value)) return Effect.succeed(form === "null" ? undefined : value)
  return Effect.flatMap(load, ({ readExit }) => readExit(name, exit))
}

/**
 * A host's client on a connected socket. Making an RPC client and its codecs takes most of the time of a command with
 * one question, so calls with one answer do without them. A stream, or a call with options of the RPC client's, makes a
 * `whole` client, which handles all later calls.
 */
export const hostClient = Effect.fnUntraced(function* (
  path: string,
  socket: net.Socket,
  whole: Effect.Effect<HostClient, NoHostError, Scope.Scope>
) {
  const scope = yield* Effect.scope
  const wire = hostWire(socket)
  let isClosed = false
  let isWhole = false
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isClosed = true
      wire.close()
    })
  )
  type Call = (payload?: unknown, options?: object) => unknown
  const callOf = (client: HostClient, name: string) => (client as unknown as Readonly<Record<string, Call>>)[name]!
  const lost = Effect.flatMap(load, ({ lostConnection }) => Effect.fail(lostConnection(path)))
  const streaming = yield* whole.pipe(
    Effect.catch(() => lost),
    Effect.provideService(Scope.Scope, scope),
    Effect.tap(() =>
      Effect.sync(() => {
        isWhole = true
        wire.finish()
      })
    ),
    Effect.uninterruptible,
    Effect.cached
  )
  const ask = (name: keyof typeof forms, payload: unknown) =>
    Effect.callback<unknown, unknown>((resume) => {
      const forget = wire.ask(name, payload, (exit) =>
        resume(exit !== undefined ? readExit(name, exit) : isClosed ? Effect.interrupt : lost)
      )
      return Effect.sync(forget)
    })
  const calls: Record<string, Call> = {}
  for (const name of Object.keys(forms) as Array<keyof typeof forms>)
    calls[name] = (payload = null, options) =>
      Effect.suspend(() =>
        !isWhole && options === undefined
          ? ask(name, payload)
          : Effect.flatMap(streaming, (client) => callOf(client, name)(payload, options) as Effect.Effect<unknown>)
      )
  for (const name of streams)
    calls[name] = (payload, options) => {
      const made = Effect.map(streaming, (client) => callOf(client, name)(payload, options))
      return options !== undefined && "asQueue" in options && options.asQueue === true
        ? Effect.flatten(made as Effect.Effect<Effect.Effect<unknown>>)
        : Stream.unwrap(made as Effect.Effect<Stream.Stream<unknown>>)
    }
  return calls as unknown as HostClient
})

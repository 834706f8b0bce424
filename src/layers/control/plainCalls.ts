import { Effect, Schema } from "effect"
import { Headers } from "effect/http"
import { Rpc, RpcMessage, RpcSerialization } from "effect/rpc"
import type { Socket } from "node:net"
import { fieldsOf } from "../../domain/words/reading/Fields.ts"
import { jsonOf } from "../../domain/words/formats/Json.ts"
import { HostRpc } from "../../services/HostRpc.ts"

/**
 * Calls without a payload that change nothing and are answered immediately. Every `leap status` makes them to every
 * session, and no others.
 */
const plain = ["Hello", "Status"] as const
type Plain = (typeof plain)[number]

/** The most requests of one piece that are answered here; for more, the server's own limits apply. */
const pieceLimit = 8

const fields: ReadonlySet<string> = new Set(["_tag", "id", "tag", "payload", "headers"])

interface Call {
  readonly id: string
  readonly tag: Plain
}

/** The call in a line of the wire; null for any other line, valid or not, which the server must read. */
const callOf = (line: string): Call | null => {
  const message = fieldsOf(jsonOf(line))
  const { _tag, headers, id, payload, tag } = message
  const known = plain.find((one) => one === tag)
  return _tag === "Request" &&
    known !== undefined &&
    typeof id === "string" &&
    /^\d{1,9}$/.test(id) &&
    payload === null &&
    Array.isArray(headers) &&
    headers.length === 0 &&
    Object.keys(message).every((key) => fields.has(key))
    ? { id, tag: known }
    : null
}

/** The calls of a piece that contains nothing else; null for every other piece. */
const callsOf = (piece: string): ReadonlyArray<Call> | null => {
  if (!piece.endsWith("\n")) return null
  const lines = piece.slice(0, -1).split("\n")
  const calls = lines.length > pieceLimit ? [] : lines.flatMap((line) => callOf(line) ?? [])
  return calls.length === lines.length ? calls : null
}

/**
 * Answers pieces with plain calls only, in the wire's form and by the same handlers and schemas: a server for each
 * connection would take a host three times as long as the answers. Null for every other piece.
 */
export const plainCalls = Effect.gen(function* () {
  const client = new Rpc.ServerClient(-1)
  const answerer = (tag: Plain) => {
    const rpc = HostRpc.requests.get(tag)
    const codec = RpcSerialization.json.codecFor(Rpc.exitSchema(rpc as Rpc.Any))
    const encode = Schema.encodeUnknownEffect(codec) as (exit: unknown) => Effect.Effect<unknown, Schema.SchemaError>
    return Effect.map(HostRpc.accessHandler(tag), (handle) =>
      Effect.fnUntraced(function* (id: string) {
        const asked = { client, requestId: RpcMessage.RequestId(id), headers: Headers.empty }
        const value: Effect.Effect<unknown> = handle(undefined, asked)
        const exit = yield* encode(yield* Effect.exit(value))
        return `${JSON.stringify({ _tag: "Exit", requestId: id, exit })}\n`
      })
    )
  }
  const answerers = { Hello: yield* answerer("Hello"), Status: yield* answerer("Status") }
  return (piece: Uint8Array): Effect.Effect<string> | null => {
    const calls = callsOf(Buffer.from(piece).toString("latin1"))
    if (calls === null) return null
    return Effect.forEach(calls, ({ id, tag }) => answerers[tag](id)).pipe(
      Effect.map((lines) => lines.join("")),
      Effect.orDie
    )
  }
})

/** Writes, and waits until the system has taken everything, or the connection is gone. */
export const writeText = (socket: Socket, text: string): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const done = (): void => {
      socket.off("close", done)
      resume(Effect.void)
    }
    if (!socket.writable) return resume(Effect.void)
    socket.once("close", done)
    socket.write(text, done)
  })

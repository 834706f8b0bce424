import { fromLatin1, toLatin1 } from "../../domain/words/text/Bytes.ts"
import { notUtf8, utf8Text } from "../../domain/words/text/utf8Text.ts"
import { type Cause, Deferred, Effect, Fiber, Latch, Option, Queue, Sink, Stdio, Stream } from "effect"
import { jsonOf } from "../../domain/words/formats/Json.ts"

/** The longest message that is read, in bytes: far more than any call of a tool needs. */
export const longestLine = 1 << 20
/** The most answers that wait for a slow client; beyond that its input is not read. */
const mostWaiting = 64

/** A client that reads no answer for this long is gone: the end of its input is invisible while it is not read. */
const timeout = "2 minutes"
/** The time limit for answering pending requests after the input has ended. */
const farewell = "3 seconds"

const problem = (code: number, message: string, id: string | number | null = null): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`

/** The beginnings of a request, with the id before or after the method. A client's answer has no method. */
const requestHeads = [
  /^\{"jsonrpc": ?"2\.0", ?"id": ?([^,{}[\]]{1,100}), ?"method":/,
  /^\{"jsonrpc": ?"2\.0", ?"method": ?"[^"\\]{0,100}", ?"id": ?([^,{}[\]]{1,100}),/
]
const headLength = 500

/** The id in the beginning of a request; null if it is not there, or the line is not a request. */
const idInHead = (line: string): string | number | null => {
  const head = line.slice(0, headLength)
  const id = jsonOf(requestHeads.map((one) => one.exec(head)?.[1]).find((id) => id !== undefined) ?? "")
  return typeof id === "string" || typeof id === "number" ? id : null
}

/** An overlong line with the id of its request, whose sender waits for an answer. */
interface TooLong {
  readonly id: string | number | null
}

type Message = { readonly id?: unknown; readonly method?: unknown } & Partial<Record<string, unknown>>

/** The messages of a line, one or a batch; for an invalid line the error answer. */
const messagesOf = (line: string): ReadonlyArray<Message> | string => {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== "object" || value === null) return problem(-32600, "a message is a JSON object")
    return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "object" && one !== null)
  } catch {
    return problem(-32700, "this line is no JSON")
  }
}

/**
 * Standard input and output for a server. Invalid messages are answered here, overlong lines take no memory, and a
 * client that does not read its answers is not read. After the client's end, the server's input ends when all requests
 * are answered, or after a short time. `over`: the input has ended, or nobody reads the output.
 */
const guardedStdio = Effect.gen(function* () {
  const stdio = yield* Stdio.Stdio
  const over = yield* Deferred.make<"ended" | "unread">()
  const waiting = yield* Queue.unbounded<string | Uint8Array, Cause.Done>()
  const free = yield* Latch.make(true)
  const unanswered = new Set<string>()
  const quiet = yield* Latch.make(true)
  const follow = (message: Message): void => {
    if (message.id === undefined || message.id === null) return
    const key = JSON.stringify(message.id)
    if (message.method === undefined) unanswered.delete(key)
    else unanswered.add(key)
    if (unanswered.size === 0) quiet.openUnsafe()
    else quiet.closeUnsafe()
  }
  let count = 0
  const write = (chunk: string | Uint8Array) =>
    Effect.suspend(() => {
      if (++count >= mostWaiting) free.closeUnsafe()
      return Queue.offer(waiting, chunk)
    })
  const writer = yield* Stream.fromQueue(waiting).pipe(
    Stream.rechunk(1),
    Stream.tap(() =>
      Effect.sync(() => {
        if (--count < mostWaiting) free.openUnsafe()
      })
    ),
    Stream.run(stdio.stdout({ endOnDone: false })),
    Effect.exit,
    Effect.andThen(Deferred.succeed(over, "unread")),
    Effect.forkScoped
  )

  let rest = ""
  let isSkipping = false
  const linesOf = (text: string): ReadonlyArray<string | TooLong> => {
    const parts = text.split("\n")
    const lines: Array<string | TooLong> = []
    parts.forEach((part, index) => {
      const isEnd = index < parts.length - 1
      rest = isSkipping ? "" : rest + part
      if (rest.length > longestLine) {
        lines.push({ id: idInHead(rest) })
        rest = ""
        isSkipping = true
      }
      if (!isEnd) return
      if (!isSkipping && rest.trim() !== "") lines.push(rest)
      rest = ""
      isSkipping = false
    })
    return lines
  }
  const stdin = stdio.stdin.pipe(
    Stream.flatMap((chunk) => Stream.fromIterable(linesOf(toLatin1(chunk)))),
    Stream.mapEffect(
      Effect.fnUntraced(function* (line) {
        const isRead = yield* Effect.timeoutOption(free.await, timeout)
        if (Option.isNone(isRead)) {
          yield* Deferred.succeed(over, "unread")
          return yield* Effect.never
        }
        if (typeof line !== "string") {
          yield* write(problem(-32600, `a message has at most ${longestLine} bytes`, line.id))
          return []
        }
        const text = utf8Text(fromLatin1(line))
        if (typeof text !== "string") {
          yield* write(problem(-32700, notUtf8("this line", text.at), idInHead(line)))
          return []
        }
        const found = messagesOf(text)
        if (typeof found !== "string") {
          // a client's own answers expect no reply
          for (const message of found) if (message.method !== undefined) follow(message)
          return [`${text}\n`]
        }
        yield* write(found)
        return []
      })
    ),
    Stream.flatMap((lines) => Stream.fromIterable(lines)),
    Stream.map((line) => new TextEncoder().encode(line)),
    Stream.catchCause(() => Stream.empty),
    Stream.concat(Stream.suspend(() => Stream.fromEffectDrain(Effect.timeoutOption(quiet.await, farewell)))),
    Stream.ensuring(Deferred.succeed(over, "ended"))
  )
  return {
    stdio: Stdio.make({
      args: stdio.args,
      stdin,
      stdout: () =>
        Sink.forEach((chunk: string | Uint8Array) =>
          Effect.gen(function* () {
            yield* free.await
            yield* write(chunk)
            const found = typeof chunk === "string" ? messagesOf(chunk) : []
            if (typeof found !== "string")
              for (const message of found) if (message.method === undefined) follow(message)
          })
        ),
      stderr: (options) => stdio.stderr(options)
    }),
    over: Deferred.await(over),
    /** Ends the output after the waiting answers; gives up after a short time if nobody reads it. */
    finish: Effect.andThen(Queue.end(waiting), Effect.timeoutOption(Fiber.await(writer), farewell))
  }
})

/** Serves over standard input and output until either ends. Nothing else may write to the output. */
export const serveGuarded = Effect.fnUntraced(function* <E, R>(
  serve: (stdio: Effect.Success<typeof guardedStdio>["stdio"]) => Effect.Effect<unknown, E, R>
) {
  const { finish, over, stdio } = yield* guardedStdio
  const serving = yield* Effect.forkChild(serve(stdio))
  const how = yield* Effect.raceFirst(over, Effect.as(Fiber.await(serving), "ended" as const))
  if (how === "ended") yield* Effect.timeoutOption(Fiber.await(serving), farewell)
  yield* Fiber.interrupt(serving)
  if (how === "ended") yield* finish
})

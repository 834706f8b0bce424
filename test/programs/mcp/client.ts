import { assert } from "@effect/vitest"
import { type Cause, Effect, Latch, Layer, Queue, Sink, Stdio, Stream } from "effect"
import { serveMcp } from "../../../src/programs/mcp/server.ts"
import type { Access } from "../../../src/programs/mcp/sessionAccess.ts"
import { CliVersions } from "../../../src/services/CliVersions.ts"
import { HookInstaller } from "../../../src/services/HookInstaller.ts"
import { HostLauncher } from "../../../src/services/HostLauncher.ts"
import type { ProcessRecord } from "../../../src/domain/store/hookSpool/ProcessRecord.ts"
import { ProcessTable } from "../../../src/services/ProcessTable.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { until } from "../../support/host/stage.ts"

interface Answer {
  readonly id?: unknown
  readonly result?: {
    readonly isError?: boolean
    readonly structuredContent?: Readonly<Record<string, unknown>>
    readonly content?: ReadonlyArray<{ readonly text: string }>
    readonly contents?: ReadonlyArray<{ readonly text: string }>
    readonly tools?: ReadonlyArray<{ readonly name: string; readonly outputSchema?: unknown }>
  }
  readonly error?: { readonly code: number; readonly message: string }
}

const everything: Access = { patterns: null, readOnly: false }

/** What starts sessions; a test of that is elsewhere. */
const noStarts = Layer.mergeAll(
  Layer.mock(CliVersions, {}),
  Layer.mock(HookInstaller, {}),
  Layer.mock(HostLauncher, {}),
  Layer.mock(Providers, { all: [] })
)

/**
 * A client of a server of its own, in memory: lines in, lines out. `ancestor`: the process that started the server.
 * `reads`: closed while the client takes no output.
 */
export const connectClient = Effect.fnUntraced(function* ({
  access = everything,
  ancestor = null,
  reads = Latch.makeUnsafe(true)
}: { readonly access?: Access; readonly ancestor?: number | null; readonly reads?: Latch.Latch } = {}) {
  const input = yield* Queue.unbounded<Uint8Array, Cause.Done>()
  const answers: Array<Answer> = []
  const lines: Array<string> = []
  const stdio = Stdio.layerTest({
    stdin: Stream.fromQueue(input),
    stdout: () =>
      Sink.forEach((chunk: string | Uint8Array) =>
        Effect.gen(function* () {
          yield* reads.await
          for (const line of String(chunk)
            .split("\n")
            .filter((one) => one !== "")) {
            lines.push(line)
            answers.push(JSON.parse(line) as Answer)
          }
        })
      )
  })
  const record = (pid: number): ProcessRecord => ({
    pid,
    parent: 1,
    birth: "1",
    group: pid,
    session: 1,
    terminal: null,
    foreground: null,
    isZombie: false,
    name: "x"
  })
  const table = yield* ProcessTable
  const ancestry = Layer.succeed(ProcessTable, {
    ...table,
    ancestry: (pid: number) => Effect.succeed(ancestor === null ? [record(pid)] : [record(pid), record(ancestor)])
  })
  const fiber = yield* serveMcp(access).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(stdio, noStarts, ancestry)),
    Effect.forkScoped({ startImmediately: true })
  )
  let ids = 0
  const write = (chunk: string | Uint8Array) =>
    Queue.offer(input, typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk)
  const ask = Effect.fnUntraced(function* (method: string, params: unknown) {
    const id = ++ids
    yield* write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    let found: Answer | undefined
    yield* until(
      () => (found = answers.find((one) => one.id === id)) !== undefined,
      () => `the answer to ${method}; there are ${JSON.stringify(answers)}`
    )
    return found!
  })
  /** What a tool gives; its error is one of the test. */
  const call = Effect.fnUntraced(function* (name: string, args: unknown) {
    const { error, result } = yield* ask("tools/call", { name, arguments: args })
    assert.isUndefined(error)
    assert.isFalse(result?.isError, JSON.stringify(result))
    return result.structuredContent!
  })
  /** What a tool says against it. */
  const refused = Effect.fnUntraced(function* (name: string, args: unknown) {
    const { error, result } = yield* ask("tools/call", { name, arguments: args })
    if (error !== undefined) return `${error.code} ${error.message}`
    assert.isTrue(result?.isError, JSON.stringify(result))
    return result.content!.map(({ text }) => text).join("\n")
  })
  yield* ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" }
  })
  yield* write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  return {
    answers,
    lines,
    ask,
    call,
    refused,
    write,
    /** Lines that the server has not read. */
    unread: Queue.size(input),
    close: Queue.end(input),
    isOver: () => fiber.pollUnsafe() !== undefined
  }
})

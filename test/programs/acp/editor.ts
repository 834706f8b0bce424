import {
  client as makeClient,
  type ClientConnection,
  type ContentBlock,
  type CreateElicitationRequest,
  ndJsonStream,
  type NewSessionRequest,
  type PromptRequest,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification
} from "@agentclientprotocol/sdk"
import { type Cause, Effect, Fiber, Layer, Option, Queue, Sink, Stdio, Stream } from "effect"
import * as AcpServerLazy from "../../../src/layers/acp/AcpServerLazy.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import { type AcpOptions, serveAcp } from "../../../src/programs/acp/server.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { CliVersions } from "../../../src/services/CliVersions.ts"
import { HookInstaller } from "../../../src/services/HookInstaller.ts"
import { HostLauncher } from "../../../src/services/HostLauncher.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { until } from "../../support/host/stage.ts"

/** A permission request that the editor was sent; `answer` is the user's, `withdrawn` that it need none any more. */
export interface Asked {
  readonly request: RequestPermissionRequest
  readonly answer: (outcome: RequestPermissionResponse["outcome"]) => void
  readonly withdrawn: () => boolean
}

export interface EditorOptions {
  readonly options?: Partial<AcpOptions>
  readonly provider?: Provider
  readonly notices?: boolean
  /** It shows forms, in which its user chooses this. */
  readonly chooses?: string
  /** Starts a session's host, for `session/new`. */
  readonly launch?: HostLauncher["Service"]["start"]
}

/** The protocol's own client before `leap acp`, both in memory. */
export const openEditor = Effect.fnUntraced(function* ({
  chooses,
  launch = () => Effect.die(new Error("no session is to be started")),
  notices = true,
  options = {},
  provider = demo
}: EditorOptions = {}) {
  const input = yield* Queue.unbounded<Uint8Array, Cause.Done>()
  const lines: Array<string> = []
  const out = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1e6 })
  const writer = out.writable.getWriter()
  const stdio = Stdio.layerTest({
    stdin: Stream.fromQueue(input),
    stdout: () =>
      Sink.forEach((chunk: string | Uint8Array) =>
        Effect.sync(() => {
          lines.push(String(chunk))
          void writer.write(new TextEncoder().encode(String(chunk)))
        })
      )
  })
  const around = Layer.mergeAll(
    AcpServerLazy.layer,
    stdio,
    Layer.mock(CliVersions, {}),
    Layer.mock(HookInstaller, {
      refreshScripts: Effect.void,
      status: () =>
        Effect.succeed({ cli: "demo", file: "/x", state: "installed", detail: "", installedVersion: null } as never)
    }),
    Layer.succeed(HostLauncher, { start: launch }),
    Layer.mock(Providers, {
      all: [provider],
      get: () => Effect.succeed(provider),
      load: () => Effect.succeed([provider])
    })
  )
  const fiber = yield* serveAcp({ tag: null, cli: Option.none(), args: [], ...options }).pipe(
    Effect.provide(around),
    Effect.forkScoped({ startImmediately: true })
  )

  const updates: Array<SessionNotification> = []
  const asked: Array<Asked> = []
  const forms: Array<CreateElicitationRequest> = []
  const app = makeClient({ name: "test" })
    .onNotification("session/update", ({ params }) => void updates.push(params))
    .onRequest("session/request_permission", ({ params, signal }) => {
      let withdrawn = false
      return new Promise<RequestPermissionResponse>((resolve) => {
        const answer: Asked["answer"] = (outcome) => resolve({ outcome })
        signal.addEventListener("abort", () => {
          withdrawn = true
          answer({ outcome: "cancelled" })
        })
        asked.push({ request: params, answer, withdrawn: () => withdrawn })
      })
    })
    .onRequest("elicitation/create", ({ params }) => {
      forms.push(params)
      return { action: "accept", content: { choice: chooses ?? "" } }
    })
  const writable = new WritableStream<Uint8Array>({ write: (bytes) => void Queue.offerUnsafe(input, bytes) })
  const connection: ClientConnection = app.connect(ndJsonStream(writable, out.readable))
  yield* Effect.addFinalizer(() => Effect.sync(() => connection.close()))

  /** Runs a call to its end while the test's clock goes on. */
  const called = Effect.fnUntraced(function* <A>(call: (agent: ClientConnection["agent"]) => Promise<A>) {
    const fiber = yield* Effect.forkChild(
      Effect.result(Effect.tryPromise({ try: () => call(connection.agent), catch: (error) => error as Error })),
      { startImmediately: true }
    )
    yield* until(() => fiber.pollUnsafe() !== undefined, "the answer to a call")
    return yield* Fiber.join(fiber)
  })
  /** What a call gives; its error is one of the test. */
  const call = <A>(its: (agent: ClientConnection["agent"]) => Promise<A>) =>
    Effect.flatMap(called(its), (result) => Effect.orDie(Effect.fromResult(result)))
  /** What is said against a call. */
  const refused = <A>(its: (agent: ClientConnection["agent"]) => Promise<A>) =>
    Effect.map(Effect.flip(Effect.flatMap(called(its), Effect.fromResult)), (error) => error.message)

  const initialized = yield* call((agent) =>
    agent.request("initialize", {
      protocolVersion: 1,
      clientInfo: { name: "test", version: "1" },
      clientCapabilities: {
        ...(notices ? { session: { notices: {} } } : {}),
        ...(chooses === undefined ? {} : { elicitation: { form: {} } })
      }
    })
  )
  return {
    initialized,
    updates,
    asked,
    forms,
    lines,
    call,
    refused,
    /** Sends a message; its turn's end is the promise's. */
    prompt: (sessionId: string, what: string | Array<ContentBlock>) => {
      const prompt: PromptRequest["prompt"] = typeof what === "string" ? [{ type: "text", text: what }] : what
      const params: PromptRequest = { sessionId, prompt }
      return connection.agent.request("session/prompt", params)
    },
    /** What an editor does for a new thread. */
    begin: (cwd: string) => {
      const params: NewSessionRequest = { cwd, mcpServers: [] }
      return call((agent) => agent.request("session/new", params))
    },
    cancel: (sessionId: string) => Effect.promise(() => connection.agent.notify("session/cancel", { sessionId })),
    /** Attaches to a session that runs. */
    attach: (sessionId: string) =>
      call((agent) => agent.request("session/resume", { sessionId, cwd: "/work", mcpServers: [] })),
    close: Queue.end(input),
    isOver: () => fiber.pollUnsafe() !== undefined,
    /** The texts of all updates of a kind, as they came. */
    texts: (kind: SessionNotification["update"]["sessionUpdate"]) =>
      updates.flatMap(({ update }) =>
        update.sessionUpdate === kind && "content" in update && update.content !== null && "text" in update.content
          ? [update.content.text]
          : update.sessionUpdate === kind && "title" in update
            ? [String(update.title)]
            : []
      )
  }
})

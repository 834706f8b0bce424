import {
  agent,
  type AgentConnection,
  type CreateElicitationRequest,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate
} from "@agentclientprotocol/sdk"
import { Cause, Effect, Exit, Option, Queue, Result, Stream } from "effect"
import { contentOf, type EditorRequest } from "../../domain/surfaces/acp/Updates.ts"
import { fieldsOf } from "../../domain/words/reading/Fields.ts"
import { fromLatin1, toLatin1 } from "../../domain/words/text/Bytes.ts"
import { notUtf8, utf8Text } from "../../domain/words/text/utf8Text.ts"
import type { AcpAgent, AcpError, AcpServer, Editor, OpenedSession } from "../../services/AcpServer.ts"

/** The most messages that wait to be written; beyond this the writer waits. */
const mostWaiting = 16

const requestError = (sessionId: string | null, cause: Cause.Cause<AcpError>): RequestError => {
  if (Cause.hasInterruptsOnly(cause)) return RequestError.requestCancelled()
  const error = Option.getOrNull(Cause.findErrorOption(cause))
  if (error === null) return new RequestError(-32603, "this is a bug in leap; its standard error tells more")
  switch (error.kind) {
    case "invalid":
      return new RequestError(-32602, error.why)
    case "missing":
      return new RequestError(-32002, error.why, sessionId === null ? undefined : { sessionId })
    case "failed":
      return new RequestError(-32603, error.why)
  }
}

const permissionOf = (
  sessionId: string,
  { options, subject, title, toolCallId }: EditorRequest
): RequestPermissionRequest => ({
  sessionId,
  toolCall: { toolCallId, title, ...(subject === null ? {} : { content: [...contentOf(subject)] }) },
  options: [...options]
})

const formOf = (
  sessionId: string,
  { options, subject, title, toolCallId }: EditorRequest
): CreateElicitationRequest => ({
  mode: "form",
  sessionId,
  toolCallId,
  message: subject === null ? title : `${title}\n\n${subject}`,
  requestedSchema: {
    type: "object",
    properties: {
      choice: { type: "string", title, oneOf: options.map(({ name, optionId }) => ({ const: optionId, title: name })) }
    },
    required: ["choice"]
  }
})

const chosenIn = (given: object): string | null => {
  const choice = fieldsOf(fieldsOf(given)["content"])["choice"]
  return typeof choice === "string" ? choice : null
}

export const serve: AcpServer["Service"]["serve"] = Effect.fn("AcpServerSdk.serve")(
  function* (stdio, version, makeAgent) {
    const run = <A>(sessionId: string | null, effect: Effect.Effect<A, AcpError>, signal?: AbortSignal): Promise<A> =>
      Effect.runPromiseExit(
        Effect.tapCauseIf(effect, Cause.hasDies, (cause) => Effect.logWarning(cause)),
        signal === undefined ? {} : { signal }
      ).then((exit) => (Exit.isSuccess(exit) ? exit.value : Promise.reject(requestError(sessionId, exit.cause))))

    let connection: AgentConnection | null = null
    let takesNotices = false
    let takesForms = false
    const quietly = (told: (open: AgentConnection) => Promise<unknown>) =>
      Effect.promise(() => (connection === null ? Promise.resolve() : told(connection).catch(() => {})))
    const editor: Editor = {
      takesNotices: () => takesNotices,
      update: (sessionId, update) =>
        quietly(({ client }) => client.notify("session/update", { sessionId, update: update as SessionUpdate })),
      ask: (sessionId, request) =>
        Effect.tryPromise((signal) => {
          if (connection === null) return Promise.resolve(null)
          const options = { cancellationSignal: signal, stopWaitingOnCancel: true }
          return takesForms && !request.isPermission
            ? connection.client
                .request("elicitation/create", formOf(sessionId, request), options)
                .then((given) => (given.action === "accept" ? chosenIn(given) : null))
            : connection.client
                .request("session/request_permission", permissionOf(sessionId, request), options)
                .then(({ outcome }) => (outcome.outcome === "selected" ? outcome.optionId : null))
        }).pipe(Effect.catch(() => Effect.succeed(null)))
    }
    const own: AcpAgent = makeAgent(editor)
    /** Updates must follow the answer by which the editor learns of the session. */
    const later = <A>(opened: OpenedSession, answer: (opened: OpenedSession) => A): A => {
      setImmediate(() => void Effect.runFork(opened.then))
      return answer(opened)
    }
    const modesOf = ({ modes }: OpenedSession) => ({ ...modes, availableModes: [...modes.availableModes] })

    const app = agent({ name: "leap" })
      .onRequest("initialize", ({ params }) => {
        takesNotices = params.clientCapabilities?.session?.notices != null
        takesForms = params.clientCapabilities?.elicitation?.form != null
        return {
          protocolVersion: PROTOCOL_VERSION,
          agentInfo: { name: "leap", title: "leap", version },
          authMethods: [],
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: false, audio: false, embeddedContext: false },
            mcpCapabilities: { http: false, sse: false },
            sessionCapabilities: { list: {}, resume: {} }
          }
        }
      })
      .onRequest("authenticate", () => ({}))
      .onRequest("session/new", ({ params, signal }) =>
        run(null, own.newSession({ cwd: params.cwd, mcpServers: params.mcpServers.length }), signal).then((opened) =>
          later(opened, () => ({ sessionId: opened.sessionId, modes: modesOf(opened) }))
        )
      )
      .onRequest("session/load", ({ params: { cwd, mcpServers, sessionId }, signal }) =>
        run(sessionId, own.openSession(sessionId, { cwd, mcpServers: mcpServers.length }, true), signal).then(
          (opened) => later(opened, () => ({ modes: modesOf(opened) }))
        )
      )
      .onRequest("session/resume", ({ params: { cwd, mcpServers = [], sessionId }, signal }) =>
        run(sessionId, own.openSession(sessionId, { cwd, mcpServers: mcpServers.length }, false), signal).then(
          (opened) => later(opened, () => ({ modes: modesOf(opened) }))
        )
      )
      .onRequest("session/list", ({ params, signal }) =>
        run(null, own.listSessions(params.cwd ?? null), signal).then((sessions) => ({ sessions: [...sessions] }))
      )
      .onRequest("session/prompt", ({ params: { prompt, sessionId }, signal }) =>
        run(sessionId, own.prompt(sessionId, prompt), signal).then((stopReason) => ({ stopReason }))
      )
      .onRequest("session/set_mode", ({ params: { modeId, sessionId }, signal }) =>
        run(sessionId, own.setMode(sessionId, modeId), signal).then(() => ({}))
      )
      .onNotification("session/cancel", ({ params: { sessionId } }) => run(null, own.cancel(sessionId)))

    const out = yield* Queue.bounded<string>(mostWaiting)
    yield* Stream.fromQueue(out).pipe(Stream.rechunk(1), Stream.run(stdio.stdout()), Effect.ignore, Effect.forkScoped)
    const decoder = new TextDecoder()
    const writable = new WritableStream<Uint8Array>({
      write: (bytes) => Effect.runPromise(Effect.asVoid(Queue.offer(out, decoder.decode(bytes, { stream: true }))))
    })
    const lines = stdio.stdin.pipe(
      Stream.map(toLatin1),
      Stream.splitLines,
      Stream.filterMapEffect(
        Effect.fnUntraced(function* (line) {
          const text = utf8Text(fromLatin1(line))
          if (typeof text === "string") return Result.succeed(fromLatin1(`${line}\n`))
          // The message would arrive with other characters than were sent.
          const id = /"id"\s*:\s*("[^"\\]*"|\d+)/.exec(line)?.[1] ?? "null"
          const error = JSON.stringify({ code: -32700, message: notUtf8("this line", text.at) })
          yield* Queue.offer(out, `{"jsonrpc":"2.0","id":${id},"error":${error}}\n`)
          return Result.fail(null)
        })
      )
    )
    const readable = yield* Stream.toReadableStreamEffect(lines)
    const open = yield* Effect.acquireRelease(
      Effect.sync(() => app.connect(ndJsonStream(writable, readable))),
      (open) => Effect.sync(() => open.close())
    )
    connection = open
    yield* Effect.promise(() => open.closed.catch(() => {}))
  }
)

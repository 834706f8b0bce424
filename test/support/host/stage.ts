import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { HostSpec } from "../../../src/domain/words/session/HostSpec.ts"
import type { HostReady } from "../../../src/services/HostLauncher.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { fromBase64, toBase64 } from "../../../src/domain/words/text/Bytes.ts"
import { demoHistory } from "../../../src/domain/providers/demo/History.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { runHost } from "../../../src/programs/host/host.ts"
import { CLIProvider, type Provider } from "../../../src/services/CLIProvider.ts"
import { ControlSocket, type HostClient } from "../../../src/services/ControlSocket.ts"
import { RefusedError } from "../../../src/services/HostProtocol.ts"
import { System } from "../../../src/services/System.ts"
import * as PtyFake from "../fakes/PtyFake.ts"
import * as ControlSocketFake from "./ControlSocketFake.ts"
import { type DemoOptions, runDemo } from "./DemoCliFake.ts"
import * as DirectoryWatchFake from "./DirectoryWatchFake.ts"
import * as DiskFake from "./DiskFake.ts"
import * as FileTailFake from "./FileTailFake.ts"
import * as GitViewFake from "./GitViewFake.ts"
import * as HookInboxFake from "./HookInboxFake.ts"
import { pathsOf, specOf } from "./parts.ts"
import * as LoginLinksFake from "./LoginLinksFake.ts"
import * as NoticeChannelsFake from "./NoticeChannelsFake.ts"
import * as SystemFake from "./SystemFake.ts"

/** Everything around hosts, in memory, but for the emulator, which is the real one. */
export const world = Layer.mergeAll(
  ControlSocketFake.layer,
  DirectoryWatchFake.layer,
  DiskFake.layer,
  FileTailFake.layer,
  GitViewFake.layer,
  HookInboxFake.layer,
  LoginLinksFake.layer,
  NoticeChannelsFake.layer,
  PtyFake.layer,
  ScreenXterm.layer,
  SystemFake.layer
)

const begin = Date.UTC(2026, 0, 1)
const step = 20
/** Virtual milliseconds within which everything waited for has to happen. */
const patience = 60_000

/** Lets what is under way happen, and no more time pass than a person would notice. */
export const settle = TestClock.adjust("100 millis")

/** Lets time pass until the test holds; dies when it does not within a minute of the test's clock. */
export const until = Effect.fn("until")(function* (test: () => boolean, what: string | (() => string)) {
  for (let passed = 0; !test(); passed += step) {
    if (passed > patience)
      return yield* Effect.die(new Error(`never happened: ${typeof what === "string" ? what : what()}`))
    yield* TestClock.adjust(step)
  }
})

/** Why a host refuses this. */
export const refusal = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.flip(effect), (error) =>
    error instanceof RefusedError ? Effect.succeed(error) : Effect.die(new Error(`failed otherwise: ${error._tag}`))
  )

/** Runs an effect that needs time to pass, as long as it takes. */
export const passing = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
  yield* until(() => fiber.pollUnsafe() !== undefined, "what was waited for")
  return yield* Fiber.join(fiber)
})

/** A host that is started in the background; its CLI is whatever the test makes of the fake child. */
export const startHost = Effect.fn("startHost")(function* (own: Partial<HostSpec> = {}, provider: Provider = demo) {
  yield* TestClock.setTime(begin)
  const spec = specOf(own)
  const paths = pathsOf(spec.tag)
  const sockets = yield* ControlSocket
  const { open } = yield* ControlSocketFake.ControlSocketFake
  const pty = yield* PtyFake.PtyFake
  const announced: Array<HostReady> = []
  const stopRequest = yield* Deferred.make<void>()
  const finished: Array<"finished"> = []
  const fiber = yield* runHost({
    spec,
    announce: (ready) => Effect.sync(() => void announced.push(ready)),
    stopRequest: Deferred.await(stopRequest),
    onFinished: Effect.sync(() => void finished.push("finished"))
  }).pipe(Effect.provideService(CLIProvider, provider), Effect.forkScoped({ startImmediately: true }))
  const isOver = () => fiber.pollUnsafe() !== undefined
  return {
    paths,
    announced,
    finished,
    isOver,
    /** The host's own end: it fails as the host failed. */
    end: Effect.andThen(
      until(isOver, () => `the end of ${spec.tag}`),
      Fiber.join(fiber)
    ),
    /** What SIGTERM does. */
    ask: Deferred.succeed(stopRequest, undefined),
    /** What the second SIGTERM does. */
    interrupt: Fiber.interrupt(fiber),
    /** A client, once the host serves its socket. */
    connect: Effect.andThen(
      until(
        () => open().includes(paths.socket),
        () => `a host at ${paths.socket}`
      ),
      sockets.connect(paths.socket)
    ),
    /** The CLI's end of the pseudo-terminal, once the host has it. */
    child: Effect.tap(passing(pty.next), () =>
      until(() => announced.length > 0 || isOver(), "the host says that it is ready")
    )
  }
})

/** Follows a session's status as a client does. */
export const watch = Effect.fnUntraced(function* (client: HostClient) {
  const seen: Array<SessionStatus> = []
  yield* client.Watch().pipe(
    Stream.runForEach((status) => Effect.sync(() => void seen.push(status))),
    Effect.ignore,
    Effect.forkScoped({ startImmediately: true })
  )
  return {
    seen: (): ReadonlyArray<SessionStatus> => seen,
    last: () => seen.at(-1),
    /** The first status that passes from now on, the present one included. */
    until: Effect.fnUntraced(function* (test: (status: SessionStatus) => boolean, what: string) {
      // what was asked for just now is in the next status
      yield* TestClock.adjust(step)
      let found: SessionStatus | undefined
      let next = Math.max(0, seen.length - 1)
      yield* until(
        () => {
          while (found === undefined && next < seen.length) found = [seen[next++]!].find(test)
          return found !== undefined
        },
        () => `${what}; the last status is ${JSON.stringify(seen.at(-1))}`
      )
      return found!
    })
  }
})

/** A terminal attached to a session: what it was sent, and what is typed into it. */
export const attach = Effect.fnUntraced(function* (
  client: HostClient,
  id: string,
  more: {
    readonly cols?: number
    readonly rows?: number
    readonly readOnly?: boolean
    readonly programStatus?: boolean
    readonly notices?: boolean
  } = {}
) {
  const frames: Array<{ readonly kind: string; readonly text: string }> = []
  const { cols = 100, notices = false, programStatus = false, readOnly = false, rows = 30 } = more
  const fiber = yield* client.Attach({ viewer: id, cols, rows, readOnly, programStatus, notices }).pipe(
    Stream.runForEach((frame) =>
      Effect.sync(() => {
        const text =
          frame._tag === "Exited"
            ? JSON.stringify(frame.exit)
            : frame._tag === "Notice"
              ? JSON.stringify(frame.notice)
              : (fromBase64(frame.data) ?? "")
        frames.push({ kind: frame._tag, text: Buffer.from(text, "latin1").toString("utf8") })
      })
    ),
    Effect.ignore,
    Effect.forkScoped({ startImmediately: true })
  )
  return {
    frames: (): ReadonlyArray<{ readonly kind: string; readonly text: string }> => frames,
    text: () => frames.map(({ text }) => text).join(""),
    type: (text: string) => client.Input({ viewer: id, data: toBase64(Buffer.from(text).toString("latin1")) }),
    resize: (cols: number, rows: number) => client.Resize({ viewer: id, cols, rows }),
    detach: Fiber.interrupt(fiber),
    isOver: () => fiber.pollUnsafe() !== undefined
  }
})

/** A session of the demo CLI, at its first prompt, with a client that follows it. */
export const hostDemo = Effect.fn("hostDemo")(function* (
  own: Partial<HostSpec> = {},
  { provider, ...more }: Pick<DemoOptions, "reports"> & { readonly provider?: Provider } = {}
) {
  const host = yield* startHost(own, provider)
  const child = yield* host.child
  const inbox = yield* HookInboxFake.HookInboxFake
  const files = yield* FileTailFake.FileTailFake
  const { env } = yield* System
  const cli = yield* runDemo(child, {
    ...more,
    pace: 0.2,
    keep: (entry) => files.append(demoHistory.file(env, "", null) ?? "", JSON.stringify(entry)),
    hook: (event, payload) => inbox.call(host.paths.spool, event, payload, { nested: event === "Nested" })
  })
  const client = yield* host.connect
  const status = yield* watch(client)
  yield* status.until(({ ready }) => ready, "the first prompt")
  const send = (text: string, more: { readonly force?: boolean; readonly front?: boolean } = {}) =>
    client.Send({ text, images: [], front: false, force: false, ...more })
  return { ...host, child, cli, client, send, status }
})

import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Effect, Layer } from "effect"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { Socket } from "effect/socket/Socket"
import * as childProcess from "node:child_process"
import { Duplex } from "node:stream"
import { sshArguments } from "../../domain/words/arguments/sshArguments.ts"
import { exitCode } from "../../domain/words/session/exitCode.ts"
import type { RemoteHost } from "../../domain/words/session/RemoteHost.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { remoteTrouble } from "../../domain/words/wording/remoteTrouble.ts"
import { errorCodeOf } from "../../domain/words/reading/Fields.ts"
import { greeting, RemoteHostError, RemoteHosts } from "../../services/RemoteHosts.ts"
import { RemoteRpc } from "../../services/RemoteRpc.ts"
import { System } from "../../services/System.ts"

/** Longer than ssh takes to give up, and leap to start on a slow machine. */
const greetingTimeout = "40 seconds"
/** The most that shells may write before leap does, and of standard error that is kept. */
const noiseMost = 64 << 10

const failure = (host: RemoteHost, why: string, code: number = exitCode.failed) =>
  new RemoteHostError({ host: host.name, why, exitCode: code })

const notStarted = (host: RemoteHost, cause: Error): RemoteHostError =>
  failure(
    host,
    errorCodeOf(cause) === "ENOENT"
      ? "there is no ssh on the PATH, which reaches other machines"
      : `ssh could not be started: ${oneLine(cause.message, 200)}`,
    exitCode.notInstalled
  )

type Child = childProcess.ChildProcessWithoutNullStreams

/** Waits until leap there has greeted; what follows the greeting can be read from the child then. */
const greeted = (host: RemoteHost, child: Child): Effect.Effect<void, RemoteHostError> =>
  Effect.callback<void, RemoteHostError>((resume) => {
    let errors = ""
    let text = Buffer.alloc(0)
    const failed = (why: string) => resume(failure(host, why))
    child.once("error", (cause) => resume(notStarted(host, cause)))
    child.stderr.on("data", (data: Buffer) => void (errors = (errors + data.toString()).slice(-noiseMost)))
    child.stdin.on("error", () => {})
    child.once("close", (code) =>
      failed(
        remoteTrouble(host, code ?? 255, errors) ??
          `host '${host.name}' (${host.destination}) has a leap that cannot be asked (exit code ${code}): ` +
            "it may be older than this one; 'leap --host " +
            `${host.name} --version' shows it`
      )
    )
    const look = (): void => {
      for (let piece: Buffer | null; (piece = child.stdout.read() as Buffer | null) !== null;) {
        text = Buffer.concat([text, piece])
        const at = `\n${text.toString("latin1")}`.indexOf(`\n${greeting}\n`)
        if (at >= 0) {
          child.stdout.off("readable", look)
          const rest = text.subarray(at + greeting.length + 1)
          if (rest.length > 0) child.stdout.unshift(rest)
          return resume(Effect.void)
        }
        if (text.length > noiseMost) return failed(`what host '${host.name}' writes is not of leap's`)
      }
    }
    child.stdout.on("readable", look)
  }).pipe(
    Effect.timeoutOrElse({
      duration: greetingTimeout,
      orElse: () =>
        failure(
          host,
          `host '${host.name}' (${host.destination}) has not answered within ${greetingTimeout}`,
          exitCode.timedOut
        )
    })
  )

const make = Effect.gen(function* () {
  const { env } = yield* System
  return RemoteHosts.of({
    run: Effect.fn("RemoteHosts.run")(function* (host, words, use) {
      const code = yield* Effect.callback<number, RemoteHostError>((resume) => {
        const child = childProcess.spawn("ssh", sshArguments(host, words, use), { env, stdio: "inherit" })
        child.once("error", (cause) => resume(notStarted(host, cause)))
        child.once("close", (code) => resume(Effect.succeed(code ?? exitCode.cancelled)))
        return Effect.sync(() => void child.kill())
      })
      const why = remoteTrouble(host, code, "")
      return why === null ? code : yield* failure(host, why)
    }),
    connect: Effect.fn("RemoteHosts.connect")(function* (host) {
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          childProcess.spawn("ssh", sshArguments(host, ["hosts", "serve"], "background"), { env, stdio: "pipe" })
        ),
        (child) => Effect.sync(() => void child.kill())
      )
      yield* greeted(host, child)
      const streams = Duplex.from({ readable: child.stdout, writable: child.stdin })
      // an end in the middle of a write is an error of both: one listener of the socket's takes only the first
      streams.on("error", () => {})
      const socket = NodeSocket.fromDuplex(Effect.succeed(streams))
      const protocol = RpcClient.layerProtocolSocket({ retryTransientErrors: false }).pipe(
        Layer.provide([Layer.effect(Socket, socket), RpcSerialization.layerNdjson])
      )
      return yield* Effect.provideContext(RpcClient.make(RemoteRpc), yield* Layer.build(protocol))
    })
  })
})

export const layer: Layer.Layer<RemoteHosts, never, System> = Layer.effect(RemoteHosts, make)

import { Deferred, Effect, Fiber, Option, Schema, Scope } from "effect"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { HookInstaller } from "../../services/HookInstaller.ts"
import { HostLauncher, type HostReady, HostStartError } from "../../services/HostLauncher.ts"
import { layerOf, Providers } from "../../services/Providers.ts"
import type { PtySize } from "../../services/Pty.ts"
import { installHooks } from "../cliSetup/hooks.ts"
import { connectTo } from "../client/client.ts"
import { versionOf } from "../starting/locateCli.ts"
import { detachedSize, type Resumes, startSession } from "../starting/start.ts"
import { describe, fail } from "../exit.ts"
import { runHost } from "../host/host.ts"
import { hostedSession } from "./HostedSession.ts"

/** How a session is started. */
export interface SessionOptions {
  /** The session's name, which identifies its queue, its records and its socket. */
  readonly tag: string
  /** The CLI; by default the one that the session had before, else that of LEAP_CLI, else the first installed. */
  readonly cli?: string
  /** The directory that the CLI runs in; by default this process's. */
  readonly cwd?: string
  /** Arguments for the CLI; by default those that the session had before; `[]` for none. */
  readonly args?: ReadonlyArray<string>
  /** The size of its terminal while nobody is attached. */
  readonly size?: PtySize
  /** An earlier conversation of the CLI to resume. */
  readonly resumes?: Resumes
  /**
   * By default a CLI without leap's hooks does not start. `install` first installs those that it lacks in the settings
   * of the CLI that `cli` names, after the trial of `leap hooks install`: a CLI that would reject its settings with
   * them is a `HookRefusedError`.
   */
  readonly hooks?: "required" | "install"
}

const decodeTag = Schema.decodeUnknownEffect(Tag)
const tagOf = (name: string) =>
  Effect.mapError(decodeTag(name), ({ message }) => fail("usage", `'${name}' is no session's name: ${message}`))

/** The time limit for an orderly end of a session when its program leaves. */
const endTimeout = "15 seconds"

/** A session's host in this process, until the scope ends. */
export const startHere = Effect.fnUntraced(function* (spec: HostSpec) {
  const ready = yield* Deferred.make<HostReady>()
  const stop = yield* Deferred.make<void>()
  const host = yield* runHost({
    spec,
    announce: (said) => Effect.asVoid(Deferred.succeed(ready, said)),
    onFinished: Effect.void,
    stopRequest: Deferred.await(stop)
  }).pipe(
    Effect.provide(layerOf(spec.cli, spec.args)),
    Effect.tapError((error) => {
      const { exitCode, message } = describe(error)
      return Deferred.succeed(ready, { ready: false, message, exitCode })
    }),
    Effect.forkScoped
  )
  // ends the session as `leap stop` does, before the scope's own end kills the CLI
  yield* Effect.addFinalizer(() =>
    Effect.andThen(Deferred.succeed(stop, undefined), Effect.timeoutOption(Fiber.await(host), endTimeout))
  )
  const said = yield* Effect.raceFirst(
    Deferred.await(ready),
    Effect.as(Fiber.await(host), { ready: false, message: "its host ended at once", exitCode: 1 } as const)
  )
  if (!said.ready) return yield* new HostStartError({ tag: spec.tag, why: said.message, exitCode: said.exitCode })
})

const begin = Effect.fnUntraced(function* (options: SessionOptions) {
  const tag = yield* tagOf(options.tag)
  if (options.hooks === "install") {
    if (options.cli === undefined) return yield* fail("usage", "hooks: 'install' needs the name of a CLI")
    const provider = yield* (yield* Providers).get(options.cli)
    const { state } = yield* (yield* HookInstaller).status(provider, yield* versionOf(provider))
    // the trial starts the CLI, which is not to delay every start
    if (state !== "installed" && state !== "unsupported") yield* installHooks(provider)
  }
  yield* startSession({
    tag,
    cli: Option.fromUndefinedOr(options.cli),
    cwd: Option.fromUndefinedOr(options.cwd),
    args: options.args ?? null,
    size: options.size ?? detachedSize,
    resumes: options.resumes ?? null,
    // the hooks report a turn's answer
    requireHooks: true
  })
  return yield* hostedSession(tag, yield* connectTo(tag))
})

/**
 * Starts a CLI under leap in this process. The session ends with the scope: the CLI stops, queued messages stay on
 * disk. Other programs (`leap attach`, `leap send`) reach it meanwhile like any other session.
 */
export const hostSession = Effect.fn("hostSession")(function* (options: SessionOptions) {
  const scope = yield* Effect.scope
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof startHere>>>()
  const here = HostLauncher.of({
    start: (spec) => startHere(spec).pipe(Effect.provide(context), Effect.provideService(Scope.Scope, scope))
  })
  return yield* Effect.provideService(begin(options), HostLauncher, here)
})

/** Starts a CLI under leap in a separate process, which outlives this one; only the connection ends with the scope. */
export const launchSession = Effect.fn("launchSession")(begin)

/** Connects to a running session, whoever started it. */
export const connectSession = Effect.fn("connectSession")(function* (name: string) {
  const tag = yield* tagOf(name)
  return yield* hostedSession(tag, yield* connectTo(tag))
})

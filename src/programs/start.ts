import { Effect, Option, Result } from "effect"
import { defaultFlags } from "../domain/DefaultFlags.ts"
import type { Tag } from "../domain/Tag.ts"
import { HookInstaller } from "../services/HookInstaller.ts"
import { HostLauncher } from "../services/HostLauncher.ts"
import { Machine } from "../services/Machine.ts"
import { Paths } from "../services/Paths.ts"
import { Providers } from "../services/Providers.ts"
import type { PtySize } from "../services/Pty.ts"
import { lastStatus } from "./client.ts"
import { fail } from "./exit.ts"

export interface StartOptions {
  readonly tag: Tag
  readonly cli: Option.Option<string>
  readonly cwd: Option.Option<string>
  readonly args: ReadonlyArray<string>
  readonly size: PtySize
  readonly waitForViewer: boolean
}

/** Checks that the session can run and starts its host; returns when that serves. */
export const startSession = Effect.fn("startSession")(function*(options: StartOptions) {
  const machine = yield* Machine
  const paths = yield* Paths
  const before = yield* lastStatus(options.tag)
  const providers = yield* Providers
  // when none is named: the one it had before, else the first in the registry
  const cli = Option.getOrElse(options.cli, () => Option.isSome(before) ? before.value.cli : providers.all[0]?.id ?? "")
  const provider = yield* providers.get(cli)

  const wantedDirectory = Option.getOrElse(options.cwd, () => machine.cwd)
  const directory = yield* machine.directory(wantedDirectory)
  if (Option.isNone(directory)) return yield* fail("usage", `there is no directory ${wantedDirectory}`)

  const flags = defaultFlags(provider.id, machine.env)
  if (Result.isFailure(flags)) return yield* fail("usage", flags.failure)
  const launch = provider.launch({ args: options.args, env: machine.env, self: machine.self })
  if (Option.isNone(yield* machine.which(launch.command, machine.env))) {
    return yield* fail("notInstalled", `${provider.displayName} is not installed ('${launch.command}' is not on PATH): ${provider.installHint}`)
  }
  if (provider.hooks !== null) {
    const wiring = yield* (yield* HookInstaller).status(provider)
    if (wiring.state !== "installed") {
      return yield* fail(
        "notWired",
        `${provider.displayName} is not wired to leap (${wiring.detail}): run 'leap hooks install --cli ${provider.id}'`
      )
    }
  }
  const session = yield* paths.ensureSession(options.tag)
  yield* (yield* HostLauncher).start({
    tag: options.tag,
    cli: provider.id,
    cwd: directory.value,
    args: [...flags.success, ...options.args],
    cols: options.size.cols,
    rows: options.size.rows,
    waitForViewer: options.waitForViewer
  }, session.log)
  return {
    /** Messages left over from the session's earlier run; they are held. */
    held: Option.match(before, { onNone: () => [], onSome: (last) => last.queue.filter((message) => message.status === "held") }),
    /** Where it ran before, when that was elsewhere. */
    movedFrom: Option.isSome(before) && before.value.cwd !== directory.value ? before.value.cwd : null,
    directory: directory.value
  }
})

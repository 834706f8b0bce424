import { Effect, Option } from "effect"
import { defaultFlags } from "../domain/DefaultFlags.ts"
import { warningLine } from "../domain/settings/warningLine.ts"
import type { Tag } from "../domain/Tag.ts"
import type { ProviderRecord } from "../services/CLIProvider.ts"
import { HookInstaller } from "../services/HookInstaller.ts"
import { HostLauncher } from "../services/HostLauncher.ts"
import { Machine } from "../services/Machine.ts"
import { Paths } from "../services/Paths.ts"
import { Providers } from "../services/Providers.ts"
import { UserSettings } from "../services/UserSettings.ts"
import type { PtySize } from "../services/Pty.ts"
import { lastStatus } from "./client.ts"
import { fail } from "./exit.ts"
import { installed, locate } from "./locate.ts"
import { gateOf } from "./wiring.ts"

/** An earlier session that a CLI is to go on with. */
export interface Resumes {
  readonly sessionId: string
  readonly transcriptPath: string | null
}

export interface StartOptions {
  readonly tag: Tag
  readonly cli: Option.Option<string>
  readonly cwd: Option.Option<string>
  readonly args: ReadonlyArray<string>
  readonly size: PtySize
  readonly waitForViewer: boolean
  /** Null starts a new session. */
  readonly resumes: Resumes | null
}

/** A terminal that nobody looks at has this size. */
export const detachedSize: PtySize = { cols: 120, rows: 40 }

/** Fails unless the CLI is there and wired, and can resume if it is to; gives what the user should know of its wiring, or null. */
export const checkStart = Effect.fn("checkStart")(function*(provider: ProviderRecord, resumes: Resumes | null) {
  if (resumes !== null && provider.resume === null) {
    return yield* fail("refused", `${provider.displayName} cannot go on with an earlier session`)
  }
  const { command, path } = yield* locate(provider)
  if (Option.isNone(path)) {
    return yield* fail(
      "notInstalled",
      command.includes("/")
        ? `${provider.displayName} cannot be started: ${command} is no program that can be run; 'leap clis edit ${provider.id} --command PATH' names another`
        : `${provider.displayName} is not installed ('${command}' is not on PATH): ${provider.installHint}`
    )
  }
  if (provider.hooks === null) return null
  const installer = yield* HookInstaller
  yield* installer.refreshScripts
  const gate = gateOf(provider, yield* installer.status(provider))
  return gate._tag === "Shut" ? yield* fail("notWired", gate.why) : gate.note
})

/** Checks that the session can run and starts its host; returns when that serves. */
export const startSession = Effect.fn("startSession")(function*(options: StartOptions) {
  const machine = yield* Machine
  const paths = yield* Paths
  const before = yield* lastStatus(options.tag)
  const providers = yield* Providers
  const settings = yield* UserSettings
  // when none is named: the one it had before, else the first in the user's order that is there
  const cli = Option.isSome(options.cli)
    ? options.cli.value
    : Option.isSome(before)
    ? before.value.cli
    : (yield* installed)[0]?.id ?? providers.all.find(({ hidden }) => !hidden)?.id ?? ""
  const provider = yield* providers.get(cli).pipe(
    Effect.mapError((error) => Option.isSome(options.cli) || Option.isNone(before)
      ? error
      : fail("usage", `session '${options.tag}' ran ${cli}, and ${error.message}; 'leap ${options.tag} --cli NAME' starts it with another`))
  )

  const wantedDirectory = Option.getOrElse(options.cwd, () => machine.cwd)
  const directory = yield* machine.directory(wantedDirectory)
  if (Option.isNone(directory)) return yield* fail("usage", `there is no directory ${wantedDirectory}`)

  const flags = defaultFlags(provider.id, provider.flags, machine.env)
  const note = yield* checkStart(provider, options.resumes)
  const { resumes } = options
  const session = yield* paths.ensureSession(options.tag)
  yield* (yield* HostLauncher).start({
    tag: options.tag,
    cli: provider.id,
    cwd: directory.value,
    // first, since some CLIs resume by a subcommand, whose flags are behind it
    args: [...resumes === null ? [] : provider.resume?.args(resumes.sessionId, directory.value) ?? [], ...flags.words, ...options.args],
    cols: options.size.cols,
    rows: options.size.rows,
    waitForViewer: options.waitForViewer,
    ...resumes === null ? {} : { resumes }
  }, session.log)
  return {
    /** What of the user's settings was left out, a line each. */
    warnings: [warningLine(settings.file, (yield* settings.read).warnings), flags.warning].filter((warning) => warning !== null),
    /** What the user should know of the CLI's wiring; null when all is well. */
    note,
    /** Messages left over from the session's earlier run; they are held. */
    held: Option.match(before, { onNone: () => [], onSome: (last) => last.queue.filter((message) => message.status === "held") }),
    /** Where it ran before, when that was elsewhere. */
    movedFrom: Option.isSome(before) && before.value.cwd !== directory.value ? before.value.cwd : null,
    directory: directory.value
  }
})

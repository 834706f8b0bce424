import { Effect, Option } from "effect"
import { restrictionsOf } from "../../domain/engine/approvals/restrictions.ts"
import { ruleText } from "../../domain/policy/RuleText.ts"
import { launchArguments } from "../../domain/cli/provider/Launch.ts"
import { warningLine } from "../../domain/store/settings/warningLine.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { noWords, type StartWords } from "../../domain/words/session/StartWords.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { goneOr } from "../../domain/words/wording/goneOr.ts"
import { missingDirectory } from "../../domain/words/wording/missingDirectory.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { HookInstaller } from "../../services/HookInstaller.ts"
import { HostLauncher } from "../../services/HostLauncher.ts"
import { System } from "../../services/System.ts"
import { Paths } from "../../services/Paths.ts"
import { forArguments, Providers } from "../../services/Providers.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import type { PtySize } from "../../services/Pty.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { QueueStore } from "../../services/QueueStore.ts"
import { lastStatus } from "../client/client.ts"
import { type CommandError, fail } from "../exit.ts"
import { flagsWithout, installed, locate, versionOf } from "./locateCli.ts"
import { startWords } from "./startWords.ts"
import { gateOf, type Unwired, unwiredNote, unwiredRefusal, voidRules } from "../client/wiring.ts"

export interface Resumes {
  readonly sessionId: string
  readonly transcriptPath: string | null
}

export interface UnwiredStart {
  readonly provider: Provider
  readonly version: string | null
  readonly unwired: Unwired
  /** Why the CLI cannot start without hooks; null if it can. */
  readonly refusal: string | null
}

export interface StartOptions {
  readonly tag: Tag
  readonly cli: Option.Option<string>
  readonly cwd: Option.Option<string>
  /** Null, the default: the session's former arguments. */
  readonly args?: ReadonlyArray<string> | null
  /** An agent requests the start, so it does not get permissions that the user gave by arguments. */
  readonly byAgent?: boolean
  /** By default that of a terminal where nobody is attached. */
  readonly size?: PtySize
  readonly waitForViewer?: boolean
  readonly resumes?: Resumes | null
  /** The session whose conversation goes on in this one. */
  readonly continues?: Tag
  /** Refuse to start a CLI without leap's hooks. */
  readonly requireHooks?: boolean
  /** Asks the user about a CLI without leap's hooks; absent if nobody can be asked. */
  readonly askUnwired?: (start: UnwiredStart) => Effect.Effect<"added" | "without", CommandError>
}

export const detachedSize: PtySize = { cols: 120, rows: 40 }

/** Fails because the directory of a command does not exist. `named`: as the user named it, null for the current one. */
export const noDirectory = Effect.fnUntraced(function* (named: string | null) {
  const { cwd, directory, hidden } = yield* System
  const exists = Option.isSome(yield* directory(cwd))
  const code = yield* hidden(named ?? cwd)
  return yield* fail(
    "usage",
    code === null
      ? missingDirectory(named, { path: cwd, exists })
      : `the directory ${oneLine(named ?? cwd, 300)} ${goneOr(code)}`
  )
})

const dependsOnVersion = ({ hooks, ownFlags }: Provider): boolean =>
  ownFlags.length > 0 || hooks?.events.some(({ since }) => since !== undefined) === true

const readingNote = ({ reading }: Provider): string | null =>
  reading?.by !== "common"
    ? null
    : "leap knows no rules for this program: unless it reports its status itself, queued messages wait until you " +
      "send them with 'leap send --force'; 'leap clis probe COMMAND' makes rules for it"

/**
 * Fails unless the CLI is installed, and can resume if requested. Returns a note for the user on its wiring, or null;
 * its version; the known reasons why its hooks do not call leap; and whether the hooks are missing. The CLI is looked
 * up from the directory it is to run in.
 */
export const checkStart = Effect.fn("checkStart")(function* (
  provider: Provider,
  resumes: Resumes | null,
  directory?: string,
  args: ReadonlyArray<string> = [],
  flags: ReadonlyArray<string> = []
) {
  if (provider.takesCommand && args.length === 0) {
    return yield* fail(
      "usage",
      `--cli ${provider.id} has no program of its own: name one behind --, as in ` +
        `'leap <tag> --cli ${provider.id} -- COMMAND'`
    )
  }
  if (resumes !== null && provider.resume === null) {
    return yield* fail("refused", `${provider.displayName} cannot go on with an earlier session`)
  }
  const { command, path } = yield* locate(provider, directory, args)
  if (Option.isNone(path)) {
    if (provider.takesCommand)
      return yield* fail("notInstalled", `'${command}' is no program that can be run, on PATH or as a path`)
    return yield* fail(
      "notInstalled",
      command.includes("/")
        ? `${provider.displayName} cannot be started: ${command} is no program that can be run; ` +
            `'leap clis edit ${provider.id} --command PATH' names another`
        : `${provider.displayName} is not installed ('${command}' is not on PATH): ${provider.installHint} ` +
            "('leap demo' shows leap without any CLI)"
    )
  }
  const version = dependsOnVersion(provider)
    ? yield* versionOf(provider, directory === undefined ? {} : { directory })
    : null
  if (provider.hooks === null)
    return { note: readingNote(forArguments(provider, args)), version, off: [], unwired: null }
  const installer = yield* HookInstaller
  yield* installer.refreshScripts
  const place = { directory: directory ?? (yield* System).cwd, args: [...flags, ...args] }
  const before = yield* installer.status(provider, version, place)
  // The CLI was downgraded after leap was wired. Without this repair it would skip the user's own settings too.
  const isMended = before.state === "refused"
  if (isMended) yield* installer.install(provider, { version })
  const status = isMended ? yield* installer.status(provider, version, place) : before
  const gate = gateOf(provider, status)
  if (gate._tag === "Shut") return yield* fail("notWired", gate.why)
  const off = status.state === "disabled" ? [status.detail] : []
  const note = isMended
    ? `took out of ${before.file} what ${provider.displayName} ${version} does not read it with (${before.detail})`
    : gate._tag === "Open"
      ? gate.note
      : null
  return { note, version, off, unwired: gate._tag === "Unwired" ? gate : null }
})

/**
 * Runs a check, and decides on a CLI without leap's hooks. It may start, unless a deny or ask rule of the user needs
 * hooks, or `requireHooks` or a setting does. The user is asked if possible, unless a setting lets it start.
 */
export const admitted = Effect.fn("admitted")(function* (
  provider: Provider,
  check: ReturnType<typeof checkStart>,
  { askUnwired, requireHooks = false, tag }: Pick<StartOptions, "askUnwired" | "requireHooks" | "tag">
) {
  const checked = yield* check
  const { note, unwired, version } = checked
  const { settings, warnings } = yield* (yield* UserSettings).read
  const { decisions } = provider.permissions
  const rules = restrictionsOf(settings.policy, { tag, clis: [provider.id, provider.base] }).map(([verdict, rule]) =>
    ruleText(verdict, rule)
  )
  const isHeld = decisions.length > 0 || rules.length === 0
  if (unwired === null)
    return isHeld ? checked : { ...checked, note: [note, voidRules(rules)].filter((line) => line !== null).join("\n") }
  const wanted = settings.clis[provider.id]?.unwired ?? settings.unwired
  const isRefused = requireHooks || wanted === "refuse" || (decisions.length > 0 && rules.length > 0)
  const refusal = isRefused ? unwiredRefusal(provider, unwired, rules, warnings.length > 0) : null
  if (askUnwired !== undefined && (wanted === "ask" || refusal !== null) && (unwired.addable || refusal === null)) {
    // something else may prevent the hooks from running
    if ((yield* askUnwired({ provider, version, unwired, refusal })) === "added") return yield* check
  }
  if (refusal !== null) return yield* fail("notWired", refusal)
  return {
    ...checked,
    note: [note, unwiredNote(provider, unwired)].filter((line) => line !== null).join("\n"),
    off: [`it is not wired: ${unwired.why}`]
  }
})

/** The named CLI, else the session's former one, else LEAP_CLI, else the first installed. */
const chosenCli = Effect.fnUntraced(function* (named: Option.Option<string>, before: Option.Option<SessionStatus>) {
  if (Option.isSome(named)) return { cli: named.value, by: "named", others: 0 } as const
  if (Option.isSome(before)) return { cli: before.value.cli, by: "before", others: 0 } as const
  const preset = (yield* System).env["LEAP_CLI"]
  if (preset !== undefined && preset !== "") return { cli: preset, by: "preset", others: 0 } as const
  const [first, ...others] = yield* installed
  const { all } = yield* Providers
  const cli = first?.id ?? all.find(({ hidden, takesCommand }) => !hidden && !takesCommand)?.id ?? ""
  return { cli, by: "order", others: others.length } as const
})

/** Checks that the session can run. Its result starts the host, and returns when the host serves its socket. */
export const prepareStart = Effect.fn("prepareStart")(function* (options: StartOptions) {
  const { args = null, resumes = null, size: { cols, rows } = detachedSize, tag, waitForViewer = false } = options
  const system = yield* System
  const paths = yield* Paths
  const before = yield* lastStatus(tag)
  const providers = yield* Providers
  const settings = yield* UserSettings
  const { by, cli, others } = yield* chosenCli(options.cli, before)
  const provider = yield* providers
    .get(cli)
    .pipe(
      Effect.mapError((error) =>
        by === "before"
          ? fail(
              "usage",
              `session '${tag}' ran ${cli}, and ${error.message}; 'leap ${tag} --cli NAME' starts it with another`
            )
          : by === "preset"
            ? fail("usage", `LEAP_CLI: ${error.message}`)
            : error
      )
    )

  const directory = yield* system.directory(Option.getOrElse(options.cwd, () => system.cwd))
  if (Option.isNone(directory)) return yield* noDirectory(Option.getOrNull(options.cwd))

  const words = yield* startWords(provider, {
    tag,
    args,
    sessionId: resumes?.sessionId ?? null,
    goesOn: Option.isSome(before) && before.value.cli === provider.id
  })
  if (options.byAgent === true && words.repeats) {
    return yield* fail(
      "refused",
      `session '${tag}' was started by its user with arguments of their own, which an agent can neither use ` +
        `nor leave out; 'leap ${tag}' starts it again`
    )
  }
  const { note, off, version } = yield* admitted(
    provider,
    checkStart(provider, resumes, directory.value, words.args, words.flags),
    options
  )
  const launch = Effect.fn("startSession.launch")(function* (cwd: string) {
    const withoutFlags = yield* flagsWithout(provider, version, cwd)
    const session = yield* paths.ensureSession(tag)
    const records = yield* SessionRecords
    const started = (words: StartWords) =>
      records
        .started(tag, provider.id, words)
        .pipe(Effect.catchCause((cause) => Effect.logWarning("the session's arguments were not recorded", cause)))
    const wordsOf = (sessionId: string | null) =>
      Effect.map(records.wordsOf(tag, provider.id, sessionId), (known) => known ?? noWords)
    const wordsBefore = {
      tag: yield* wordsOf(null),
      conversation: resumes === null ? noWords : yield* wordsOf(resumes.sessionId)
    }
    // before the host starts, which reverts it if its CLI does not come up
    yield* started(words.words)
    const start = (yield* HostLauncher).start(
      {
        tag,
        cli: provider.id,
        cwd,
        args: launchArguments(provider, {
          resume: resumes === null ? [] : (provider.resume?.args(resumes.sessionId, cwd) ?? []),
          flags: words.flags,
          args: words.args
        }),
        cols,
        rows,
        waitForViewer,
        inside: [...new Set(providers.all.flatMap(({ inside }) => inside))],
        words: words.words,
        wordsBefore,
        ...(withoutFlags.length === 0 ? {} : { withoutFlags }),
        ...(off.length === 0 ? {} : { hooksOff: off }),
        ...(options.continues === undefined ? {} : { continues: options.continues }),
        ...(resumes === null ? {} : { resumes })
      },
      session.log
    )
    yield* Effect.onError(start, () => started(wordsBefore.tag))
    return {
      displayName: provider.displayName,
      chosen:
        others === 0
          ? null
          : `it runs ${provider.displayName}, the first of ${others + 1} CLIs that are installed; ` +
            "--cli or LEAP_CLI names another, 'leap clis' lists them",
      /** Ignored settings of the user, and reused arguments of an earlier start, one line each. */
      warnings: [warningLine(settings.file, (yield* settings.read).warnings), ...words.notes].filter(
        (warning) => warning !== null
      ),
      note,
      held: Option.match(before, {
        onNone: () => [],
        onSome: (last) => last.queue.filter((message) => message.status === "held")
      }),
      /** Damaged lines of its queue's log, which may have been messages; null if there are none. */
      queueProblem: yield* (yield* QueueStore).damage(session.queue),
      /** Whether it had a conversation, and now begins another. */
      leaves: resumes === null && provider.resume !== null && Option.isSome(before) && before.value.sessionId !== null,
      movedFrom: Option.isSome(before) && before.value.cwd !== cwd ? before.value.cwd : null,
      directory: cwd
    }
  })
  return { directory: directory.value, launch }
})

export const startSession = Effect.fn("startSession")(function* (options: StartOptions) {
  const { directory, launch } = yield* prepareStart(options)
  return yield* launch(directory)
})

import { runs } from "../../domain/words/session/states.ts"
import { Effect, Option, Result } from "effect"
import { Command } from "effect/cli"
import { defaultFlags } from "../../domain/cli/provider/DefaultFlags.ts"
import { checkedRange, isChecked } from "../../domain/words/reading/Version.ts"
import { policyProblems } from "../../domain/policy/problems.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { paint, table } from "../../domain/words/wording/StateLine.ts"
import { withinColumns, wrapWords } from "../../domain/words/text/wrapWords.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { FileLock } from "../../services/FileLock.ts"
import { HookInstaller } from "../../services/HookInstaller.ts"
import { System } from "../../services/System.ts"
import { Output } from "../../services/Output.ts"
import { PtyAddon } from "../../services/PtyAddon.ts"
import { Paths } from "../../services/Paths.ts"
import { Providers } from "../../services/Providers.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { SessionMover } from "../../services/SessionMover.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { continueCommand } from "../client/continueCommand.ts"
import { allStatuses } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { hasOwnWiring } from "../cliSetup/hooks.ts"
import { flagsWithout, locate, versionOf } from "../starting/locateCli.ts"
import { queueFinding, sessionFinding } from "../client/sessionFindings.ts"
import { type Finding, finding, verdictOf, wiringFinding } from "../client/wiring.ts"
import { withHost } from "../client/client.ts"
import { jsonFlag, print } from "./shared/common.ts"
import { isBusy } from "../../services/StoreError.ts"

/** The version, with a note if leap was checked with another one. */
const versionNote = (version: string | null, { checkedVersion, oldestVersion }: Provider): string => {
  const range = checkedRange(oldestVersion, checkedVersion)
  const checked = range === null ? "" : `leap was checked with ${range}`
  if (version === null) return `, its version cannot be read${checked === "" ? "" : ` (${checked})`}`
  if (checked === "") return `, version ${version}`
  return isChecked(version, oldestVersion, checkedVersion) && version === checkedVersion
    ? `, version ${version}`
    : `, version ${version} (${checked})`
}

const readingFinding = (program: string, version: string | null, { id, reading }: Provider): Finding => {
  switch (reading?.by) {
    case undefined:
      return finding(id, "ok", program)
    case "settings":
      return finding(id, "ok", `${program}, read by patterns of yours`)
    case "shipped": {
      const same = version === reading.checkedVersion
      const checked = same ? "" : `; they were checked with ${reading.checkedVersion}`
      return finding(id, same ? "ok" : "warning", `${program}, read by patterns of leap's${checked}`)
    }
    case "common": {
      const detail = `${program}, its screen is not known: queued messages wait for 'leap send --force'`
      return finding(id, "warning", detail, `leap clis probe --save ${id}`)
    }
  }
}

/** The finding on one CLI: its program, its version, and its wiring unless its base reports that. */
const cliFinding = Effect.fnUntraced(function* (provider: Provider) {
  const { id } = provider
  if (provider.takesCommand) {
    const shipped = provider.shipped ?? []
    const known = shipped.map(({ checkedVersion, name }) => `${name} (checked with ${checkedVersion})`).join(", ")
    const detail = `any program: ${provider.installHint}; patterns are shipped for ${known}`
    return finding(id, "ok", detail)
  }
  const { command, path } = yield* locate(provider)
  if (Option.isNone(path))
    return command.includes("/")
      ? finding(id, "broken", `${command} is no program that can be run`, `leap clis edit ${id} --command PATH`)
      : finding(id, "absent", "not installed", provider.installHint)
  // The program behind a wrapper may have changed: the check is worth a second.
  const version = yield* versionOf(provider, { fresh: true })
  const without = yield* flagsWithout(provider, version)
  const started = without.length === 0 ? "" : `, started without ${without.join(" and ")}, which it does not know`
  const program = `${path.value}${versionNote(version, provider)}${started}`
  const { settings } = yield* (yield* UserSettings).read
  const wiring = yield* (yield* HookInstaller).status(provider, version, { directory: (yield* System).cwd })
  // A variant may be of another version than its base, whose settings it reads.
  if (provider.hooks !== null && provider.base !== id && wiring.state !== "refused" && !(yield* hasOwnWiring(provider)))
    return finding(id, "ok", `${program}, wired as ${provider.base} is`)
  if (!wiring.receivesEvents && (settings.clis[id]?.unwired ?? settings.unwired) === "start") {
    const unknown = "cost, context and last message are not known"
    return finding(id, "ok", `${program}, without leap's hooks, as your settings say: ${unknown}`)
  }
  return provider.hooks === null ? readingFinding(program, version, provider) : wiringFinding(provider, program, wiring)
})

const cliFindings = Effect.gen(function* () {
  const providers = yield* Providers
  return yield* Effect.forEach(yield* providers.load(({ bundled }) => !bundled), cliFinding, { concurrency: 2 })
})

/** Settings that cannot be used, and rules that do not do what they seem to. */
const settingsFindings = Effect.gen(function* () {
  const system = yield* System
  const settings = yield* UserSettings
  const {
    settings: { policy },
    warnings
  } = yield* settings.read
  const { all } = yield* Providers
  const isThere = Option.isSome(yield* system.file(settings.file))
  const flags = all.flatMap((provider) => defaultFlags(provider.id, provider.flags, system.env).warning ?? [])
  const settingsWarnings = [...warnings.map((warning) => `${settings.file}: ${warning}`), ...flags]
  const settingsRows =
    settingsWarnings.length === 0
      ? [finding("settings", "ok", isThere ? settings.file : `none, all defaults (${settings.file})`)]
      : settingsWarnings.map((detail) => finding("settings", "warning", detail))
  const doubts = policy.unread === undefined ? [] : [`${policy.unread}, so everything is asked`]
  const problems = policyProblems(
    policy,
    all.map(({ id }) => id)
  )
  return [
    ...settingsRows,
    ...[...doubts, ...problems].map((detail) => finding("policy", "warning", oneLine(detail, 400)))
  ]
})

const sessionFindings = Effect.gen(function* () {
  const { file } = yield* UserSettings
  const sessions = yield* Effect.forEach(yield* allStatuses(), (session) =>
    Effect.map(continueCommand(Tag.make(session.tag)), (resumeCommand) => ({ session, resumeCommand }))
  )
  return sessions.flatMap(({ resumeCommand, session }): ReadonlyArray<Finding> => {
    const queue = queueFinding(session)
    const found = sessionFinding(session, resumeCommand, file)
    return queue === null ? found : [...found, queue]
  })
})

const placeFindings = Effect.gen(function* () {
  const paths = yield* Paths
  // the disk first: on a full or read-only one no directory can be created or closed
  const check = Effect.andThen(paths.readable, paths.writable).pipe(
    Effect.andThen(paths.ensureBase),
    Effect.match({
      onSuccess: () => finding("files", "ok", paths.state),
      onFailure: ({ mend = "set LEAP_HOME to a folder that you can write to", message }) =>
        finding("files", "broken", message, mend)
    })
  )
  const trial = Effect.scoped((yield* FileLock).acquire(`${paths.state}/doctor.lock`)).pipe(
    // a lock of another doctor proves the same
    Effect.catchIf(isBusy, () => Effect.void),
    Effect.match({
      onSuccess: () => [],
      onFailure: ({ mend, message }) => [finding("locks", "broken", message, mend)]
    })
  )
  const files = yield* check
  return files.state === "ok" ? [files, ...(yield* trial)] : [files]
})

const moveFindings = Effect.gen(function* () {
  const unsettled = yield* (yield* SessionMover).unsettled.pipe(Effect.result)
  if (Result.isFailure(unsettled)) return [finding("moves", "warning", unsettled.failure.message)]
  return unsettled.success.map((session) =>
    finding("moves", "warning", `the move of session ${session} was cut off`, "leap resume")
  )
})

const recordFindings = Effect.gen(function* () {
  const store = yield* RecordStore
  const { settings } = yield* (yield* UserSettings).read
  const checked = yield* Effect.result(store.check)
  if (Result.isFailure(checked)) {
    const { mend, message, reason } = checked.failure
    return [finding("record", reason === "newer" ? "warning" : "broken", message, mend)]
  }
  const off = settings.record === "off" ? ", and nothing is recorded (settings)" : ""
  const health = checked.success
  const found = health === null ? `none yet${off}` : `${store.file}, ${(health.bytes / 1e6).toFixed(1)} MB${off}`
  return [
    finding("record", "ok", found),
    ...(health?.aside ?? []).map((file) =>
      finding("record", "warning", `a damaged one was set aside: ${file}`, `rm ${file}*`)
    )
  ]
})

/** Without the addon no session starts, and nothing else reports it earlier. */
const terminalFindings = Effect.gen(function* () {
  const problem = yield* (yield* PtyAddon).problem
  return problem === null ? [] : [finding("terminal", "broken", problem)]
})

const timeout = "2 seconds"

const hostFigures = Effect.gen(function* () {
  const running = (yield* allStatuses()).filter(runs)
  const perHost = yield* Effect.forEach(
    running,
    ({ tag }) =>
      withHost(Tag.make(tag), (client) => client.Figures()).pipe(
        Effect.timeoutOption(timeout),
        Effect.map(Option.map(({ figures }) => ({ tag, figures }))),
        Effect.catchCause(() => Effect.succeed(Option.none()))
      ),
    { concurrency: 16 }
  )
  return perHost.flatMap(Option.toArray)
})

const colours = { ok: 32, warning: 33, broken: 31, absent: 90 } as const

export const doctor = Command.make(
  "doctor",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const output = yield* Output
    const system = yield* System
    const places = yield* placeFindings
    const findings: ReadonlyArray<Finding> = [
      finding("leap", "ok", `${system.version} on Node ${system.node}`),
      ...(yield* terminalFindings),
      ...places,
      ...(yield* settingsFindings),
      ...(yield* cliFindings),
      ...(yield* sessionFindings),
      // without a usable home each of these would repeat the same error
      ...(places.some(({ state }) => state === "broken") ? [] : yield* moveFindings),
      ...(yield* recordFindings)
    ]
    const hosts = json ? yield* hostFigures : []
    const ready = (yield* (yield* Providers).load(({ bundled, takesCommand }) => !bundled && !takesCommand)).filter(
      ({ id }) => findings.some(({ state, subject }) => subject === id && (state === "ok" || state === "warning"))
    )
    const verdict = verdictOf(
      findings,
      ready.map(({ displayName }) => displayName)
    )
    const absent = findings.filter(({ state }) => state === "absent").map(({ subject }) => subject)
    const columns = output.isTerminal ? yield* output.columns : null
    yield* print(json, { schema: 1, verdict, findings, hosts }, () =>
      [
        ...(columns === null ? [verdict] : wrapWords(verdict, columns)),
        table(
          findings
            .filter(({ state }) => state !== "absent")
            .map((finding) => [
              paint(finding.state, colours[finding.state], output.colour),
              finding.subject,
              finding.mend === null ? finding.detail : `${finding.detail} → ${finding.mend}`
            ]),
          withinColumns(columns)
        ),
        ...(absent.length === 0 ? [] : [`not installed: ${absent.join(", ")}`])
      ].join("\n")
    )
    const broken = findings.filter(({ state }) => state === "broken").map(({ subject }) => subject)
    if (broken.length > 0)
      return yield* fail(
        "failed",
        `${broken.length === 1 ? "1 thing is" : `${broken.length} things are`} broken (${broken.join(", ")}, above)`
      )
  })
).pipe(
  Command.withDescription("What is installed, wired, stale or broken, and the command that mends it"),
  Command.withShortDescription("What is broken, and the command that mends it")
)

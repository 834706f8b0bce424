import { Effect, Option, Result } from "effect"
import { Command } from "effect/cli"
import { defaultFlags } from "../../domain/DefaultFlags.ts"
import { policyProblems } from "../../domain/policy/problems.ts"
import { oneLine, paint, table } from "../../domain/StateLine.ts"
import type { ProviderRecord } from "../../services/CLIProvider.ts"
import { HookInstaller } from "../../services/HookInstaller.ts"
import { Machine } from "../../services/Machine.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { Providers } from "../../services/Providers.ts"
import { SessionMover } from "../../services/SessionMover.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { allStatuses } from "../client.ts"
import { versionOf } from "../clis.ts"
import { fail } from "../exit.ts"
import { hasOwnWiring } from "../hooks.ts"
import { locate } from "../locate.ts"
import { type Finding, wiringFinding } from "../wiring.ts"
import { jsonFlag, print } from "./common.ts"

/** The version, and what to know when it is not the one that leap's rules were made with. */
const versionNote = (version: string | null, checked: string | null): string =>
  version === null ? "" : checked === null || checked === version ? `, version ${version}` : `, version ${version} (leap was checked with ${checked})`

/** What is said of one CLI: its program, its version, and its wiring where that is not told with its base's. */
const cliFinding = Effect.fnUntraced(function*(provider: ProviderRecord) {
  const { command, path } = yield* locate(provider)
  if (Option.isNone(path)) {
    return command.includes("/")
      ? { subject: provider.id, state: "broken", detail: `${command} is no program that can be run`, mend: `leap clis edit ${provider.id} --command PATH` } satisfies Finding
      : { subject: provider.id, state: "absent", detail: "not installed", mend: provider.installHint } satisfies Finding
  }
  const program = `${path.value}${versionNote(yield* versionOf(provider), provider.checkedVersion)}`
  if (provider.base !== provider.id && !(yield* hasOwnWiring(provider))) {
    return { subject: provider.id, state: "ok", detail: `${program}, wired as ${provider.base} is`, mend: null } satisfies Finding
  }
  if (provider.hooks === null) return { subject: provider.id, state: "ok", detail: program, mend: null } satisfies Finding
  return { subject: provider.id, ...wiringFinding(provider, program, yield* (yield* HookInstaller).status(provider)) } satisfies Finding
})

const cliFindings = Effect.gen(function*() {
  const { all } = yield* Providers
  return yield* Effect.forEach(all.filter((provider) => !provider.bundled), cliFinding, { concurrency: 2 })
})

/** What of the user's settings cannot be used, and which rules in it do not do what they seem to. */
const settingsFindings = Effect.gen(function*() {
  const machine = yield* Machine
  const settings = yield* UserSettings
  const { settings: { policy }, warnings } = yield* settings.read
  const { all } = yield* Providers
  const flags = all.flatMap((provider) => defaultFlags(provider.id, provider.flags, machine.env).warning ?? [])
  const said = [...warnings.map((warning) => `${settings.file}: ${warning}`), ...flags]
  const usable: ReadonlyArray<Finding> = said.length === 0
    ? [{ subject: "settings", state: "ok", detail: settings.file, mend: null }]
    : said.map((detail) => ({ subject: "settings", state: "warning", detail, mend: null }))
  // what stands there while the rules are in doubt: it explains why all is asked
  const doubts = warnings.length === 0 ? [] : policy.ask.flatMap(({ reason, ...conditions }) => Object.keys(conditions).length === 0 ? reason ?? [] : [])
  const problems = policyProblems(policy, all.map(({ id }) => id))
  return [...usable, ...[...doubts, ...problems].map((detail): Finding => ({ subject: "policy", state: "warning", detail: oneLine(detail, 400), mend: null }))]
})

const sessionFindings = Effect.gen(function*() {
  const sessions = yield* allStatuses()
  return sessions.flatMap((session): ReadonlyArray<Finding> => {
    const held = session.queue.filter((message) => message.status === "held").length
    const waiting = held === 0 ? "" : `; ${held === 1 ? "1 message is" : `${held} messages are`} held`
    if (session.problem !== null && (session.problem.kind === "crashed" || session.problem.kind === "stuck")) {
      return [{ subject: session.tag, state: "broken", detail: `${session.problem.message}${waiting}`, mend: `leap ${session.tag}` }]
    }
    if (held > 0) {
      const mend = session.state === "exited" ? `leap ${session.tag}` : `leap queue release ${session.tag}`
      return [{ subject: session.tag, state: "warning", detail: `${session.state}${waiting}`, mend }]
    }
    return session.state === "exited" ? [] : [{ subject: session.tag, state: "ok", detail: session.state, mend: null }]
  })
})

const placeFindings = Effect.gen(function*() {
  const paths = yield* Paths
  const check = yield* Effect.exit(paths.ensureBase)
  const state: Finding = check._tag === "Success"
    ? { subject: "files", state: "ok", detail: paths.state, mend: null }
    : { subject: "files", state: "broken", detail: `${paths.state} cannot be used`, mend: `chmod 700 ${paths.state}` }
  return [state]
})

/** Moves of sessions whose mover died: what is left of them lies about until somebody settles it. */
const moveFindings = Effect.gen(function*() {
  const unsettled = yield* (yield* SessionMover).unsettled.pipe(Effect.result)
  if (Result.isFailure(unsettled)) return [{ subject: "moves", state: "warning", detail: unsettled.failure.message, mend: null } satisfies Finding]
  return unsettled.success.map((session): Finding => ({ subject: "moves", state: "warning", detail: `the move of session ${session} was cut off`, mend: "leap resume" }))
})

const colours = { ok: 32, warning: 33, broken: 31, absent: 90 } as const

export const doctor = Command.make("doctor", { json: jsonFlag }, Effect.fn(function*({ json }) {
  const output = yield* Output
  const machine = yield* Machine
  const findings: ReadonlyArray<Finding> = [
    { subject: "leap", state: "ok", detail: `${machine.version} on Node ${machine.node}`, mend: null },
    ...(yield* placeFindings),
    ...(yield* settingsFindings),
    ...(yield* cliFindings),
    ...(yield* sessionFindings),
    ...(yield* moveFindings)
  ]
  yield* print(json, { schema: 1, findings }, () =>
    table(findings.map((finding) => [
      paint(finding.state, colours[finding.state], output.colour),
      finding.subject,
      finding.mend === null ? finding.detail : `${finding.detail} → ${finding.mend}`
    ])))
  if (findings.some((finding) => finding.state === "broken")) return yield* fail("failed", "something is broken: see above")
})).pipe(Command.withDescription("What is installed, wired, stale or broken, and the command that mends it"))

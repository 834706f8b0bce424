import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { paint, table } from "../../domain/StateLine.ts"
import { HookInstaller } from "../../services/HookInstaller.ts"
import { Machine } from "../../services/Machine.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { Providers } from "../../services/Providers.ts"
import { allStatuses } from "../client.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print } from "./common.ts"

/** One finding. `mend`: the command that mends it; null when there is nothing to mend or no command does. */
interface Finding {
  readonly subject: string
  readonly state: "ok" | "warning" | "broken" | "absent"
  readonly detail: string
  readonly mend: string | null
}

const cliFindings = Effect.gen(function*() {
  const machine = yield* Machine
  const installer = yield* HookInstaller
  const { all } = yield* Providers
  return yield* Effect.forEach(all.filter((provider) => !provider.bundled), Effect.fnUntraced(function*(provider) {
    const launch = provider.launch({ args: [], env: machine.env, self: machine.self })
    const path = yield* machine.which(launch.command, machine.env)
    if (Option.isNone(path)) {
      return { subject: provider.id, state: "absent", detail: "not installed", mend: provider.installHint } satisfies Finding
    }
    if (provider.hooks === null) return { subject: provider.id, state: "ok", detail: path.value, mend: null } satisfies Finding
    const wiring = yield* installer.status(provider)
    return wiring.state === "installed"
      ? { subject: provider.id, state: "ok", detail: `${path.value}, wired`, mend: null } satisfies Finding
      : {
        subject: provider.id,
        state: wiring.state === "unreadable" ? "broken" : "warning",
        detail: `${path.value}, ${wiring.state === "missing" ? "not wired" : wiring.state}: ${wiring.detail}`,
        mend: wiring.state === "unreadable" ? null : `leap hooks install --cli ${provider.id}`
      } satisfies Finding
  }))
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

const colours = { ok: 32, warning: 33, broken: 31, absent: 90 } as const

export const doctor = Command.make("doctor", { json: jsonFlag }, Effect.fn(function*({ json }) {
  const output = yield* Output
  const machine = yield* Machine
  const findings: ReadonlyArray<Finding> = [
    { subject: "leap", state: "ok", detail: `${machine.version} on Node ${machine.node}`, mend: null },
    ...(yield* placeFindings),
    ...(yield* cliFindings),
    ...(yield* sessionFindings)
  ]
  yield* print(json, { schema: 1, findings }, () =>
    table(findings.map((finding) => [
      paint(finding.state, colours[finding.state], output.colour),
      finding.subject,
      finding.mend === null ? finding.detail : `${finding.detail} → ${finding.mend}`
    ])))
  if (findings.some((finding) => finding.state === "broken")) return yield* fail("failed", "something is broken: see above")
})).pipe(Command.withDescription("What is installed, wired, stale or broken, and the command that mends it"))

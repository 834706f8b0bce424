import { Clock, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { checkedEdit } from "../../domain/store/settings/checkedEdit.ts"
import { removeIn, setIn } from "../../domain/store/settings/editSettings.ts"
import { hostProblem } from "../../domain/store/settings/HostSettings.ts"
import type { RemoteHost } from "../../domain/words/session/RemoteHost.ts"
import { runs } from "../../domain/words/session/states.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { Output } from "../../services/Output.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { hostNamed, knownHosts } from "../client/hostNamed.ts"
import { hostSessions } from "../client/followHosts.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print, textFlag, wordArgument } from "./shared/common.ts"
import { serveHosts } from "./shared/serveHosts.ts"

const nameArgument = wordArgument("name", "The name that leap knows the machine by")

const rows = Effect.fn("hosts.list")(function* (json: boolean) {
  const hosts = yield* knownHosts
  yield* print(json, { schema: 1, hosts }, () =>
    hosts.length === 0
      ? ""
      : table([
          ["HOST", "DESTINATION", "LEAP"],
          ...hosts.map(({ destination, leap, name }) => [name, destination, leap])
        ])
  )
  if (hosts.length === 0 && !json)
    yield* (yield* Output).note(
      "there is no other machine; 'leap hosts add NAME DESTINATION' adds one that ssh reaches"
    )
})

const list = Command.make("list", { json: jsonFlag }, ({ json }) => rows(json)).pipe(
  Command.withDescription("The machines that are known")
)

const add = Command.make(
  "add",
  {
    name: nameArgument,
    destination: wordArgument("destination", "As ssh takes it: me@box, or a name of ~/.ssh/config"),
    leap: textFlag("leap", "Its leap, where the PATH of ssh's commands has none: a path from / or ~")
  },
  Effect.fn(function* ({ destination, leap, name }) {
    const host = { destination, ...(Option.isSome(leap) ? { leap: leap.value } : {}) }
    const problem = hostProblem(name, host)
    if (problem !== null) return yield* fail("usage", problem)
    yield* (yield* UserSettings).change(checkedEdit(setIn(["hosts", name], host), []))
    yield* (yield* Output).note(`${name} is ${destination} now; 'leap hosts test ${name}' tries it`)
  })
).pipe(Command.withDescription("Add a machine, or change one: its sessions are in leap monitor from then on"))

const remove = Command.make(
  "remove",
  { name: nameArgument },
  Effect.fn(function* ({ name }) {
    yield* hostNamed(name)
    yield* (yield* UserSettings).change(checkedEdit(removeIn(["hosts", name]), []))
    yield* (yield* Output).note(`${name} is forgotten here; its sessions go on`)
  })
).pipe(Command.withDescription("Forget a machine; nothing on it changes"))

const tried = Effect.fnUntraced(function* (host: RemoteHost) {
  const began = yield* Clock.currentTimeMillis
  const found = yield* Effect.result(hostSessions(host))
  const ms = (yield* Clock.currentTimeMillis) - began
  const { name } = host
  if (found._tag === "Failure")
    return { name, reached: false, why: found.failure.message, sessions: null, running: null, ms }
  const running = found.success.filter(({ status }) => runs(status)).length
  return { name, reached: true, why: null, sessions: found.success.length, running, ms }
})

const test = Command.make(
  "test",
  { names: nameArgument.pipe(Argument.variadic()), json: jsonFlag },
  Effect.fn(function* ({ json, names }) {
    const hosts = names.length === 0 ? yield* knownHosts : yield* Effect.forEach(names, hostNamed)
    if (hosts.length === 0)
      return yield* fail("notFound", "there is no other machine to try; 'leap hosts add' adds one")
    const found = yield* Effect.forEach(hosts, tried, { concurrency: 8 })
    yield* print(json, { schema: 1, hosts: found }, () =>
      found
        .map(({ ms, name, running, sessions, why }) =>
          why === null
            ? `${name}: reached in ${(ms / 1_000).toFixed(1)} s; ${sessions} sessions, ${running} of them running`
            : `${name}: ${why}`
        )
        .join("\n")
    )
    const lost = found.filter(({ reached }) => !reached).map(({ name }) => name)
    if (lost.length > 0) return yield* fail("failed", `not reached: ${lost.join(", ")}`)
  })
).pipe(Command.withDescription("Try whether each machine is reached, and has a leap that answers"))

const serve = Command.make("serve", {}, () => serveHosts).pipe(
  Command.withDescription(
    "What leap on another machine runs here, over ssh: speaks its protocol on the standard streams"
  )
)

export const hosts = Command.make("hosts", { json: jsonFlag }, ({ json }) => rows(json)).pipe(
  Command.withDescription(
    "Other machines, by ssh: 'leap --host NAME …' runs leap there, and leap monitor shows their sessions with these"
  ),
  Command.withShortDescription("Other machines whose sessions you see and use from here"),
  Command.withSubcommands([list, add, remove, test, serve])
)

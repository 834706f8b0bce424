// Hosts that are none: `node scripts/bench/simulatedHosts.ts LEAP_HOME SESSIONS CHANGES` serves so many sessions there,
// each with so many changes a second, until it is killed. A process of its own, so that it waits for nothing that it is
// looked at with.
import { Effect, Schedule, Stream } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { SessionStatus } from "../../src/domain/words/session/Session.ts"
import * as ControlSocketUnix from "../../src/layers/control/ControlSocketUnix.ts"
import { AttachChannel } from "../../src/services/AttachChannel.ts"
import { ControlSocket } from "../../src/services/ControlSocket.ts"
import { protocolVersion } from "../../src/services/HostProtocol.ts"
import { HostRpc } from "../../src/services/HostRpc.ts"
import { sessionStatus } from "../../test/support/data/sessionStatus.ts"

const [home = "", sessions = "0", changes = "0"] = process.argv.slice(2)
const states = ["running", "idle", "needs_permission", "running", "churning"] as const

/** Its message says when it was made: whoever shows it can tell how long that took. */
const statusOf = (tag: string, step: number): SessionStatus =>
  sessionStatus({
    tag,
    // one of a session's changes in ten is one of its state
    state: states[(Math.floor(step / 10) + tag.length) % states.length] ?? "idle",
    reason: `step ${step}`,
    since: new Date(Date.now() - step * 100).toISOString(),
    message: `at ${Date.now()}`,
    context: { usedTokens: step * 10, window: 200_000, percent: step % 100 },
    cost: { usd: step / 100, estimated: false },
    lastMessage: "then run the tests",
    lastResponse: `Answer number ${step}. `.repeat(20)
  })

const serve = (tag: string, socket: string) => {
  const changing = Stream.fromSchedule(Schedule.spaced(1000 / Number(changes))).pipe(
    Stream.map((step) => statusOf(tag, step))
  )
  const refused = Object.fromEntries([...HostRpc.requests.keys()].map((name) => [name, () => Effect.never]))
  const handlers = HostRpc.toLayer({
    ...refused,
    Hello: () =>
      Effect.succeed({ protocol: protocolVersion, version: "bench", tag, hostPid: process.pid, ended: false }),
    Watch: () => changing,
    Screen: () => Effect.succeed({ text: "a screen\n".repeat(20), cols: 80, rows: 24 }),
    Record: () => Stream.never
    // who looks at all sessions asks for no more than these
  } as unknown as Parameters<typeof HostRpc.toLayer>[0])
  return Effect.flatMap(ControlSocket, (sockets) => sockets.serve(socket)).pipe(
    Effect.provide(handlers as never),
    // nobody attaches
    Effect.provideService(AttachChannel, { serve: () => Effect.void })
  )
}

const tags = Array.from({ length: Number(sessions) }, (_, i) => `session-${i}`)
for (const tag of tags) {
  mkdirSync(join(home, "sessions", tag), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, "sessions", tag, "status.json"), JSON.stringify({ schema: 1, session: statusOf(tag, 0) }))
}
await Effect.runPromise(
  Effect.forEach(tags, (tag) => serve(tag, join(home, "sessions", tag, "host.sock")), { discard: true }).pipe(
    Effect.andThen(Effect.sync(() => process.stdout.write("ready\n"))),
    Effect.andThen(Effect.never),
    Effect.scoped,
    Effect.provide(ControlSocketUnix.layer)
  ) as Effect.Effect<never>
)

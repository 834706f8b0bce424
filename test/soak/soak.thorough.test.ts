import { assert, describe, it } from "@effect/vitest"
import { Effect, Semaphore } from "effect"
import * as fs from "node:fs"
import type { SessionStatus } from "../../src/domain/words/session/Session.ts"
import { randomBy } from "../support/policy/shellLines.ts"
import { alive, eventually, kill } from "../support/processes/Room.ts"
import { windows } from "../support/processes/Window.ts"
import { seedNumber } from "../support/run/seed.ts"
import { editor, fill, flood, makeSoaked, sender, type Soaked, troublemaker } from "./actors.ts"
import { growth, growthOverRounds, type Held } from "./growth.ts"
import { judge, tally } from "./ledger.ts"
import { comeToRest, disagreements, leftovers, strayFiles } from "./rest.ts"
import { visitor, watcher } from "./viewers.ts"
import { makeSoakRoom, openFiles, type SoakRoom } from "./soakRoom.ts"

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)

const seed = seedNumber
const sessions = number("LEAP_SOAK_SESSIONS", 50)
const seconds = number("LEAP_SOAK_SECONDS", 600)
const restSeconds = 120
/** The first of them brings what a host loads and sets aside for a flood; no other may add to that. */
const floodRounds = 5

/** All that acts at once, for so long. */
const act = Effect.fnUntraced(function* (room: SoakRoom, all: ReadonlyArray<Soaked>, span: number, round: number) {
  const busy = yield* Semaphore.make(Math.max(2, Math.ceil(sessions / 8)))
  const people = Math.max(2, Math.ceil(sessions / 6))
  const actors = [
    ...all.flatMap((session) => [
      sender(room, session, "a"),
      sender(room, session, "b"),
      editor(room, session),
      troublemaker(room, session, busy)
    ]),
    ...Array.from({ length: people }, (_, n) => visitor(room, all, randomBy(seed + round * 100 + n), `${round}-${n}`)),
    ...Array.from({ length: people }, (_, n) => watcher(room, all, randomBy(seed + round * 100 + 50 + n)))
  ]
  yield* Effect.all(actors, { concurrency: "unbounded" }).pipe(Effect.timeoutOption(`${span} seconds`))
})

/** Waits until all rest; gives their statuses, and what is wrong now that nothing goes on. */
const rest = Effect.fn("rest")(function* (room: SoakRoom, all: ReadonlyArray<Soaked>) {
  const restless = yield* Effect.forEach(all, ({ tag }) => comeToRest(room, tag, restSeconds), { concurrency: 8 })
  const found = restless.flatMap((why) => (why === null ? [] : [why]))
  // hook files and viewers that are about to go
  yield* Effect.sleep("2 seconds")
  const statuses: Array<SessionStatus> = []
  for (const { tag } of all) {
    const status = yield* room.status(tag)
    if (status === null) found.push(`${tag}: its host does not answer`)
    else statuses.push(status)
    if (status !== null && status.attached !== 0) found.push(`${tag}: ${status.attached} viewers are attached still`)
  }
  if (found.length === 0) found.push(...(yield* disagreements(room, statuses)))
  found.push(...(yield* leftovers(room, statuses)))
  found.push(
    ...strayFiles(
      room,
      all.map(({ tag }) => tag)
    )
  )
  return { statuses, found }
})

/** What the hosts hold that have lived all the time, by tag. */
const holds = Effect.fn("holds")(function* (
  room: SoakRoom,
  all: ReadonlyArray<Soaked>,
  statuses: ReadonlyArray<SessionStatus>
) {
  const held = new Map<string, Held & { readonly hostPid: number | null }>()
  for (const status of statuses) {
    if (all.some(({ isKept, tag }) => isKept && tag === status.tag))
      held.set(status.tag, { ...(yield* room.measure(status)), hostPid: status.hostPid })
  }
  return held
})

/** The same much output again and again; what hosts hold after each time, and what is wrong then. */
const floods = Effect.fn("floods")(function* (room: SoakRoom, all: ReadonlyArray<Soaked>) {
  const rounds: Array<ReadonlyMap<string, Held>> = []
  const found: Array<string> = []
  let statuses: ReadonlyArray<SessionStatus> = []
  for (let round = 0; round < floodRounds; round++) {
    const kept = all.filter(({ isKept }) => isKept)
    yield* Effect.forEach(kept, (session) => flood(room, session, round), { concurrency: 4 })
    const over = yield* rest(room, all)
    found.push(...over.found)
    statuses = over.statuses
    rounds.push(yield* holds(room, all, statuses))
  }
  return { rounds, statuses, found }
})

/** Ends each session in another way; what is wrong with what is told of that, and what stays. */
const endAll = Effect.fn("endAll")(function* (room: SoakRoom, statuses: ReadonlyArray<SessionStatus>) {
  const wanted = new Map<string, string>()
  yield* Effect.forEach(
    statuses,
    ({ hostPid, pid, tag }, n) =>
      Effect.gen(function* () {
        const how = ["stop", "cli", "host"][n % 3]!
        if (how === "stop") yield* room.call(tag, (client) => client.Stop({ force: false }))
        else kill((how === "cli" ? pid : hostPid)!)
        const exit =
          how === "stop" ? { code: 0, signal: null } : how === "cli" ? { code: null, signal: "SIGKILL" } : null
        wanted.set(tag, JSON.stringify(["exited", exit, how === "host" ? "crashed" : null]))
        yield* eventually(() => !alive(hostPid!) && !alive(pid!), `${tag}: host and CLI are gone (${how})`)
      }),
    { concurrency: 8 }
  )
  const { stdout } = yield* room.leap(["status", "--json"])
  const said = (JSON.parse(stdout) as { readonly sessions: ReadonlyArray<SessionStatus> }).sessions
  const found = said.flatMap(({ exit, problem, state, tag }) => {
    const is = JSON.stringify([state, exit, problem?.kind ?? null])
    return is === wanted.get(tag) ? [] : [`${tag}: ended as ${wanted.get(tag)}, leap status says ${is}`]
  })
  const sockets = statuses.flatMap(({ tag }, n) =>
    n % 3 !== 2 && fs.existsSync(`${room.session(tag)}/host.sock`) ? [`${tag}: its socket was left`] : []
  )
  return [...found, ...sockets, ...(yield* leftovers(room, []))]
})

describe.runIf(fs.existsSync("/proc/self/environ"))("many sessions, for long", () => {
  it.live(
    `${sessions} sessions, ${seconds} s of kills, stalls, floods, viewers, messages (seed ${seed}): nothing lost, doubled or left`,
    () =>
      Effect.gen(function* () {
        const room = yield* makeSoakRoom()
        const all = Array.from({ length: sessions }, (_, n) => makeSoaked(seed, n))
        yield* Effect.forEach(all, ({ tag }) => room.start(tag), { concurrency: 4 })
        yield* Effect.forEach(all, (session) => fill(room, session), { concurrency: 4 })
        yield* act(room, all, seconds * 0.25, 1)
        const warm = yield* rest(room, all)
        const before = yield* holds(room, all, warm.statuses)
        const ownBefore = openFiles("self").length
        yield* act(room, all, seconds * 0.75, 2)
        const over = yield* rest(room, all)
        const after = yield* holds(room, all, over.statuses)
        const grown = growth(before, after)
        const calm = yield* floods(room, all)
        const flooded = growthOverRounds(calm.rounds)
        const own = openFiles("self").length - ownBefore
        const last = yield* endAll(room, calm.statuses)
        const lost = judge(room.ledger, new Map(all.map(({ tag }) => [tag, room.heard(tag)])))
        const found = [
          ...new Set([...warm.found, ...over.found, ...lost, ...grown.found, ...calm.found, ...flooded.found, ...last]),
          ...(own > 5 ? [`the clients' process has ${own} more files open than before`] : [])
        ]
        const counts = Object.entries(tally(room.ledger)).map(([what, count]) => `${what} ${count}`)
        console.log(`soak, seed ${seed}: ${counts.join(", ")}\n${grown.line}\n${flooded.line}`)
        const file = process.env["LEAP_SOAK_LEDGER"]
        if (file !== undefined) fs.writeFileSync(file, room.ledger.map((entry) => JSON.stringify(entry)).join("\n"))
        assert.deepStrictEqual(found, [], `LEAP_SEED=${seed}`)
      }).pipe(Effect.scoped, Effect.provide([...windows])),
    (seconds + (4 + floodRounds) * restSeconds + sessions * 10) * 1000
  )
})

import { Clock, Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type { SessionStatus } from "../../src/domain/words/session/Session.ts"
import { processesOf, type SoakRoom } from "./soakRoom.ts"

const ended: ReadonlySet<string> = new Set(["done", "failed", "removed"])

/** One step towards rest: what a person would do who comes back to this session. True when nothing is left to do. */
const step = Effect.fn("step")(function* (room: SoakRoom, tag: string, status: SessionStatus | null) {
  if (status === null) return void (yield* room.start(tag))
  if (status.question !== null && status.question !== undefined) {
    yield* room.call(tag, (client) => client.Answer({ answer: "1" }))
    return false
  }
  const queue = (yield* room.audit(tag)) ?? []
  const isAtRest = status.state === "idle" || status.state === "interrupted"
  const open = queue.filter((message) => !ended.has(message.status))
  if (isAtRest && status.ready && open.some((message) => message.status === "held")) yield* room.release(tag)
  const next = open.find((message) => message.status === "queued")
  if (status.state === "interrupted" && next !== undefined) {
    room.act(tag, `force ${next.id}`)
    yield* room.call(tag, (client) => client.QueueForce({ id: next.id }))
  }
  // what somebody typed, and a dialog or an interrupt left in the box
  const draft = isAtRest && !status.ready ? yield* room.call(tag, (client) => client.Draft()) : null
  // leap says of text that it cannot tell from the user's, and leaves, that it did
  const isLeft = open.some(({ status, why }) => status === "held" && why?.includes("left in the box") === true)
  if (typeof draft?.value?.text === "string" || (isAtRest && !status.ready && isLeft)) {
    const { came } = yield* room.call(tag, (client) => client.Keys({ keys: ["C-u"], force: false }))
    room.act(tag, `clear-box ${came}`)
  }
  return isAtRest && open.length === 0 && (status.ready || status.state === "interrupted")
})

/** Waits, bounded, until a session rests with nothing open; what it was like, if it never did. */
export const comeToRest = Effect.fn("comeToRest")(function* (room: SoakRoom, tag: string, seconds: number) {
  const until = (yield* Clock.currentTimeMillis) + seconds * 1000
  for (;;) {
    const status = yield* room.status(tag)
    if ((yield* step(room, tag, status)) === true) return null
    if ((yield* Clock.currentTimeMillis) > until) {
      const { queue = [], reason = "no host", state = "?" } = status ?? {}
      const open = queue
        .filter((message) => !ended.has(message.status))
        .map(({ id, status, why }) => ({ id, status, why }))
      const screen = yield* room.call(tag, (client) => client.Screen())
      return `${tag}: never came to rest: ${state} (${reason}); open: ${JSON.stringify(open)}; its screen:\n${screen.value?.text}`
    }
    yield* Effect.sleep("250 millis")
  }
})

/** `leap status` of all, against what each host says itself. */
export const disagreements = Effect.fn("disagreements")(function* (
  room: SoakRoom,
  statuses: ReadonlyArray<SessionStatus>
) {
  const { stdout } = yield* room.leap(["status", "--json"])
  const { sessions } = JSON.parse(stdout) as { readonly sessions: ReadonlyArray<SessionStatus> }
  // what is over is shown for a while only
  const view = ({ attached, hostPid, pid, queue, ready, state, tag }: SessionStatus) => {
    const open = queue.filter((message) => !ended.has(message.status)).map(({ id, status }) => [id, status])
    return JSON.stringify({ tag, state, ready, pid, hostPid, attached, open })
  }
  const said = new Map(sessions.map((status) => [status.tag, view(status)]))
  return statuses
    .filter((own) => said.get(own.tag) !== view(own))
    .map((own) => `${own.tag}: its host says ${view(own)}, leap status ${said.get(own.tag)}`)
})

/** Processes of the room that are neither hosts nor their CLIs; some may be about to go. */
export const leftovers = Effect.fn("leftovers")(function* (room: SoakRoom, statuses: ReadonlyArray<SessionStatus>) {
  const own = new Set(statuses.flatMap(({ hostPid, pid }) => [hostPid, pid]))
  for (let tries = 0; ; tries++) {
    const left = processesOf(room.home).filter(({ pid }) => !own.has(pid))
    if (left.length === 0 || tries === 100)
      return left.map(({ command, pid }) => `left over: process ${pid}: ${command}`)
    yield* Effect.sleep("100 millis")
  }
})

const known =
  /^(host\.sock|lock|queue\.ndjson|status\.json|modes\.json|audit\.ndjson(\.old)?|audit\.1\.ndjson|entries\.json|drafts\.json|screen\.txt|host\.log(\.old)?|host\.(ssh|way|xau|bus)|left-messages\.json)$/

/** Files that nobody needs any more: hook files that were never read, temporary ones, all that is not documented. */
export const strayFiles = (room: SoakRoom, tags: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...fs
    .readdirSync(room.tmp)
    // the cache of compiled code that Node keeps
    .filter((name) => name !== "node-compile-cache")
    .map((name) => `left over: ${path.join(room.tmp, name)}`),
  ...tags.flatMap((tag) => {
    const dir = room.session(tag)
    const spool = path.join(dir, "spool")
    return [
      ...fs.readdirSync(dir).filter((name) => name !== "spool" && !known.test(name)),
      ...(fs.existsSync(spool)
        ? fs
            .readdirSync(spool)
            .filter((name) => name !== "bell")
            .map((name) => path.join("spool", name))
        : [])
    ].map((name) => `${tag}: left over: ${name}`)
  })
]

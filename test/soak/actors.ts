import { Clock, Effect, Exit, Option, Schedule, Semaphore, Stream } from "effect"
import * as fs from "node:fs"
import { randomBy } from "../support/policy/shellLines.ts"
import { alive, eventually, kill } from "../support/processes/Room.ts"
import { openWindow } from "../support/processes/Window.ts"
import type { SoakRoom } from "./soakRoom.ts"

type Random = ReturnType<typeof randomBy>

/** One session as its actors know it. */
export interface Soaked {
  readonly tag: string
  /** Neither its host nor its CLI is killed: it shows what grows. */
  readonly isKept: boolean
  readonly random: Random
  /** Who holds it kills, stalls, starts or interrupts; one at a time. */
  readonly trouble: Semaphore.Semaphore
  /** Messages that wait, as far as is known. */
  waiting: number
  /** The last number in a message's name. */
  count: number
}

export const makeSoaked = (seed: number, n: number): Soaked => ({
  tag: `s${String(n).padStart(2, "0")}`,
  isKept: n % 4 === 0,
  random: randomBy(seed * 1000 + n),
  trouble: Semaphore.makeUnsafe(1),
  waiting: 0,
  count: 0
})

/** A number of milliseconds between two. */
const pause = (random: Random, from: number, to: number) => Effect.sleep(from + random.below(to - from))

/** What a message makes the demo CLI do, in about these shares. */
const flavours = [
  ...Array.from({ length: 8 }, () => ""),
  "tool 1",
  "please write a file",
  "ask me",
  "a long one",
  "flood 300",
  "flood 3000",
  "fail",
  "background 2",
  "and a second line\nwith “quotes”, 日本語 and $HOME `x`"
]

/** A client that sends all the time; now and then twice under one id, on two connections at once. */
export const sender = Effect.fn("sender")(function* (room: SoakRoom, session: Soaked, by: string) {
  const { random, tag } = session
  for (;;) {
    yield* pause(random, 1000, 12_000)
    if (session.waiting > 6) continue
    const id = `${tag}-${by}-${String(++session.count).padStart(4, "0")}`
    const text = `${id} ${random.pick(flavours)}`.trim()
    const front = random.below(8) === 0
    const send = Effect.gen(function* () {
      const { came } = yield* room.call(tag, (client) => client.Send({ id, text, images: [], front, force: false }))
      room.note({ tag, do: "send", id, text, by, came })
      return came
    })
    const [came] = yield* Effect.all(random.below(4) === 0 ? [send, send] : [send], { concurrency: 2 })
    // an answer that was lost: sent again under its id, as `leap send` does
    if (came === "unknown")
      yield* send.pipe(
        Effect.filterOrFail((again) => again === "done" || again === "refused"),
        Effect.retry(Schedule.max([Schedule.spaced("2 seconds"), Schedule.recurs(5)])),
        Effect.ignore
      )
  }
})

/** Fills what a host remembers of the output, so that it grows no more by it: its bound is four million characters. */
export const fill = Effect.fn("fill")(function* (room: SoakRoom, { isKept, tag }: Soaked) {
  if (!isKept) return
  const message = { id: `${tag}-fill`, text: `${tag}-fill flood 6000`, images: [], front: false, force: false }
  const { came } = yield* room.call(tag, (client) => client.Send(message))
  room.note({ tag, do: "send", id: message.id, text: message.text, by: "fill", came })
})

/** A client that looks, answers dialogs, and changes what waits. */
export const editor = Effect.fn("editor")(function* (room: SoakRoom, session: Soaked) {
  const { random, tag } = session
  for (;;) {
    yield* pause(random, 1000, 6000)
    const status = yield* room.status(tag)
    if (status?.question !== undefined && status.question !== null && random.below(3) > 0) {
      const { question } = status
      const answer = random.pick(["1", "2"])
      const { came } = yield* room.call(tag, (client) => client.Answer({ answer, question }))
      room.act(tag, `answer ${answer} ${came}`)
    }
    const queue = (yield* room.audit(tag)) ?? []
    session.waiting = queue.length
    const waits = queue.filter(({ status }) => status === "queued")
    if (waits.length === 0) continue
    const { id, text } = random.pick(waits)
    switch (random.below(6)) {
      case 0: {
        const changed = `${text} (changed)`
        const { came } = yield* room.call(tag, (client) => client.QueueEdit({ id, text: changed }))
        room.note({ tag, do: "edit", id, text: changed, came })
        break
      }
      case 1: {
        const { came } = yield* room.call(tag, (client) => client.QueueRemove({ id }))
        room.note({ tag, do: "remove", id, heard: false, came })
        break
      }
      case 2:
        yield* room.call(tag, (client) => client.QueueMove({ id, position: 1 + random.below(3) }))
        room.act(tag, `move ${id}`)
        break
      case 3:
        yield* room.call(tag, (client) => client.QueueHold({ id }))
        yield* pause(random, 10, 500)
        yield* room.call(tag, (client) => client.QueueRelease({ id }))
        room.act(tag, `hold ${id}`)
    }
  }
})

/** Stops a process, and lets it go on, whatever happens. */
const stall = (random: Random, pid: number, most: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => kill(pid, "SIGSTOP")),
    () => pause(random, 300, most),
    () => Effect.sync(() => kill(pid, "SIGCONT"))
  )

/** Starts it until it is there; a machine under load may need more than one go. */
const again = (room: SoakRoom, tag: string) =>
  room.start(tag).pipe(
    Effect.filterOrFail((started) => started),
    Effect.retry(Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(5)])),
    Effect.ignore
  )

/** Makes trouble for one session, once: kills, stalls, an end, an interrupt. */
const trouble = Effect.fn("trouble")(function* (room: SoakRoom, { isKept, random, tag }: Soaked) {
  const status = yield* room.status(tag)
  if (status === null || status.hostPid === null || status.pid === null) return yield* again(room, tag)
  const { hostPid, pid } = status
  switch (random.below(isKept ? 3 : 7)) {
    case 0:
      room.act(tag, `stall-cli ${pid}`)
      return yield* stall(random, pid, 6000)
    case 1:
      room.act(tag, `stall-host ${hostPid}`)
      return yield* stall(random, hostPid, 8000)
    case 2: {
      const { came } = yield* room.call(tag, (client) => client.Interrupt())
      room.act(tag, `interrupt ${came}`)
      yield* pause(random, 300, 2000)
      const next = ((yield* room.audit(tag)) ?? []).find((message) => message.status === "queued")
      if ((yield* room.status(tag))?.state !== "interrupted" || next === undefined) return
      room.act(tag, `force ${next.id}`)
      return void (yield* room.call(tag, (client) => client.QueueForce({ id: next.id })))
    }
    case 3: {
      const { came } = yield* room.call(tag, (client) => client.Stop({ force: random.below(2) === 0 }))
      room.act(tag, `stop ${came}`)
      break
    }
    case 4:
      room.act(tag, `kill-cli ${pid}`)
      kill(pid)
      break
    default:
      room.act(tag, `kill-host ${hostPid}`)
      kill(hostPid)
  }
  yield* Effect.exit(eventually(() => !alive(hostPid), `${tag}: its host is gone`)).pipe(
    Effect.tap((gone) => Effect.sync(() => Exit.isFailure(gone) && room.act(tag, `host-stays ${hostPid}`)))
  )
  yield* again(room, tag)
})

/** Makes trouble again and again. `busy`: how many sessions may be in trouble at once. */
export const troublemaker = Effect.fn("troublemaker")(function* (
  room: SoakRoom,
  session: Soaked,
  busy: Semaphore.Semaphore
) {
  for (;;) {
    yield* pause(session.random, 3000, 40_000)
    yield* trouble(room, session).pipe(session.trouble.withPermits(1), busy.withPermits(1))
  }
})

/** What the system says of a process. */
const stateOf = (pid: number): string => {
  try {
    return /^State:\s*(.*)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "?"
  } catch {
    return "gone"
  }
}

/** A person's terminal: comes, resizes, types, stalls, and leaves in one of three ways. */
const visit = Effect.fn("visit")(function* (room: SoakRoom, session: Soaked, random: Random, name: string) {
  const { tag } = session
  const size = { cols: 30 + random.below(150), rows: 8 + random.below(50) }
  const window = yield* openWindow(room, ["attach", tag, ...(random.below(4) === 0 ? ["--read-only"] : [])], size)
  room.act(tag, `attach ${size.cols}x${size.rows}`)
  yield* pause(random, 500, 3000)
  for (let n = random.below(5); n > 0; n--) {
    switch (random.below(4)) {
      case 0:
        yield* window.resize(30 + random.below(150), 8 + random.below(50))
        break
      case 1:
        room.act(tag, `stall-viewer ${window.pid}`)
        yield* stall(random, window.pid, 5000)
        break
      case 2:
        for (let i = 0; i < 30; i++) yield* window.resize(60 + i, 20 + (i % 9))
        break
      case 3: {
        if ((yield* room.status(tag))?.ready !== true) break
        const text = `typed ${name}${random.below(1_000_000)}`
        room.note({ tag, do: "type", text })
        yield* window.type(`${text}\r`)
      }
    }
    yield* pause(random, 200, 2000)
  }
  const how = random.pick(["detach", "hang-up", "kill-viewer"])
  room.act(tag, `${how} ${window.pid}`)
  if (how === "detach") yield* window.type("\x1c")
  else kill(window.pid, how === "hang-up" ? "SIGHUP" : "SIGKILL")
  const left = yield* Effect.timeoutOption(window.exit, "30 seconds")
  if (Option.isNone(left) && how !== "detach")
    room.act(
      tag,
      `viewer-stays ${window.pid} ${how} ${stateOf(window.pid)} ${JSON.stringify(window.screen().trim().slice(-300))}`
    )
})

/** Somebody who attaches to one session after the other. */
export const visitor = Effect.fn("visitor")(function* (
  room: SoakRoom,
  sessions: ReadonlyArray<Soaked>,
  random: Random,
  name: string
) {
  for (let n = 0; ; n++) {
    // a session in trouble may have no host to attach to
    yield* Effect.exit(Effect.scoped(visit(room, random.pick(sessions), random, `${name}-${n}-`)))
    yield* pause(random, 100, 2000)
  }
})

/** A program that attaches and watches through the library, one session after the other, and takes little of it. */
export const watcher = Effect.fn("watcher")(function* (
  room: SoakRoom,
  sessions: ReadonlyArray<Soaked>,
  random: Random
) {
  for (;;) {
    const { tag } = random.pick(sessions)
    const viewer = `w${random.below(1e9)}`
    const size = { cols: 40 + random.below(100), rows: 10 + random.below(40) }
    const [patience, wait] = [`${500 + random.below(5000)} millis` as const, random.below(50)]
    const before = yield* Clock.currentTimeMillis
    yield* room.call(tag, (client) =>
      Effect.all(
        [
          client
            .Attach({ viewer, ...size, readOnly: true, programStatus: false })
            .pipe(Stream.runForEach(() => Effect.sleep(wait))),
          client.Watch().pipe(Stream.runDrain)
        ],
        { concurrency: 2 }
      ).pipe(Effect.timeoutOption(patience))
    )
    room.act(tag, `watch ${(yield* Clock.currentTimeMillis) - before}`)
    yield* pause(random, 50, 1000)
  }
})

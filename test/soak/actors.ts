import { Effect, Exit, Schedule, Semaphore, Stream } from "effect"
import { randomBy } from "../support/policy/shellLines.ts"
import { alive, eventually, kill } from "../support/processes/Room.ts"
import type { SoakRoom } from "./soakRoom.ts"

export type Random = ReturnType<typeof randomBy>

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
export const pause = (random: Random, from: number, to: number) => Effect.sleep(from + random.below(to - from))

/** What a message makes the demo CLI do, in about these shares. */
const flavours = [
  ...Array.from({ length: 8 }, () => ""),
  "tool 1",
  "please write a file",
  "ask me",
  "a long one",
  "flood 300",
  "flood 3000",
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
    const send = room
      .noted(
        room.call(tag, (client) => client.Send({ id, text, images: [], front, force: false })),
        (came) => ({ tag, do: "send", id, text, by, came })
      )
      .pipe(Effect.map(({ came }) => came))
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

/** Lets the CLI of a session that is kept write as much as fills what its host remembers of the output, and more. */
export const fill = Effect.fn("fill")(function* (room: SoakRoom, { isKept, tag }: Soaked, name = "fill") {
  if (!isKept) return
  const message = { id: `${tag}-${name}`, text: `${tag}-${name} flood 6000`, images: [], front: false, force: false }
  const { came } = yield* room.call(tag, (client) => client.Send(message))
  room.note({ tag, do: "send", id: message.id, text: message.text, by: "fill", came })
})

/** What is done to each session that is kept, alike in each round: much output, seen by who comes and goes. */
export const flood = Effect.fn("flood")(function* (room: SoakRoom, session: Soaked, round: number) {
  const viewer = `flood-${round}`
  const seen = room.call(session.tag, (client) =>
    Effect.all(
      [
        client
          .Attach({ viewer, cols: 90, rows: 28, readOnly: true, programStatus: false })
          .pipe(Stream.runForEach(() => Effect.sleep("5 millis"))),
        client.Watch().pipe(Stream.runDrain)
      ],
      { concurrency: 2 }
    ).pipe(Effect.timeoutOption("3 seconds"))
  )
  yield* Effect.all([seen, fill(room, session, viewer)], { concurrency: 2 })
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
        yield* room.noted(
          room.call(tag, (client) => client.QueueEdit({ id, text: changed })),
          (came) => ({ tag, do: "edit", id, text: changed, came })
        )
        break
      }
      case 1: {
        yield* room.noted(
          room.call(tag, (client) => client.QueueRemove({ id })),
          (came) => ({ tag, do: "remove", id, heard: false, came })
        )
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
export const stall = (random: Random, pid: number, most: number) =>
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
  switch (random.below(isKept ? 4 : 8)) {
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
      const span = 300 + random.below(6000)
      room.act(tag, `busy-cli ${pid} ${span}`)
      room.busy(pid, span)
      return yield* Effect.sleep(span)
    }
    case 4: {
      const { came } = yield* room.call(tag, (client) => client.Stop({ force: random.below(2) === 0 }))
      room.act(tag, `stop ${came}`)
      break
    }
    case 5:
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

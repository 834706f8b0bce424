import { Clock, Effect, Exit, Stream } from "effect"
import * as fs from "node:fs"
import { spawn } from "node-pty"
import { alive, eventually, kill } from "../support/processes/Room.ts"
import { openWindow } from "../support/processes/Window.ts"
import { pause, type Random, type Soaked, stall } from "./actors.ts"
import { viewerStays } from "./ledger.ts"
import type { SoakRoom } from "./soakRoom.ts"

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
  yield* Effect.timeoutOption(window.exit, "30 seconds")
  if (alive(window.pid) && how !== "detach")
    room.act(
      tag,
      `${viewerStays} ${window.pid} ${how} ${stateOf(window.pid)} ${JSON.stringify(window.screen().trim().slice(-300))}`
    )
})

/** A terminal that is read no more, as behind a stopped ssh, and closed at some time. */
const freeze = Effect.fn("freeze")(function* (room: SoakRoom, { tag }: Soaked, random: Random) {
  const [command, program] = room.command
  const env = { ...room.env, TERM: "xterm-256color" }
  const pty = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(command, [program, "attach", tag], {
        name: "xterm",
        cols: 90,
        rows: 28,
        cwd: room.dir,
        env,
        encoding: null
      })
    ),
    ({ pid }) => Effect.sync(() => kill(pid))
  )
  yield* pause(random, 500, 4000)
  room.act(tag, `freeze ${pty.pid}`)
  pty.pause()
  // more than a terminal takes that nobody reads
  const message = { id: `${tag}-frozen-${pty.pid}`, images: [], front: true, force: false }
  const text = `${message.id} flood 300`
  const { came } = yield* room.call(tag, (client) => client.Send({ ...message, text }))
  room.note({ tag, do: "send", id: message.id, text, by: "freeze", came })
  yield* pause(random, 2000, 10_000)
  const how = random.pick(["SIGHUP", "SIGTERM"] as const)
  kill(pty.pid, how)
  const gone = yield* Effect.exit(eventually(() => !alive(pty.pid), `${tag}: its frozen terminal's leap is gone`))
  if (Exit.isFailure(gone)) room.act(tag, `${viewerStays} ${pty.pid} frozen, ${how} ${stateOf(pty.pid)}`)
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
    const session = random.pick(sessions)
    const comes = n % 4 === 3 ? freeze(room, session, random) : visit(room, session, random, `${name}-${n}-`)
    yield* Effect.exit(Effect.scoped(comes))
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

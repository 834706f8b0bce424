import { spawn } from "node:child_process"
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Effect, Fiber, Queue, Stream } from "effect"
import * as ControlSocketUnix from "../../src/layers/control/ControlSocketUnix.ts"
import { ControlSocket } from "../../src/services/ControlSocket.ts"
import { benchReports } from "./reports.ts"
import { median, type Row } from "./table.ts"
import type { World } from "./world.ts"

const rounds = 40
const tag = "bench-calls"

/**
 * Measures, over a connection that is open: a message that is queued, which is on disk when the call ends, beside the
 * same bytes appended and flushed; and from the start of a hook, and from a report of the CLI's own, to the moment a
 * subscriber knows of it.
 */
export const benchCalls = async (world: World): Promise<ReadonlyArray<Row>> => {
  const leapHome = world.env["LEAP_HOME"] ?? ""
  const session = join(leapHome, "sessions", tag)
  world.leap(tag, "--cli", "claude", "--detach", "--", "bench-echo")
  const file = join(world.env["HOME"] ?? "", "appended")
  const text = "then run the tests, and tell me which of them fail and since when"
  const took = {
    append: [] as Array<number>,
    send: [] as Array<number>,
    hook: [] as Array<number>,
    told: [] as Array<number>
  }
  const timed = async (run: () => void | Promise<void>) => {
    const begun = performance.now()
    await run()
    return performance.now() - begun
  }
  const append = () => {
    const handle = openSync(file, "a")
    writeSync(handle, `${JSON.stringify({ id: "0", text })}\n`)
    fsyncSync(handle)
    closeSync(handle)
  }
  /** What the CLI's hook does, with this event. */
  const hook = (event: string) =>
    new Promise<void>((resolve, reject) => {
      const child = spawn(join(leapHome, "hooks/leap-hook.sh"), [event], {
        env: { ...world.env, LEAP_TAG: tag, LEAP_SIGNAL_DIR: join(session, "spool") },
        stdio: ["pipe", "ignore", "ignore"]
      })
      child.stdin.end(JSON.stringify({ hook_event_name: event, session_id: "0f1e", prompt: "x", cwd: "/" }))
      child.on("error", reject)
      child.on("exit", () => resolve())
    })
  const program = Effect.gen(function* () {
    const sockets = yield* ControlSocket
    const client = yield* sockets.connect(join(session, "host.sock"))
    for (let round = -5; round < rounds; round++) {
      const plain = yield* Effect.promise(() => timed(append))
      const begun = performance.now()
      yield* client.Send({
        text,
        images: [],
        front: false,
        force: false,
        when: [{ _tag: "At", at: "2100-01-01T00:00:00.000Z" }]
      })
      const sent = performance.now() - begun
      if (round < 0) continue
      took.append.push(plain)
      took.send.push(sent)
    }
    yield* client.QueueClear()
    const changes = yield* Queue.unbounded<string>()
    const watching = yield* Effect.forkScoped(
      Stream.runForEach(client.Watch(), ({ state }) => Queue.offer(changes, state))
    )
    const until = (state: string) =>
      Effect.gen(function* () {
        while ((yield* Queue.take(changes)) !== state);
      }).pipe(Effect.timeoutOrElse({ duration: "20 seconds", orElse: () => Effect.die(`no ${state}`) }))
    for (let round = -2; round < 15; round++) {
      yield* Queue.takeAll(changes).pipe(Effect.timeoutOption("1 millis"))
      const begun = performance.now()
      let hooked = 0
      void hook("UserPromptSubmit").then(() => (hooked = performance.now() - begun))
      yield* until("running")
      const told = performance.now() - begun
      while (hooked === 0) yield* Effect.sleep("1 millis")
      yield* Effect.promise(() => hook("Stop"))
      yield* until("idle")
      if (round < 0) continue
      took.told.push(told)
      took.hook.push(hooked)
    }
    yield* Fiber.interrupt(watching)
  })
  try {
    await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(ControlSocketUnix.layer)) as Effect.Effect<void>)
  } finally {
    rmSync(file, { force: true })
    world.leap("stop", tag, "--force")
  }
  return [
    {
      what: "a message queued, on disk",
      unit: "ms",
      leap: median(took.send),
      base: { what: "append and fsync", value: median(took.append) }
    },
    {
      what: "from a hook's start to a subscriber who knows",
      unit: "ms",
      leap: median(took.told),
      base: { what: "the hook itself", value: median(took.hook) }
    },
    ...(await benchReports(world))
  ]
}

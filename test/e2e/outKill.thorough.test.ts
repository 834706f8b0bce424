// leap out under kill -9 at random times: each turn of real sessions is told, under one id and one number.
import { assert, describe } from "@effect/vitest"
import { Effect, Random } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as http from "node:http"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { OutBody } from "../../src/domain/surfaces/outgoing/OutEvent.ts"
import { isThorough } from "../support/run/thorough.ts"
import { listening } from "../support/processes/listening.ts"
import { eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

const perSession = isThorough ? 60 : 15

const startOut = (room: Room) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const [program, bin] = room.command
      return spawn(program, [bin, "out"], { env: { ...room.env, HOOK: "secret".repeat(4) }, stdio: "ignore" })
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** The turns that stand in the record, by the ids that they are told under. */
const recordedTurns = (room: Room): ReadonlyArray<string> => {
  const found = fs
    .readdirSync(room.env["LEAP_HOME"]!, { recursive: true, encoding: "utf8" })
    .find((name) => path.basename(name) === "record.db")
  const database = new DatabaseSync(path.join(room.env["LEAP_HOME"]!, found!), { readOnly: true })
  try {
    return database
      .prepare("SELECT l.tag, t.since FROM turns t JOIN lives l ON l.id = t.life ORDER BY t.since")
      .all()
      .map(({ since, tag }) => `turn_${String(tag)}_${Number(since).toString(36)}`)
  } finally {
    database.close()
  }
}

describe("leap out that is killed at random times", () => {
  live(
    "tells each turn, also of hosts that are killed and of sessions that begin while it is not there",
    function* () {
      const room = yield* makeRoom("0.02", { hosts: "apart" })
      const bodies: Array<OutBody> = []
      const server = http.createServer((request, response) => {
        let text = ""
        request.setEncoding("utf8").on("data", (data: string) => (text += data))
        request.on("end", () => {
          bodies.push(JSON.parse(text) as OutBody)
          response.writeHead(204).end()
        })
      })
      const url = `http://127.0.0.1:${yield* listening(server)}/hook`
      const settings = { out: { webhooks: [{ name: "ci", url, secretEnv: "HOOK" }] } }
      fs.mkdirSync(room.env["LEAP_HOME"]!, { recursive: true })
      fs.writeFileSync(path.join(room.env["LEAP_HOME"]!, "settings.json"), JSON.stringify(settings))

      /** Turns of a session, one after another. */
      const work = Effect.fnUntraced(function* (tag: string, from: number, to: number) {
        const client = yield* room.connect(tag)
        for (let n = from; n < to; n++) {
          const { id } = yield* client.Send({ text: `say ${n}`, images: [], front: false, force: false })
          yield* room.until(
            tag,
            ({ queue }) => queue.every((one) => one.id !== id || one.status === "done"),
            `${tag} ${n}`
          )
        }
        yield* room.until(
          tag,
          ({ queue, state }) => state === "idle" && queue.every((one) => one.status === "done"),
          tag
        )
      }, Effect.scoped)

      let isOver = false
      let kills = 0
      const killing = Effect.gen(function* () {
        while (!isOver) {
          yield* Effect.scoped(
            Effect.andThen(startOut(room), Effect.sleep(600 + (yield* Random.nextIntBetween(0, 2_500))))
          )
          kills++
          yield* Effect.sleep(yield* Random.nextIntBetween(0, 700))
        }
      })
      // what was there before anybody told of anything is history
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* startOut(room)
          yield* startDemo(room, "a")
          yield* eventually(() => bodies.some(({ type }) => type === "session.started"), "it tells")
        })
      )
      const killer = yield* Effect.forkScoped(killing)
      const rest = Effect.gen(function* () {
        yield* startDemo(room, "b")
        yield* work("b", 0, perSession)
      })
      const dies = Effect.gen(function* () {
        yield* startDemo(room, "c")
        yield* work("c", 0, perSession)
        const status = yield* room.until("c", ({ state }) => state === "idle", "c rests")
        // what it has told is written down by then
        yield* Effect.sleep("1 second")
        process.kill(status.hostPid!, "SIGKILL")
      })
      yield* Effect.all([work("a", 0, perSession), rest, dies], { concurrency: "unbounded" })
      isOver = true
      yield* eventually(() => killer.pollUnsafe() !== undefined, "no more kills")

      yield* startOut(room)
      const turns = recordedTurns(room)
      assert.isAtLeast(turns.length, 3 * perSession)
      const told = () => new Set(bodies.flatMap(({ id, type }) => (type === "turn.ended" ? [id] : [])))
      yield* eventually(
        () => bodies.some(({ session, type }) => type === "session.ended" && session?.tag === "c"),
        "the end of the one whose host was killed"
      )
      yield* eventually(() => turns.every((id) => told().has(id)), "all turns")
      yield* Effect.sleep("3 seconds")
      assert.sameMembers([...told()], [...turns])
      const numbers = new Map<number, string>()
      for (const { id, sequence } of bodies) {
        assert.strictEqual(numbers.get(sequence) ?? id, id)
        numbers.set(sequence, id)
      }
      assert.strictEqual(new Set(numbers.values()).size, numbers.size, "each event under one number")
      assert.isAbove(kills, 5)
      process.stderr.write(`leap out: ${turns.length} turns, ${kills} kills, ${bodies.length} requests\n`)
    },
    400_000
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { machineWith } from "../../../support/brains.ts"
import { failed, statusOf } from "../../../support/session/failures.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"

/** A CLI whose hooks tell how turns begin and end, and whose record tells that they failed, so many milliseconds late. */
const sessionWith = (of: { readonly late: number; readonly hookDelay: number; readonly atOnce: boolean }) => {
  const world = { down: true }
  const host = new SimulatedHost(machineWith({}), (cli) => {
    cli.weather = () => (world.down ? failed("network") : null)
    cli.failsAtOnce = of.atOnce
    cli.transcriptDelay = of.late
    cli.hookDelay = of.hookDelay
    cli.closes = true
  })
  host.run(5_000)
  return { host, world }
}
const answers = (host: SimulatedHost, id: string) =>
  host.allAnswered().filter(({ text }) => text === `message ${id}`).length

describe("a hook tells that a turn is over, and the CLI's record in its own time that it failed", () => {
  const orders = [0, 100, 700].flatMap((late) =>
    [0, 100].flatMap((hookDelay) => [true, false].map((atOnce) => ({ late, hookDelay, atOnce })))
  )
  it.each(orders)("%j: nothing is done that failed, and each is answered once in the end", (order) => {
    const { host, world } = sessionWith(order)
    for (const id of ["a", "b"]) host.add(id, `message ${id}`, { force: true })
    host.run(8_000)
    for (const id of ["a", "b"]) assert.notInclude(statusOf(host.queue, id), "done", id)
    world.down = false
    host.change(Queue.retry(host.queue, null, host.now))
    host.run(600_000)
    for (const id of ["a", "b"]) assert.deepStrictEqual([statusOf(host.queue, id), answers(host, id)], ["done", 1], id)
  })

  it.each(orders)("%j: what was answered stays so, whatever the user's next prompt meets", (order) => {
    const { host, world } = sessionWith(order)
    world.down = false
    host.add("a", "message a")
    while (statusOf(host.queue, "a") !== "done") host.run(10)
    host.run(300)
    world.down = true
    for (const key of ["mine", "\r"]) host.press(key)
    host.run(30_000)
    world.down = false
    host.run(600_000)
    assert.deepStrictEqual([statusOf(host.queue, "a"), answers(host, "a")], ["done", 1])
  })

  it.each(orders)("%j: nothing is done that failed, whenever background work begins a turn behind it", (order) => {
    for (let behind = 600; behind <= 2_000; behind += 100) {
      const { host, world } = sessionWith(order)
      for (const id of ["a", "b"]) host.add(id, `message ${id}`, { force: true })
      host.run(behind)
      host.cli.ownTurn()
      world.down = order.atOnce ? false : world.down
      host.run(30_000)
      for (const id of ["a", "b"]) {
        const isDone = statusOf(host.queue, id).startsWith("done")
        assert.strictEqual(isDone, answers(host, id) > 0, `${id}, ${behind} ms: ${statusOf(host.queue, id)}`)
      }
    }
  })

  it.each(orders)(
    "%j: what the CLI goes on with by itself fails too, and what is sent behind that is done once",
    (order) => {
      const { host, world } = sessionWith(order)
      host.add("a", "message a")
      host.run(3_000)
      host.cli.goOn()
      host.run(1_000)
      world.down = false
      for (const id of ["b", "c"]) host.add(id, `message ${id}`, { force: true })
      host.run(4_000)
      for (let n = 0; n < 300; n++) {
        for (const id of ["b", "c"]) assert.notInclude(statusOf(host.queue, id), "failed", id)
        host.run(100)
      }
      for (const id of ["b", "c"])
        assert.deepStrictEqual([statusOf(host.queue, id), answers(host, id)], ["done", 1], id)
    }
  )

  it.each(orders)("%j: a limit ends when its record said, whichever of start and failure is told first", (order) => {
    const { host, world } = sessionWith(order)
    const end = 120_000
    host.cli.weather = () => (world.down ? failed("rate_limited", end) : null)
    for (const id of ["a", "b"]) host.add(id, `message ${id}`, { force: true })
    host.run(15_000)
    assert.strictEqual(statusOf(host.queue, "a"), "queued, failed")
    assert.include(["queued", "queued, failed"], statusOf(host.queue, "b"))
    host.run(end - host.now - 1_000)
    world.down = false
    host.run(60_000)
    for (const id of ["a", "b"]) assert.deepStrictEqual([statusOf(host.queue, id), answers(host, id)], ["done", 1], id)
  })

  it.each(orders.filter(({ atOnce }) => !atOnce))(
    "%j: what leap's own continuation was taken to answer goes back where that failed",
    (order) => {
      const world = { kind: "rate_limited" as "rate_limited" | "network" | null }
      const end = 120_000
      const host = new SimulatedHost(machineWith({ modes: { night: "on" } }), (cli) => {
        cli.weather = () => (world.kind === null ? null : failed(world.kind, world.kind === "network" ? null : end))
        cli.transcriptDelay = order.late
        cli.hookDelay = order.hookDelay
        cli.closes = true
      })
      host.run(5_000)
      host.add("a", "message a")
      host.run(10_000)
      assert.strictEqual(statusOf(host.queue, "a"), "queued, failed")
      world.kind = "network"
      while (!host.allPrompts().some(({ text }) => text === "continue")) host.run(1_000)
      host.run(8_000)
      assert.notInclude(statusOf(host.queue, "a"), "done")
      world.kind = null
      host.run(1_200_000)
      const went = host.allAnswered().filter(({ text }) => text === "continue").length
      assert.strictEqual(statusOf(host.queue, "a"), "done")
      assert.strictEqual(answers(host, "a") + went, 1)
    }
  )
})

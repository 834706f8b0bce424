import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { freeLane, heardLater } from "../../../../src/domain/engine/machine/LogLane.ts"
import * as Driver from "../../../../src/domain/engine/machine/Driver.ts"
import * as SessionMachine from "../../../../src/domain/engine/machine/SessionMachine.ts"
import { noPermissions } from "../../../../src/domain/cli/provider/PermissionProtocol.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { blankFacts, type ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import type { SessionEvent } from "../../../../src/domain/words/session/SessionEvent.ts"
import { machineWith } from "../../../support/brains.ts"
import { accepted } from "../../../support/data/queueFixtures.ts"
import { input } from "../../../support/session/SimulatedCli.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"

const profile = {
  detection: { capabilities: { programStatus: false, ownStatus: false, turnHooks: false } },
  input,
  permissions: noPermissions
}
const reduce = SessionMachine.reduce(profile)
const box = (draft: string, more: Partial<ScreenFacts> = {}): ScreenFacts => ({
  ...blankFacts,
  blank: false,
  box: { draft },
  ...more
})

/** A session of a CLI without hooks that works at a message. */
const working = (): readonly [SessionMachine.SessionMemory, now: number] => {
  const driver = Driver.driver(profile)
  let memory = SessionMachine.start({ at: 0, modes: defaultModes, queue: Queue.emptyQueue })
  let now = 0
  const take = (event: SessionMachine.MachineEvent) => {
    memory = driver.drain(memory, event, (command) => {
      if (command._tag === "Write" && command.purpose !== "submit") shown = box("hello")
      if (command._tag === "Write" && command.purpose === "submit") shown = box("", { working: true })
      return command._tag === "Append" ? { _tag: "Recorded", at: now, records: command.records } : null
    })
  }
  let shown = box("")
  take({ _tag: "QueueChanged", at: 0, records: [accepted("a", "hello")] })
  for (; now < 20_000; now += 50) take({ _tag: "Output", at: now, screen: shown })
  assert.strictEqual(memory.delivery.queue.entries[0]?.message.status, "started")
  return [memory, now]
}
const [begun, since] = working()

const kinds = {
  rest: { _tag: "Output", screen: box("") },
  work: { _tag: "Output", screen: box("", { working: true }) },
  draft: { _tag: "Output", screen: box("mine") },
  dialog: { _tag: "Output", screen: { ...box(""), box: null, picker: true } },
  nothing: { _tag: "Output", screen: null },
  key: { _tag: "Input", keys: ["enter"], by: "user" },
  tick: { _tag: "Tick" }
} as const

describe("a queue whose log is being written", () => {
  it.each([0, 100, 200, 400, 600, 800, 1_000, 1_500, 2_000, 3_000])(
    "sends what was accepted when the session became ready meanwhile, though nothing has happened since (from %i ms on)",
    (from) => {
      const host = new SimulatedHost(machineWith({}))
      host.run(from)
      host.tell({ _tag: "LogTaken", at: host.now })
      host.run(10_000)
      host.add("a", "message a")
      host.tell({ _tag: "LogFree", at: host.now })
      host.run(5_000)
      assert.deepStrictEqual(
        host.allPrompts().map(({ text }) => text),
        ["message a"]
      )
    }
  )

  it.prop(
    "hears later what it would have heard at once, each with what was seen then",
    {
      steps: Schema.Array(
        Schema.Struct({
          wait: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 })),
          kind: Schema.Literals(["rest", "work", "draft", "dialog", "nothing", "key", "tick"])
        })
      ).check(Schema.isMaxLength(10))
    },
    ({ steps }) => {
      let now = since
      const events = steps.map(({ kind, wait }): SessionEvent => ({ ...kinds[kind], at: (now += wait) }))
      let atOnce = begun
      for (const event of events) {
        const [next, commands] = reduce(atOnce, event)
        // what it writes itself changes what is seen of the rest
        if (commands.length > 0) return
        atOnce = next
      }
      let later = reduce(begun, { _tag: "LogTaken", at: since })[0]
      for (const event of events) later = reduce(later, event)[0]
      const [freed, commands] = reduce(later, { _tag: "LogFree", at: now })
      assert.deepStrictEqual(commands, [])
      assert.deepStrictEqual(freed, atOnce)
    }
  )

  it("keeps the last of ticks that see the same, and no event before or behind them", () => {
    const { view } = begun.tracker
    const tick = (at: number) => ({ event: { _tag: "Tick", at } as const, view, concerns: true })
    const key = { event: { ...kinds.key, at: 2 } as const, view, concerns: true }
    const lane = [tick(0), tick(1), key, tick(3), tick(4)].reduce(heardLater, freeLane)
    assert.deepStrictEqual(lane.inbox, [tick(1), key, tick(4)])
    const other = heardLater(lane, { ...tick(5), view: { ...view } })
    assert.lengthOf(other.inbox, 4)
  })
})

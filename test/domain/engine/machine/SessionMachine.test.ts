import { assert, describe, it } from "@effect/vitest"
import type { MachineEvent } from "../../../../src/domain/engine/machine/SessionMachine.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { blankFacts, type ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import * as Driver from "../../../../src/domain/engine/machine/Driver.ts"
import { noPermissions } from "../../../../src/domain/cli/provider/PermissionProtocol.ts"
import * as SessionMachine from "../../../../src/domain/engine/machine/SessionMachine.ts"
import { accepted } from "../../../support/data/queueFixtures.ts"
import { input } from "../../../support/session/SimulatedCli.ts"

const driver = Driver.driver({
  detection: { capabilities: { programStatus: false, ownStatus: false, turnHooks: true } },
  input,
  permissions: noPermissions
})
const box = (draft: string, more: Partial<ScreenFacts> = {}): ScreenFacts => ({
  ...blankFacts,
  blank: false,
  box: { draft },
  ...more
})

/** A machine whose commands are executed at once, as a driver would, and written down. */
const session = () => {
  let memory = SessionMachine.start({ at: 0, modes: defaultModes, queue: Queue.emptyQueue })
  let now = 0
  const commands: Array<string> = []
  const take = (event: MachineEvent) => {
    memory = driver.drain(memory, event, (command) => {
      commands.push(command._tag === "Write" ? command.purpose : command._tag)
      return command._tag === "Append" ? { _tag: "Recorded", at: now, records: command.records } : null
    })
  }
  return {
    commands,
    take,
    memory: () => memory,
    show: (screen: ScreenFacts) => take({ _tag: "Output", at: now, screen }),
    /** Steps it with a Tick at each moment it asks for. */
    run: (until: number) => {
      for (
        let wake = SessionMachine.wakeAt(memory);
        wake !== null && wake <= until;
        wake = SessionMachine.wakeAt(memory)
      ) {
        assert.isAbove(wake, now)
        now = wake
        take({ _tag: "Tick", at: now })
      }
      now = until
    }
  }
}

describe("tracker and sender together", () => {
  it("send a message when the tracker says ready, by ticks that they ask for themselves", () => {
    const { commands, memory, run, show, take } = session()
    show(box(""))
    take({ _tag: "QueueChanged", at: 0, records: [accepted("a", "hello")] })
    assert.isFalse(memory().tracker.view.ready)
    run(20_000)
    assert.deepStrictEqual(commands.slice(0, 3), ["Append", "HoldKeys", "text"])
  })

  it("the tracker knows of what leap writes, before the CLI says anything", () => {
    const { memory, run, show, take } = session()
    show(box(""))
    take({ _tag: "QueueChanged", at: 0, records: [accepted("a", "hello")] })
    run(3_000)
    const typed = memory().tracker.facts
    assert.isNotNull(typed.sendAt)
    assert.strictEqual(typed.typedAt, typed.sendAt)
    assert.strictEqual(typed.userKeyAt, null)
    show(box("hello"))
    run(3_200)
    assert.isNotNull(memory().tracker.facts.submitted)
    // Enter alone makes no receipt.
    assert.strictEqual(Queue.find(memory().delivery.queue, "a")?.message.status, "typed")
    show(box(""))
    assert.strictEqual(Queue.find(memory().delivery.queue, "a")?.message.status, "submitted")
    show(box("", { working: true }))
    assert.strictEqual(Queue.find(memory().delivery.queue, "a")?.message.status, "started")
  })

  it("events of the queue leave the tracker alone", () => {
    const { memory, show, take } = session()
    show(box(""))
    const before = memory().tracker
    take({ _tag: "QueueChanged", at: 5, records: [accepted("a")] })
    assert.strictEqual(memory().tracker, before)
    assert.lengthOf(memory().delivery.queue.entries, 1)
  })

  it("ask for the earlier of two wake-ups, and for none when the session is over", () => {
    const { memory, show, take } = session()
    show(box(""))
    take({ _tag: "QueueChanged", at: 0, records: [accepted("a")] })
    const changesAt = memory().tracker.view.changesAt
    assert.isNotNull(changesAt)
    assert.isAtMost(SessionMachine.wakeAt(memory()) ?? Infinity, changesAt ?? -Infinity)
    take({ _tag: "Exited", at: 1, exit: { code: 0, signal: null } })
    assert.isNull(SessionMachine.wakeAt(memory()))
  })
})

describe("a limit at night", () => {
  it("is waited out in the machine, which goes on once, heeds what the session costs, and asks for its ticks", () => {
    const { commands, memory, run, show, take } = session()
    const end = 3_600_000
    const fail = (at: number) => {
      take({ _tag: "Signal", at, source: "hook", signal: { _tag: "TurnStarted", prompt: null, own: false } })
      const problem = {
        kind: "rate_limited" as const,
        message: "limit",
        until: new Date(at + end).toISOString()
      }
      take({ _tag: "Signal", at, source: "hook", signal: { _tag: "TurnFailed", problem, message: "limit" } })
    }
    show(box(""))
    take({ _tag: "ModesChanged", at: 0, modes: { ...defaultModes, night: "on" } })
    const night = { message: "go on", stop: null, most: 5, ceilingUsd: 2 }
    take({ _tag: "NightSet", at: 0, settings: night })
    fail(10)
    run(end - 1_000)
    assert.notInclude(commands, "text")
    take({ _tag: "CostKnown", at: end - 1_000, usd: 2.5 })
    run(end + 10_000)
    assert.notInclude(commands, "text", "it has cost too much")
    take({ _tag: "CostKnown", at: end + 10_000, usd: 1.5 })
    run(end + 13_000)
    assert.strictEqual(commands.filter((command) => command === "text").length, 1)
    assert.strictEqual(memory().delivery.queue.entries[0]?.message.text, "go on")
  })
})

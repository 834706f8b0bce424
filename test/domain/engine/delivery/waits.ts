import { assert } from "@effect/vitest"
import type { Command } from "../../../../src/domain/engine/machine/Command.ts"
import * as Driver from "../../../../src/domain/engine/machine/Driver.ts"
import type { MachineEvent } from "../../../../src/domain/engine/machine/MachineEvent.ts"
import * as Delivery from "../../../../src/domain/engine/delivery/Delivery.ts"
import { outside } from "../../../../src/domain/engine/delivery/Transition.ts"
import type { View } from "../../../../src/domain/words/session/Session.ts"
import type { InputProtocol } from "../../../../src/domain/cli/provider/InputProtocol.ts"
import { input as simulated } from "../../../support/session/SimulatedCli.ts"

const isOutside = (awaited: string): boolean => (outside as ReadonlyArray<string>).includes(awaited)

/** The phases and what is not about a message, without the evidence, which each event changes. */
const phases = (m: Delivery.Delivery) => ({ ...m, evidence: null })

interface State {
  readonly m: Delivery.Delivery
  readonly view: View
  readonly input: InputProtocol
}

/** Time before the wake-up that was asked for brings nothing. */
const asksForAllTicks = ({ input, m, view }: State): void => {
  const { at } = m.evidence
  const wake = Delivery.wakeAt(m)
  const moments = wake === null ? [1, 600, 5_000, 3_600_000].map((span) => at + span) : [at + 1, wake - 1]
  for (const moment of moments) {
    if (moment <= at || (wake !== null && moment >= wake)) continue
    const [after, commands] = Delivery.step(input, m, { _tag: "Tick", at: moment }, view)
    assert.deepStrictEqual(commands, [], `a tick ${moment - at} ms later was not asked for; ${JSON.stringify(m.waits)}`)
    assert.deepStrictEqual(phases(after), phases(m))
  }
}

/** With nothing but the ticks that it asks for, and a log that can be written: the last state, in which time stands. */
const followed = ({ input, m: before, view }: State): Delivery.Delivery => {
  let m = before
  const driver = Driver.make((m: Delivery.Delivery, event: MachineEvent) =>
    event._tag === "Recorded"
      ? Delivery.stepQueue(input, m, event)
      : Delivery.step(input, m, event as Extract<MachineEvent, { _tag: "Tick" }>, view)
  )
  const execute = (command: Command): MachineEvent | null =>
    command._tag === "Append" ? { _tag: "Recorded", at: m.evidence.at, records: command.records } : null
  for (let ticks = 0, due = Delivery.wakeAt(m); due !== null; due = Delivery.wakeAt(m)) {
    assert.isBelow(ticks++, 200, `it wants to be woken for ever: ${JSON.stringify(m.waits)}`)
    m = driver.drain(m, { _tag: "Tick", at: Math.max(due, m.evidence.at) }, execute)
  }
  return m
}

/** Every message has come to its end, is held for a reason, or says what it waits for. */
const saysWhy = (m: Delivery.Delivery): void => {
  const first = m.queue.entries.findIndex(
    ({ attempting, message }) => !attempting && message.status === "queued" && message.when === undefined
  )
  m.queue.entries.forEach(({ message }, place) => {
    const { id, status, when, why } = message
    if (status === "held") return assert.isNotNull(why, `${id} is held for no reason`)
    const own = m.waits.filter((wait) => wait.id === id)
    if (own.length > 0) return
    const isBehind = status === "queued" && (when !== undefined || place !== first || m.typing !== null)
    assert.isTrue(
      m.evidence.exited || isBehind || m.waits.some(({ id }) => id === null),
      `${id} is ${status} and nothing says why; ${JSON.stringify(m.waits)}`
    )
  })
}

/** What has to hold of every state that a delivery can come to. */
export const holds = (m: Delivery.Delivery, view: View, input: InputProtocol = simulated): void => {
  const state = { m, view, input }
  for (const { awaited, id, phase, until } of m.waits) {
    assert.isTrue(until !== null || isOutside(awaited), `${phase} of ${id} waits for ${awaited}, and for no moment`)
    assert.notStrictEqual(awaited, "the next look at what has changed", "one event led in a circle")
  }
  asksForAllTicks(state)
  const last = followed(state)
  saysWhy(last)
  for (const { awaited, id, phase } of last.waits)
    assert.isTrue(isOutside(awaited), `${phase} of ${id} waits for ${awaited}, and for no moment`)
}

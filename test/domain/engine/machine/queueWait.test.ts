import { assert, describe, it } from "@effect/vitest"
import { queueWait } from "../../../../src/domain/engine/machine/queueWait.ts"
import { waitWords } from "../../../../src/domain/words/wording/waitWords.ts"
import type { SessionMemory } from "../../../../src/domain/engine/machine/SessionMachine.ts"
import { blankFacts, type Dialog, type ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import { machineWith } from "../../../support/brains.ts"
import { failed, minute } from "../../../support/session/failures.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"

const days = 24 * 60 * minute
const used = { of: "day", limit: "cost", most: 5, used: 5, floor: false, next: null } as const

/** What the queue waits for with this on the screen: behind a limit that is over in some days, or for a budget. */
const waitWith = (screen: Partial<ScreenFacts>, later = 0, isBudget = false): string => {
  const seen: Array<SessionMemory> = []
  const host = new SimulatedHost(machineWith({ watch: (memory) => void seen.splice(0, 1, memory) }), (cli) => {
    cli.weather = () => (isBudget ? null : failed("rate_limited", 3 * days))
  })
  host.run(5_000)
  host.add("a", "message a")
  host.run(minute)
  const hold = { since: host.now, until: 3 * days, over: used }
  if (isBudget) host.tell({ _tag: "BudgetKnown", at: host.now, hold })
  const { delivery, night } = seen[0] ?? assert.fail("nothing has happened")
  const shown = { ...delivery.evidence, screen: { ...blankFacts, blank: false, ...screen } }
  const wait = queueWait({ delivery: { ...delivery, evidence: shown }, night }, host.now + later)
  return wait === null ? "nothing" : waitWords(wait.cause)
}

describe("what the queue waits for behind a limit that tells no end", () => {
  it.each([
    [false, /; not ready: the usage limit is reached, its end is not told; the next message is tried at \d[^;]+$/],
    [
      true,
      /; not ready: the usage limit is reached, its end is not told, part of a turn may be done; messages wait for your word$/
    ]
  ] as const)("is the next try, or the user where a tool has run: %s", (isWorking, text) => {
    const host = new SimulatedHost(machineWith({}), (cli) => {
      cli.weather = () => failed("rate_limited")
      cli.works = () => isWorking
    })
    host.run(5_000)
    host.add("a", "message a")
    host.run(30_000)
    assert.match(host.why, text)
  })
})

describe("what the queue waits for behind a limit", () => {
  const dialog: Dialog = { kind: "other", title: "What do you want to do?", options: [] }
  it.each<readonly [string, Partial<ScreenFacts>, RegExp]>([
    ["a time", { box: { draft: "" } }, /^the usage limit is reached; the next message is tried at [^;]+$/],
    ["a dialog over the box too", { dialog }, /tried at .*; its dialog 'What do you want to do\?' is in the way/],
    [
      "a dialog above its box too",
      { dialog, box: { draft: "" } },
      /; its dialog 'What do you want to do\?' is in the way/
    ],
    ["a list over the box too", { picker: true }, /tried at .*; a list or another view of it is in the way/],
    ["a time beside suggestions in the box", { picker: true, box: { draft: "/" } }, /tried at [^;]+$/],
    ["a time beside what it only suggests", { dialog: { ...dialog, suggests: true } }, /tried at [^;]+$/]
  ])("is %s", (_, screen, text) => {
    assert.match(waitWith(screen), text)
    assert.strictEqual(waitWith(screen, 4 * days), "nothing", "once that time has come")
  })

  it("is a dialog over the box beside the end of a budget, too", () => {
    const waits = /^the day's budget .*; messages go out from [^;]+$/
    assert.match(waitWith({ box: { draft: "" } }, 0, true), waits)
    const said = waitWith({ dialog }, 0, true)
    assert.match(said.replace(/; its dialog 'What do you want to do\?' is in the way, and .*$/, ""), waits)
    assert.include(said, "is in the way")
  })
})

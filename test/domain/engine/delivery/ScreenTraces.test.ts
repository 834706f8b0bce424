import { assert, describe, it } from "@effect/vitest"
import { timing } from "../../../../src/domain/engine/delivery/DeliveryLimits.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { machineWith } from "../../../support/brains.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import { boxless, type SimulatedCli } from "../../../support/session/SimulatedCli.ts"
import { minute } from "../../../support/session/failures.ts"

const hostAtRest = (configure: (cli: SimulatedCli) => void = () => {}) => {
  const host = new SimulatedHost(machineWith({}), configure)
  host.run(5_000)
  return host
}

const thai = "กำ น้ำ"
/** It counts two columns of three, and clears as many. */
const clearsTooFew = (cli: SimulatedCli) => (cli.leaves = (text) => text.slice(Math.floor(text.length / 2)))
const prompts = (host: SimulatedHost) => host.allPrompts().map(({ text }) => text)
const type = (host: SimulatedHost, text: string) => {
  for (const key of text) host.press(key)
}

describe("text that a CLI leaves on the screen of what it takes for empty", () => {
  it.each([
    ["told by hooks", true],
    ["told by the screen alone", false]
  ])("is drawn away once, and what waits goes out; turns are %s", (_, hooks) => {
    const host = hostAtRest((cli) => {
      clearsTooFew(cli)
      cli.hooks = hooks
    })
    host.add("a", thai)
    host.add("b", "please say กำลังทำ น้ำ now")
    host.run(minute)
    assert.deepStrictEqual(prompts(host), [thai, "please say กำลังทำ น้ำ now"])
    assert.deepStrictEqual([host.status("a"), host.status("b"), host.redraws], ["done", "done", 1])
  })

  it("is drawn away behind a prompt of the user's, too", () => {
    const host = hostAtRest(clearsTooFew)
    type(host, `${thai}\r`)
    host.run(10_000)
    host.add("a", "message a")
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.redraws], [[thai, "message a"], 1])
  })

  it("is drawn away where the user has emptied the box", () => {
    const host = hostAtRest(clearsTooFew)
    type(host, `${thai}\u0015`)
    host.add("a", "message a")
    host.run(minute)
    assert.deepStrictEqual([prompts(host), host.redraws], [["message a"], 1])
  })

  it("stays while nothing waits behind it", () => {
    const host = hostAtRest(clearsTooFew)
    host.add("a", thai)
    host.run(10 * minute)
    assert.deepStrictEqual([host.status("a"), host.redraws], ["done", 0])
  })

  it("is drawn away where it hides the box itself", () => {
    const host = hostAtRest((cli) => (cli.leaves = () => boxless))
    host.add("a", thai)
    host.add("b", "message b")
    host.run(minute)
    assert.deepStrictEqual([prompts(host), host.redraws], [[thai, "message b"], 1])
  })

  it("keeps a text that was taken out from being told as one that could not be", () => {
    const host = hostAtRest((cli) => {
      clearsTooFew(cli)
      cli.draws = (text) => text.replace("plain", "other")
    })
    host.add("a", "plain text")
    host.run(minute)
    assert.deepStrictEqual([prompts(host), host.cli.draft, host.status("a")], [[], "", "held"])
    assert.include(host.said.at(-1), "the box showed something else; given up after 3 attempts")
    host.change(Queue.remove(host.queue, "a", host.now))
    host.add("b", "message b")
    host.run(minute)
    assert.deepStrictEqual(prompts(host), ["message b"])
  })

  it("of the user's own does not keep a message that may not wait", () => {
    const host = hostAtRest(clearsTooFew)
    type(host, "mine")
    host.run(3_000)
    host.add("a", "message a", { force: true })
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.cli.draft], [["message a"], "mine"])
  })

  it("that nothing draws away holds the user's keys no longer than a box that cannot be cleared", () => {
    const host = hostAtRest((cli) => Object.defineProperty(cli, "left", { get: () => "mine", set: () => {} }))
    type(host, "mine")
    host.run(3_000)
    host.add("a", "message a", { force: true })
    host.run(20_000)
    assert.isAbove(host.redraws, 0)
    assert.isAtMost(host.longestHold, timing.clear + 500)
  })
})

describe("text in the box that is there all the same", () => {
  it("of the CLI's own is drawn anew once, and the message waits", () => {
    const host = hostAtRest()
    host.add("a", "message a")
    host.run(20_000)
    host.cli.shows("given back")
    host.add("b", "message b")
    host.run(30 * minute)
    assert.deepStrictEqual([prompts(host), host.redraws], [["message a"], 1])
    assert.include(host.why, "unsent text is in the box")
  })

  it("of the user's is not drawn anew before they have let it stand for long, and the message waits", () => {
    const host = hostAtRest()
    host.add("a", "message a")
    host.run(20_000)
    type(host, "mine")
    host.add("b", "message b")
    host.run(25_000)
    assert.strictEqual(host.redraws, 0)
    host.run(30 * minute)
    assert.deepStrictEqual([prompts(host), host.cli.draft, host.redraws], [["message a"], "mine", 1])
  })
})

describe("a text that the box shows in another way than it is", () => {
  const unlike = (draws: (text: string) => string, text: string) => {
    const host = hostAtRest((cli) => (cli.draws = draws))
    host.add("a", text)
    host.run(40_000)
    return [prompts(host), host.status("a"), host.cli.draft]
  }
  it.each([
    ["without its last word", "say 🇨 x and more", (text: string) => text.slice(0, -5)],
    ["with one part over another", "please say กำลังทำ น้ำ now", (text: string) => text.replace("ลังทำ", "")]
  ])("goes out once where columns of it are counted in different ways: %s", (_, text, draws) =>
    assert.deepStrictEqual(unlike(draws, text), [[text], "done", ""])
  )
  it.each([
    ["a text on which all agree", "say x and more", (text: string) => text.slice(0, -5)],
    ["other words", "say 🇨 x and more", (text: string) => text.replace("say", "run")],
    ["next to nothing of it", "say 🇨 x and more", (text: string) => text.slice(0, 1)]
  ])("is held, and the box is empty: %s", (_, text, draws) =>
    assert.deepStrictEqual(unlike(draws, text), [[], "held", ""])
  )
  it("is not sent where a key of the user's came in between", () => {
    const host = hostAtRest((cli) => (cli.draws = (text) => text.slice(0, -5)))
    host.add("a", "say 🇨 x and more")
    host.run(700)
    host.slip("!")
    host.run(40_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [[], "held"])
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { blankFacts } from "../../../../src/domain/words/session/Screen.ts"
import { watchedSender } from "../../../support/brains.ts"
import type { SimulatedCli } from "../../../support/session/SimulatedCli.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import { holds } from "./waits.ts"
import { each } from "../../../support/data/fields.ts"

/** A session whose CLI stands at its empty prompt. */
const atRest = (configure?: (cli: SimulatedCli) => void): SimulatedHost => {
  const host = new SimulatedHost(watchedSender(holds), configure)
  host.run(1_000)
  return host
}
const writes = (host: SimulatedHost) => host.written.map((write) => write.purpose)
const prompts = (host: SimulatedHost) => host.allPrompts().map((prompt) => prompt.text)
const why = (host: SimulatedHost, id: string) => Queue.find(host.queue, id)?.message.why ?? null
/** Each step of a message's receipt as the log has it. */
const receipt = (host: SimulatedHost, id: string) =>
  host.log.flatMap((record) =>
    record._tag === "StatusChanged" && record.id === id
      ? [record.status]
      : (record._tag === "Attempted" || record._tag === "Requeued") && record.id === id
        ? [record._tag]
        : []
  )

describe("a message to a CLI at rest", () => {
  it("is attempted on disk, typed, submitted, started and done, each step in the log", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(10_000)
    assert.deepStrictEqual(receipt(host, "a"), ["Attempted", "typed", "submitted", "started", "done"])
    assert.strictEqual(Queue.find(host.queue, "a")?.message.outcome, "completed")
    assert.deepStrictEqual(writes(host), ["text", "submit"])
    assert.strictEqual(host.written[0]?.data, "\u001b[200~hello\u001b[201~")
    assert.deepStrictEqual(prompts(host), ["hello"])
    assert.isFalse(host.keysHeld)
  })

  it("waits until the way has been free for a while", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(290)
    assert.deepStrictEqual(host.written, [])
    host.run(40)
    assert.deepStrictEqual(writes(host), ["text"])
  })

  it("waits for half a second after the user's last key, and for an empty box", () => {
    const host = atRest()
    host.press("x")
    host.run(20)
    host.add("a", "hello")
    host.run(5_000)
    assert.deepStrictEqual(host.written, [])
    host.press("\u0015")
    host.run(480)
    assert.deepStrictEqual(host.written, [])
    host.run(500)
    assert.deepStrictEqual(writes(host).slice(0, 1), ["text"])
  })

  it("is not written before its attempt is on disk, and waits while the disk is full", () => {
    const host = atRest()
    host.add("a", "hello")
    host.diskFull = true
    host.run(9_000)
    assert.deepStrictEqual(host.written, [])
    assert.strictEqual(host.status("a"), "queued")
    assert.isFalse(host.keysHeld)
    assert.deepStrictEqual(host.said, ["the queue's file cannot be written, so messages wait: the disk is full"])
    host.diskFull = false
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "done"])
  })

  it("keeps what was seen while the disk was full, and writes it later", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(450)
    assert.strictEqual(host.status("a"), "typed")
    host.diskFull = true
    host.run(5_000)
    assert.strictEqual(host.status("a"), "done")
    // that it was typed waits for the end of the typing, as the keys do: what is left over is in doubt either way
    assert.deepStrictEqual(receipt(host, "a"), ["Attempted"])
    host.diskFull = false
    // An operation of the user's that gets into the log before what is owed to it.
    host.add("b", "next", { front: true })
    host.run(20_000)
    assert.deepStrictEqual(Queue.replayLog(host.log), host.queue)
    assert.strictEqual(Queue.find(Queue.replayLog(host.log), "a")?.message.status, "done")
  })

  it("holds keys for as long as it types, however long the disk takes", () => {
    const spans = [0, 3_000].map((delay) => {
      const host = atRest()
      host.diskDelay = delay
      host.add("a", "hello")
      host.run(30_000)
      assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "done"])
      assert.deepStrictEqual(receipt(host, "a"), ["Attempted", "typed", "submitted", "started", "done"])
      return host.longestHold
    })
    assert.isAbove(spans[0]!, 0)
    assert.strictEqual(spans[1], spans[0])
  })

  it("is typed anew where the box shows it twice: neither of them is the user's text", () => {
    const host = atRest()
    host.add("a", "hello")
    while (host.cli.draft !== "hello") host.run(1)
    host.cli.shows("hellohello")
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.cli.draft], [["hello"], "done", ""])
  })

  it("is recognised when the CLI folds it", () => {
    const host = atRest((cli) => {
      cli.foldNext = true
    })
    host.add("a", "one\ntwo\nthree")
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["one\ntwo\nthree"], "done"])
  })

  it("is not typed when a dialog came up while its attempt was written to a slow disk", () => {
    const host = atRest()
    host.add("a", "hello")
    host.diskDelay = 400
    host.run(250)
    host.cli.freeze(100)
    host.cli.raise("dialog")
    host.run(30_000)
    assert.deepStrictEqual(host.written, [])
    assert.isFalse(host.keysHeld)
    host.press("\r")
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "done"])
  })

  it("waits while the last frame is only half drawn", () => {
    const host = atRest()
    host.add("a", "hello")
    host.cli.tear()
    host.run(5_000)
    assert.deepStrictEqual(host.written, [])
    host.cli.mend()
    host.run(10_000)
    assert.deepStrictEqual(prompts(host), ["hello"])
  })

  it("over which a menu of suggestions opens is closed with a blank, so that Enter chooses nothing", () => {
    const host = atRest((cli) => {
      cli.menus = true
    })
    host.add("a", "/compact")
    host.run(10_000)
    assert.deepStrictEqual(writes(host), ["text", "pad", "submit"])
    assert.deepStrictEqual([prompts(host), host.status("a")], [["/compact"], "done"])
  })

  it("that the CLI runs from its menu alone is typed, and entered where the menu offers that command", () => {
    const host = atRest((cli) => {
      cli.menus = true
      cli.offers = "/own"
    })
    host.add("a", "/own")
    host.run(10_000)
    assert.deepStrictEqual(writes(host), ["text", "submit"])
    assert.deepStrictEqual([prompts(host), host.status("a")], [["/own"], "done"])
  })

  it.each([null, "/own-other"])("is held and taken out of the box where its menu offers %s instead", (offers) => {
    const host = atRest((cli) => {
      cli.menus = offers !== null
      cli.offers = offers
    })
    host.add("a", "/own")
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.cli.draft], [[], "held", ""])
    assert.match(why(host, "a") ?? "", /the CLI knows no command \/own/)
  })

  it.each([
    ["/ask", true],
    ["use $skill", true],
    ["mail a@b, or see /tmp/x", false],
    ["/ask me", false]
  ])("%j, of which a CLI may complete the last word, is sent as it is though no menu is seen: %s", (text, isPadded) => {
    const host = atRest((cli) => {
      cli.menus = true
      cli.lateMenus = true
    })
    host.add("a", text)
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [[text], "done"])
    assert.deepStrictEqual(writes(host), isPadded ? ["text", "pad", "submit"] : ["text", "submit"])
  })

  it("that starts no turn counts as done after a while, and says so", () => {
    const host = atRest()
    host.add("a", "/compact")
    host.add("b", "next")
    host.run(1_400)
    assert.strictEqual(host.status("a"), "submitted")
    host.run(1_000)
    assert.deepStrictEqual([host.status("a"), why(host, "a")], ["done", "the CLI took it; no turn of its own was seen"])
    host.run(10_000)
    assert.deepStrictEqual(prompts(host), ["/compact", "next"])
  })

  it.each([false, true])(
    "that the CLI knows no command for is held, and nothing behind it goes; it stays: %s",
    (keeps) => {
      const host = atRest((cli) => {
        cli.knows = { name: "/compact", keeps }
      })
      host.add("a", "/tmp is full: clean it")
      host.add("b", "next")
      host.run(20_000)
      assert.deepStrictEqual(writes(host), keeps ? ["text", "submit", "clear"] : ["text", "submit"])
      assert.deepStrictEqual([host.status("a"), host.status("b"), host.cli.draft], ["held", "held", ""])
      assert.strictEqual(why(host, "a"), "the CLI knows no command /tmp, and took none of it")
      host.add("c", "/compact")
      host.run(20_000)
      assert.strictEqual(host.status("c"), "done", "another is not meant")
      host.cli.knows = null
      host.add("d", "/tmp")
      host.run(20_000)
      assert.strictEqual(host.status("d"), "done", "what was said of an earlier one stays on the screen")
      host.cli.knows = { name: "/compact", keeps }
      host.add("e", "/tmp")
      host.run(20_000)
      assert.strictEqual(why(host, "e"), "the CLI knows no command /tmp, and took none of it")
    }
  )

  it.each([
    [false, false],
    [true, false],
    [true, true]
  ])(
    "that a hook of the user's refuses is held, and never told as answered; it stays: %s, the status tells of rest: %s",
    (keeps, reports) => {
      const host = atRest((cli) => {
        cli.refuses = { word: "secret", keeps }
        cli.reports = reports
      })
      host.add("a", "hello")
      host.run(10_000)
      host.add("b", "my secret is 7")
      host.add("c", "next")
      host.run(30_000)
      assert.deepStrictEqual([host.status("a"), host.status("b"), host.status("c")], ["done", "held", "held"])
      assert.strictEqual(why(host, "b"), "a hook of the CLI's refused it: the model has not seen it")
      assert.deepStrictEqual(each(host.cli.answered, "text"), ["hello"])
      // what it said of that stays on the screen, and is of no other message
      host.press("\u0015")
      host.add("d", "bye")
      host.run(30_000)
      assert.deepStrictEqual([host.status("d"), each(host.cli.answered, "text")], ["done", ["hello", "bye"]])
    }
  )

  // Whether the picker is the command's answer or came by itself, only the box behind it will tell.
  it("that opens a picker keeps the next one back until the picker is gone", () => {
    const host = atRest()
    host.add("a", "/picker")
    host.add("b", "next")
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.status("b")], [["/picker"], "typed", "queued"])
    assert.match(why(host, "a") ?? "", /a view .* covers its box/)
    host.press("\u001b")
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.status("b")], [["/picker", "next"], "done", "done"])
    assert.notMatch(why(host, "a") ?? "", /covers/)
    assert.deepStrictEqual(host.cli.swallowed, [])
  })

  it.each(["picker", "panel"] as const)("that opens a view behind its Enter is over, though the %s stays", (view) => {
    const host = atRest()
    host.add("a", "/rewind")
    host.add("b", "next")
    while (host.status("a") !== "submitted") host.run(10)
    host.cli.raise(view)
    host.run(20_000)
    assert.deepStrictEqual([host.status("a"), why(host, "a")], ["done", "the CLI took it; no turn of its own was seen"])
    assert.deepStrictEqual([prompts(host), host.status("b")], [["/rewind"], "queued"])
    host.press("\u001b")
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.status("b")], [["/rewind", "next"], "done"])
    assert.deepStrictEqual(host.cli.swallowed, [])
  })
})

describe("a dialog", () => {
  it("keeps messages back, however long it is up", () => {
    const host = atRest()
    host.cli.raise("dialog")
    host.run(100)
    host.add("a", "hello")
    host.run(60_000)
    assert.deepStrictEqual(host.written, [])
    host.press("\r")
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "done"])
  })

  it("between text and Enter gets no Enter and leaves the user's keys alone; the text is taken back and typed anew", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(365)
    assert.deepStrictEqual([writes(host), host.status("a")], [["text"], "typed"])
    host.cli.raise("dialog")
    host.run(30_000)
    assert.deepStrictEqual(writes(host), ["text"])
    assert.isFalse(host.keysHeld)
    host.press("\r")
    host.run(10_000)
    assert.deepStrictEqual(host.cli.swallowed, [])
    assert.deepStrictEqual(writes(host), ["text", "clear", "text", "submit"])
    assert.deepStrictEqual(
      [prompts(host), host.status("a"), Queue.find(host.queue, "a")?.attempts],
      [["hello"], "done", 0]
    )
  })

  it("that took Enter leaves the text in the box: it is taken back, not sent a second time", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(420)
    assert.strictEqual(host.status("a"), "typed")
    host.cli.freeze(80)
    host.cli.raise("dialog")
    host.run(30_000)
    assert.deepStrictEqual(each(host.cli.swallowed, "data"), ["\r"])
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "done"])
  })
})

describe("a text that does not show", () => {
  it("is typed again, and held after three attempts", () => {
    const host = atRest((cli) => {
      cli.lose = 1_000
    })
    host.add("a", "hello")
    host.add("b", "next")
    host.run(60_000)
    assert.deepStrictEqual(receipt(host, "a"), ["Attempted", "Requeued", "Attempted", "Requeued", "Attempted", "held"])
    assert.include(why(host, "a"), "given up after 3 attempts")
    // what waits behind it never overtakes it
    assert.deepStrictEqual([host.status("b"), prompts(host)], ["held", []])
    assert.include(why(host, "b"), "the message before it is held")
    assert.isTrue(host.said.some((line) => line.includes("“hello”") && line.includes("is held")))
    assert.deepStrictEqual(prompts(host), [])
    assert.isFalse(writes(host).includes("submit"))
  })

  it("is typed again after a second, and then after five", () => {
    const host = atRest((cli) => {
      cli.lose = 1_000
    })
    host.add("a", "hello")
    host.run(60_000)
    const at = (tag: string) => host.log.flatMap((record) => (record._tag === tag && "at" in record ? [record.at] : []))
    const [back, attempts] = [at("Requeued"), at("Attempted")]
    assert.deepStrictEqual(
      back.map((moment, n) => attempts[n + 1]! - moment),
      [1_000, 5_000]
    )
  })

  it("and shows late is typed once all the same", () => {
    const host = atRest()
    host.add("a", "hello")
    host.cli.freeze(7_000)
    host.run(40_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "done"])
    assert.deepStrictEqual(writes(host), ["text", "clear", "text", "submit"])
  })

  it("is held when a key of the user's may send it as it shows at last", () => {
    const host = atRest()
    host.add("a", "/hello")
    host.cli.freeze(8_000)
    host.run(5_500)
    host.press("\r")
    host.run(40_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["/hello"], "held"])
  })

  it("and that cannot be taken out as it shows late, is held: a key of the user's would send it", () => {
    const host = atRest()
    host.add("a", "hello")
    host.cli.freeze(5_500)
    host.run(5_600)
    host.cli.lose = 1
    host.run(10_000)
    assert.deepStrictEqual([host.cli.draft, host.status("a")], ["hello", "held"])
    assert.include(why(host, "a"), "could not be taken out of the box")
    host.press("\r")
    host.run(20_000)
    assert.deepStrictEqual(prompts(host), ["hello"])
  })

  it("and shows after its message was removed is taken out of the box", () => {
    const host = atRest()
    host.add("a", "hello")
    host.cli.freeze(8_000)
    host.run(6_000)
    assert.isTrue(host.change(Queue.remove(host.queue, "a", host.now)))
    host.run(10_000)
    assert.deepStrictEqual([host.cli.draft, prompts(host)], ["", []])
    assert.isFalse(host.keysHeld)
  })
})

describe("a resize, after which the CLI draws anew only later,", () => {
  it.each([
    ["as the text is to show", 340, 3_000],
    ["between text and Enter", 380, 3_000],
    ["after Enter", 470, 3_000],
    ["after an Enter that does nothing", 470, 3_000]
  ] as const)("%s says nothing of the text: it is sent once", (what, at, redrawn) => {
    const host = atRest()
    host.add("a", "hello\nand more")
    host.run(at)
    if (what.includes("nothing")) host.cli.lose = 1
    host.cli.resize(redrawn)
    host.run(30_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.cli.draft], [["hello\nand more"], "done", ""])
    assert.isTrue(receipt(host, "a").every((step) => step !== "held" && step !== "Requeued"))
  })

  it("and which never ends keeps no key of the user's for long", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(380)
    for (let i = 0; i < 100; i++) {
      host.cli.resize(1_000)
      host.run(300)
    }
    assert.isFalse(host.keysHeld)
    assert.isAtMost(host.longestHold, 20_000)
  })

  it("longer than leap waits: the message is held, and its text taken out of the box that shows it again", () => {
    const host = atRest()
    host.add("a", "hello\nand more")
    host.run(380)
    host.cli.resize(12_000)
    host.run(11_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [[], "held"])
    assert.include(why(host, "a"), "its box left the screen")
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.cli.draft], [[], "held", ""])
    assert.isFalse(host.keysHeld)
    host.change(Queue.release(host.queue, "a", host.now))
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello\nand more"], "done"])
  })
})

describe("an Enter that does nothing", () => {
  it("is pressed once more", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(380)
    assert.strictEqual(host.status("a"), "typed")
    host.cli.lose = 1
    host.run(20_000)
    assert.deepStrictEqual(
      [writes(host), prompts(host), host.status("a")],
      [["text", "submit", "submit"], ["hello"], "done"]
    )
  })

  it("and behind which another's turn begins beside the text: the message is held, and not taken for sent", () => {
    const host = atRest((cli) => {
      cli.hooks = false
      cli.startDelay = 1_500
    })
    host.add("a", "hello")
    host.run(380)
    host.cli.ownTurn()
    host.cli.lose = 1
    host.run(30_000)
    assert.deepStrictEqual([host.status("a"), host.cli.draft, prompts(host)], ["held", "", []])
  })

  it("and in whose place the box shows another text: the message may have been sent, and is held", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(380)
    host.cli.lose = 1
    while (!writes(host).includes("submit")) host.run(10)
    host.cli.shows("a suggestion")
    host.run(20_000)
    assert.deepStrictEqual([writes(host), prompts(host), host.status("a")], [["text", "submit", "clear"], [], "held"])
    assert.include(why(host, "a"), "it may have been sent")
  })

  it("but behind which its turn begins, with another text in the box, has sent it", () => {
    const host = atRest((cli) => {
      cli.hooks = false
    })
    host.add("a", "hello")
    host.run(380)
    host.cli.nextDraft = "a suggestion"
    host.run(20_000)
    assert.deepStrictEqual([writes(host), prompts(host)], [["text", "submit"], ["hello"]])
    assert.oneOf(host.status("a"), ["started", "done"])
  })

  it("and again nothing: the text is taken out and the message held", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(380)
    host.cli.lose = 2
    host.run(3_200)
    host.run(20_000)
    assert.deepStrictEqual(writes(host), ["text", "submit", "submit", "clear"])
    assert.deepStrictEqual([host.status("a"), host.cli.draft, prompts(host)], ["held", "", []])
    assert.match(why(host, "a") ?? "", /^Enter did not send it; .*'clis\.<cli>\.keys'/)
    assert.isFalse(host.keysHeld)
  })
})

describe("an Enter that is heard late", () => {
  const late = (freeze: number, configure?: (cli: SimulatedCli) => void) => {
    const host = atRest(configure)
    host.add("a", "hello")
    host.run(380)
    assert.strictEqual(host.status("a"), "typed")
    host.cli.freeze(freeze)
    host.run(freeze + 10_000)
    return host
  }

  it("is not pressed again while it may still be on its way", () => {
    const host = late(7_000)
    assert.deepStrictEqual([writes(host), prompts(host), host.status("a")], [["text", "submit"], ["hello"], "done"])
  })

  it.each<readonly [string, (cli: SimulatedCli) => void]>([
    ["a hook tells of", () => {}],
    [
      "a hook tells of without its text",
      (cli) => {
        cli.tellsPrompts = false
      }
    ]
  ])("has sent the message although the box was cleared, when a turn begins that %s", (_, configure) => {
    const host = late(12_000, configure)
    assert.deepStrictEqual(
      [writes(host), prompts(host), host.status("a"), host.keysHeld],
      [["text", "submit", "submit", "clear"], ["hello"], "done", false]
    )
  })

  it("is not taken for certain where the screen alone shows a turn, which may be the CLI's own", () => {
    const host = late(12_000, (cli) => void (cli.hooks = false))
    assert.deepStrictEqual([prompts(host), host.status("a"), host.keysHeld], [["hello"], "held", false])
    assert.include(host.said.at(-1), "it may have been sent")
  })
})

describe("the user's keys", () => {
  it("are held from the attempt until the box let go, and then get through", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(310)
    assert.isTrue(host.keysHeld)
    host.press("x")
    host.run(1_000)
    assert.deepStrictEqual([prompts(host), host.cli.draft, host.keysHeld], [["hello"], "x", false])
  })

  it("that slip in beside the text are put back, and the message is typed when the box is free again", () => {
    const host = atRest()
    host.cli.freeze(11_200)
    host.press("x")
    host.add("a", "hello")
    host.run(17_000)
    assert.deepStrictEqual([prompts(host), host.cli.draft, host.status("a")], [[], "x", "queued"])
    assert.deepStrictEqual(writes(host), ["text", "clear", "restore"])
    host.press("\u0015")
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "done"])
  })

  it("are waited for until the CLI has drawn them", () => {
    const host = atRest()
    host.cli.freeze(3_000)
    host.press("x")
    host.add("a", "hello")
    host.run(9_000)
    assert.deepStrictEqual([writes(host), host.cli.draft, host.status("a")], [[], "x", "queued"])
    host.press("\u0015")
    host.run(9_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "done"])
  })

  it("that come right behind Enter stay in the box, and the message is known to be sent", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(452)
    assert.deepStrictEqual(writes(host), ["text", "submit"])
    host.slip("z")
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.cli.draft, host.status("a")], [["hello"], "z", "done"])
  })

  it("that slip in between text and Enter keep Enter back", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(360)
    assert.strictEqual(host.status("a"), "typed")
    host.slip("z")
    host.run(6_000)
    assert.deepStrictEqual([prompts(host), host.cli.draft, host.status("a")], [[], "z", "queued"])
  })

  it("that may have sent the text behind a picker leave the message held", () => {
    const host = atRest()
    host.add("a", "/hello")
    host.run(380)
    host.cli.raise("picker")
    host.run(1_000)
    // It closes by itself; Enter, meant for it, comes to a CLI that is slow to read.
    host.cli.lower()
    host.cli.freeze(1_200)
    host.slip("\r")
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["/hello"], "held"])
  })

  it.each([
    ["as a hook tells", true],
    ["as the screen shows", false]
  ] as const)(
    "that may have sent the text behind a dialog leave the message held when a turn begins, %s",
    (_, hooks) => {
      const host = atRest((cli) => {
        cli.hooks = hooks
      })
      host.add("a", "hello")
      host.run(380)
      host.cli.raise("dialog")
      host.run(1_000)
      host.cli.lower()
      host.run(2)
      host.cli.freeze(1_200)
      host.slip("\r")
      host.run(20_000)
      assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "held"])
    }
  )

  it("that get into the text are left where they are: the message is held and nothing is sent", () => {
    const host = atRest()
    host.cli.freeze(10_500)
    host.press("y")
    host.add("a", "hello")
    host.run(10_100)
    assert.isTrue(host.keysHeld)
    host.slip("z")
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.cli.draft, host.status("a")], [[], "yhelloz", "held"])
    assert.include(why(host, "a"), "mixed with what you typed")
    assert.deepStrictEqual(writes(host), ["text"])
    assert.isFalse(host.keysHeld)
  })

  it("that send the text themselves count as its sending", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(330)
    host.slip("\r")
    host.run(10_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), writes(host)], [["hello"], "done", ["text"]])
  })
})

describe("a turn", () => {
  it("that fails to begin in time lets nothing else out", () => {
    const host = atRest((cli) => {
      cli.hooks = false
      cli.startDelay = 4_000
    })
    host.add("a", "hello")
    host.add("b", "next")
    host.run(5_000)
    assert.deepStrictEqual(prompts(host), ["hello"])
    host.run(40_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.status("b")], [["hello", "next"], "done", "done"])
  })

  it("of another's making is not taken for the message's own", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(452)
    assert.deepStrictEqual(writes(host), ["text", "submit"])
    host.cli.ownTurn()
    host.run(2_300)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "started"])
    host.run(1_500)
    assert.strictEqual(host.status("a"), "started")
    host.run(10_000)
    assert.strictEqual(host.status("a"), "done")
  })

  it("of another's making is no sign of the message's own, where the CLI does not tell of prompts", () => {
    const host = atRest((cli) => {
      cli.tellsPrompts = false
    })
    host.add("a", "hello")
    host.run(452)
    host.cli.ownTurn()
    host.run(2_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "submitted"])
  })

  it("whose text left the box by no key of leap's is in doubt: never typed again unasked", () => {
    const host = atRest((cli) => {
      cli.hooks = false
    })
    host.add("a", "/hello")
    host.run(380)
    assert.strictEqual(host.status("a"), "typed")
    host.cli.write("\r", "user")
    host.run(40_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), writes(host)], [["/hello"], "held", ["text"]])
  })

  it("of another's making, while the text stands in the box, takes the text back", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(365)
    host.cli.ownTurn()
    host.run(1_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.cli.draft], [[], "queued", ""])
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["hello"], "done"])
  })
})

describe("--force", () => {
  it("goes out while a turn runs, and is done after its own turn", () => {
    const host = atRest()
    host.add("a", "hello")
    host.run(1_500)
    assert.strictEqual(host.status("a"), "started")
    host.add("b", "waits")
    host.add("now", "at once", { force: true })
    host.run(700)
    assert.deepStrictEqual([prompts(host), host.status("now")], [["hello", "at once"], "started"])
    host.run(2_500)
    assert.strictEqual(host.status("now"), "started")
    host.run(30_000)
    assert.deepStrictEqual(prompts(host), ["hello", "at once", "waits"])
    assert.deepStrictEqual(
      ["a", "b", "now"].map((id) => host.status(id)),
      ["done", "done", "done"]
    )
  })

  it("goes round the user's draft and puts it back", () => {
    const host = atRest()
    for (const key of "my draft") host.press(key)
    host.run(600)
    host.add("now", "at once", { force: true })
    host.run(3_000)
    assert.deepStrictEqual([prompts(host), host.cli.draft], [["at once"], "my draft"])
    assert.deepStrictEqual(writes(host), ["clear", "text", "submit", "restore"])
    assert.isFalse(host.keysHeld)
  })

  it.each([
    ["had been typed again", "restore", false],
    ["had not", "submit", true]
  ] as const)("tells of a draft that the CLI's exit cost, unless it %s", (_, last, isTold) => {
    const host = atRest()
    for (const key of "my draft") host.press(key)
    host.run(600)
    host.add("now", "at once", { force: true })
    for (let waited = 0; writes(host).at(-1) !== last && waited < 3_000; waited++) host.run(1)
    host.cli.exit()
    host.run(1_000)
    assert.strictEqual(
      host.said.some((line) => line.includes("could not be put back into the box: my draft")),
      isTold
    )
  })

  it("waits for a draft that could not be put back, and says so once", () => {
    const host = atRest((cli) => {
      cli.foldNext = true
    })
    host.press("\u001b[200~a long\npaste\u001b[201~")
    host.run(600)
    host.add("now", "at once", { force: true })
    host.run(10_000)
    assert.deepStrictEqual(host.written, [])
    assert.lengthOf(
      host.said.filter((line) => line.includes("waits")),
      1
    )
    host.press("\u0015")
    host.run(10_000)
    assert.deepStrictEqual(prompts(host), ["at once"])
  })

  it.each(["dialog", "picker", "panel"] as const)("never goes into a %s", (overlay) => {
    const host = atRest()
    host.cli.raise(overlay)
    host.run(100)
    host.add("now", "at once", { force: true })
    host.run(30_000)
    assert.deepStrictEqual(host.written, [])
  })
})

describe("the CLI's exit", () => {
  it.each([
    [200, "queued", null],
    [320, "held", "exited while it was being typed"],
    [365, "held", "exited while it was being typed"],
    [1_500, "failed", "exited during its turn"]
  ] as const)("after %i ms leaves the message %s", (span, status, reason) => {
    const host = atRest()
    host.add("a", "hello")
    host.add("b", "next")
    host.run(span)
    host.cli.exit()
    host.run(60_000)
    assert.strictEqual(host.status("a"), status)
    if (reason !== null) assert.include(why(host, "a"), reason)
    assert.strictEqual(host.status("b"), status === "held" ? "held" : "queued")
    assert.isFalse(host.keysHeld)
  })

  it("on a command is what the command was for", () => {
    const host = atRest()
    host.add("a", "/exit")
    host.run(600)
    host.cli.exit()
    host.run(100)
    assert.deepStrictEqual([host.status("a"), why(host, "a")], ["done", "the CLI exited on it"])
  })
})

describe("the host's death", () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])("before command %i sends nothing twice, and nothing unasked", (killIn) => {
    const host = atRest()
    host.add("a", "hello")
    host.add("b", "next")
    host.killIn = killIn
    host.run(4_000)
    assert.strictEqual(host.kills, 1)
    const before = prompts(host).length
    host.run(60_000)
    assert.lengthOf(prompts(host), before)
    assert.strictEqual(host.status("b"), "held")
    assert.include(["held", "failed", "done"], host.status("a"))
    if (before > 0) assert.notStrictEqual(why(host, "a"), "left over from an earlier run")
    host.change(Queue.release(host.queue, null, host.now))
    host.run(60_000)
    assert.include(prompts(host), "next")
    assert.include(prompts(host), "hello")
  })
})

describe("what nobody has seen to be sent", () => {
  const screenOnly = (cli: SimulatedCli) => void (cli.hooks = false)
  /** Its text stands in the box, and the next bytes of leap's are lost. */
  const typed = (configure?: (cli: SimulatedCli) => void) => {
    const host = atRest(configure)
    host.add("a", "hello")
    host.run(420)
    assert.strictEqual(host.status("a"), "typed")
    host.cli.lose = 1
    return host
  }

  it("is held where a key of the user's has emptied the box, and Enter was lost", () => {
    const host = typed()
    while (!writes(host).includes("submit")) host.run(10)
    host.slip("\u0015")
    host.run(20_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.keysHeld], [[], "held", false])
    assert.include(host.said.at(-1), "a key of yours came in between, and its box is empty")
  })

  /** The box is off the screen for longer than an Enter takes, and then shows the text still. */
  const givenBack = (host: SimulatedHost) => {
    host.run(50)
    const screen = { ...blankFacts, box: null }
    host.tell({ _tag: "Output", at: host.now, screen })
    host.run(600)
    host.tell({ _tag: "Output", at: host.now, screen })
    assert.strictEqual(host.status("a"), "submitted")
    host.cli.mend()
    host.run(100)
    return host
  }

  it("is held where its text is in the box again, whatever lies over that meanwhile", () => {
    const host = givenBack(typed(screenOnly))
    host.cli.raise("dialog")
    host.run(8_000)
    assert.strictEqual(host.status("a"), "submitted")
    host.cli.lower()
    host.run(2_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [[], "held"])
    assert.include(host.said.at(-1), "it stands in the box, unsent")
  })

  it("is held, too, while the user's draft is to be put back", () => {
    const host = atRest(screenOnly)
    host.press("x")
    host.run(1_000)
    host.add("a", "hello", { force: true })
    host.run(450)
    host.cli.lose = 1
    givenBack(host)
    host.cli.raise("dialog")
    host.run(8_000)
    assert.strictEqual(host.status("a"), "submitted")
    host.cli.lower()
    host.run(5_000)
    assert.deepStrictEqual([prompts(host), host.status("a"), host.keysHeld], [[], "held", false])
  })

  /** Another text of the user's got beside it, and as leap takes it out (which is lost) the user presses Enter. */
  const sentByUser = (configure?: (cli: SimulatedCli) => void) => {
    const host = atRest(configure)
    host.add("a", "hello to you all")
    host.run(325)
    host.slip("x")
    host.cli.lose = 1
    while (!writes(host).includes("clear")) host.run(10)
    host.slip("\r")
    host.run(1)
    host.cli.resize(1_500)
    host.run(30_000)
    return host
  }

  it("is sent once, and done, where the CLI tells that the user's Enter has sent it", () => {
    const host = sentByUser()
    assert.deepStrictEqual([prompts(host).length, host.status("a"), host.keysHeld], [1, "done", false])
  })

  it("is sent once, and held, where the screen alone shows a turn behind the user's Enter", () => {
    const host = sentByUser(screenOnly)
    assert.deepStrictEqual([prompts(host).length, host.status("a"), host.keysHeld], [1, "held", false])
  })

  it("is taken out of the box where it shows late, and as another text", () => {
    const host = atRest((cli) => {
      cli.draws = (text) => text.replace("กำ น้ำ", "กำ")
    })
    host.add("a", "do กำ น้ำ")
    host.run(310)
    host.cli.freeze(6_000)
    host.run(40_000)
    assert.deepStrictEqual([prompts(host), host.status("a")], [["do กำ น้ำ"], "done"])
    assert.include(host.said, "took text of an earlier attempt out of the box")
  })
})

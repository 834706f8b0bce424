import { assert, describe, it } from "@effect/vitest"
import { AloneSession } from "../../../support/session/AloneSession.ts"
import { dialog, draft, frame, keys, picker, started, working } from "../../../support/session/trace.ts"

describe("after Enter", () => {
  it("a box that is off the screen for a moment is no sign that the text was taken", () => {
    const session = new AloneSession()
    session.enters("a", "do a")
    assert.deepStrictEqual(session.purposes, ["text", "submit"])
    session.tell(frame({ box: null }))
    session.run(400)
    assert.strictEqual(session.status("a"), "typed")
    session.tell(draft("do a"))
    session.run(10_000)
    // it was not: Enter is pressed again
    assert.deepStrictEqual(session.purposes, ["text", "submit", "submit"])
  })

  it("a box that stays off the screen, with nothing over it, is one", () => {
    const session = new AloneSession()
    session.enters("a", "do a")
    session.tell(frame({ box: null }))
    session.run(600)
    assert.strictEqual(session.status("a"), "submitted")
  })

  it("work of a turn that background work has begun is none", () => {
    const session = new AloneSession()
    session.enters("a", "do a")
    session.tell(started("of its own", true), working({ box: null }))
    session.run(100)
    assert.strictEqual(session.status("a"), "typed")
  })

  it("work of another turn is one, once the box is off the screen", () => {
    const session = new AloneSession()
    session.enters("a", "do a")
    session.tell(working({ box: null }))
    assert.strictEqual(session.status("a"), "started")
  })

  it("a picker behind a dialog that took the user's keys is none: the command may have gone by those", () => {
    const session = new AloneSession()
    session.enters("a", "/do a")
    session.tell(dialog())
    session.run(1_000)
    session.tell(keys("enter"), picker)
    session.run(1_000)
    session.tell(keys("escape"), frame())
    session.run(1_000)
    assert.strictEqual(session.status("a"), "held")
    assert.include(session.reason("a"), "a dialog came up while it was being typed; it may have been sent")
  })

  it.each([
    ["a picker alone", picker],
    ["a question alone", dialog({ kind: "other", declines: true, opened: true })]
  ])("%s, which the command has opened, is one", (_, opened) => {
    const session = new AloneSession()
    session.enters("a", "/do a")
    session.tell(opened)
    session.run(1_000)
    session.tell(keys("escape"), frame())
    session.run(1_000)
    assert.strictEqual(session.status("a"), "submitted")
  })
})

describe("a text that does not show", () => {
  it.each([
    ["for five seconds", false, 4_900],
    ["for one, where a key of the user's got in between", true, 900]
  ] as const)("is waited for %s", (_, touched, still) => {
    const session = new AloneSession()
    session.add("a", "do a")
    while (session.purposes.length === 0) session.run(10)
    if (touched) session.tell(keys("text"))
    session.run(still)
    assert.isNull(session.reason("a"))
    session.run(100)
    assert.isNotNull(session.reason("a"))
  })
})

describe("a menu over the text", () => {
  it("that a blank does not close takes the text back, a second later", () => {
    const session = new AloneSession()
    session.add("a", "/do a")
    session.run(600)
    session.tell(frame({ box: { draft: "/do a" }, picker: true }))
    session.run(1_050)
    assert.deepStrictEqual(session.purposes, ["text", "pad"])
    session.run(100)
    assert.deepStrictEqual(session.purposes, ["text", "pad", "clear"])
    session.tell(frame())
    assert.strictEqual(session.status("a"), "held")
    assert.include(session.reason("a"), "a menu stayed open over it")
  })
})

describe("a text that the CLI gives back", () => {
  it("is held once it has stood in the box for a second", () => {
    const session = new AloneSession()
    session.sends("a", "do a")
    session.tell(draft("do a"))
    session.run(900)
    assert.strictEqual(session.status("a"), "submitted")
    session.run(100)
    assert.strictEqual(session.status("a"), "held")
    assert.include(session.reason("a"), "the CLI gave it back")
  })
})

describe("a frame that is only half drawn", () => {
  it("keeps Enter back until it is drawn to its end", () => {
    const session = new AloneSession()
    session.add("a", "do a")
    session.run(600)
    session.tell(draft("do a"), { _tag: "Output", screen: null })
    session.run(500)
    assert.deepStrictEqual(session.purposes, ["text"])
    session.tell(draft("do a"))
    assert.deepStrictEqual(session.purposes, ["text", "submit"])
  })
})

describe("a box that left the screen before Enter", () => {
  const gone = (touched: boolean) => {
    const session = new AloneSession()
    session.add("a", "do a")
    session.run(600)
    session.tell(draft("do a"))
    session.run(50)
    session.tell(frame({ box: null }))
    session.run(1_000)
    if (touched) session.tell(keys("text"))
    session.run(10_000)
    assert.strictEqual(session.status("a"), "held")
    session.tell(draft("do a"))
    session.run(10_000)
    return session.purposes
  }

  it("is cleared of the text when it comes back with it", () => {
    assert.deepStrictEqual(gone(false), ["text", "clear"])
  })

  it("is left alone, where the user has typed", () => {
    assert.deepStrictEqual(gone(true), ["text"])
  })
})

describe("the user's draft", () => {
  it("goes back after a dialog once keys that were on their way have been heard of", () => {
    const session = new AloneSession()
    session.tell(draft("mine"))
    session.add("a", "do a", true)
    session.run(1_000)
    session.tell(frame(), draft("do a"))
    session.run(150)
    session.tell(dialog(), started("do a"))
    assert.deepStrictEqual([session.status("a"), session.purposes], ["started", ["clear", "text", "submit"]])
    session.run(1_000)
    session.tell(frame())
    assert.notInclude(session.purposes, "restore")
    session.run(30)
    assert.deepStrictEqual(session.purposes, ["clear", "text", "submit", "restore"])
  })
})

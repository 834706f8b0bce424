import { assert, describe, it } from "@effect/vitest"
import { canPutBack, isSameAgain, userPart } from "../../../../src/domain/engine/delivery/Box.ts"
import { AloneSession } from "../../../support/session/AloneSession.ts"
import { frame } from "../../../support/session/trace.ts"

describe("the user's part of what the box shows", () => {
  it.each([
    ["behind leap's text", "do a and so on", "do a", " and so on"],
    ["before it", "first do a", "do a", "first "],
    ["none", "do a", "do a", ""],
    ["either side, which cannot be told", "do axdo a", "do a", null],
    ["on both sides", "so do a too", "do a", null],
    ["of several lines, which the screen does not show for certain", "do a\nmore", "do a", null]
  ] as const)("%s", (_, draft, text, part) => {
    assert.strictEqual(userPart(draft, text), part)
  })

  it("goes back where it is one line of no more than 200 characters, and no command of the CLI's shell", () => {
    assert.isTrue(canPutBack("x".repeat(200)))
    assert.isFalse(canPutBack("x".repeat(201)))
    assert.isFalse(canPutBack("[Pasted text]"))
    assert.deepStrictEqual([isSameAgain("ls"), isSameAgain("!ls")], [true, false])
  })
})

describe("a message that goes at once", () => {
  it.each(["starting", "needs_permission", "needs_input"] as const)("waits while the session is %s", (state) => {
    const session = new AloneSession()
    session.sees(state, frame())
    session.add("a", "do a", true)
    session.run(10_000)
    assert.deepStrictEqual(session.purposes, [])
    session.sees("running", frame())
    session.run(1_000)
    assert.deepStrictEqual(session.purposes, ["text"])
  })
})

import { assert, describe } from "@effect/vitest"
import { Context, Layer } from "effect"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { HostedPty } from "../../../src/programs/host/HostedPty.ts"
import { MemoryKeeper } from "../../../src/programs/host/MemoryKeeper.ts"
import { ScreenSampler } from "../../../src/programs/host/ScreenSampler.ts"
import * as SessionScreen from "../../../src/programs/host/SessionScreen.ts"
import * as TerminalSize from "../../../src/programs/host/TerminalSize.ts"
import { contextOf, recorderOf, RuntimeFake } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"

describe("the terminal's size", () => {
  effect("is one for emulator, pseudo-terminal, record and machine; the screen is read after a change", function* () {
    const runtime = new RuntimeFake()
    const recorder = recorderOf()
    const told: Array<string> = []
    const context = yield* Layer.build(
      TerminalSize.layer.pipe(
        Layer.provideMerge(SessionScreen.layer),
        Layer.provide([
          contextOf({ cols: 80, rows: 24 }),
          recorder.layer,
          runtime.layer,
          ScreenXterm.layer,
          Layer.mock(HostedPty, {
            child: () => null,
            resize: ({ cols, rows }) => void told.push(`pty ${cols}x${rows}`),
            redraw: ({ cols, rows }) => void told.push(`pty drawn anew in ${cols}x${rows}`)
          }),
          Layer.mock(MemoryKeeper, {
            output: () => assert.fail("nothing is written"),
            heard: () => assert.fail("nobody says anything"),
            reflowed: () => void told.push("reflowed")
          }),
          Layer.mock(ScreenSampler, {
            request: () => void told.push("sample"),
            read: () => assert.fail("nobody waits for the screen")
          })
        ])
      )
    )
    const size = Context.get(context, TerminalSize.TerminalSize)
    const screen = Context.get(context, SessionScreen.SessionScreen)
    size.set({ cols: 80, rows: 24 })
    assert.deepStrictEqual([told, recorder.notes, runtime.take()], [[], [], []], "it has that size")
    size.set({ cols: 100, rows: 30 })
    assert.deepStrictEqual(told, ["pty 100x30", "sample", "reflowed"])
    assert.deepStrictEqual(recorder.notes, ["r 100x30"])
    assert.deepStrictEqual(runtime.take(), [{ _tag: "Resize", at: 0, cols: 100, rows: 30 }])
    assert.deepStrictEqual(screen.size(), { cols: 100, rows: 30 })
    assert.deepStrictEqual([screen.view().cols, screen.view().rows], [100, 30])
    size.set({ cols: 100, rows: 20 })
    assert.deepStrictEqual(told.slice(3), ["pty 100x20", "sample"], "no row is cut anew")
    runtime.take()
    size.redraw()
    assert.deepStrictEqual(told.slice(5), ["pty drawn anew in 100x20"])
    assert.deepStrictEqual(recorder.notes.slice(2), ["r 100x20"])
    assert.deepStrictEqual(runtime.take(), [{ _tag: "Resize", at: 0, cols: 100, rows: 20 }], "its machine waits")
  })
})

import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { hasTmux, openPane, type Pane } from "../support/processes/Tmux.ts"
import { fewestFaults } from "../support/terminal/clipTruth.ts"
import { lookingAgain } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

const big = { cols: 140, rows: 45 }
const small = { cols: 40, rows: 12 }

/** Waits, bounded, until panes show the host's screen, each in its own size. */
const agree = (
  room: Room,
  tag: string,
  step: string,
  panes: ReadonlyArray<{ readonly pane: Pane; readonly size: { readonly cols: number; readonly rows: number } }>
) =>
  Effect.gen(function* () {
    const client = yield* room.connect(tag)
    const look = Effect.gen(function* () {
      const { cols, rows, text } = yield* client.Screen()
      const screen = { cols, rows, lines: text.split("\n") }
      for (const { pane, size } of panes) {
        const lines = yield* pane.lines
        const faults =
          size.cols === cols && size.rows === rows
            ? lines.join("\n").trimEnd() === text.trimEnd()
              ? []
              : ["not the same"]
            : fewestFaults(screen, { lines }, size)
        if (faults.length > 0) {
          return yield* Effect.fail(
            `${step}: ${size.cols}x${size.rows}: ${faults.slice(0, 5).join("; ")}\n${lines.join("\n")}\n--- host\n${text}`
          )
        }
      }
      return { cols, rows }
    })
    return yield* look.pipe(
      Effect.retry(lookingAgain(50)),
      Effect.catch((why) => Effect.die(new Error(String(why))))
    )
  }).pipe(Effect.scoped)

describe("viewers of different size, in tmux", () => {
  describe.skipIf(!hasTmux)("140 by 45 and 40 by 12", () => {
    live("both show the host's screen at every step", function* () {
      const room = yield* makeRoom()
      yield* startDemo(room, "two")
      const one = { pane: yield* openPane(room, "one", ["attach", "two"], big), size: big }
      yield* room.until("two", ({ attached }) => attached === 1, "one attached")
      yield* agree(room, "two", "one alone", [one])
      const two = { pane: yield* openPane(room, "two", ["attach", "two"], small), size: small }
      yield* room.until("two", ({ attached }) => attached === 2, "two attached")
      assert.deepStrictEqual(yield* agree(room, "two", "who comes decides", [one, two]), small)
      yield* two.pane.type("said from the small one, with more text than it has columns\r")
      yield* one.pane.shows((screen) => screen.includes("You asked"), "the answer in the big one")
      yield* room.until("two", ({ state }) => state === "idle", "idle")
      assert.deepStrictEqual(yield* agree(room, "two", "a turn from the small one", [one, two]), small)

      yield* one.pane.type("said from the big one, with more text than the small one has columns")
      assert.deepStrictEqual(yield* agree(room, "two", "a draft in the big one", [one, two]), big)
      yield* one.pane.type("\r")
      yield* room.until("two", ({ state }) => state === "idle", "idle again")
      assert.deepStrictEqual(yield* agree(room, "two", "a turn from the big one", [one, two]), big)

      const reader = { pane: yield* openPane(room, "read", ["attach", "two", "--read-only"], small), size: small }
      yield* room.until("two", ({ attached }) => attached === 3, "three attached")
      assert.deepStrictEqual(yield* agree(room, "two", "a reader", [one, two, reader]), big)

      yield* two.pane.type("x")
      assert.deepStrictEqual(yield* agree(room, "two", "the small one types", [one, two, reader]), small)
      yield* two.pane.type("\x7f\x1c")
      yield* room.until("two", ({ attached }) => attached === 2, "one detached")
      assert.deepStrictEqual(yield* agree(room, "two", "it grows back", [one, reader]), big)
    })
  })
})

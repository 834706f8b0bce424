import { assert, describe } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeRoom } from "../support/processes/Room.ts"
import { hasTmux, openPane } from "../support/processes/Tmux.ts"
import { isThorough } from "../support/run/thorough.ts"
import { longTestPatience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

const megabytes = 50
const parts = 25
/** Each line is a number of nine digits, a carriage return and a line feed. */
const linesOfPart = Math.ceil((megabytes << 20) / parts / 11)

/** The last line of a part. */
const numbered = (part: number): string => String(part * linesOfPart).padStart(9, "0")

/**
 * In the place of a CLI: for each byte of input it writes a part of the numbers, and that the part is over. The byte is
 * Enter's, since capture characters that follow a letter at once belong to it.
 */
const standIn = `#!/bin/sh
stty -icanon -icrnl -echo min 1
printf 'stand-in-is-up\\n'
next=1
while [ -n "$(dd bs=1 count=1 2> /dev/null)" ]; do
  seq -f '%09.0f' $next $((next + ${linesOfPart} - 1))
  next=$((next + ${linesOfPart}))
  printf 'part over\\n'
done
`

describe("a stream of output, in tmux", () => {
  describe.runIf(hasTmux && isThorough)(`of ${megabytes} MB`, () => {
    live(
      "is shown whole, with all that has scrolled, while messages are begun and left over it",
      function* () {
        const room = yield* makeRoom()
        const bin = path.join(room.dir, "bin")
        fs.mkdirSync(bin)
        fs.writeFileSync(path.join(bin, "claude"), standIn, { mode: 0o755 })
        const extra = { PATH: `${bin}:${room.env["PATH"]}` }
        yield* room.leap(["hooks", "install", "--cli", "claude"], "", extra)
        const started = yield* room.leap(["one", "--cli", "claude", "--detach"], "", extra)
        assert.strictEqual(started.code, 0, started.stderr)
        const client = yield* room.connect("one")
        const pane = yield* openPane(room, "pane", ["attach", "one"], { cols: 80, rows: 24 }, 2 * linesOfPart)
        yield* pane.shows((screen) => screen.includes("stand-in-is-up"), "the program")

        for (let part = 1; part <= parts; part++) {
          yield* pane.type("\r")
          // what is read in one piece is no key after another
          const before = part === 1 ? "stand-in-is-up" : `${numbered(part - 1)}\npart over`
          yield* pane.shows((screen) => !screen.trimEnd().endsWith(before), `part ${part} has begun`)
          for (let time = 0; time < 3; time++) {
            yield* pane.type("^^")
            yield* pane.shows((screen) => screen.includes("Enter queues"), "a message is begun")
            yield* pane.type("words")
            yield* pane.shows((screen) => screen.includes("❯ words"), "it is written")
            yield* pane.type("\x1b")
            yield* pane.shows((screen) => !screen.includes("❯ words"), "it is left")
          }
          yield* pane.shows(
            (screen) => screen.trimEnd().endsWith(`${numbered(part)}\npart over`),
            `the end of part ${part}`
          )
          const { text } = yield* client.Screen()
          assert.strictEqual((yield* pane.lines).join("\n").trimEnd(), text.trimEnd())

          // no line of this part is missing, cut, or there twice in all that the terminal has ever shown of it
          const all = (yield* pane.history).trimEnd().split("\n")
          const from = all.lastIndexOf(part === 1 ? "stand-in-is-up" : "part over", all.length - 2)
          const shown = all.slice(from + 1, -1)
          const first = (part - 1) * linesOfPart + 1
          const wrong = shown.findIndex((line, i) => line !== String(first + i).padStart(9, "0"))
          assert.deepStrictEqual(shown.slice(Math.max(0, wrong - 1), wrong + 2), wrong < 0 ? shown.slice(0, 1) : [])
          assert.strictEqual(shown.length, linesOfPart)
        }
      },
      longTestPatience
    )
  })
})

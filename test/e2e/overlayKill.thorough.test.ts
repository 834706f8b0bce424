// Terminals are killed at moments that chance chooses.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { readDrafts } from "../../src/domain/surfaces/overlay/drafts.ts"
import { eventually, makeRoom, startDemo } from "../support/processes/Room.ts"
import { hasTmux, openPane } from "../support/processes/Tmux.ts"
import { longTestPatience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

const size = { cols: 90, rows: 24 }

describe("over the screen of an attached terminal, in tmux", () => {
  describe.skipIf(!hasTmux)("leap's menu and a message", () => {
    live(
      "offer no message that is queued, whenever its terminal is killed after Enter",
      function* () {
        const room = yield* makeRoom(undefined, { hosts: "apart" })
        yield* startDemo(room, "one")
        const drafts = `${room.session("one")}/drafts.json`
        const kept = () => (fs.existsSync(drafts) ? readDrafts(fs.readFileSync(drafts)) : [])
        const texts = Array.from({ length: 21 }, (_, i) => `thought ${i} of many`)
        for (const [i, text] of texts.entries()) {
          const pane = yield* openPane(room, `pane${i}`, ["attach", "one"], size)
          yield* pane.shows((screen) => screen.includes("ask anything"), "the CLI")
          yield* pane.type("^^")
          yield* pane.shows((screen) => screen.includes("── message one"), "the capture")
          yield* pane.type(text)
          yield* eventually(() => kept().some((draft) => draft.text === text), "it is on the disk")
          const pid = yield* pane.pid
          yield* pane.type("\r")
          // where in its way it is killed is left to chance: what holds, holds everywhere
          yield* Effect.sleep((100 * i) / (texts.length - 1))
          process.kill(pid, "SIGKILL")
          yield* room.until("one", ({ attached }) => attached === 0, "it is gone")
          yield* room.until("one", ({ queue, ready }) => ready && queue.length === 0, "all that was queued is sent")
        }
        const pane = yield* openPane(room, "last", ["attach", "one"], size)
        yield* pane.shows((screen) => screen.includes("ask anything"), "the CLI")
        yield* pane.type("^^")
        yield* eventually(() => kept().length === 0, "what was left is taken over")
        const saved = path.join(room.session("one"), "../../saved-messages.json")
        const offered = fs.existsSync(saved) ? fs.readFileSync(saved, "utf8") : ""
        const sent = room.log().flatMap(({ event, text }) => (event === "submitted" ? [text] : []))
        for (const text of texts)
          assert.strictEqual(
            sent.filter((one) => one === text).length + (offered.includes(text) ? 1 : 0),
            1,
            `${text}: ${offered.includes(text) ? "offered" : "not offered"}, ${JSON.stringify(sent)}`
          )
      },
      longTestPatience
    )
  })
})

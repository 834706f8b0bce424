import {
  acts,
  at,
  draws,
  endHook,
  ends,
  escape,
  look,
  prompts,
  raw,
  sends,
  stopped,
  stops,
  types,
  wait,
  works
} from "../support/ClaudeActor.ts"
import { numbered, type ScenarioRow } from "../support/scenarioTable.ts"
import { box, busy, interrupted } from "../../support/session/claudeScreens.ts"

/** test_escape_race.py, test_interrupt_detection.py, test_interrupted_wedge.py, test_resume_from_wait.py */
export const ids = [...numbered("ESC", 1), ...numbered("INT", 3), ...numbered("IWD", 10), ...numbered("RFW", 2)]

const lasts =
  "an interrupted session stays so until the next submitted prompt or turn: the user stopped it, and nothing goes out by itself before"
const line = "  ⎿  Interrupted · What should Claude do instead?"
/** The line of a former stop in the conversation, and a turn after it. */
const answered = box(["● Half of the", line, "", "❯ go on", "", "● Done."])
const later = box(["● Half of the", line, "", "❯ go on", "", "● Half again", line])

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "ESC-01",
    says: "Escape, then the CLI's line",
    check: acts(sends, look("running"), escape, draws(interrupted), look("interrupted", { ready: false }))
  },
  { id: "INT-01", says: "Escape in a turn", check: acts(sends, look("running"), escape, stopped, at("interrupted")) },
  {
    id: "INT-02",
    says: "Escape, another frame, then a whole redraw with the line",
    check: acts(
      sends,
      look("running"),
      escape,
      draws(busy("✻ Pondering… (4s)")),
      at("running"),
      draws(box(["❯ fix it", "", line])),
      at("interrupted", { ready: false })
    )
  },
  {
    id: "INT-03",
    says: "the line in colours",
    check: acts(
      sends,
      look("running"),
      escape,
      raw(
        `\u001b[2J\u001b[H${interrupted.map((row) => `\u001b[2m${row.replace("Interrupted", "\u001b[0;31mInterrupted\u001b[0;2m")}\u001b[0m`).join("\r\n")}`
      ),
      at("interrupted")
    )
  },

  {
    id: "IWD-01",
    says: "a key and an end hook after an interrupt",
    differs: lasts,
    check: acts(
      sends,
      stops,
      at("interrupted"),
      types("y"),
      draws(box(["● Half of the", line], "y")),
      endHook,
      look("interrupted", { ready: false })
    )
  },
  {
    id: "IWD-02",
    says: "an end hook alone does not end it",
    check: acts(sends, stops, endHook, look("interrupted", { ready: false }))
  },
  {
    id: "IWD-03",
    says: "a second Escape and an end hook",
    differs: lasts,
    check: acts(sends, stops, escape, endHook, look("interrupted", { ready: false }))
  },
  {
    id: "IWD-04",
    says: "work after a key of the user's",
    check: acts(
      sends,
      stops,
      draws(interrupted),
      at("interrupted"),
      types("y"),
      works,
      at("running"),
      look("running", { ready: false })
    )
  },
  {
    id: "IWD-05",
    says: "an interrupt and silence",
    differs: lasts,
    check: acts(
      sends,
      stops,
      wait(66),
      at("interrupted", { ready: false }),
      wait(3600),
      at("interrupted", { ready: false })
    )
  },
  {
    id: "IWD-06",
    says: "a new prompt is a new turn",
    check: acts(sends, stops, look("interrupted"), prompts("fix the bug"), look("running", { ready: false }))
  },
  {
    id: "IWD-07",
    says: "a second Escape that clears the line",
    differs: lasts,
    check: acts(sends, stops, escape, draws(box(["● Half of the"])), wait(6), at("interrupted", { ready: false }))
  },
  {
    id: "IWD-08",
    says: "the old line in the conversation is no interrupt of the next turn",
    differs: lasts,
    check: acts(sends, stops, prompts("go on"), endHook, draws(answered), look("idle", { ready: true }))
  },
  {
    id: "IWD-09",
    says: "a new line in a later turn is one",
    differs: lasts,
    check: acts(sends, stops, prompts("go on"), escape, draws(later), look("interrupted", { ready: false }))
  },
  {
    id: "IWD-10",
    says: "Escape at rest and the old line redrawn are none",
    differs: lasts,
    check: acts(
      sends,
      stops,
      prompts("go on"),
      endHook,
      draws(answered),
      look("idle"),
      escape,
      draws(answered),
      look("idle"),
      wait(4),
      at("idle", { ready: true })
    )
  },

  {
    id: "RFW-01",
    says: "frames after an interrupt leave it one",
    check: acts(
      sends,
      look("running"),
      stops,
      at("interrupted"),
      draws(interrupted),
      at("interrupted"),
      wait(4),
      draws(interrupted),
      draws(box(["● Half of the", line], "", "  ⏸ manual mode on · ← for agents")),
      look("interrupted", { ready: false })
    )
  },
  {
    id: "RFW-02",
    says: "a key, frames and an end hook after an interrupt",
    differs: lasts,
    check: acts(
      sends,
      stops,
      draws(interrupted),
      types("y"),
      draws(box(["● Half of the", line], "y")),
      endHook,
      look("interrupted", { ready: false }),
      prompts("yes"),
      look("running"),
      ends,
      look("idle")
    )
  }
]

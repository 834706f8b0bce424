import { assert } from "@effect/vitest"
import { claudeInput } from "../../../src/domain/providers/claude/Input.ts"
import type { Dialog } from "../../../src/domain/words/session/Screen.ts"
import {
  acts,
  asks,
  at,
  draws,
  endHook,
  ends,
  enter,
  escape,
  fromStart,
  look,
  permissionHook,
  questionHook,
  questions,
  raw,
  rests,
  sends,
  stopped,
  types,
  wait,
  works
} from "../support/ClaudeActor.ts"
import { type ListedRows, numbered, type ScenarioRow } from "../support/scenarioTable.ts"
import { atRest, box, permission, trust } from "../../support/session/claudeScreens.ts"

/**
 * test_dialog_answer_leak_protection.py, test_dialog_false_positives.py, test_trust_dialog.py, test_waiting_wedge.py
 */
export const ids = [...numbered("LEAK", 5), ...numbered("DFP", 8), ...numbered("TRD", 4), ...numbered("WWD", 11)]

export const listed: ReadonlyArray<ListedRows> = [
  {
    ids: ["LEAK-01", "LEAK-02", "LEAK-03"],
    why: "they test the original's own fake menu program, and a behaviour that it had before; leap's answers are LEAK-04 and LEAK-05"
  }
]

const menu = (count: number): Dialog => ({
  kind: "question",
  title: "Which?",
  options: Array.from({ length: count }, (_, i) => ({ number: i + 1, label: `Choice ${i + 1}`, selected: i === 0 }))
})
const says = (...rows: ReadonlyArray<string>) => draws(box(rows))
const prose = Array.from({ length: 30 }, (_, i) => `  Row ${i} of the answer.`)

const unlasting =
  "what a hook says counts as long as no prompt is on screen, and a dialog as long as it is: neither runs out while the user is away; the prompt on screen ends both at once"
const starts = "before its first prompt or dialog a CLI is `starting`, a state of its own"
const stands = "a dialog stands until the CLI takes it away: the user's Enter alone ends no dialog"
const noSaved =
  "no screen of the past proves a dialog of now: the one on screen counts; leap only waits a moment for it to be drawn"

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "LEAK-04",
    says: "an answer by number leaks nothing into the box behind a menu that takes the digit",
    check: () => assert.deepStrictEqual(claudeInput.answer(menu(3), "1"), { _tag: "Keys", writes: ["1"] })
  },
  {
    id: "LEAK-05",
    says: "an answer with a number of two digits chooses that option",
    differs: "by arrows and Enter, and Enter only when the screen has followed: two digits would be two answers",
    check: () =>
      assert.deepStrictEqual(claudeInput.answer(menu(12), "10"), { _tag: "Keys", writes: ["\u001b[B".repeat(9), "\r"] })
  },

  {
    id: "DFP-01",
    says: "half a footer in an answer is no dialog",
    check: acts(sends, says("● Then press Enter to select the row."), wait(4), look("idle", { dialog: false }))
  },
  {
    id: "DFP-02",
    says: "footers above a long answer are none",
    check: acts(
      sends,
      says("● Enter to select · ↑/↓ to navigate · Esc to cancel", ...prose.slice(0, 14)),
      wait(4),
      look("idle", { dialog: false })
    )
  },
  {
    id: "DFP-03",
    says: "a dialog with no hook is one",
    check: acts(sends, draws(permission), wait(4), look("needs_permission", { ready: false, dialog: true }))
  },
  {
    id: "DFP-04",
    says: "its menu is enough, without the footer",
    differs:
      "under the question that today's CLI always asks; a bare list is a UI that cannot be read: no dialog is claimed, the arrows are its own, and it is not ready",
    check: acts(
      sends,
      draws(permission.slice(0, -2)),
      wait(4),
      look("needs_permission", { ready: false, dialog: true }),
      draws(["❯ 1. Yes", "  2. No"]),
      wait(4),
      look(["running", "needs_permission"], { ready: false, dialog: true })
    )
  },
  {
    id: "DFP-05",
    says: "a numbered list in an answer is none",
    check: acts(
      sends,
      says("● Three ways:", "  1. This", "  2. That", "  3. Neither"),
      wait(4),
      look("idle", { dialog: false })
    )
  },
  {
    id: "DFP-06",
    says: "footers in a code block are none",
    check: acts(
      sends,
      says("● For example:", "    Enter to select · Esc to cancel", "  and so on."),
      wait(4),
      look("idle", { dialog: false })
    )
  },
  {
    id: "DFP-07",
    says: "a dialog with the cursor hidden",
    differs: "is a dialog: today's CLI hides its cursor at all times, so that it says nothing",
    check: acts(
      sends,
      draws(permission, { cursor: false }),
      wait(4),
      look("needs_permission", { ready: false, dialog: true })
    )
  },
  { id: "DFP-08", says: "a silent tool is work", check: acts(sends, wait(6), look("running", { ready: false })) },

  {
    id: "TRD-01",
    says: "trust at the start is asked for",
    differs: starts,
    check: fromStart(
      at("starting", { ready: false }),
      draws(trust),
      look("needs_permission", { ready: false, dialog: true })
    )
  },
  {
    id: "TRD-02",
    says: "also when it is drawn with cursor moves instead of blanks",
    differs: starts,
    check: fromStart(
      at("starting", { ready: false }),
      raw(
        `\u001b[2J${trust
          .map((row, y) =>
            row.split(" ").reduce((drawn, word, i, words) => {
              const x = words.slice(0, i).join(" ").length + (i === 0 ? 1 : 2)
              return word === "" ? drawn : `${drawn}\u001b[${y + 1};${x}H${word}`
            }, "")
          )
          .join("")}`
      ),
      look("needs_permission", { ready: false, dialog: true })
    )
  },
  {
    id: "TRD-03",
    says: "and answered, ends with the prompt and a hook",
    differs: stands,
    check: fromStart(draws(trust), look("needs_permission"), enter, draws(atRest), endHook, wait(3), at("idle"))
  },
  {
    id: "TRD-04",
    says: "or with the prompt alone, and the banner after it changes nothing",
    differs: stands,
    check: fromStart(
      draws(trust),
      look("needs_permission"),
      draws(trust),
      at("needs_permission"),
      enter,
      wait(3),
      draws(atRest),
      look("idle"),
      draws(
        box([" ▐▛███▛█   Claude Code v2.1.329", "▝▜██████▀  Opus 5.5 · API Usage Billing", " ▝▝   ▝▝   ~/project"])
      ),
      look("idle")
    )
  },

  {
    id: "WWD-01",
    says: "a dialog answered, and the turn's end",
    check: acts(sends, asks, look("needs_permission"), types("1"), ends, look("idle"))
  },
  {
    id: "WWD-02",
    says: "a turn's end hook does not close the dialog on screen",
    check: acts(
      sends,
      asks,
      look("needs_permission"),
      endHook,
      look("needs_permission", { ready: false }),
      wait(300),
      at("needs_permission", { ready: false })
    )
  },
  {
    id: "WWD-03",
    says: "a dialog answered, and work goes on",
    check: acts(sends, asks, look("needs_permission"), types("1"), works, look("running"))
  },
  {
    id: "WWD-04",
    says: "a dialog left with Escape, and the turn's end",
    check: acts(sends, asks, look("needs_permission"), escape, ends, look("idle"))
  },
  {
    id: "WWD-05",
    says: "a permission hook after the turn's end, with no dialog, asks nothing",
    check: acts(
      sends,
      ends,
      look("idle"),
      permissionHook,
      at("idle", { ready: false }),
      look("idle", { dialog: false })
    )
  },
  {
    id: "WWD-06",
    says: "nor does a question's",
    check: acts(sends, ends, look("idle"), questionHook, at("idle", { ready: false }), look("idle", { dialog: false }))
  },
  {
    id: "WWD-07",
    says: "a permission hook after the turn's end, its dialog scrolled away before",
    differs: noSaved,
    check: acts(
      sends,
      draws(permission),
      look("needs_permission"),
      says(...prose.slice(0, 6)),
      endHook,
      look("idle"),
      permissionHook,
      at("idle", { ready: false }),
      look("idle", { dialog: false })
    )
  },
  {
    id: "WWD-08",
    says: "a dialog that the CLI takes away, with the prompt behind it",
    check: acts(sends, asks, look("needs_permission"), rests, wait(4), look("idle"))
  },
  {
    id: "WWD-09",
    says: "a dialog for longer than a minute",
    differs: unlasting,
    check: acts(
      sends,
      asks,
      look("needs_permission"),
      wait(65),
      at("needs_permission", { ready: false }),
      draws(["Something that cannot be read."]),
      wait(65),
      at(["needs_permission", "running", "idle"], { ready: false, dialog: true }),
      rests,
      wait(4),
      look("idle", { ready: true })
    )
  },
  {
    id: "WWD-10",
    says: "a question behind a permission",
    check: acts(sends, asks, look("needs_permission"), questions, look("needs_input", { ready: false }))
  },
  {
    id: "WWD-11",
    says: "Escape in a dialog that stops the turn",
    check: acts(sends, asks, look("needs_permission"), escape, stopped, look("interrupted", { ready: false }))
  }
]

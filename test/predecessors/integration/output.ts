import {
  acts,
  at,
  compacts,
  draws,
  endHook,
  ends,
  fromStart,
  look,
  resizes,
  rests,
  sends,
  asks,
  stops,
  drafts,
  wait
} from "../support/ClaudeActor.ts"
import { numbered, type ScenarioRow } from "../support/scenarioTable.ts"
import type { TypedStep } from "../../support/TypedSession.ts"
import { atRest, box, busy, compacting, interrupted, permission } from "../../support/session/claudeScreens.ts"
import { acts as typed, resting, running } from "../inputFilter.ts"

/** test_false_retrigger.py, test_output_accumulation.py, test_output_edge_cases.py, test_resize_scenarios.py */
export const ids = [...numbered("FRT", 2), ...numbered("OAC", 2), ...numbered("OED", 17), ...numbered("RSZ", 9)]

/** Bytes while a turn runs; the next frames are read as they are. */
const inTurn = (id: string, says: string, ...bytes: ReadonlyArray<string>): ScenarioRow => ({
  id,
  says,
  check: typed(
    {
      does: [...running, { bytes: "\u001b[H" }, ...bytes.map((bytes): TypedStep => ({ bytes })), { wait: 1_000 }],
      state: "running",
      ready: false
    },
    { does: [{ show: busy("✻ Pondering… (9s)") }, { wait: 500 }], state: "running" },
    {
      does: [
        { hook: "Stop", payload: { background_tasks: [] } },
        { status: { status: "idle" } },
        { show: atRest, title: "✳ Claude Code" },
        { wait: 2_000 }
      ],
      state: "idle",
      ready: true
    }
  )
})
const more = (count: number) => box(Array.from({ length: count }, (_, i) => `  More text, row ${i}.`))

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "FRT-01",
    says: "output at rest begins no turn",
    check: acts(
      sends,
      look("running"),
      ends,
      look("idle"),
      draws(more(2)),
      draws(more(6)),
      look("idle", { ready: true })
    )
  },
  {
    id: "FRT-02",
    says: "a message after the turn's end begins one",
    check: acts(sends, look("running"), ends, look("idle"), sends, look("running", { ready: false }))
  },

  {
    id: "OAC-01",
    says: "output under unsent text begins no turn",
    check: acts(
      drafts("x"),
      draws(box(["● One."], "x")),
      draws(box(["● One.", "  Two.", "  Three."], "x")),
      look("idle", { ready: false })
    )
  },
  {
    id: "OAC-02",
    says: "output at the start begins none",
    differs: "before its first prompt a CLI is `starting`, a state of its own",
    check: fromStart(
      draws(["Loading", "and loading"]),
      at("starting", { ready: false }),
      draws(box(["Welcome."])),
      look("idle"),
      draws(more(3)),
      look("idle")
    )
  },

  inTurn("OED-01", "a lone continuation byte", "\u0080text"),
  inTurn("OED-02", "a character cut in two", "\u00e2\u009c", "\u00b3 text"),
  {
    id: "OED-03",
    says: "bytes that are no UTF-8, at rest",
    check: typed({
      does: [...resting, { bytes: "\u001b[H\u00ff\u00fe\u00c3(" }, { wait: 3_000 }],
      state: "idle",
      ready: true
    })
  },
  inTurn("OED-04", "a control sequence without its end", "\u001b[31", "\u001b[mtext"),
  inTurn("OED-05", "a title without its end", "\u001b]0;half a title"),
  inTurn("OED-06", "sequences within sequences", "\u001b[31\u001b[32m\u001b]\u001b[1mtext\u001b[0m"),
  inTurn("OED-07", "64 KiB in one piece", "A long row of text. ".repeat(3277)),
  inTurn("OED-08", "580 pieces of one byte", ..."A short text in many pieces. ".repeat(20)),
  inTurn("OED-09", "NULs", "te\u0000xt\u0000\u0000"),
  inTurn("OED-10", "bells", "\u0007text\u0007"),
  inTurn("OED-11", "backspaces", "texx\b\bxt"),
  inTurn("OED-12", "the screen erased", "\u001b[2Jtext"),
  inTurn("OED-13", "the screen erased, and nothing more", "\u001b[2J\u001b[H"),
  inTurn(
    "OED-14",
    "what no emulator knows",
    "\u001b[?9999h\u001b[>4;2m\u001bP+q544e\u001b\\\u001b_Gi=31;AAAA\u001b\\\u001b^x\u001b\\"
  ),
  inTurn("OED-15", "the terminal reset by the program", "\u001bc"),
  inTurn("OED-16", "colours", "\u001b[31mred\u001b[0m \u001b[38;5;208morange\u001b[0m \u001b[38;2;1;2;3mrgb\u001b[0m"),
  inTurn("OED-17", "cursor moves", "\u001b[3;5Hone\u001b[A\u001b[10Ctwo\u001b7\u001b[1;1H\u001b8three"),

  { id: "RSZ-01", says: "a resize at rest", check: acts(drafts("x"), look("idle"), resizes(120, 40), look("idle")) },
  {
    id: "RSZ-02",
    says: "a resize in a turn",
    check: acts(sends, look("running"), resizes(160, 50), look("running", { ready: false }))
  },
  {
    id: "RSZ-03",
    says: "a resize over a dialog, and its redraw",
    check: acts(
      sends,
      asks,
      look("needs_permission"),
      resizes(100, 30),
      at("needs_permission", { ready: false }),
      draws(permission),
      at("needs_permission", { ready: false, dialog: true })
    )
  },
  {
    id: "RSZ-04",
    says: "a resize after an interrupt",
    check: acts(
      sends,
      stops,
      look("interrupted"),
      resizes(100, 30),
      draws(interrupted),
      look("interrupted", { ready: false })
    )
  },
  {
    id: "RSZ-05",
    says: "a resize while it compacts",
    check: acts(sends, compacts, look("running"), resizes(100, 30), look("running", { ready: false }))
  },
  {
    id: "RSZ-06",
    says: "the indicator is read before and after",
    check: acts(compacts, look("running"), resizes(140, 40), draws(compacting), look("running"))
  },
  {
    id: "RSZ-07",
    says: "a resize to nothing is none",
    check: acts(sends, resizes(0, 0), look("running"), ends, look("idle"))
  },
  {
    id: "RSZ-08",
    says: "a resize between the end hook and rest",
    check: acts(sends, endHook, resizes(160, 50), rests, look("idle"))
  },
  {
    id: "RSZ-09",
    says: "a resize begins no turn, and nothing is typed right after it",
    check: acts(
      drafts("x"),
      rests,
      wait(4),
      at("idle", { ready: true }),
      resizes(120, 40),
      at("idle", { ready: false }),
      look("idle", { ready: true })
    )
  }
]

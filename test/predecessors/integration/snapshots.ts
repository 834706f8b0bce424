import { numbered, type ScenarioRow } from "../support/scenarioTable.ts"
import type { TypedStep } from "../../support/TypedSession.ts"
import { atRest, box, busy, interrupted, permission } from "../../support/session/claudeScreens.ts"
import { acts, asking, running } from "../inputFilter.ts"

/** test_prompt_snapshot.py */
export const ids = numbered("PSN", 10)

const live = "no screen is saved: what is asked is read off the screen of this moment, and gone with it"
const asked = "Bash command: Do you want to proceed?"
const done: ReadonlyArray<TypedStep> = [
  { hook: "Stop", payload: { background_tasks: [] } },
  { status: { status: "idle" } },
  { show: atRest, title: "✳ Claude Code" },
  { wait: 2_000 }
]
/** A dialog that no hook and no status told of, then an answer over it. */
const passed: ReadonlyArray<TypedStep> = [
  ...running,
  { show: permission },
  { wait: 1_000 },
  { show: box(Array.from({ length: 6 }, (_, i) => `  Row ${i}.`)) }
]

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "PSN-01",
    says: "what is asked is known with the dialog",
    check: acts(
      { does: running, message: "Pondering…" },
      { does: asking.slice(running.length), state: "needs_permission", message: asked }
    )
  },
  { id: "PSN-02", says: "and told in words", check: acts({ does: asking, message: asked }) },
  {
    id: "PSN-03",
    says: "without borders",
    check: acts({
      does: [
        ...asking,
        {
          show: [
            "▔".repeat(80),
            " Bash command",
            "",
            " mkdir -p out",
            "",
            " Do you want to proceed?",
            " ❯ 1. Yes",
            "   2. No",
            "",
            "╌".repeat(80),
            " Esc to cancel"
          ]
        }
      ],
      message: asked
    })
  },
  {
    id: "PSN-04",
    says: "a dialog that has scrolled away is none",
    differs: live,
    check: acts({ does: [...passed, ...done], state: "idle", message: null })
  },
  {
    id: "PSN-05",
    says: "a permission hook after the turn's end brings no dialog back",
    differs: live,
    check: acts(
      {
        does: [...passed, ...done, { hook: "PermissionRequest", payload: { tool_name: "Bash" } }],
        state: "idle",
        ready: false,
        dialog: false
      },
      { does: [{ wait: 3_000 }], state: "idle", ready: true }
    )
  },
  {
    id: "PSN-06",
    says: "a new turn asks nothing",
    differs: live,
    check: acts({
      does: [
        ...asking,
        ...done,
        { type: "more\r" },
        { hook: "UserPromptSubmit", payload: { prompt: "more" } },
        { status: { status: "busy" } },
        { show: busy() }
      ],
      state: "running",
      message: "Pondering…"
    })
  },
  {
    id: "PSN-07",
    says: "after the answer and the end nothing is asked",
    check: acts({ does: [...asking, { type: "1" }, ...done], state: "idle", message: null })
  },
  {
    id: "PSN-08",
    says: "nor after an interrupt",
    check: acts({
      does: [
        ...asking,
        { type: "\u001b" },
        { wait: 200 },
        { status: { status: "idle" } },
        { show: interrupted, title: "✳ Fix it" },
        { wait: 2_000 }
      ],
      state: "interrupted",
      message: null
    })
  },
  {
    id: "PSN-09",
    says: "the dialog of this moment is told",
    check: acts({
      does: [...asking, { show: permission.map((row) => row.replace("Bash command", "Edit file")) }],
      message: "Edit file: Do you want to proceed?"
    })
  },
  {
    id: "PSN-10",
    says: "a fuller redraw tells more",
    check: acts({
      does: [
        ...running,
        { show: permission.slice(5, 6) },
        { wait: 100 },
        { show: permission.slice(5) },
        { wait: 1_000 }
      ],
      state: "needs_permission",
      message: asked
    })
  }
]

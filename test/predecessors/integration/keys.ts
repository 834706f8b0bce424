import type { KeyKind } from "../../../src/domain/words/session/SessionEvent.ts"
import { numbered, type ScenarioRow } from "../support/scenarioTable.ts"
import { busy } from "../../support/session/claudeScreens.ts"
import { acts, asking, resting, running } from "../inputFilter.ts"

/** test_input_protocols.py */
export const ids = numbered("INP", 18)

/** What keys do to a turn that runs. */
const inTurn = (
  id: string,
  says: string,
  type: string,
  stopped: boolean,
  heard?: ReadonlyArray<KeyKind>
): ScenarioRow => ({
  id,
  says,
  check: acts(
    { does: running, state: "running", stopped: false },
    { does: [{ type }], stopped, ...(heard === undefined ? {} : { heard }) }
  )
})
const noKey = (id: string, says: string, type: string): ScenarioRow => ({
  id,
  says,
  check: acts(
    { does: resting, ready: true },
    { does: [{ type }], toCli: [type], heard: [], state: "idle", ready: true }
  )
})

export const rows: ReadonlyArray<ScenarioRow> = [
  inTurn("INP-01", "Ctrl+C as CSI u 3", "\u001b[3;5u", true, ["ctrl-c"]),
  inTurn("INP-02", "Escape as CSI u", "\u001b[27;1u", true, ["escape"]),
  inTurn("INP-03", "Ctrl+C as CSI u 99", "\u001b[99;5u", true, ["ctrl-c"]),
  inTurn("INP-04", "a plain c as CSI u", "\u001b[99;1u", false, ["text"]),
  inTurn("INP-05", "Ctrl+C as xterm has it", "\u001b[27;5;99~", true, ["ctrl-c"]),
  inTurn("INP-06", "Escape as xterm has it", "\u001b[27;1;27~", true, ["escape"]),
  inTurn("INP-07", "another key as xterm has it", "\u001b[27;1;65~", false),
  noKey("INP-08", "focus gained", "\u001b[I"),
  noKey("INP-09", "focus lost", "\u001b[O"),
  noKey("INP-10", "a mouse button pressed", "\u001b[<0;5;5M"),
  noKey("INP-11", "a mouse button let go", "\u001b[<0;5;5m"),
  {
    id: "INP-12",
    says: "a paste is input",
    check: acts(
      { does: resting },
      { does: [{ type: "\u001b[200~hello world\u001b[201~" }], heard: ["paste"], state: "idle", ready: false }
    )
  },
  {
    id: "INP-13",
    says: "text of any script is input",
    check: acts({ does: resting }, { does: [{ type: "שלום 🌍 café" }], heard: ["text"], state: "idle", ready: false })
  },
  {
    id: "INP-14",
    says: "NUL changes nothing of the state",
    differs: "it is Ctrl+Space, a key like others: nothing is typed for a moment after it",
    check: acts(
      { does: resting },
      { does: [{ type: "\u0000" }], heard: ["other"], state: "idle" },
      { does: [{ wait: 10_000 }], state: "idle", ready: true }
    )
  },
  {
    id: "INP-15",
    says: "lines with a raw Enter between them begin a turn",
    check: acts({ does: resting }, { does: [{ type: "line1\r\nline2\r\nline3" }], state: "running" })
  },
  {
    id: "INP-16",
    says: "text without Enter begins none",
    check: acts(
      { does: resting },
      { does: [{ type: "just typing, no newline" }], heard: ["text"], state: "idle", ready: false }
    )
  },
  {
    id: "INP-17",
    says: "any character may answer a permission",
    check: acts(
      { does: asking },
      { does: [{ type: "1" }], heard: ["text"], state: "needs_permission" },
      { does: [{ wait: 100 }, { status: { status: "busy" } }], state: "running" }
    )
  },
  {
    id: "INP-18",
    says: "so may Escape, which stops the turn",
    check: acts(
      { does: asking },
      { does: [{ type: "\u001b" }], heard: ["escape"], state: "needs_permission", stopped: true },
      { does: [{ wait: 2_000 }, { status: { status: "busy" } }, { show: busy() }], state: "running", stopped: false }
    )
  }
]

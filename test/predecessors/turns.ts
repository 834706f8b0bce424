import { assert } from "@effect/vitest"
import { defaultModes } from "../../src/domain/words/session/Session.ts"
import * as Tracker from "../../src/domain/engine/tracker/Tracker.ts"
import { holds, partly } from "./support/ScenarioTrace.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"
import { begin, everything } from "../support/session/trace.ts"

/**
 * How turns begin and end: what is sent, typed, told by hooks, interrupted. Enter in an empty box does nothing in the
 * CLIs of today, so that what is entered is typed first.
 */

const believed =
  "a dialog is believed while it is drawn and no longer: the screen is never blanked, so that its going is its end"
const stays = "an interrupt lasts until the next prompt: text alone, or a hook, does not lift it"

export const listed: ReadonlyArray<ListedRows> = [
  { ids: ["ST-005"], why: "there is no signal file: each signal is an event that counts once, at its time" }
]

export const rows: ReadonlyArray<ScenarioRow> = [
  partly(
    "ST-001",
    "at the beginning nothing is drawn, then it is at rest",
    "claude",
    "poll→START; out[clr: txt / HR / ❯row / HR / txt]; poll→IDLE; ready?→T",
    "a process that has drawn nothing yet is 'starting', not idle",
    { cold: true }
  ),
  partly(
    "ST-002",
    "a process that ended is not at work",
    "claude",
    "send ⇒RUN; poll→RUN; poll(dead)→EXIT",
    "the end has a state of its own, 'exited', in which nothing is ready"
  ),
  {
    id: "ST-003",
    says: "the auto-send mode is as it was set",
    check: () => {
      const track = Tracker.track({ capabilities: everything })
      const memory = Tracker.start(begin, defaultModes)
      assert.strictEqual(memory.facts.modes.autoSend, "pause")
      const set = track(memory, { _tag: "ModesChanged", at: begin, modes: { ...defaultModes, autoSend: "always" } })
      assert.strictEqual(track(set, { _tag: "Send", at: begin + 1 }).facts.modes.autoSend, "always")
    }
  },
  holds("ST-004", "a message that leap sends is a turn", "claude", "send ⇒RUN; poll→RUN"),
  holds(
    "ST-006",
    "a message that is sent takes an interrupt key before it back",
    "claude",
    "send ⇒RUN; in Esc; send; out[clr: txt]; sig=IDLE; poll→IDLE"
  ),
  holds("ST-007", "Enter at the prompt begins a turn", "claude", 'in "hi"; in ⏎ ⇒RUN'),
  holds("ST-008", "and so does a message that leap sends", "claude", "send ⇒RUN; poll→RUN"),
  holds(
    "ST-009",
    "Enter in a permission dialog goes on at once",
    "claude",
    "send ⇒RUN; out[clr: FOOT]; sig=PERM; poll→PERM; in ⏎ ⇒RUN"
  ),
  holds(
    "ST-010",
    "Enter in a question goes on at once",
    "claude",
    "send ⇒RUN; out[clr: FOOT]; sig=INPUT; poll→INPUT; in ⏎ ⇒RUN"
  ),
  holds("ST-011", "the end told by a hook", "claude", "send ⇒RUN; sig=IDLE; poll→IDLE"),
  holds("ST-012", "a permission told by a hook", "claude", "send ⇒RUN; out[clr: FOOT]; sig=PERM; poll→PERM"),
  holds("ST-013", "a question told by a hook", "claude", "send ⇒RUN; out[clr: FOOT]; sig=INPUT; poll→INPUT"),
  holds(
    "ST-014",
    "a hook's word that cannot be read says nothing",
    "claude",
    "send ⇒RUN; sig:=not valid json {{{; poll→RUN"
  ),
  holds("ST-015", "nor does one that means nothing", "claude", "send ⇒RUN; sig='bogus'; poll→RUN"),
  holds(
    "ST-016",
    "Escape in a turn, and the CLI's word of it",
    "claude",
    "send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR"
  ),
  holds("ST-017", "Ctrl+C in a turn, and the CLI's word of it", "claude", "send ⇒RUN; in ^C; out[clr: INTRWORD] ⇒INTR"),
  holds("ST-018", "Escape at rest interrupts nothing", "claude", "in Esc; =IDLE; out[clr: txt]; poll→IDLE"),
  holds("ST-019", "nor does Ctrl+C", "claude", "in ^C; =IDLE; out[clr: txt]; poll→IDLE"),
  holds(
    "ST-020",
    "the word in prose and an Escape at rest are no interrupt",
    "claude",
    'in "x"; out[clr: INTRWORD~long]; in Esc; out[clr: INTRWORD~long]; =IDLE'
  ),
  holds(
    "ST-021",
    "text is no interrupt key",
    "claude",
    'in "x"; =IDLE; send ⇒RUN; in "x"; out[clr: INTRWORD~long]; =RUN'
  ),
  ...(
    [
      ["ST-022", "b"],
      ["ST-023", "f"],
      ["ST-024", "M"],
      ["ST-025", "1"]
    ] as const
  ).map(([id, key]) =>
    holds(
      id,
      `Alt+${key} is no interrupt key`,
      "claude",
      `send ⇒RUN; out[clr: SPIN]; in "␛${key}"; =RUN; out[clr: INTRWORD~long / SPIN]; =RUN; out[clr: txt]; sig=IDLE; poll→IDLE`
    )
  ),
  holds("ST-026", "Escape twice is", "claude", 'send ⇒RUN; in "␛␛"; out[clr: INTRWORD] ⇒INTR'),
  holds(
    "ST-027",
    "many Alt keys and the word in prose are none",
    "claude",
    'send ⇒RUN; (in "␛b"; in "␛f") ×10; out[clr: INTRWORD~long]; =RUN'
  ),
  holds(
    "ST-028",
    "an interrupt that the screen shows beats the hook's end",
    "claude",
    "send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR; sig=IDLE; poll→INTR"
  ),
  holds(
    "ST-029",
    "an Escape that the CLI ignored does not",
    "claude",
    "send ⇒RUN; in Esc; out[clr: txt]; sig=IDLE; poll→IDLE"
  ),
  holds("ST-030", "the hook's end without a key", "claude", "send ⇒RUN; sig=IDLE; poll→IDLE"),
  holds(
    "ST-031",
    "a key of the last turn interrupts nothing in the next",
    "claude",
    "send ⇒RUN; in Esc; sig=IDLE; poll→IDLE; send ⇒RUN; out[clr: txt]; sig=IDLE; poll→IDLE"
  ),
  holds("ST-032", "Ctrl+C in the keyboard protocol's form", "claude", 'send ⇒RUN; in "␛[3u"; out[clr: INTRWORD] ⇒INTR'),
  holds(
    "ST-033",
    "Escape in the keyboard protocol's form",
    "claude",
    'send ⇒RUN; in "␛[27u"; out[clr: INTRWORD] ⇒INTR'
  ),
  holds(
    "ST-034",
    "a key in a dialog leaves it",
    "claude",
    'send ⇒RUN; out[clr: FOOT]; sig=INPUT; poll→INPUT; in "x"; poll→INPUT'
  ),
  holds(
    "ST-035",
    "a hook's end does not end a dialog that nobody answered",
    "claude",
    "send ⇒RUN; out[clr: FOOT]; sig=INPUT; poll→INPUT; sig=IDLE; poll→INPUT"
  ),
  holds(
    "ST-036",
    "a question that was answered and is gone, then the hook's end",
    "claude",
    'send ⇒RUN; out[clr: FOOT]; sig=INPUT; poll→INPUT; in "1"; out[clr: txt]; sig=IDLE; poll→IDLE'
  ),
  holds(
    "ST-037",
    "hooks do not lift an interrupt",
    "claude",
    "send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR; sig=IDLE; poll→INTR; sig=IDLE; poll→INTR"
  ),
  partly(
    "ST-038",
    "what the user sends after it does",
    "claude",
    'send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR; sig=IDLE; poll→INTR; in "1"; poll→INTR; in ⏎ ⇒RUN; sig=IDLE; poll→IDLE',
    stays
  ),
  holds(
    "ST-039",
    "a hook that asks does not, with nothing on screen that does",
    "claude",
    "send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR; sig=IDLE; poll→INTR; sig=INPUT; poll→INTR"
  ),
  holds(
    "ST-040",
    "an answered dialog that is gone, and work on screen",
    "claude",
    'send ⇒RUN; out[clr: FOOT]; sig=PERM; poll→PERM; in "1"; out[c- clr: txt]; poll→RUN'
  ),
  partly(
    "ST-041",
    "a key does not end a dialog that is on screen",
    "claude",
    'send ⇒RUN; out[clr: FOOT]; sig=PERM; poll→PERM; in "x"; poll→PERM; out[clr: txt]; poll→RUN|IDLE',
    believed
  ),
  partly(
    "ST-042",
    "nor does work that nobody sees",
    "claude",
    "send ⇒RUN; out[clr: FOOT]; sig=PERM; poll→PERM; out[c- clr: FOOT]; poll→PERM; out[c- clr: txt]; poll→RUN",
    believed
  ),
  holds(
    "ST-043",
    "moving in a dialog is no answer",
    "claude",
    "send ⇒RUN; out[clr: FOOT]; sig=PERM; poll→PERM; in Tab; out[c- clr: FOOT]; poll→PERM"
  ),
  holds(
    "ST-044",
    "work after an interrupt is work",
    "claude",
    'send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR; in "1"; out[c- clr: txt]; poll→RUN; out[clr: txt]; poll→IDLE'
  ),
  holds("ST-045", "the interrupt line after the key", "claude", "send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR"),
  holds("ST-046", "the word in prose, no key", "claude", "send ⇒RUN; out[clr: INTRWORD~long]; =RUN"),
  holds("ST-047", "the word in prose, a key at rest", "claude", 'in "x"; in Esc; out[clr: INTRWORD~long]; =IDLE'),
  holds(
    "ST-048",
    "a question that an Escape turns into an interrupt",
    "claude",
    "send ⇒RUN; out[clr: FOOT]; sig=INPUT; poll→INPUT; in Esc; out[clr: INTRWORD] ⇒INTR"
  ),
  holds(
    "ST-049",
    "an interrupt line that is wrapped",
    "claude",
    'send ⇒RUN; in Esc; resize 24x38; out[clr: "❯ fix it" / "" / "  ⎿  Interrupted · What should Claude" / "     do instead?" / "" / "──────────────────────────────────────" / "❯ " / "──────────────────────────────────────" / "  ⏸ manual mode on"] ⇒INTR'
  ),
  holds(
    "ST-050",
    "two rows that together would read like an interrupt",
    "codex",
    'in "x"; send ⇒RUN; out[txt / intrword(lower)]; =RUN'
  ),
  holds(
    "ST-051",
    "an interrupt that the screen shows, by a key that leap did not see",
    "codex",
    'in "x"; send ⇒RUN; out[CONVINT] ⇒INTR'
  ),
  partly(
    "ST-052",
    "a session that works by itself runs",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; @5; out[c- clr: txt] ⇒RUN; poll→RUN',
    "decided when the output comes, not half a second later at the next poll"
  ),
  holds(
    "ST-053",
    "text of the user's in the box is no work, whatever the cursor does",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; in "y"; out[c- clr: txt / HR / ❯"y" / HR / txt]; poll→IDLE; ready?→F'
  ),
  holds(
    "ST-054",
    "output at rest is no work",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; out[c+ clr: txt]; poll→IDLE'
  ),
  holds(
    "ST-055",
    "a hidden cursor at the start is no work",
    "claude",
    "out[c- clr: txt / HR / ❯row / HR / txt]; poll→IDLE",
    { cold: true }
  ),
  holds(
    "ST-056",
    "a repaint is no work",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; out[c-]; out[c+ clr: txt]; poll→IDLE'
  )
]

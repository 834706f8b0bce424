import { assert } from "@effect/vitest"
import { provider } from "../../src/layers/providers/copilot/Provider.ts"
import { holds, partly } from "./support/ScenarioTrace.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"

/** GitHub Copilot CLI: what its footers say. */

const moves = "the running indicator moves, as the CLI's does: one that stands still is believed for ten seconds only"
const stays =
  "an interrupt lasts until the next prompt: the prompt on screen does not lift it, since the user stopped the queue with it"
const dialog = "t0=1000; send ⇒RUN; out[c- clr: Nav+FOOT+·]; @1010; poll→PERM"

export const listed: ReadonlyArray<ListedRows> = [
  { ids: ["CP-003"], why: "no patterns are kept: the screen is read by its structure, which the rows below hold to" },
  {
    ids: ["CP-008", "CP-009", "CP-010"],
    why: "leap recalls no prompts of its own: arrows go to the CLI, whose own history works"
  }
]

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "CP-001",
    says: "who it is",
    check: () =>
      assert.deepStrictEqual(
        [provider.id, provider.binary, provider.displayName, provider.bundled],
        ["copilot", "copilot", "GitHub Copilot", false]
      )
  },
  {
    id: "CP-002",
    says: "what it tells",
    differs: "it has hooks today: leap wires them, and is right without them too",
    check: () =>
      assert.deepStrictEqual(
        [
          provider.hooks !== null,
          provider.detection.capabilities.turnHooks,
          provider.ownStatus,
          provider.input.interrupt
        ],
        [true, true, null, "\u0003"]
      )
  },
  holds("CP-004", "a dialog's footer", "copilot", "send ⇒RUN; out[c+ clr: Nav+FOOT+·]; poll→PERM"),
  holds("CP-005", "a running one asks nothing", "copilot", "send ⇒RUN; out[c+ clr: BUSY]; poll→RUN; arrows→recall"),
  holds("CP-006", "nor does one at rest", "copilot", "out[c+ clr: ❯row+IDLEFOOT]; poll→IDLE; arrows→recall"),
  holds(
    "CP-007",
    "only the running one is work",
    "copilot",
    "[#1]; out[c+ clr: BUSY]; poll→RUN; [#2]; out[c+ clr: Nav+FOOT+·]; poll→PERM; [#3]; out[c+ clr: ❯row+IDLEFOOT]; poll→IDLE"
  ),
  partly(
    "CP-011",
    "work on screen is work",
    "copilot",
    "t0=1000; send ⇒RUN; out[c+ clr: BUSY]; paint +100s; poll→RUN",
    moves
  ),
  partly(
    "CP-012",
    "until the footer says rest",
    "copilot",
    "t0=1000; send ⇒RUN; out[c+ clr: BUSY]; paint +10s; poll→RUN; out[c+ clr: ❯row+IDLEFOOT]; @1020; poll→IDLE",
    moves
  ),
  holds("CP-013", "a permission", "copilot", "t0=1000; send ⇒RUN; out[c+ clr: Nav+FOOT+·]; @1010; poll→PERM"),
  holds("CP-014", "a question", "copilot", "t0=1000; send ⇒RUN; out[c+ clr: EscCan+EnterConf+·]; @1002.5; poll→INPUT"),
  holds(
    "CP-015",
    "a question that takes a text",
    "copilot",
    "t0=1000; send ⇒RUN; out[c+ clr: ❯row+EscCan+EnterSub+·~long]; @1002.5; poll→INPUT"
  ),
  holds(
    "CP-016",
    "the next question stands where the first did",
    "copilot",
    't0=1000; send ⇒RUN; out[c+ clr: ❯row+EscCan+EnterSub+·~long]; @1002.5; poll→INPUT; in "42"; in ⏎; out[c+ clr: ❯row+EscCan+EnterSub+·~long]; @1005; poll→INPUT'
  ),
  partly(
    "CP-017",
    "a question is told as soon as it is drawn",
    "copilot",
    "t0=1000; send ⇒RUN; @1001; poll→RUN; out[c+ clr: EscCan+EnterConf+·]; @1002.5; poll→INPUT",
    "no dialog of before the message can be mistaken for a new one: the screen is a true one"
  ),
  holds(
    "CP-018",
    "a permission over work on screen",
    "copilot",
    "t0=1000; send ⇒RUN; out[c+ clr: txt / ❯1. / opt / Nav+FOOT+· / BUSY]; @1002.5; poll→PERM"
  ),
  holds("CP-019", "a permission hides the cursor", "copilot", dialog),
  holds("CP-020", "typing in it is no work", "copilot", `${dialog}; in "x"; @1011; poll→PERM`),
  holds(
    "CP-021",
    "output that never stops does not hold the end up",
    "copilot",
    "t0=1000; send ⇒RUN; (out[c+ clr: ❯row+IDLEFOOT]; poll→RUN) ×3; +0.7s; (out[c+ clr: ❯row+IDLEFOOT]; poll→IDLE) ×3"
  ),
  holds(
    "CP-022",
    "the cursor says nothing",
    "copilot",
    "t0=1000; send ⇒RUN; @1003; out[c+ clr: ❯row+IDLEFOOT]; poll→IDLE; @1004; out[c- clr: ❯row+IDLEFOOT]; poll→IDLE"
  ),
  holds(
    "CP-023",
    "work on screen begins a turn",
    "copilot",
    "t0=1000; send ⇒RUN; @1003; out[c+ clr: ❯row+IDLEFOOT]; poll→IDLE; @1004; out[c+ clr: BUSY] ⇒RUN"
  ),
  holds(
    "CP-024",
    "a row of work that is left below the footer is none",
    "copilot",
    "t0=1000; send ⇒RUN; out[c+ clr: ❯row+IDLEFOOT / BUSY]; @1005; poll→IDLE; out[c+ clr: ❯row+IDLEFOOT / BUSY]; poll→IDLE"
  ),
  holds("CP-025", "Ctrl+C stops it", "copilot", "t0=1000; send ⇒RUN; in ^C; out[c+ clr: CANCELLED] ⇒INTR"),
  partly(
    "CP-026",
    "and it stays stopped until the next prompt",
    "copilot",
    't0=1000; send ⇒RUN; in ^C; out[c+ clr: CANCELLED] ⇒INTR; ready?→F; in "go on⏎" ⇒RUN; out[c+ clr: BUSY]; poll→RUN; (out[c+ clr: ❯row+IDLEFOOT]; poll→IDLE) ×2',
    stays
  ),
  partly(
    "CP-027",
    "also where the prompt is there at once",
    "copilot",
    't0=1000; send ⇒RUN; out[c+ clr: BUSY]; in ^C; out[c+ clr: CANCELLED / ❯row+IDLEFOOT] ⇒INTR; @1001; poll→INTR; ready?→F; in "go on⏎" ⇒RUN; out[c+ clr: BUSY]; poll→RUN; out[c+ clr: ❯row+IDLEFOOT]; poll→IDLE',
    stays
  )
]

import { holds, partly } from "./support/ScenarioTrace.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"

/** Compaction, and what transcripts tell. */

const moves = "the running indicator moves, as the CLI's does: one that stands still is believed for ten seconds only"
const status =
  "that a tool runs is told by the CLI's status file and hooks, at once: of the transcript only a stop is taken, which nothing else may tell"
const turn = "send ⇒RUN; out[clr: txt / SPIN]"

/** Records that stop nothing: the turn goes on until its hook ends it. */
const goesOn = (...entries: ReadonlyArray<string>) =>
  `${turn}; ${entries.map((entry) => `transcript ${entry}`).join("; ")}; poll→RUN; out[clr: txt]; sig=IDLE; poll→IDLE`
const stops = (...entries: ReadonlyArray<string>) =>
  `${turn}; ${entries.map((entry) => `transcript ${entry}`).join("; ")}; out[clr: txt]; poll→INTR; sig=IDLE; poll→INTR`

export const listed: ReadonlyArray<ListedRows> = []

export const rows: ReadonlyArray<ScenarioRow> = [
  holds(
    "ST-193",
    "a conversation at rest that is compacted is at work",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; @1; out[clr: COMPACT] ⇒RUN'
  ),
  partly(
    "ST-194",
    "its words at the start are no work, its indicator is",
    "claude",
    "out[clr: txt / COMPACT / >]; poll→IDLE; out[clr: COMPACT]; poll→RUN",
    "a running indicator over the prompt is work, whoever began it: it is told from prose by its place"
  ),
  // Not for longer: a real indicator counts its seconds, and one that stands still after the hook's end is text.
  holds(
    "ST-195",
    "the hook's end during compaction ends nothing",
    "claude",
    "send ⇒RUN; out[clr: COMPACT]; =RUN; sig=IDLE; poll→RUN; @3; out[clr: COMPACT]; poll→RUN; @3.5; out[clr: >]; poll→IDLE"
  ),
  partly(
    "ST-196",
    "its words in a reply hold nothing up",
    "claude",
    "send ⇒RUN; @1; out[clr: txt / COMPACT / >]; @2; sig=IDLE; poll→IDLE; @15; poll→IDLE",
    "a quotation is told from the indicator by its place, at once instead of after ten seconds"
  ),
  holds(
    "ST-197",
    "nor do they far above",
    "claude",
    "send ⇒RUN; @1; out[clr: COMPACT / txt×16 / >]; @2; sig=IDLE; poll→IDLE"
  ),
  partly(
    "ST-198",
    "compaction that goes on is work",
    "claude",
    "send ⇒RUN; out[c+ clr: COMPACT]; paint +10s; poll→RUN",
    moves
  ),
  partly("ST-199", "for minutes as well", "claude", "send ⇒RUN; out[clr: COMPACT]; paint +70s; poll→RUN", moves),
  holds(
    "ST-200",
    "its end is the prompt",
    "claude",
    "send ⇒RUN; out[clr: COMPACT]; =RUN; out[clr: >]; sig=IDLE; poll→IDLE"
  ),
  holds("ST-201", "another CLI's words mean nothing to Codex", "codex", 'in "x"; out[clr: COMPACT]; =IDLE'),
  partly(
    "ST-202",
    "a tool is used",
    "claude",
    `${goesOn("A tool_use")}; [#2]; send ⇒RUN; session {"status":"busy"}; transcript A tool_use; @20; poll→RUN`,
    status
  ),
  partly("ST-203", "and has answered", "claude", goesOn("A tool_use", "U tool_result"), status),
  holds("ST-204", "the reply is complete", "claude", goesOn("A end_turn")),
  holds("ST-205", "a stop in a tool", "claude", stops("A tool_use", "system", "U marker")),
  holds(
    "ST-206",
    "and records between that say nothing",
    "claude",
    stops("A tool_use", "untyped", "untyped", "U marker")
  ),
  holds(
    "ST-207",
    "a stop of an earlier turn",
    "claude",
    "transcript U marker; transcript U text; send ⇒RUN; out[clr: txt / SPIN]; transcript A tool_use; poll→RUN; out[clr: txt]; sig=IDLE; poll→IDLE"
  ),
  partly(
    "ST-208",
    "a tool of an earlier turn",
    "claude",
    "transcript A tool_use; @5; send ⇒RUN; out[clr: txt]; sig=IDLE; poll→IDLE",
    status
  ),
  holds(
    "ST-209",
    "a stop of an earlier turn that is written down late",
    "claude",
    "@5; send ⇒RUN; out[clr: txt / SPIN]; transcript A tool_use @1; transcript U marker @2; poll→RUN; out[clr: txt]; sig=IDLE; poll→IDLE"
  ),
  holds("ST-210", "no transcript at all", "claude", "send ⇒RUN; out[clr: txt]; sig=IDLE; poll→IDLE"),
  holds(
    "ST-211",
    "another CLI's records mean nothing to Codex",
    "codex",
    "send ⇒RUN; out[clr: txt]; transcript claude's U marker; poll→RUN; sig=IDLE; poll→IDLE"
  ),
  holds("ST-212", "a stop as plain text", "claude", stops("A tool_use", "U marker as a string")),
  holds("ST-213", "a stop beside other content", "claude", stops("A tool_use", "U image and marker")),
  holds("ST-214", "a prompt that quotes it", "claude", goesOn("A tool_use", "U quoted marker")),
  holds("ST-215", "two stops", "claude", stops("A tool_use", "U marker", "U marker")),
  holds("ST-216", "a stop after the tool's answer", "claude", stops("A tool_use", "U tool_result", "U marker")),
  holds("ST-217", "a stop without a time", "claude", goesOn("A tool_use", "U marker without a time")),
  holds("ST-218", "a stop at a time that is none", "claude", goesOn("A tool_use", "U marker at no time")),
  holds(
    "ST-219",
    "records that cannot be read",
    "claude",
    `${turn}; transcript:{"garbled; transcript A tool_use; transcript:[1,2; poll→RUN; transcript U marker; out[clr: txt]; poll→INTR`
  ),
  holds("ST-220", "a record without content", "claude", goesOn("A tool_use", "U empty")),
  holds(
    "ST-221",
    "a stop that only the transcript tells beats the hook's end",
    "claude",
    "send ⇒RUN; transcript U marker; sig=IDLE; poll→INTR"
  ),
  holds("ST-222", "a key and the transcript", "claude", "send ⇒RUN; in Esc; transcript U marker; sig=IDLE; poll→INTR"),
  holds(
    "ST-223",
    "a stop that only the transcript tells, and silence",
    "claude",
    "t0=1; send ⇒RUN; out[c+ clr: >]; transcript U marker; @7; poll→INTR"
  ),
  partly(
    "ST-224",
    "a long silent tool",
    "claude",
    't0=1; send ⇒RUN; session {"status":"busy"}; out[c+ clr: >]; @7; poll→RUN',
    status
  ),
  holds(
    "ST-225",
    "a stop after a minute's silence",
    "claude",
    "t0=1; send ⇒RUN; out[c- clr: txt]; transcript U marker; @62; out[clr: txt]; poll→INTR"
  ),
  holds("ST-226", "nothing of a stop", "claude", "send ⇒RUN; sig=IDLE; poll→IDLE"),
  holds(
    "ST-227",
    "an interrupt is not undone by a silence that began before it",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt×3 / >]; @4.8; transcript U marker; poll→INTR; @8; poll→INTR"
  ),
  holds(
    "ST-228",
    "silence ends what nothing else does",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt×3 / >]; @8; poll→IDLE"
  )
]

import { holds, partly } from "./support/ScenarioTrace.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"

/** What silence ends, and what holds against it. */

const spinner =
  "a running indicator that stands still is believed for ten seconds: the CLI's own moves several times a second"
const picker =
  "a UI that the user opened, with no turn behind it, is 'idle', not ready, its keys the CLI's, for as long as it stands: no time ends that"
const unsent = "unsent text is no work: the state is 'idle', and what the text does is that nothing is ready"
const answered =
  "after its answer the CLI shows its spinner at once, so that no wait for a first token has to be assumed"

const asked = "send ⇒RUN; @1; out[c+ clr: FOOT]; @2; sig=PERM; poll→PERM; @12; in ⏎ ⇒RUN"

export const listed: ReadonlyArray<ListedRows> = []

export const rows: ReadonlyArray<ScenarioRow> = [
  holds(
    "ST-057",
    "a spinner that has long stood still is none",
    "claude",
    "send ⇒RUN; @1; out[c- txt]; @62; poll→IDLE; ready?→F"
  ),
  partly(
    "ST-058",
    "one that moves is, for ever",
    "claude",
    "send ⇒RUN; @1; out[c- txt]; @9; poll→RUN; paint +60s; poll→RUN; ready?→F",
    spinner
  ),
  holds(
    "ST-059",
    "the prompt on screen and silence, no hook",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt]; @7; poll→IDLE"
  ),
  partly(
    "ST-060",
    "with unsent text nothing is ready",
    "claude",
    "[#1]; send ⇒RUN; @1; out[c+ clr: txt]; @7; poll→IDLE; [#2]; send ⇒RUN; @1; out[c+ clr: txt]; @7; poll(composing)→IDLE; ready?→F; @70; ready?→F",
    unsent
  ),
  partly(
    "ST-061",
    "nor after a minute",
    "claude",
    "[#1]; send ⇒RUN; @1; out[c- txt]; @66; poll→IDLE; [#2]; send ⇒RUN; @1; out[c+ txt]; @66; poll(composing)→IDLE; ready?→F; @400; ready?→F",
    unsent
  ),
  partly(
    "ST-062",
    "a picker is never ready",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt / ❯row / txt×4]; @7; poll→IDLE; ready?→F; arrows→CLI; @66; ready?→F; arrows→CLI",
    picker
  ),
  partly(
    "ST-063",
    "nor is a tall one, and its arrows are its own",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt / BOX / txt / ❯1. / opt×9 / EscCan+EnterConf+· / BOX]; @7; poll→IDLE; arrows→CLI; @66; ready?→F; arrows→CLI",
    picker
  ),
  holds(
    "ST-064",
    "hints in prose are no dialog",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt×2 / EscCan / EnterConf / txt]; @8; poll→IDLE"
  ),
  holds(
    "ST-065",
    "nor are lists and dots",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt / bullet×3 / txt· / txt]; @8; poll→IDLE"
  ),
  partly(
    "ST-066",
    "an interrupted session is not ready, and the next prompt is a turn",
    "codex",
    'send ⇒RUN; @1; in Esc; out[c- clr: CONVINT] ⇒INTR; @66; poll→INTR; ready?→F; in "go on⏎" ⇒RUN; out[clr: txt]; sig=IDLE; poll→IDLE',
    "an interrupt lasts until the next prompt: silence does not lift it, since the user stopped the queue with it"
  ),
  holds(
    "ST-067",
    "the hook's end counts with unsent text in the box",
    "claude",
    "send ⇒RUN; @1; sig=IDLE; poll(composing)→IDLE; ready?→F"
  ),
  holds(
    "ST-068",
    "unsent text is not typed over",
    "claude",
    "[#1]; send ⇒RUN; @1; out[c+ clr: txt]; @7; ready?→T; [#2]; send ⇒RUN; @1; out[c+ clr: txt]; @7; ready?(composing)→F"
  ),
  holds("ST-069", "a reply that is being written runs", "claude", "send ⇒RUN; @1; out[c+ clr: txt]; @1.1; poll→RUN"),
  holds("ST-070", "silence before an answer does not count", "claude", `${asked}; @12.1; poll→RUN`),
  partly(
    "ST-071",
    "between an answer and its first token it runs, then the hook ends it",
    "claude",
    `${asked}; @12.05; out[c+ clr: txt / SPIN]; paint +6s; poll→RUN; out[clr: txt]; sig=IDLE; poll→IDLE`,
    answered
  ),
  holds(
    "ST-072",
    "an answer after which nothing more is told comes to rest",
    "claude",
    `${asked}; @12.05; out[c+ clr: txt]; @73.05; poll→IDLE`
  ),
  holds(
    "ST-073",
    "a message after an answer is a turn of its own",
    "claude",
    `${asked}; out[clr: txt]; send ⇒RUN; @18; poll→IDLE`
  ),
  holds("ST-074", "the hook's end after an answer", "claude", `${asked}; out[clr: txt]; sig=IDLE; poll→IDLE`),
  partly(
    "ST-075",
    "a dialog that stands on after its answer is one still, until it goes",
    "claude",
    `${asked}; @12.1; out[c+ clr: FOOT]; @18; poll→PERM; @19; out[c+ clr: txt / SPIN]; paint +6s; poll→RUN; out[clr: txt]; sig=IDLE; poll→IDLE`,
    answered
  ),
  holds(
    "ST-076",
    "a dialog that goes by itself leaves the prompt",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: FOOT]; @2; sig=PERM; poll→PERM; @3; out[c+ clr: txt / HR / ❯row / HR / txt]; @9; poll→IDLE"
  ),
  holds(
    "ST-077",
    "a second dialog after the first one's answer",
    "claude",
    `${asked}; @12.1; out[c+ clr: FOOT]; @18; poll→PERM; @19; out[c+ clr: FOOT]; @25; poll→PERM; @26; in ⏎ ⇒RUN`
  ),
  holds(
    "ST-078",
    "Escape after an answer stops the turn",
    "claude",
    `${asked}; out[clr: txt / SPIN]; in Esc; out[clr: INTRWORD] ⇒INTR`
  ),
  partly(
    "ST-079",
    "an interrupt that is only looked at stays one, though its line goes",
    "claude",
    'send ⇒RUN; @1; in Esc; out[c+ clr: INTRWORD] ⇒INTR; in Esc; @5; poll→INTR; @11; poll→INTR; in "go on⏎" ⇒RUN; out[c+ clr: txt]; sig=IDLE; poll→IDLE',
    "an interrupt lasts until the next prompt: a second Escape does not lift it"
  ),
  holds(
    "ST-080",
    "a minute's thought, then Enter",
    "claude",
    "send ⇒RUN; @1; out[c- FOOT]; @2; sig=PERM; poll→PERM; @67; in ⏎ ⇒RUN; poll→RUN"
  ),
  holds(
    "ST-081",
    "a permission that no dialog ever showed comes to rest",
    "claude",
    "send ⇒RUN; sig=PERM; poll→RUN; @1; out[txt]; @62; poll→IDLE"
  ),
  holds(
    "ST-082",
    "a dialog stays one while it is on screen",
    "claude",
    "send ⇒RUN; out[clr: FOOT]; sig=PERM; poll→PERM; @1; out[clr: FOOT]; @62; poll→PERM"
  ),
  holds("ST-083", "without any hook too", "claude", "t0=100; send ⇒RUN; out[clr: FOOT]; @106; poll→PERM; arrows→CLI"),
  holds(
    "ST-084",
    "and for more than a minute",
    "claude",
    "t0=100; send ⇒RUN; out[clr: FOOT]; sig=PERM; poll→PERM; @101; out[clr: FOOT]; @162; poll→PERM"
  ),
  partly(
    "ST-085",
    "a hook that asks, with only the prompt on screen: not ready, then at rest",
    "claude",
    "t0=100; send ⇒RUN; out[clr: txt]; sig=PERM; ready?→F; @165; poll→IDLE",
    "a permission counts when its dialog replaces the box, a moment after the hook; with the box on screen none is open"
  ),
  holds(
    "ST-086",
    "a dialog of which a part is painted anew",
    "claude",
    "t0=100; send ⇒RUN; out[clr: txt / opt×2 / FOOT]; @106; poll→PERM; @107; out[txt]; @168; poll→PERM"
  )
]

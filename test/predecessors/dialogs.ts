import { holds, partly } from "./support/ScenarioTrace.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"

/** Hooks that come late, dialogs that no hook tells of, pickers, whose the arrow keys are. */

const shown =
  "with the prompt on screen no dialog is open, whatever a hook said before: one counts once it replaces the prompt"
const picker = "a UI that the user opened, with no turn behind it, is 'idle', not ready, its keys the CLI's"
const turn = 'in "x"; send ⇒RUN'

export const listed: ReadonlyArray<ListedRows> = []

export const rows: ReadonlyArray<ScenarioRow> = [
  holds(
    "ST-151",
    "a permission that comes after the turn, with none on screen",
    "claude",
    `${turn}; out[clr: txt]; @5; sig=IDLE; poll→IDLE; sig=PERM; poll→IDLE; ready?→F`
  ),
  holds(
    "ST-152",
    "a reply that names keys asks nothing",
    "claude",
    `${turn}; out[c+ clr: txt / EscCan / EnterConf]; @8; poll→IDLE`
  ),
  holds(
    "ST-153",
    "the hook's end over a dialog on screen",
    "claude",
    `${turn}; out[clr: FOOT]; @5; sig=IDLE; poll→PERM; sig=PERM; poll→PERM`
  ),
  holds(
    "ST-154",
    "a dialog that comes after the turn",
    "claude",
    `${turn}; out[clr: txt]; @5; sig=IDLE; poll→IDLE; out[clr: FOOT] ⇒PERM; sig=PERM; poll→PERM`
  ),
  holds(
    "ST-155",
    "a dialog of which only a part can be read, told by a hook",
    "claude",
    `${turn}; out[clr: " Do you want to" / "   2. Maybe" / "   4. Or not"]; @5; sig=IDLE; poll→IDLE; sig=PERM; poll→PERM`
  ),
  holds(
    "ST-156",
    "a numbered menu and its hook",
    "claude",
    `${turn}; out[clr: txt×3 / ❯1. / opt×2]; sig=PERM; poll→PERM`
  ),
  holds(
    "ST-157",
    "the hook's end over a numbered menu",
    "claude",
    `${turn}; out[clr: txt / ❯1. / opt×2]; @5; sig=IDLE; poll→PERM; sig=PERM; poll→PERM`
  ),
  holds(
    "ST-158",
    "a numbered menu without a hook",
    "claude",
    `${turn}; out[c+ clr: " Do you want to proceed?" / " › 1. Yes" / "   2. No"]; @8; poll→PERM`
  ),
  holds(
    "ST-159",
    "an answered permission, and its hook once more after the turn",
    "claude",
    `${turn}; out[clr: ❯1. / opt]; @1; sig=PERM; poll→PERM; in "1⏎" ⇒RUN; out[clr: txt]; @5; sig=IDLE; poll→IDLE; @8; sig=PERM; poll→IDLE`
  ),
  holds(
    "ST-160",
    "a question that comes after the turn, with none on screen",
    "claude",
    `${turn}; out[clr: txt]; @5; sig=IDLE; poll→IDLE; sig=INPUT; poll→IDLE; ready?→F`
  ),
  partly(
    "ST-161",
    "the hook's end over a question",
    "claude",
    `${turn}; out[clr: txt / opt / FOOT]; @5; sig=IDLE; poll→INPUT; sig=INPUT; poll→INPUT`,
    "a question is read off the screen as one, before its hook"
  ),
  holds(
    "ST-162",
    "a permission's hook once more after the answer",
    "claude",
    `${turn}; out[clr: FOOT]; sig=PERM; poll→PERM; in ⏎ ⇒RUN; out[clr: txt / SPIN]; sig=PERM; poll→RUN`
  ),
  partly(
    "ST-163",
    "a permission's hook before its dialog is drawn: not ready, then asking",
    "claude",
    `${turn}; out[clr: txt×3]; sig=PERM; poll→RUN; ready?→F; out[clr: FOOT]; poll→PERM`,
    shown
  ),
  holds(
    "ST-164",
    "a dialog at rest that no hook tells of",
    "claude",
    `${turn}; sig=IDLE; poll→IDLE; out[clr: txt / opt×2 / FOOT+·] ⇒PERM`
  ),
  holds("ST-165", "the name of a key at rest", "claude", `${turn}; sig=IDLE; poll→IDLE; out[clr: EscCan]; poll→IDLE`),
  holds(
    "ST-166",
    "the hook's end over a dialog with options",
    "claude",
    `${turn}; out[clr: txt×2 / opt×2 / FOOT+·]; sig=IDLE; poll→PERM`
  ),
  holds(
    "ST-167",
    "and output that draws nothing",
    "claude",
    `${turn}; out[clr: txt×2 / opt×2 / FOOT+·]; sig=IDLE; poll→PERM; out[c+ (control bytes only)]; @10; poll→PERM`
  ),
  holds(
    "ST-168",
    "the same for a dialog at rest",
    "claude",
    `${turn}; sig=IDLE; poll→IDLE; out[clr: txt×2 / opt×2 / FOOT+·] ⇒PERM; out[c+ (control bytes only)]; @10; poll→PERM`
  ),
  holds(
    "ST-169",
    "a dialog quoted in a reply",
    "claude",
    `${turn}; sig=IDLE; poll→IDLE; out[clr: "● The dialog says:" / "  ❯ 1. Yes" / "    2. No" / "  Enter to select · ↑/↓ to navigate · Esc to cancel" / txt×7 / >]; poll→IDLE; arrows→recall`
  ),
  holds("ST-170", "a dialog's arrows are its own", "claude", "send ⇒RUN; out[clr: txt×2 / opt×2 / FOOT+·]; arrows→CLI"),
  holds("ST-171", "those of the prompt are not", "claude", "send ⇒RUN; arrows→recall"),
  partly(
    "ST-172",
    "what a hook says is asked has them, where the screen cannot be read",
    "claude",
    'send ⇒RUN; out[clr: txt]; arrows→recall; out[clr: "half a frame"]; sig=PERM; arrows→CLI; sig=INPUT; arrows→CLI; sig=IDLE; out[clr: txt]; arrows→recall',
    shown
  ),
  holds("ST-173", "the name of a key in a long row", "claude", "send ⇒RUN; out[clr: EscCan~long]; arrows→recall"),
  holds(
    "ST-174",
    "a dialog that is history",
    "claude",
    "send ⇒RUN; out[clr: FOOT / txt×6 / HR / ❯row / HR / txt]; arrows→recall"
  ),
  holds(
    "ST-175",
    "Codex's lists have their arrows",
    "codex",
    "send ⇒RUN; out[clr: txt / ›1. / opt×2 / EnterConf+EscBack]; arrows→CLI"
  ),
  holds("ST-176", "its prompt has not", "codex", "send ⇒RUN; out[clr: txt / txt·]; arrows→recall"),
  holds("ST-177", "nor have numbers in prose", "codex", "send ⇒RUN; out[clr: txt / opt]; arrows→recall"),
  holds("ST-178", "a list without numbers has", "codex", "send ⇒RUN; out[clr: txt×3 / EscCan+EnterConf]; arrows→CLI"),
  holds("ST-179", "and one that names a single key", "codex", "send ⇒RUN; out[clr: txt×3 / EscCan]; arrows→CLI"),
  holds(
    "ST-180",
    "the prompt under the name of a key",
    "claude",
    "send ⇒RUN; out[clr: EscCan / txt×4 / HR / ❯row / HR / txt]; arrows→recall"
  ),
  holds(
    "ST-181",
    "the list of conversations",
    "claude",
    "send ⇒RUN; out[clr: txt×4 / txt· / txt / txt· / EscCan+·]; arrows→CLI"
  ),
  holds(
    "ST-182",
    "the list of servers",
    "claude",
    "send ⇒RUN; out[clr: txt×3 / txt·×3 / txt / EscCan+EnterConf+Nav+·]; arrows→CLI"
  ),
  holds("ST-183", "the list of agents", "claude", "send ⇒RUN; out[clr: txt×5 / EnterSel+EscClose+Nav+·]; arrows→CLI"),
  partly(
    "ST-184",
    "a picker left open is not ready",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt / opt×4 / ❯5. / EscCan+·~long]; @8; poll→IDLE; ready?→F",
    picker
  ),
  partly(
    "ST-185",
    "and its arrows are its own",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt / opt×4 / ❯5. / EscCan+·~long]; @8; poll→IDLE; arrows→CLI",
    picker
  ),
  holds(
    "ST-186",
    "the prompt under a reply",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt×3 / HR / ❯row / HR / txt]; @8; poll→IDLE"
  ),
  holds("ST-187", "numbers in a reply", "claude", "send ⇒RUN; @1; out[c+ clr: txt / opt×3 / >]; @8; poll→IDLE"),
  partly(
    "ST-188",
    "a view with its keys in the last row is not ready",
    "claude",
    "send ⇒RUN; @1; out[c+ clr: txt· / txt×4 / EscClose+Nav+·]; @8; poll→IDLE; ready?→F; arrows→CLI",
    picker
  ),
  holds(
    "ST-189",
    "the next question of a dialog has the arrows at once",
    "claude",
    "t0=100; send ⇒RUN; out[c+ clr: txt / opt×3 / FOOT+·]; @106; poll→PERM; in ⏎ ⇒RUN; @106.3; out[txt]; arrows→CLI"
  ),
  holds(
    "ST-190",
    "and waits until it is answered",
    "claude",
    "t0=100; send ⇒RUN; out[c+ clr: txt / opt×3 / FOOT+·]; @106; poll→PERM; in ⏎ ⇒RUN; @106.3; out[txt]; @112; poll→PERM"
  ),
  holds("ST-191", "a new prompt is a turn, whatever was on screen", "claude", 'out[clr: txt]; in "hi⏎" ⇒RUN'),
  holds(
    "ST-192",
    "a prompt after an interrupt is a turn, and its line history",
    "claude",
    'send ⇒RUN; in Esc; out[clr: INTRWORD] ⇒INTR; sig=IDLE; poll→INTR; in "fix it⏎" ⇒RUN; sig=IDLE; poll→IDLE'
  )
]

import { holds, partly } from "./support/ScenarioTrace.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"

/**
 * What chunks of input are: keys, halves of keys, pastes, the terminal's own reports. That a key interrupts shows by
 * what an interrupt line then means, that it is none by what does not.
 */

const stopped = "out[clr: INTRWORD] ⇒INTR"
const notStopped = "out[clr: txt]; sig=IDLE; poll→IDLE"

export const listed: ReadonlyArray<ListedRows> = []

export const rows: ReadonlyArray<ScenarioRow> = [
  holds("ST-095", "a focus report is no key", "claude", 'in "␛[I"; ready?→T; =IDLE'),
  holds("ST-096", "a lone Escape is", "claude", `send ⇒RUN; in Esc; ${stopped}`),
  holds("ST-097", "a letter is, but interrupts nothing", "claude", 'in "a"; ready?→F; =IDLE'),
  holds("ST-098", "Ctrl+C among letters", "claude", `send ⇒RUN; in "hello^C"; ${stopped}`),
  holds(
    "ST-099",
    "Escape in the keyboard protocol's form among letters",
    "claude",
    `send ⇒RUN; in "hi␛[27u"; ${stopped}`
  ),
  holds("ST-100", "a focus report among letters", "claude", `send ⇒RUN; in "hi␛[I"; ${notStopped}`),
  holds("ST-101", "a focus report and Ctrl+C", "claude", `send ⇒RUN; in "␛[I^C"; ${stopped}`),
  holds("ST-102", "a focus report alone", "claude", `ready?→T; in "␛[I"; ready?→T; send ⇒RUN; in "␛[I"; ${notStopped}`),
  holds("ST-103", "Enter behind Ctrl+C submits", "claude", `in "hello^C⏎" ⇒RUN; =RUN; ${notStopped}`),
  holds(
    "ST-104",
    "text of the user's keeps messages away",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; in "hello^C"; ready?→F'
  ),
  holds(
    "ST-105",
    "an interrupt key at rest does so for a moment only",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; in ^C; ready?→F; ready?→T'
  ),
  holds("ST-106", "null bytes are nothing", "claude", 'ready?→T; in "␀␀␀"; ready?→T; =IDLE'),
  holds("ST-138", "Enter together with text", "claude", 'in "x"; in "hello⏎" ⇒RUN'),
  holds(
    "ST-139",
    "a carriage return within a paste is none",
    "claude",
    'in "x"; in "␛[200~line1⏎line2␛[201~"; =IDLE; in ⏎ ⇒RUN'
  ),
  holds(
    "ST-140",
    "a paste's end that is cut",
    "claude",
    'in "x"; in "␛[200~line1⏎line2␛[20"; @0.1; in "1~"; =IDLE; in ⏎ ⇒RUN'
  ),
  holds(
    "ST-141",
    "one that is cut behind its Escape",
    "claude",
    'in "x"; in "␛[200~content␛"; @0.1; in "[201~"; =IDLE; in ⏎ ⇒RUN'
  ),
  holds(
    "ST-142",
    "a paste's beginning that is cut",
    "claude",
    'in "x"; in "␛[20"; @0.1; in "0~line1⏎line2␛[201~"; =IDLE'
  ),
  holds(
    "ST-143",
    "a half sequence of long ago is dropped",
    "claude",
    'in "x"; in "␛[200~content␛"; @5; in "typed"; in "␛[201~"; =IDLE; in ⏎ ⇒RUN'
  ),
  holds(
    "ST-144",
    "an arrow that is cut behind its Escape stops nothing",
    "claude",
    `t0=10; send ⇒RUN; in Esc; @10.05; in "[A"; ${notStopped}`
  ),
  holds(
    "ST-145",
    "an arrow long after an Escape takes nothing back",
    "claude",
    `t0=10; send ⇒RUN; in Esc; @11; in ↑; ${stopped}`
  ),
  holds("ST-146", "a lone Escape counts at once", "claude", `t0=10; send ⇒RUN; in Esc; ${stopped}`),
  holds(
    "ST-147",
    "an arrow that is cut behind its bracket is none",
    "claude",
    `t0=10; send ⇒RUN; in "␛["; @10.05; in "A"; ${notStopped}`
  ),
  holds(
    "ST-148",
    "an interrupt key at rest does not hide work that follows",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; in Esc; @5; out[c- clr: txt]; poll→RUN'
  ),
  holds(
    "ST-149",
    "nor does Ctrl+C",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; in ^C; @5; out[c- clr: txt]; poll→RUN'
  ),
  partly(
    "ST-150",
    "text in the box is no work, with the cursor hidden or not",
    "claude",
    'in "x"; send ⇒RUN; sig=IDLE; poll→IDLE; in "a"; @5; out[c- clr: txt / HR / ❯"a" / HR / txt]; poll→IDLE; ready?→F; out[c- clr: txt / SPIN]; poll→RUN',
    "a spinner is work whether or not the user has typed: the hidden cursor alone, which could be either, is not read"
  )
]

/** The state that programs have set on their terminal: more than xterm's `modes`, and also for the other screen. */

import { latin1ToText } from "../../words/text/Bytes.ts"
import * as Pen from "./Pen.ts"
import { active, changedDec, onAtFirst, type ScreenModes, type TerminalModes } from "./TerminalModesState.ts"

export { isOn, kittyFlags, type ScreenModes, start, type TerminalModes } from "./TerminalModesState.ts"
export { isText, resized, track } from "./TerminalModesTrack.ts"

export const titleText = (modes: TerminalModes): string => latin1ToText(modes.title)

const st = "\x1b\\"
const decSequence = (mode: number, on: boolean): string => `\x1b[?${mode}${on ? "h" : "l"}`
const region = ({ region }: ScreenModes): string =>
  region === null ? "" : `\x1b[${region.top};${region.bottom === 0 ? "" : region.bottom}r`

const pushed = ({ kitty }: ScreenModes): string =>
  (kitty[0] === 0 ? "" : `\x1b[=${kitty[0]};1u`) +
  kitty
    .slice(1)
    .map((flags) => `\x1b[>${flags}u`)
    .join("")

const popped = ({ kitty }: ScreenModes): string =>
  (kitty.length > 1 ? `\x1b[<${kitty.length - 1}u` : "") + (kitty[0] === 0 ? "" : "\x1b[=0;1u")

/** The sequence for the state of one of the two screens, sent while that screen is active. Moves the cursor. */
export const screenSequence = (modes: ScreenModes): string => pushed(modes) + region(modes)

/** The switch to the alternate screen as the program did it, or "". */
export const alternateSequence = (modes: TerminalModes): string =>
  modes.alternate === null ? "" : decSequence(modes.alternate, true)

/** Origin mode. It moves the cursor, so it must be set before the cursor is placed. */
export const originSequence = (modes: TerminalModes): string => (changedDec(modes, 6) ? decSequence(6, true) : "")

/**
 * The bytes that set this state on a fresh terminal, except for the state of the two screens. They do not move the
 * cursor. {@link originSequence} comes before the cursor is placed, {@link lastSequence} after these.
 */
export const modeSequence = (modes: TerminalModes): string => {
  let out = ""
  modes.charsets.forEach((set, i) => {
    if (set !== "B") out += `\x1b${"()*+"[i]}${set}`
  })
  for (const mode of modes.ansi) out += `\x1b[${mode}h`
  for (const mode of modes.dec)
    if (mode !== 6 && mode !== 25 && mode !== 2026) out += decSequence(mode, !onAtFirst.has(mode))
  if (modes.applicationKeypad) out += "\x1b="
  if (modes.cursorStyle !== 0) out += `\x1b[${modes.cursorStyle} q`
  for (const [resource, value] of modes.keyOptions) out += `\x1b[>${resource};${value}m`
  for (const [key, value] of modes.colors) out += `\x1b]${key};${value}${st}`
  if (modes.pointer !== "") out += `\x1b]22;${modes.pointer}${st}`
  if (modes.progress !== "") out += `\x1b]9;${latin1ToText(modes.progress)}${st}`
  if (modes.titled) {
    out +=
      modes.title === modes.icon
        ? `\x1b]0;${latin1ToText(modes.title)}${st}`
        : `\x1b]1;${latin1ToText(modes.icon)}${st}\x1b]2;${latin1ToText(modes.title)}${st}`
  }
  return out
}

/** The end of a repaint: pen, shifted character set, open link, cursor visibility, an unfinished frame. */
export const lastSequence = (modes: TerminalModes): string =>
  (Pen.parameters(modes.pen) === "" ? "" : Pen.sequence(modes.pen)) +
  (["", "\x0e", "\x1bn", "\x1bo"][modes.shift] ?? "") +
  (modes.link === "" ? "" : `\x1b]8;${latin1ToText(modes.link)}${st}`) +
  (changedDec(modes, 25) ? decSequence(25, false) : "") +
  (changedDec(modes, 2026) ? decSequence(2026, true) : "")

/** Written to a user's terminal before a CLI's output: it saves the title. */
export const enterSequence = "\x1b[22;0t"

/** Modes to be undone: those that some terminals leave on too. */
const toUndo = ({ dec, doubtful }: TerminalModes): ReadonlyArray<number> => [
  ...doubtful.filter((mode) => !dec.includes(mode)),
  ...dec
]

/**
 * Whether {@link restoreSequence} leaves the cursor at the end of the output on the main screen, or where it was before
 * the alternate one. Switching off origin mode moves it to the top, and of the alternate screens one restores it.
 */
export const keepsCursor = (modes: TerminalModes): boolean =>
  !toUndo(modes).includes(6) && (modes.alternate === null || modes.alternate === 1049)

/**
 * Written to a user's terminal when a CLI's output to it ends: undoes the changes of the output since {@link
 * enterSequence}, and nothing else. {@link keepsCursor} tells where the cursor is then.
 */
export const restoreSequence = (modes: TerminalModes): string => {
  const here = modes[active(modes)]
  let out = ""
  // Aborts a sequence that was cut off: CAN for most parsers, ST for the others.
  if (modes.vt.phase !== "Ground") out += `\x18${st}`
  if (changedDec(modes, 2026)) out += decSequence(2026, false)
  if (modes.link !== "") out += `\x1b]8;;${st}`
  out += popped(here)
  const changed = toUndo(modes)
  for (const mode of changed)
    if (mode !== 2026 && mode !== 25 && mode !== 6) out += decSequence(mode, onAtFirst.has(mode))
  for (const mode of modes.ansi) out += `\x1b[${mode}l`
  if (changed.includes(6)) out += decSequence(6, false)
  if (here.region !== null) out += modes.alternate === null ? "\x1b7\x1b[r\x1b8" : "\x1b[r"
  if (modes.alternate !== null) {
    out += decSequence(modes.alternate, false) + popped(modes.main)
    // some terminals restore it with the cursor
    if (changed.includes(6)) out += decSequence(6, false)
    if (modes.main.region !== null) out += "\x1b7\x1b[r\x1b8"
  }
  if (modes.applicationKeypad) out += "\x1b>"
  if (modes.cursorStyle !== 0) out += "\x1b[0 q"
  for (const resource of modes.keyOptions.keys()) out += `\x1b[>${resource}m`
  modes.charsets.forEach((set, i) => {
    if (set !== "B") out += `\x1b${"()*+"[i]}B`
  })
  if (modes.shift !== 0) out += "\x0f"
  if (Pen.parameters(modes.pen) !== "" || modes.alternate !== null) out += "\x1b[m"
  if (changed.includes(25)) out += decSequence(25, true)
  if ([...modes.colors.keys()].some((key) => key.startsWith("4;"))) out += `\x1b]104${st}`
  for (const key of modes.colors.keys()) if (!key.startsWith("4;")) out += `\x1b]${Number(key) + 100}${st}`
  if (modes.pointer !== "") out += `\x1b]22;${st}`
  if (modes.progress !== "") out += `\x1b]9;4;0${st}`
  if (modes.reported) out += `\x1b]7501;state=clear${st}`
  const pops = modes.titles.length + 1 - modes.overPopped
  return out + "\x1b[23;0t".repeat(Math.max(0, pops))
}

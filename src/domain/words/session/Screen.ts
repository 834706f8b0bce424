import { Schema } from "effect"

/**
 * Adjacent cells of a row with the same colours. Colours have the program's names, "" for the terminal's own; inverse
 * video is resolved.
 */
export interface ScreenRun {
  /** Column of its first cell. */
  readonly x: number
  readonly text: string
  readonly foreground: string
  readonly background: string
}

/** The user's screen at one moment. Rows are numbered from the top of the viewport. */
export interface ScreenView {
  readonly cols: number
  readonly rows: number
  /** One string for each row, trimmed at the right. */
  readonly lines: ReadonlyArray<string>
  /** Row `y` with every cell blanked that is not faint (placeholders and hints are faint). Examines each cell. */
  readonly faint: (y: number) => string
  /**
   * Row `y` as runs of one colour, from its first column to its last: only a colour may show a choice. Examines each
   * cell.
   */
  readonly runs: (y: number) => ReadonlyArray<ScreenRun>
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean }
  readonly alternate: boolean
  /** Terminal title (OSC 0 or 2), empty if none was set. */
  readonly title: string
  /** False inside a synchronized update (DEC mode 2026): the frame is half drawn and proves nothing. */
  readonly whole: boolean
}

/**
 * The drawn screen, for copying in parts: text with attributes and links that begins and ends in the default pen and
 * moves the cursor only by its width.
 */
export interface ScreenPicture {
  /** Columns of row `y` up to the last drawn one. */
  readonly extent: (y: number) => number
  /** Columns `from` to `to` (exclusive) of row `y`, blank where a wide character is cut, and their number. */
  readonly part: (y: number, from: number, to: number) => { readonly drawn: string; readonly width: number }
}

/** One choice of a menu on screen. `number` is null if the menu has no numbers. */
export const DialogOption = Schema.Struct({
  number: Schema.NullOr(Schema.Int),
  label: Schema.String,
  selected: Schema.Boolean,
  /** Choosing it ends the turn. */
  endsTurn: Schema.optionalKey(Schema.Boolean),
  /** Enter on it may leave the dialog open: it has a text field. */
  open: Schema.optionalKey(Schema.Boolean)
})
export type DialogOption = typeof DialogOption.Type

/** What a dialog is about. */
export const DialogKind = Schema.Literals(["permission", "question", "plan", "elicitation", "trust", "login", "other"])
export type DialogKind = typeof DialogKind.Type

/** Something on screen that waits for the user's choice. */
export const Dialog = Schema.Struct({
  kind: DialogKind,
  title: Schema.String,
  /**
   * The subject of the permission, as drawn, without frames and prompts: the command, the file, the address, or the
   * tool. Rows are joined by line feeds; `…` marks omissions. Absent if it is not on screen.
   */
  subject: Schema.optionalKey(Schema.String),
  options: Schema.Array(DialogOption),
  /** An interrupt key only declines it, and the turn continues. */
  declines: Schema.optionalKey(Schema.Boolean),
  /** A suggestion beside the CLI's work: an interrupt key closes it without other effects. */
  suggests: Schema.optionalKey(Schema.Boolean),
  /** A user's command opened it at rest: the CLI may report rest while it is open. */
  opened: Schema.optionalKey(Schema.Boolean),
  /** Nothing is selected: an option's number is typed into a field and sent with Enter. This is the field's text. */
  typed: Schema.optionalKey(Schema.String)
})
export type Dialog = typeof Dialog.Type

/** A dialog's subject from its rows; no field if there is none. */
export const subjectField = (rows: ReadonlyArray<string> | string | null | undefined): Pick<Dialog, "subject"> => {
  const text = (typeof rows === "string" ? [rows] : (rows ?? []))
    .map((row) => row.trim())
    .filter((row) => row !== "")
    .join("\n")
  return text === "" || text === "…" ? {} : { subject: text }
}

/** The CLI's input box. `draft` is its unsent text without placeholders, "" if it is empty. */
export const InputBox = Schema.Struct({ draft: Schema.String })
export type InputBox = typeof InputBox.Type

/** The common reader's result, which depends on no CLI. */
export const CommonReading = Schema.Struct({
  dialog: Schema.NullOr(Dialog),
  box: Schema.NullOr(InputBox),
  /** A spinner turns, or a row says how to stop the work. */
  working: Schema.Boolean,
  /** One of the last rows names keys, so the CLI's view takes them. */
  ownsKeys: Schema.Boolean
})
export type CommonReading = typeof CommonReading.Type

/** A provider's reading of a complete screen: only its structure, which the rules interpret. */
export const ScreenFacts = Schema.Struct({
  /** The input box, or null if none is drawn. */
  box: Schema.NullOr(InputBox),
  dialog: Schema.NullOr(Dialog),
  /** A picker or another view of the CLI takes the keys (settings, transcript view, suggestion menu …). */
  picker: Schema.Boolean,
  /** The command that Enter runs from the menu over the box. Absent without one, and for CLIs that run pasted ones. */
  offered: Schema.optionalKey(Schema.String),
  /** A running indicator (spinner line, "esc to interrupt") that belongs to the present turn. */
  working: Schema.Boolean,
  /** The last turn ended with the CLI's interrupt line. */
  interrupted: Schema.Boolean,
  /** The turn is being stopped (`interrupted` is set too): its running indicator may return until it has ended. */
  stopping: Schema.optionalKey(Schema.Boolean),
  /** The number of background tasks that the CLI shows; null if the screen does not show it. */
  background: Schema.NullOr(Schema.Int),
  /** The CLI's own words for its work ("Compacting…"), for people. */
  activity: Schema.NullOr(Schema.String),
  /** What the title shows: work, rest, or a question to the user; null if unknown. */
  title: Schema.NullOr(Schema.Literals(["work", "rest", "ask"])),
  blank: Schema.Boolean,
  /** The screen states that nothing works, whatever text is in the box; absent if the CLI has no such statement. */
  resting: Schema.optionalKey(Schema.Boolean),
  /** A mode of the box replaces the running indicator: its absence is no evidence of rest. */
  mute: Schema.optionalKey(Schema.Boolean),
  /** The number of letters above the box, which grows while something is being written; absent without a box. */
  letters: Schema.optionalKey(Schema.Int),
  /** A checksum of the rows above the box and the row of work below it, which a spinner changes; 0 if nothing works. */
  picture: Schema.optionalKey(Schema.Int),
  /** The common reader's result if the CLI's own reader recognizes nothing; absent otherwise. */
  common: Schema.optionalKey(CommonReading),
  /** The CLI's own reader has recognized nothing for a while: these facts are the common reader's. */
  unknown: Schema.optionalKey(Schema.Boolean),
  /** The screen states that the CLI accepts no prompt before a login. */
  loggedOut: Schema.optionalKey(Schema.Boolean),
  /** The last slash command that the CLI reported as unknown, as its row names it, and how many rows say so. */
  refused: Schema.optionalKey(Schema.String),
  refusals: Schema.optionalKey(Schema.Int),
  /** The number of rows above the box that say that a hook refused an action; absent for none. */
  blocked: Schema.optionalKey(Schema.Int),
  /** The CLI says that it continues by itself after its limit: its words for the time ("at 1:57pm", "shortly"). */
  continues: Schema.optionalKey(Schema.String)
})
export type ScreenFacts = typeof ScreenFacts.Type

/** The facts of a blank screen. */
export const blankFacts: ScreenFacts = {
  box: null,
  dialog: null,
  picker: false,
  working: false,
  interrupted: false,
  background: null,
  activity: null,
  title: null,
  blank: true
}

/** The facts of a screen with text in which nothing is recognized. */
export const unrecognizedFacts: ScreenFacts = { ...blankFacts, blank: false }

import { Schema } from "effect"

/**
 * Adjacent cells of a row with the same colours. Colours are named as the program named them, "" for the terminal's
 * own; inverse video is resolved.
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
  /** One string a row, trimmed at the right. */
  readonly lines: ReadonlyArray<string>
  /** Row `y` with every cell blanked that is not faint (placeholders and hints are faint). Reads each cell. */
  readonly faint: (y: number) => string
  /**
   * Row `y` as runs of one colour, from its first column to its last: a choice may be shown by colour only. Reads each
   * cell.
   */
  readonly runs: (y: number) => ReadonlyArray<ScreenRun>
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean }
  readonly alternate: boolean
  /** Terminal title (OSC 0 or 2), empty when none was set. */
  readonly title: string
  /** False inside a synchronized update (DEC mode 2026): the frame is half drawn and proves nothing. */
  readonly whole: boolean
}

/**
 * The drawn screen, to be copied in parts: text with attributes and links, which begins and ends in the default pen and
 * moves the cursor by its width only.
 */
export interface ScreenPicture {
  /** Columns of row `y` up to the last one where something is drawn. */
  readonly extent: (y: number) => number
  /** Columns `from` to `to` (exclusive) of row `y`, blank where a wide character is cut, and how many they are. */
  readonly part: (y: number, from: number, to: number) => { readonly drawn: string; readonly width: number }
}

/** One choice of a menu on screen. `number` is null where the menu has no numbers. */
export const DialogOption = Schema.Struct({
  number: Schema.NullOr(Schema.Int),
  label: Schema.String,
  selected: Schema.Boolean,
  /** Choosing it ends the turn. */
  endsTurn: Schema.optionalKey(Schema.Boolean),
  /** Enter on it may leave the dialog open: it takes a text. */
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
   * What a permission is asked for, as it is drawn, without frames and prompts: the command, the file, the address, or
   * the tool. Rows are joined by line feeds; `…` stands for what is left out. Absent where it is not on screen.
   */
  subject: Schema.optionalKey(Schema.String),
  options: Schema.Array(DialogOption),
  /** An interrupt key only declines it, and the turn goes on. */
  declines: Schema.optionalKey(Schema.Boolean),
  /** A suggestion of the CLI's beside its work: an interrupt key closes it, which changes nothing. */
  suggests: Schema.optionalKey(Schema.Boolean),
  /** A command of the user's opened it, at rest: the CLI may say that it rests as long as it is there. */
  opened: Schema.optionalKey(Schema.Boolean),
  /** Nothing is selected: an option's number is typed into a field, which holds this, and is sent with Enter. */
  typed: Schema.optionalKey(Schema.String)
})
export type Dialog = typeof Dialog.Type

/** A dialog's subject from its rows; nothing where there is none. */
export const subjectField = (rows: ReadonlyArray<string> | string | null | undefined): Pick<Dialog, "subject"> => {
  const text = (typeof rows === "string" ? [rows] : (rows ?? []))
    .map((row) => row.trim())
    .filter((row) => row !== "")
    .join("\n")
  return text === "" || text === "…" ? {} : { subject: text }
}

/** The CLI's input box. `draft` is the unsent text in it (placeholders excluded), "" when it is empty. */
export const InputBox = Schema.Struct({ draft: Schema.String })
export type InputBox = typeof InputBox.Type

/** What a screen shows to somebody who knows none of the CLIs. */
export const CommonReading = Schema.Struct({
  dialog: Schema.NullOr(Dialog),
  box: Schema.NullOr(InputBox),
  /** A wheel turns, or a row says how to stop what runs. */
  working: Schema.Boolean,
  /** A row names the keys that it takes. */
  ownsKeys: Schema.Boolean
})
export type CommonReading = typeof CommonReading.Type

/** What a provider reads off a whole screen: its structure only, which the rules interpret. */
export const ScreenFacts = Schema.Struct({
  /** The input box, or null when none is drawn. */
  box: Schema.NullOr(InputBox),
  dialog: Schema.NullOr(Dialog),
  /** A picker or another UI of the CLI that owns the keys (settings, transcript view, suggestion menu …). */
  picker: Schema.Boolean,
  /** A running indicator (spinner line, "esc to interrupt") that belongs to the present turn. */
  working: Schema.Boolean,
  /** The last turn ended with the CLI's interrupt line. */
  interrupted: Schema.Boolean,
  /** The turn is being stopped, as `interrupted` says too: its running indicator may come back until it has ended. */
  stopping: Schema.optionalKey(Schema.Boolean),
  /** The number of background tasks that the CLI shows; null when the screen does not show it. */
  background: Schema.NullOr(Schema.Int),
  /** The CLI's own words for its work ("Compacting…"), for people; null for none. */
  activity: Schema.NullOr(Schema.String),
  /** What the title shows: work, rest, or a question to the user; null for nothing known. */
  title: Schema.NullOr(Schema.Literals(["work", "rest", "ask"])),
  blank: Schema.Boolean,
  /** The screen states that nothing works, whatever text is in the box; absent where the CLI has no such statement. */
  resting: Schema.optionalKey(Schema.Boolean),
  /** A mode of the box has taken the place of the running indicator: its absence is no evidence of rest. */
  mute: Schema.optionalKey(Schema.Boolean),
  /**
   * The number of letters above the box: while it grows, something is being written. Measured alike for all CLIs;
   * absent where no box is drawn.
   */
  letters: Schema.optionalKey(Schema.Int),
  /** A checksum of all rows above the box, and of the row of work below it: a wheel that turns changes it. */
  picture: Schema.optionalKey(Schema.Int),
  /** What the common reading finds where the CLI's own reader recognizes nothing; absent where that does. */
  common: Schema.optionalKey(CommonReading),
  /** The CLI's own reader has recognized nothing for a while: these facts are the common reading's. */
  unknown: Schema.optionalKey(Schema.Boolean),
  /** The screen states that the CLI accepts no prompt before a login. */
  loggedOut: Schema.optionalKey(Schema.Boolean),
  /** The slash command that the CLI has last said that it does not know, as its row names it, and how many say so. */
  refused: Schema.optionalKey(Schema.String),
  refusals: Schema.optionalKey(Schema.Int),
  /** So many rows above the box say that a hook refused what was to be done; absent where none does. */
  blocked: Schema.optionalKey(Schema.Int),
  /** The CLI says that it goes on by itself once its limit is over; its words for when ("at 1:57pm", "shortly"). */
  continues: Schema.optionalKey(Schema.String)
})
export type ScreenFacts = typeof ScreenFacts.Type

/** A screen on which nothing was made out. */
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

/** What a screen with text says where nothing in it is recognized. */
export const unrecognizedFacts: ScreenFacts = { ...blankFacts, blank: false }

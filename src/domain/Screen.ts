import { Schema } from "effect"

/** Neighbouring cells of a row that look alike. Colours are as the program named them, "" for the terminal's own; inverse video is taken for what it shows. */
export interface ScreenRun {
  /** Column of its first cell. */
  readonly x: number
  readonly text: string
  readonly foreground: string
  readonly background: string
}

/** What the user's screen shows at one moment. Rows run from the top of the viewport to its bottom. */
export interface ScreenView {
  readonly cols: number
  readonly rows: number
  /** One string a row, trimmed at the right. */
  readonly lines: ReadonlyArray<string>
  /** Row `y` with every cell blanked that is not faint (placeholders and hints are faint). Costs a cell walk. */
  readonly faint: (y: number) => string
  /** Row `y` as runs of one colour, from its first column to its last: a choice may be shown by colour only. Costs a cell walk. */
  readonly runs: (y: number) => ReadonlyArray<ScreenRun>
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean }
  readonly alternate: boolean
  /** Terminal title (OSC 0 or 2), empty when none was set. */
  readonly title: string
  /** False inside a synchronized update (DEC mode 2026): the frame is half drawn and proves nothing. */
  readonly whole: boolean
}

/** One choice of a menu on screen. `number` is null where the menu has no numbers. */
export const DialogOption = Schema.Struct({
  number: Schema.NullOr(Schema.Int),
  label: Schema.String,
  selected: Schema.Boolean,
  /** To choose it ends the turn. */
  endsTurn: Schema.optionalKey(Schema.Boolean),
  /** Enter on it may leave the dialog as it is: it takes a text. */
  open: Schema.optionalKey(Schema.Boolean)
})
export type DialogOption = typeof DialogOption.Type

export const DialogKind = Schema.Literals(["permission", "question", "plan", "elicitation", "trust", "login", "other"])
export type DialogKind = typeof DialogKind.Type

/** Something on screen that waits for the user's choice. */
export const Dialog = Schema.Struct({
  kind: DialogKind,
  title: Schema.String,
  options: Schema.Array(DialogOption),
  /** An interrupt key only declines it: the turn goes on. */
  declines: Schema.optionalKey(Schema.Boolean)
})
export type Dialog = typeof Dialog.Type

/** The CLI's input box. `draft` is the unsent text in it (placeholders excluded), "" when it is empty. */
export const InputBox = Schema.Struct({ draft: Schema.String })
export type InputBox = typeof InputBox.Type

/** What a provider reads off a whole screen. Only structure: what it means is the classifier's business. */
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
  /** Background work that the CLI shows; null when the screen does not tell. */
  background: Schema.NullOr(Schema.Int),
  /** What the CLI says it does ("Compacting…"), for people; null when it says nothing. */
  activity: Schema.NullOr(Schema.String),
  /** What the title says: it works, it rests, it asks the user for something; null for nothing known. */
  title: Schema.NullOr(Schema.Literals(["work", "rest", "ask"])),
  blank: Schema.Boolean,
  /** The screen says in so many words that nothing works, whatever text is in the box; absent where it cannot. */
  resting: Schema.optionalKey(Schema.Boolean),
  /** A mode of the box has taken the place of what tells of work: that nothing tells of it proves nothing. */
  mute: Schema.optionalKey(Schema.Boolean),
  /** The screen says that no prompt is taken before a login. */
  loggedOut: Schema.optionalKey(Schema.Boolean)
})
export type ScreenFacts = typeof ScreenFacts.Type

export const blankFacts: ScreenFacts = {
  box: null, dialog: null, picker: false, working: false, interrupted: false, background: null, activity: null,
  title: null, blank: true
}

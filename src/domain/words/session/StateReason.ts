/** How leap knows a session's state; `wording/reasonWords.ts` writes it out. */
export type StateReason =
  /** The CLI's own status: its program status, a question in a hook, its status file. */
  | { readonly _tag: "ProgramStatus"; readonly state: string; readonly message: string | null }
  | { readonly _tag: "ToldQuestion"; readonly source: string; readonly message: string | null }
  | { readonly _tag: "OwnStatus"; readonly source: string; readonly word: string }
  /** A hook; null if it is unknown which. */
  | { readonly _tag: "Hook"; readonly hook: string | null }
  | { readonly _tag: "HookAsked"; readonly hook: string | null; readonly message: string | null }
  /** `by` shows that the turn is over; no hook has reported its end. */
  | { readonly _tag: "EndUntold"; readonly by: StateReason }
  | { readonly _tag: "DialogShown"; readonly title: string }
  | { readonly _tag: "WorkShown"; readonly activity: string | null }
  | { readonly _tag: "Background"; readonly count: number }
  | { readonly _tag: "Exited"; readonly code: number | null; readonly signal: string | null }
  | { readonly _tag: PlainReason }

/** Reasons without details. */
export type PlainReason =
  | "BoxShown"
  | "Compacting"
  | "DialogAnswered"
  | "IndicatorGone"
  | "InterruptKey"
  | "InterruptShown"
  | "NoRule"
  | "NoSign"
  | "NotDrawn"
  | "OutputGoesOn"
  | "PickerShown"
  | "Submitted"
  | "TextGrows"
  | "TitleAsks"
  | "TitleWorks"
  | "TurnOver"
  | "TypedAhead"
  | "Typing"
  | "UnknownScreen"
  | "WorkCovered"

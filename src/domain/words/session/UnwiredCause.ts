/** The sign that a CLI's hooks do not call leap. `waitWords.ts` makes the text. */
export type UnwiredCause =
  | { readonly _tag: "SwitchedOff"; readonly by: ReadonlyArray<string> }
  /** It ran a tool that no hook had asked about. */
  | { readonly _tag: "RanUnasked"; readonly tool: string | null }
  /** No hook has called, although one should have by now; or hooks have stopped calling. */
  | { readonly _tag: "NeverCalled" | "StoppedCalling" }

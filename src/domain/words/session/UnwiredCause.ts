/** How leap knows that a CLI's hooks do not call it. Its text is made from this (`causeWords.ts`). */
export type UnwiredCause =
  | { readonly _tag: "SwitchedOff"; readonly by: ReadonlyArray<string> }
  /** It ran a tool that no hook had asked about. */
  | { readonly _tag: "RanUnasked"; readonly tool: string | null }
  /** No hook has called, though one should have by now; or hooks have stopped calling. */
  | { readonly _tag: "NeverCalled" | "StoppedCalling" }

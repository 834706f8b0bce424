/** How it is known that a CLI's hooks do not call leap; what is told of it follows from that (`causeWords.ts`). */
export type UnwiredCause =
  /** These switch them off. */
  | { readonly _tag: "SwitchedOff"; readonly by: ReadonlyArray<string> }
  /** It ran a tool about which no hook had asked. */
  | { readonly _tag: "RanUnasked"; readonly tool: string | null }
  /** None has called, though it should have by now; or they have, and do not any longer. */
  | { readonly _tag: "NeverCalled" | "StoppedCalling" }

/** How it is known that a CLI's hooks do not call leap; what is told of it follows from that (`waitWords.ts`). */
export type UnwiredCause =
  | { readonly _tag: "SwitchedOff"; readonly by: ReadonlyArray<string> }
  /** It ran a tool that no hook had asked about. */
  | { readonly _tag: "RanUnasked"; readonly tool: string | null }
  /** No hook has called, though one should have by now; or hooks have stopped calling. */
  | { readonly _tag: "NeverCalled" | "StoppedCalling" }

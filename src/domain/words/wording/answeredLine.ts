import { longLine, oneLine } from "../text/printable.ts"

/** A dialog and what answered it; with `whole` all that a line may have. */
export const answeredLine = (
  { answer, dialog }: { readonly dialog: string; readonly answer: string },
  whole: boolean
): string => [dialog, answer].map((text) => (whole ? longLine(text) : oneLine(text, 80))).join(" → ")

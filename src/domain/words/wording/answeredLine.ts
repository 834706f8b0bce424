import { longLine, oneLine } from "../text/printable.ts"

/** A dialog and its answer; `whole` allows the full length of a line. */
export const answeredLine = (
  { answer, dialog }: { readonly dialog: string; readonly answer: string },
  whole: boolean
): string => [dialog, answer].map((text) => (whole ? longLine(text) : oneLine(text, 80))).join(" → ")

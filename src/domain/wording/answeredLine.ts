import { oneLine } from "../text/printable.ts"

/** A dialog and what answered it; with `whole` nothing is cut. */
export const answeredLine = (
  { answer, dialog }: { readonly dialog: string; readonly answer: string },
  whole: boolean
): string => [dialog, answer].map((text) => oneLine(text, whole ? Infinity : 80)).join(" → ")

import { oneLine } from "../text/printable.ts"

/** The message for lost output. It quotes the beginning, because an id there may be the only trace of what was done. */
export const lostOutput = (why: string, text: string): string => {
  const beginning = oneLine(text, 80)
  return `leap: the output could not be written: ${why}${beginning === "" ? "" : `; it begins: ${beginning}`}\n`
}

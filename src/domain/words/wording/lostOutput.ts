import { oneLine } from "../text/printable.ts"

/** What to say where output was lost: why, and its beginning, as an id in it may be all that tells what was done. */
export const lostOutput = (why: string, text: string): string => {
  const beginning = oneLine(text, 80)
  return `leap: the output could not be written: ${why}${beginning === "" ? "" : `; it begins: ${beginning}`}\n`
}

import * as fs from "node:fs"
import { lostOutput } from "../domain/words/wording/lostOutput.ts"

/** Standard output is a terminal. */
export const isTerminal = (): boolean => fs.fstatSync(1).isCharacterDevice() && process.stdout.isTTY

/** Standard input is a terminal. */
export const isInputTerminal = (): boolean => fs.fstatSync(0).isCharacterDevice() && process.stdin.isTTY

/** As the whole program decides it. */
export const usesColour = (): boolean => isTerminal() && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb"

/** Writes all of it; a reader that has gone has what it needs, as with the whole program. */
const writeAll = (descriptor: 1 | 2, text: string): void => {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(descriptor, rest))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // a pipe that does not block, and is full: its reader is slow
      if (code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      else if (descriptor === 2) return
      else if (code === "EPIPE") return process.exit(0)
      else {
        writeAll(2, lostOutput(message, text))
        return process.exit(1)
      }
    }
  }
}

export const line = (text: string): void => writeAll(1, `${text}\n`)
/** A line for people, on standard error. */
export const note = (text: string): void => writeAll(2, `${text}\n`)

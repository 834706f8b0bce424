import * as fs from "node:fs"
import { lostOutput } from "../domain/words/wording/lostOutput.ts"

export const isTerminal = (): boolean => fs.fstatSync(1).isCharacterDevice() && process.stdout.isTTY

export const isInputTerminal = (): boolean => fs.fstatSync(0).isCharacterDevice() && process.stdin.isTTY

/** Follows the same rule as the whole program. */
export const usesColour = (): boolean => isTerminal() && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb"

/** Writes everything. A closed pipe ends the program without error, as in the whole program. */
const writeAll = (descriptor: 1 | 2, text: string): void => {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(descriptor, rest))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      // a full non-blocking pipe: its reader is slow
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
export const note = (text: string): void => writeAll(2, `${text}\n`)

import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"

/** Makes a named pipe. What waits to read it is let go at the end of the scope, so that no test hangs on one. */
export const namedPipe = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      execFileSync("mkfifo", [file])
      return fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NONBLOCK)
    }),
    (handle) => Effect.sync(() => fs.closeSync(handle))
  )

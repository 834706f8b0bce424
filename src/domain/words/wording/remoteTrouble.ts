import type { RemoteHost } from "../session/RemoteHost.ts"
import { oneLine } from "../text/printable.ts"

/** ssh's own exit code: it has no connection, or lost it. */
const notReached = 255
/** Shells' exit codes for a program that is not there, or cannot be run. */
const noProgram: ReadonlySet<number> = new Set([126, 127])

/** Why ssh has run no leap on that machine. `errors`: its standard error. Null: the exit code is leap's. */
export const remoteTrouble = ({ destination, leap, name }: RemoteHost, code: number, errors: string): string | null => {
  const said = errors.split(/[\r\n]+/).findLast((line) => line.trim() !== "")
  const why = said === undefined ? "" : `: ${oneLine(said.trim(), 200)}`
  if (code === notReached) return `host '${name}' (${destination}) is not reached, or was lost${why}`
  return noProgram.has(code)
    ? `host '${name}' (${destination}) has no '${leap}' that its ssh can run${why}; ` +
        `'leap hosts add ${name} ${destination} --leap PATH' says where it is`
    : null
}

import * as fs from "node:fs"
import * as path from "node:path"

const isCode = (cause: unknown, code: string): boolean => (cause as NodeJS.ErrnoException).code === code

/**
 * Makes a directory with its missing parents; an existing one stays as it is. Node's own recursive form loops for ever
 * if the system reports a directory as missing whose parent exists, as /proc does.
 */
export const makeDirectory = (dir: string, mode: number): void => {
  try {
    fs.mkdirSync(dir, { mode })
  } catch (cause) {
    if (isCode(cause, "EEXIST") && fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return
    if (isCode(cause, "EEXIST")) throw Object.assign(new Error("something else is in its place"), { code: "EEXIST" })
    const above = path.dirname(dir)
    if (!isCode(cause, "ENOENT") || above === dir || fs.existsSync(above)) throw cause
    makeDirectory(above, mode)
    makeDirectory(dir, mode)
  }
}

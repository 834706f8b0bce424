import * as fs from "node:fs"
import * as path from "node:path"

const isCode = (cause: unknown, code: string): boolean => (cause as NodeJS.ErrnoException).code === code

/**
 * Makes a directory with those above it that are missing; one that is there is left as it is. Node's own recursive form
 * asks for ever where the system says of a directory whose parent is there that it is missing, as /proc does.
 */
export const makeDirectory = (dir: string, mode: number): void => {
  try {
    fs.mkdirSync(dir, { mode })
  } catch (cause) {
    if (isCode(cause, "EEXIST") && fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return
    const above = path.dirname(dir)
    if (!isCode(cause, "ENOENT") || above === dir || fs.existsSync(above)) throw cause
    makeDirectory(above, mode)
    makeDirectory(dir, mode)
  }
}

import * as fs from "node:fs"
import * as path from "node:path"

/** The command line of the `leap` that contains this code: of the package, or of a clone. */
export const ownProgram = (): ReadonlyArray<string> => {
  const beside = (...parts: ReadonlyArray<string>) => path.resolve(import.meta.dirname, ...parts)
  // The package's is a Node program, run by this Node. A clone's finds its own Node.
  const packaged = beside("..", "bin", "leap.cjs")
  return fs.existsSync(packaged) ? [process.execPath, packaged] : [beside("..", "..", "..", "bin", "leap")]
}

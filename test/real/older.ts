import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import type { RealCli } from "./hosted.ts"

/** The folder of the pinned CLIs' programs: the box puts it in front. */
const pinned = (process.env["PATH"] ?? "").split(delimiter)[0] ?? ""

/** The folder of an older version's program, beside the pinned ones; null where it was not to be had. */
export const olderPrograms = (cli: string, version: string): string | null => {
  const programs = join(
    pinned,
    "../../..",
    `${process.platform}-${process.arch}-${cli}-${version}`,
    "node_modules/.bin"
  )
  return existsSync(join(programs, cli)) ? programs : null
}

/** The PATH on which this version comes before the pinned one. */
export const pathWith = (programs: string): string => `${programs}${delimiter}${process.env["PATH"] ?? ""}`

/** A real CLI in the version whose programs are there. */
export const inVersion = (cli: RealCli, programs: string): RealCli => ({
  ...cli,
  prepare: (home, project, endpoint) => ({ ...cli.prepare(home, project, endpoint), PATH: pathWith(programs) })
})

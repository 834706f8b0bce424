import * as fs from "node:fs"
import * as path from "node:path"
import { absolutePath } from "../../domain/words/text/paths.ts"

/** The C library's search path if the environment has no PATH. An empty PATH means only the working directory. */
const defaultPath = "/bin:/usr/bin"

/** The program that would run, or what was found instead: a file that cannot be run, or nothing. */
export type Lookup =
  | { readonly _tag: "Program"; readonly file: string }
  | { readonly _tag: "NotRunnable"; readonly file: string }
  | { readonly _tag: "Absent"; readonly file: string | null }

/**
 * The path of `name` as seen from `cwd`. A `..` is kept: after a link it leads elsewhere than its spelling suggests.
 */
const within = (cwd: string, name: string): string => {
  const file = absolutePath(cwd, name)
  return file.split("/").includes("..") ? file : path.normalize(file)
}

/** Links are followed: the file at their end is examined. */
const inspect = (file: string): Lookup => {
  try {
    if (!fs.statSync(file).isFile()) return { _tag: "NotRunnable", file }
    fs.accessSync(file, fs.constants.X_OK)
    return { _tag: "Program", file }
  } catch (cause) {
    return { _tag: (cause as NodeJS.ErrnoException).code === "EACCES" ? "NotRunnable" : "Absent", file }
  }
}

/**
 * The absolute path of the file that `execvp` would run for a command. A command with a slash is a path relative to the
 * working directory. Any other is looked up in the directories of PATH in order: an empty entry is the working
 * directory, a relative one is relative to it, and a file that cannot be run is skipped in favour of later ones.
 */
export const which = (command: string, env: Readonly<Record<string, string>>, cwd: string): Lookup => {
  if (command === "") return { _tag: "Absent", file: null }
  if (command.includes("/")) return inspect(within(cwd, command))
  let notRunnable: Lookup | null = null
  for (const directory of (env["PATH"] ?? defaultPath).split(":")) {
    const found = inspect(within(cwd, directory === "" ? command : `${directory}/${command}`))
    if (found._tag === "Program") return found
    if (found._tag === "NotRunnable") notRunnable ??= found
  }
  return notRunnable ?? { _tag: "Absent", file: null }
}

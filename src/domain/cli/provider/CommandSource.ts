type Environment = Readonly<Record<string, string>>

/** A folder in which each file is a command of the user's. */
export interface CommandFolder {
  readonly path: string
  /** How the names of its files end; `/SKILL.md` where each command is a folder with such a file. */
  readonly ending: string
  /** What stands before the names of its commands. */
  readonly prefix: string
  /** What stands between the names of folders within it; null where only its own files count. */
  readonly between: string | null
}

/** The slash commands of one CLI, as far as they are known without asking it. */
export interface CommandSource {
  /** Its own, without the slash. */
  readonly known: ReadonlyArray<string>
  /** Where it looks for the user's: those of a directory, and those of all. */
  readonly folders: (env: Environment, cwd: string) => ReadonlyArray<CommandFolder>
}

/** A folder whose own files are commands, unless said otherwise. */
export const commandFolder = (
  path: string,
  ending: string,
  { between = null, prefix = "" }: Partial<Pick<CommandFolder, "between" | "prefix">> = {}
): CommandFolder => ({ path, ending, prefix, between })

/** The command of a file at a path within its folder; null for a file that is none. */
export const commandOf = ({ between, ending, prefix }: CommandFolder, path: string): string | null => {
  if (!path.endsWith(ending) || path.length === ending.length) return null
  const parts = path.slice(0, -ending.length).split("/")
  if (parts.some((part) => part === "" || part.startsWith("."))) return null
  return parts.length > 1 && between === null ? null : prefix + parts.join(between ?? "")
}

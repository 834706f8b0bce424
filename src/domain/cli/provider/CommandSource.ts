type Environment = Readonly<Record<string, string>>

export interface CommandFolder {
  readonly path: string
  /** The end of its file names; `/SKILL.md` if each command is a folder with such a file. */
  readonly ending: string
  readonly prefix: string
  /** The separator between names of nested folders; null: only its own files count. */
  readonly between: string | null
}

/** The slash commands of one CLI that are known without asking it. */
export interface CommandSource {
  readonly known: ReadonlyArray<string>
  /** The folders of the user's commands: of this directory, and of all directories. */
  readonly folders: (env: Environment, cwd: string) => ReadonlyArray<CommandFolder>
}

/** A folder whose own files are commands, by default. */
export const commandFolder = (
  path: string,
  ending: string,
  { between = null, prefix = "" }: Partial<Pick<CommandFolder, "between" | "prefix">> = {}
): CommandFolder => ({ path, ending, prefix, between })

/** The command of a file at a path within its folder; null: no command. */
export const commandOf = ({ between, ending, prefix }: CommandFolder, path: string): string | null => {
  if (!path.endsWith(ending) || path.length === ending.length) return null
  const parts = path.slice(0, -ending.length).split("/")
  if (parts.some((part) => part === "" || part.startsWith("."))) return null
  return parts.length > 1 && between === null ? null : prefix + parts.join(between ?? "")
}

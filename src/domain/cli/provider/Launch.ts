import { overlay } from "./Environment.ts"

/** The input for a CLI's command line. */
export interface LaunchOptions {
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** The command line that runs leap itself, for the bundled demo CLI. */
  readonly self: ReadonlyArray<string>
  /** leap's own flags that the installed CLI does not know, to leave out. */
  readonly without?: ReadonlyArray<string>
}

/** How a CLI is started. */
export interface Launch {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Added to the environment; null removes a variable. */
  readonly env: Readonly<Record<string, string | null>>
}

/** A launch's arguments: the program that the user names, what resumes, default flags, then the user's. */
export const launchArguments = (
  { takesCommand }: { readonly takesCommand: boolean },
  given: {
    readonly resume: ReadonlyArray<string>
    readonly flags: ReadonlyArray<string>
    readonly args: ReadonlyArray<string>
  }
): ReadonlyArray<string> => {
  const program = takesCommand ? given.args.slice(0, 1) : []
  // Resume arguments come first: some CLIs resume by a subcommand, whose flags must follow it.
  return [...program, ...given.resume, ...given.flags, ...given.args.slice(program.length)]
}

export const environmentOf = (
  { launch }: { readonly launch: (options: LaunchOptions) => Launch },
  { env, self }: Pick<LaunchOptions, "env" | "self">
): Record<string, string> => overlay(env, launch({ args: [], env, self }).env)

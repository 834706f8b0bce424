import { Result } from "effect"
import { splitWords } from "../../words/text/splitWords.ts"

/** The variable of a CLI's default flags: `LEAP_CURSOR_AGENT_FLAGS` for `cursor-agent`. */
export const flagsVariable = (cli: string): string => `LEAP_${cli.toUpperCase().replaceAll("-", "_")}_FLAGS`

export interface DefaultFlags {
  readonly words: ReadonlyArray<string>
  readonly text: string | null
  readonly source: "environment" | "settings" | null
  /** Why the flags are ignored, naming their source; null: they are used. */
  readonly warning: string | null
}

/** A CLI's default flags: its variable if set, even to "", else the settings. Flags that cannot be split only warn. */
export const defaultFlags = (
  cli: string,
  stored: string | null,
  env: Readonly<Record<string, string>>
): DefaultFlags => {
  const variable = flagsVariable(cli)
  const fromEnvironment = Object.hasOwn(env, variable) ? env[variable] : undefined
  const text = fromEnvironment ?? stored
  if (text === null) return { words: [], text: null, source: null, warning: null }
  const source = fromEnvironment === undefined ? "settings" : "environment"
  const words = splitWords(text)
  if (Result.isSuccess(words)) return { words: words.success, text, source, warning: null }
  const sourceName = source === "environment" ? variable : `the flags of '${cli}' in leap's settings`
  return { words: [], text, source, warning: `ignored ${sourceName}: ${words.failure}` }
}

import { withoutColours } from "../../words/text/printable.ts"

/** The version in the output of `--version`, or null: `2.1.329 (Claude Code)`, `codex-cli 0.169.0`. */
export const versionIn = (text: string): string | null =>
  /(?<![\w.])v?(\d+(?:\.\d+)+(?:[-+][0-9A-Za-z][0-9A-Za-z.+-]*)?)/
    .exec(withoutColours(text))?.[1]
    ?.replace(/[.+-]+$/, "") ?? null

/** Screens as today's Claude Code draws them on 80 columns. */

const rule = "─".repeat(80)
const dashes = "╌".repeat(80)
const mode = "  ⏸ manual mode on"

/** The conversation, with the input box and its footer below. */
const box = (above: ReadonlyArray<string> = ["● Hello."], draft = "", footer = mode): ReadonlyArray<string> => [
  ...above,
  "",
  rule,
  `❯ ${draft}`,
  rule,
  "",
  footer
]

/** A turn that runs. `says` is its spinner row. */
export const busy = (
  says = "✻ Pondering… (3s · ↓ 40 tokens)",
  draft = "",
  above: ReadonlyArray<string> = ["❯ fix it", ""]
): ReadonlyArray<string> => box([...above, says], draft, `${mode} · esc to interrupt`)

/** A tool waits for its permission. */
export const permission = [
  "❯ make an out folder",
  "",
  "● Creating a folder",
  "  ⎿  $ mkdir -p out",
  "",
  rule,
  " Bash command",
  " Create a folder",
  dashes,
  " mkdir -p out",
  dashes,
  " Do you want to proceed?",
  " ❯ 1. Yes",
  "   2. Yes, and don't ask again for mkdir commands",
  "   3. No",
  "",
  " Esc to cancel · Tab to amend"
]

/** A UI of the CLI that the user opened. */
export const modelPicker = [
  "❯ hello",
  "",
  "▔".repeat(80),
  "  Select model",
  "",
  "  ❯ 1. Default (recommended) ✔  Use the default model",
  "    2. Opus                     Best for everyday tasks",
  "",
  "  s to use this session only · Enter to save · Esc to cancel"
]

/** Screens as today's Claude Code draws them on 80 columns: what the rows of the tables mean on real structure. */

const rule = "─".repeat(80)
const dashes = "╌".repeat(80)
const mode = "  ⏸ manual mode on"

/** The conversation, with the input box and its footer below. */
export const box = (above: ReadonlyArray<string> = ["● Hello."], draft = "", footer = mode): ReadonlyArray<string> => [
  ...above,
  "",
  rule,
  `❯ ${draft}`,
  rule,
  "",
  footer
]

export const atRest = box()

/** A turn that runs. `says` is its spinner row. */
export const busy = (
  says = "✻ Pondering… (3s · ↓ 40 tokens)",
  draft = "",
  above: ReadonlyArray<string> = ["❯ fix it", ""]
): ReadonlyArray<string> => box([...above, says], draft, `${mode} · esc to interrupt`)

export const compacting = busy("✽ Compacting conversation… (5s)")

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

/** The agent asks the user. */
export const question = [
  "● One question first.",
  rule,
  " ☐ Library",
  "",
  "Which library should we use for dates?",
  "",
  "❯ 1. dayjs",
  "  2. luxon",
  "  3. Type something.",
  rule,
  "  4. Chat about this",
  "",
  "Enter to select · ↑/↓ to navigate · Esc to cancel"
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

/** The user stopped the turn. */
export const interrupted = box(["❯ fix it", "", "● Half of the", "  ⎿  Interrupted · What should Claude do instead?"])

/** Trust at start-up. */
export const trust = [
  rule,
  " Accessing workspace:",
  "",
  " /home/dev/project",
  "",
  " Quick safety check: Is this a project you created or one you trust?",
  "",
  " ❯ 1. Yes, I trust this folder",
  "   2. No, exit",
  "",
  " Enter to confirm · Esc to cancel"
]

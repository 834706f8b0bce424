import type { KeySettings, ScreenPatterns } from "../../store/settings/Settings.ts"

export interface KnownProgram {
  readonly displayName: string
  /** The version that was tried under leap with a model on loopback: messages were queued, delivered and answered. */
  readonly checkedVersion: string
  readonly screen: ScreenPatterns
  readonly keys?: KeySettings
}

/** By the program's name. Only programs that test/real runs are listed. */
const programs: Readonly<Record<string, KnownProgram>> = {
  qwen: {
    displayName: "Qwen Code",
    checkedVersion: "0.24.4",
    // Its row of work is above the box throughout a turn.
    screen: {
      box: ["> Type your message or @path/to/file", "> {draft}"],
      busy: [" {wheel} * esc to cancel*"],
      done: ["{box}"],
      dialog: [" {wheel} Waiting for user confirmation..."]
    }
  },
  cline: {
    displayName: "Cline",
    checkedVersion: "3.0.65",
    // Its spinner is before a message that may be longer than the screen, so a missing spinner does not prove idleness.
    screen: {
      box: [" ❯ Ask anything...", " ❯ What can I do for you?", " ❯ {draft}"],
      busy: [" {wheel} *"],
      dialog: [" Cline needs permission", "* any other key to close*"]
    }
  }
}

export const knownProgram = (command: string): KnownProgram | null => {
  const name = command.slice(command.lastIndexOf("/") + 1)
  return Object.hasOwn(programs, name) ? (programs[name] ?? null) : null
}

export const knownPrograms: ReadonlyArray<{ readonly name: string; readonly checkedVersion: string }> = Object.entries(
  programs
).map(([name, { checkedVersion }]) => ({ name, checkedVersion }))

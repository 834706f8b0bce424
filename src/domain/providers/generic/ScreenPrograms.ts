import type { KeySettings, ScreenPatterns } from "../../rules/settings/Settings.ts"

/** What leap ships for a program that it has no reader for, and how that was checked. */
export interface KnownProgram {
  readonly displayName: string
  /** The version that was run under leap against a model on loopback: its messages queued, delivered and answered. */
  readonly checkedVersion: string
  readonly screen: ScreenPatterns
  readonly keys?: KeySettings
}

/** By the program's name. Only what test/real runs is here. */
const programs: Readonly<Record<string, KnownProgram>> = {
  qwen: {
    displayName: "Qwen Code",
    checkedVersion: "0.24.4",
    // Its row of work stands over the box throughout a turn.
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
    // Its wheel stands before a message that may be longer than the screen: its absence proves no rest.
    screen: {
      box: [" ❯ Ask anything...", " ❯ What can I do for you?", " ❯ {draft}"],
      busy: [" {wheel} *"],
      dialog: [" Cline needs permission", "* any other key to close*"]
    }
  }
}

/** What is shipped for a program, by its name or its path; null for nothing. */
export const knownProgram = (command: string): KnownProgram | null => {
  const name = command.slice(command.lastIndexOf("/") + 1)
  return Object.hasOwn(programs, name) ? (programs[name] ?? null) : null
}

/** The programs that patterns are shipped for. */
export const knownPrograms: ReadonlyArray<{ readonly name: string; readonly checkedVersion: string }> = Object.entries(
  programs
).map(([name, { checkedVersion }]) => ({ name, checkedVersion }))

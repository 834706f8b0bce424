import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { DemoDraft } from "./draft.ts"

/** A prompt as the history file has it: folded pastes are placeholders, and their texts stand beside it. */
export interface HistoryEntry {
  readonly prompt: string
  readonly pastes: ReadonlyArray<{ readonly shown: string; readonly text: string }>
  readonly directory: string
}

/** More prompts than this are forgotten, the oldest first. */
const most = 200

export const entryOf = ({ atoms }: DemoDraft, directory: string): HistoryEntry => ({
  prompt: atoms.map(({ displayed }) => displayed).join(""),
  pastes: atoms.flatMap(({ displayed, text }) => (displayed === text ? [] : [{ shown: displayed, text }])),
  directory
})

/** Adds a prompt to the history. What cannot be written is not kept: a history is not worth a prompt. */
export const keep = (file: string, entry: HistoryEntry): void => {
  const before = (): ReadonlyArray<string> => {
    try {
      return readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    } catch {
      return []
    }
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const lines = [...before().slice(1 - most), JSON.stringify(entry)]
    writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600 })
  } catch {
    // The folder may be another user's, or the disk full.
  }
}

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { DemoDraft } from "./draft.ts"

/** A prompt in the history file. Folded pastes are placeholders, and their texts are stored beside it. */
export interface HistoryEntry {
  readonly prompt: string
  readonly pastes: ReadonlyArray<{ readonly shown: string; readonly text: string }>
  readonly directory: string
}

const most = 200

export const entryOf = ({ atoms }: DemoDraft, directory: string): HistoryEntry => ({
  prompt: atoms.map(({ displayed }) => displayed).join(""),
  pastes: atoms.flatMap(({ displayed, text }) => (displayed === text ? [] : [{ shown: displayed, text }])),
  directory
})

/** Adds a prompt to the history. A write error is ignored: the prompt matters more. */
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
    // the folder may belong to another user, or the disk may be full
  }
}

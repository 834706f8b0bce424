import { formed, type JsonForm } from "../../words/formats/JsonForm.ts"
import type { AuditEntry } from "./AuditEntry.ts"

/** The entries of an audit log in order. `unreadable`: how many of its lines cannot be read. */
export interface AuditText {
  readonly entries: ReadonlyArray<AuditEntry>
  readonly unreadable: number
}

const entryIn = (form: JsonForm, line: string): AuditEntry | undefined => {
  try {
    return formed(form, JSON.parse(line)) as AuditEntry | undefined
  } catch {
    return undefined
  }
}

/** Reads a log's text by the form of its entries (`#generated/auditForm.mts`, made from their schema). */
export const readAudit = (form: JsonForm, text: string): AuditText => {
  const entries: Array<AuditEntry> = []
  let unreadable = 0
  for (const line of text.split("\n")) {
    if (line === "") continue
    const entry = entryIn(form, line)
    if (entry === undefined) unreadable += 1
    else entries.push(entry)
  }
  return { entries, unreadable }
}

/** The log after the older one beside it. During rotation both may be the same. */
export const auditText = (current: string, older: string): string =>
  older === current ? current : `${older}\n${current}`

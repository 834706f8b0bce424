import { auditPage } from "../domain/engine/approvals/auditPage.ts"
import type { QuickCommand } from "../domain/words/arguments/QuickCommand.ts"
import { auditIn } from "../layers/files/auditReader.ts"
import { auditFilesOf } from "../layers/files/leapPaths.ts"
import { readRegularSync } from "../layers/files/regularFile.ts"
import { absent, type Ended, type Places, print, tagsIn } from "./common.ts"
import { note, usesColour } from "./print.ts"

/** A file's text, "" if it is missing; null if it cannot be read, which the whole program explains. */
const textIn = (file: string): string | null => {
  try {
    return readRegularSync(file, "refused").toString("utf8")
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "" : null
  }
}

export const showAudit = async (tag: string, { flags, operands }: QuickCommand, places: Places): Promise<Ended> => {
  const last = flags["last"] === undefined ? null : Number(flags["last"])
  if (operands.length > 1 || last === 0) return null
  const tags = tagsIn(places.sessions)
  if (tags === null) return null
  if (!tags.includes(tag)) return absent(tag, "none")
  const { log, older } = auditFilesOf(places.session(tag).dir)
  // the log first: an entry that is rotated meanwhile may be read twice, but is never missed
  const current = textIn(log)
  const rotated = textIn(older)
  if (current === null || rotated === null) return null
  const page = auditPage(tag, auditIn(current, rotated), { denied: flags["denied"] !== undefined, last })
  if (page.note !== null) note(`leap: ${page.note}`)
  return print(flags["json"] !== undefined, page.document, () => page.text(usesColour()))
}

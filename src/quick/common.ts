import * as fs from "node:fs"
import type { QuickCommand } from "../domain/words/arguments/QuickCommand.ts"
import type { SessionStatus } from "../domain/words/session/Session.ts"
import { commandNames, tagLength, tagPattern } from "../domain/words/session/tagRules.ts"
import { printable } from "../domain/words/text/printable.ts"
import { hostTrouble } from "../domain/words/wording/hostTrouble.ts"
import { damagedStatus, hasEnded, noSession, startsAgain } from "../domain/words/wording/noSession.ts"
import type { placesIn } from "../layers/files/leapPaths.ts"
import { exitCode } from "../domain/words/session/exitCode.ts"
import type { Outcome } from "./HostConnection.ts"
import { line, note } from "./print.ts"
import { statusOf } from "./sessions.ts"

/** The exit code. If the whole program must do the work: the words to add to the command line, or null for none. */
export type Ended = number | ReadonlyArray<string> | null

export type Places = ReturnType<typeof placesIn>

export interface OfSession {
  readonly name: string
  readonly tag: string
  readonly rest: ReadonlyArray<string>
  readonly flags: QuickCommand["flags"]
  readonly json: boolean
  readonly now: number
}

export const print = (json: boolean, document: unknown, text: () => string): 0 => {
  const rendered = json ? JSON.stringify(document) : text()
  if (rendered !== "") line(rendered)
  return 0
}

/** Reports the outcome of a call that changes something; the whole program must not repeat it. */
export const changed = (outcome: Outcome, then: (value: unknown) => Ended): Ended => {
  if (outcome.kind === "value") return then(outcome.value)
  note(`leap: ${outcome.kind === "refused" ? printable(outcome.why) : hostTrouble}`)
  return outcome.kind === "refused" ? outcome.exitCode : 1
}

export const isTag = (name: string): boolean =>
  tagPattern.test(name) && name.length <= tagLength && !commandNames.includes(name)

/** The tags of all sessions; null if their directory cannot be read, which the whole program explains. */
export const tagsIn = (sessions: string): ReadonlyArray<string> | null => {
  try {
    const entries = fs.readdirSync(sessions, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    return names.filter(isTag).sort()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : null
  }
}

/** The statuses of all sessions, and notes on those without one; null if the whole program must look. */
export const allStatuses = async (places: Places, now: number) => {
  const tags = tagsIn(places.sessions)
  if (tags === null) return null
  const all = await Promise.all(tags.map((tag) => statusOf(places.session(tag), now)))
  const sessions: Array<SessionStatus> = []
  const damaged: Array<string> = []
  for (const [index, status] of all.entries()) {
    if (status === null) return null
    const tag = tags[index]!
    if (status === "damaged") damaged.push(damagedStatus(tag, places.session(tag).status))
    else if (status !== "none") sessions.push(status)
  }
  return { sessions, damaged }
}

/** Reports that a session does not run; null if the whole program knows how to resume its conversation. */
export const absent = (tag: string, left: SessionStatus | "none" | "damaged" | null): Ended => {
  if (left === null || left === "damaged" || (left !== "none" && left.sessionId !== null)) return null
  note(`leap: ${left === "none" ? noSession(tag) : hasEnded(tag, startsAgain(tag))}`)
  return exitCode.notFound
}

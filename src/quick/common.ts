import * as fs from "node:fs"
import type { QuickCommand } from "../domain/words/arguments/QuickCommand.ts"
import type { SessionStatus } from "../domain/words/session/Session.ts"
import { commandNames, tagLength, tagPattern } from "../domain/words/session/tagRules.ts"
import { printable } from "../domain/words/text/printable.ts"
import { hostTrouble } from "../domain/words/wording/hostTrouble.ts"
import { damagedStatus, hasEnded, noSession, startsAgain } from "../domain/words/wording/noSession.ts"
import type { placesIn } from "../layers/files/places.ts"
import { exitCode } from "../services/exitCode.ts"
import type { Outcome } from "./HostConnection.ts"
import { line, note } from "./print.ts"
import { statusOf } from "./sessions.ts"

/** The exit code; or, where the whole program is to do it, what to add to the command line: null for nothing. */
export type Ended = number | ReadonlyArray<string> | null

/** Where leap's files are. */
export type Places = ReturnType<typeof placesIn>

/** A command line of one session. */
export interface OfSession {
  readonly name: string
  readonly tag: string
  /** The operands behind the tag. */
  readonly rest: ReadonlyArray<string>
  readonly flags: QuickCommand["flags"]
  readonly json: boolean
  /** When it was called, in milliseconds since the epoch. */
  readonly now: number
}

/** Prints a document as JSON, or as text for people. */
export const print = (json: boolean, document: unknown, text: () => string): 0 => {
  const rendered = json ? JSON.stringify(document) : text()
  if (rendered !== "") line(rendered)
  return 0
}

/** A call that changes something is not made again by the whole program: what came of it is said here. */
export const changed = (outcome: Outcome, then: (value: unknown) => Ended): Ended => {
  if (outcome.kind === "value") return then(outcome.value)
  note(`leap: ${outcome.kind === "refused" ? printable(outcome.why) : hostTrouble}`)
  return outcome.kind === "refused" ? outcome.exitCode : 1
}

export const isTag = (name: string): boolean =>
  tagPattern.test(name) && name.length <= tagLength && !commandNames.includes(name)

/** The names of all sessions; null where their directory cannot be read, which the whole program explains. */
export const tagsIn = (sessions: string): ReadonlyArray<string> | null => {
  try {
    const entries = fs.readdirSync(sessions, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    return names.filter(isTag).sort()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : null
  }
}

/** The statuses of all sessions, and what is to be said of those that have none; null where the whole program looks. */
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

/** Says that a session does not run; null where the whole program knows how its conversation goes on. */
export const absent = (tag: string, left: SessionStatus | "none" | "damaged" | null): Ended => {
  if (left === null || left === "damaged" || (left !== "none" && left.sessionId !== null)) return null
  note(`leap: ${left === "none" ? noSession(tag) : hasEnded(tag, startsAgain(tag))}`)
  return exitCode.notFound
}

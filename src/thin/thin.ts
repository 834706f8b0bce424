import * as fs from "node:fs"
import { helpWords } from "../domain/arguments/helpWords.ts"
import { type PlainCommand, plainCommand } from "../domain/arguments/PlainCommand.ts"
import type { QueueProblem, SessionStatus } from "../domain/session/Session.ts"
import type { QueuedMessage } from "../domain/session/Message.ts"
import { turnOver, turnToCome } from "../domain/session/states.ts"
import { commandNames, tagLength, tagPattern } from "../domain/session/tagRules.ts"
import { ulid, ulidRandomness } from "../domain/session/ulid.ts"
import { printable } from "../domain/text/printable.ts"
import { answeredLine } from "../domain/wording/answeredLine.ts"
import { hostTrouble } from "../domain/wording/hostTrouble.ts"
import { modesText } from "../domain/wording/modesText.ts"
import { hasEnded, noLastMessage, noSession, startsAgain } from "../domain/wording/noSession.ts"
import { goesFirst, heldNote, obstacleText, pauseNote, queueListing } from "../domain/wording/queueListing.ts"
import { heldText, waitsForWord } from "../domain/wording/StateLine.ts"
import { statusDetails } from "../domain/wording/statusDetails.ts"
import { statusTable } from "../domain/wording/StatusTable.ts"
import { placesIn } from "../layers/files/places.ts"
import { exitCode } from "../services/exitCode.ts"
import type { HostConnection, Outcome } from "./HostConnection.ts"
import { isInputTerminal, isTerminal, line, note, usesColour } from "./print.ts"
import { damageIn, hostOf, type SessionPlaces, statusOf, stored, storedScreen } from "./sessions.ts"

/** The exit code; or, where the whole program is to do it, what to add to the command line: null for nothing. */
type Ended = number | ReadonlyArray<string> | null

const print = (json: boolean, document: unknown, text: () => string): 0 => {
  const rendered = json ? JSON.stringify(document) : text()
  if (rendered !== "") line(rendered)
  return 0
}

/** A call that changes something is not made again by the whole program: what came of it is said here. */
const changed = (outcome: Outcome, then: (value: unknown) => number): number => {
  if (outcome.kind === "value") return then(outcome.value)
  note(`leap: ${outcome.kind === "refused" ? printable(outcome.why) : hostTrouble}`)
  return outcome.kind === "refused" ? outcome.exitCode : 1
}

const isTag = (name: string): boolean =>
  tagPattern.test(name) && name.length <= tagLength && !(commandNames as ReadonlyArray<string>).includes(name)

/** The names of all sessions; null where their directory cannot be read, which the whole program explains. */
const tagsIn = (sessions: string): ReadonlyArray<string> | null => {
  try {
    const entries = fs.readdirSync(sessions, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
    return names.filter(isTag).sort()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : null
  }
}

const statuses = async (json: boolean, places: ReturnType<typeof placesIn>): Promise<Ended> => {
  const tags = tagsIn(places.sessions)
  if (tags === null) return null
  const all = await Promise.all(tags.map((tag) => statusOf(places.session(tag))))
  const sessions: Array<SessionStatus> = []
  for (const status of all) {
    if (status === null) return null
    if (status !== "none" && status !== "damaged") sessions.push(status)
  }
  const terminal = isTerminal()
  const columns = terminal ? process.stdout.columns || 80 : null
  const home = process.env["HOME"] ?? ""
  return print(json, { schema: 1, sessions }, () => statusTable(sessions, { colour: usesColour(), columns, home }))
}

type OneSession = Exclude<PlainCommand, { readonly name: "statuses" }>

/** Says that a session does not run; null where the whole program knows how its conversation goes on. */
const absent = (tag: string, left: SessionStatus | "none" | "damaged" | null): Ended => {
  if (left === null || left === "damaged" || (left !== "none" && left.sessionId !== null)) return null
  note(`leap: ${left === "none" ? noSession(tag) : hasEnded(tag, startsAgain(tag))}`)
  return exitCode.notFound
}

/** The commands that read a session, which may have ended. */
const read = async (command: OneSession, places: SessionPlaces): Promise<Ended> => {
  const { json, tag } = command
  const status = await statusOf(places)
  if (status === null || status === "none" || status === "damaged") return absent(tag, status)
  switch (command.name) {
    case "status":
      return print(json, { schema: 1, sessions: [status] }, () =>
        statusDetails(status, { colour: usesColour(), whole: !isTerminal(), now: Date.now() })
      )
    case "last": {
      const text = status.lastResponse
      if (text !== null || json) return print(json, { schema: 1, tag, text }, () => printable(text ?? ""))
      note(`leap: ${noLastMessage(tag)}`)
      return exitCode.failed
    }
    case "wait": {
      const { ready, reason, state } = status
      const isReached = (command.until ?? turnOver).has(state) && (command.until !== null || !turnToCome(status))
      if (isReached) return print(json, { schema: 1, tag, state, ready, reason }, () => state)
      return state === "exited" ? absent(tag, status) : null
    }
    default:
      return null
  }
}

/** Random bytes from the system: their module takes as long to load as all else here. */
const newId = (): string => {
  const random = new Uint8Array(ulidRandomness)
  const source = fs.openSync("/dev/urandom", "r")
  fs.readSync(source, random)
  fs.closeSync(source)
  return ulid(Date.now(), random)
}

const send = async (
  command: Extract<PlainCommand, { readonly name: "send" }>,
  host: HostConnection
): Promise<Ended> => {
  const { force, front, json, text } = command
  let held: string | null = null
  if (!front && !force) {
    const before = await host.call("Status")
    if (before.kind !== "value") return null
    const now = before.value as SessionStatus
    // while the user's word is waited for, it stands behind them and is held like them
    held = waitsForWord(now) ? null : heldText(now.queue)
    // what is held goes first, or not: the user is asked
    if (held !== null && !json && isTerminal() && isInputTerminal()) return null
  }
  const own = newId()
  const sending = host.call("Send", { id: own, text, images: [], front, force })
  // while the host writes it down: what a message waits for has nothing to do with it
  const asking = force ? null : host.call("Status")
  const sent = await sending
  // the whole program finds out what became of it, and sends it again if it has to: a host takes no id twice
  if (sent.kind === "unclear") return ["--id", own]
  if (held !== null) note(`leap: ${goesFirst(command.tag, held)}`)
  if (sent.kind === "refused") return changed(sent, () => 0)
  const { id } = sent.value as { readonly id: string }
  const now = await asking
  const status = now?.kind === "value" ? (now.value as SessionStatus) : null
  const kept = status === null ? null : heldNote(status)
  const obstacle = status === null ? null : obstacleText(status)
  if (kept !== null) note(`leap: ${kept}`)
  else if (obstacle !== null) note(`leap: queued; it ${obstacle}`)
  return print(json, { schema: 1, id }, () => id)
}

interface Listing {
  readonly queue: ReadonlyArray<QueuedMessage>
  readonly recent: ReadonlyArray<QueuedMessage>
  readonly queueProblem: QueueProblem | null
  readonly pause: NonNullable<SessionStatus["pause"]> | null
}

const list = ({ json, tag }: OneSession, { pause, queue, queueProblem, recent }: Listing): 0 => {
  print(json, { schema: 1, tag, queue, recent, queueProblem, pause }, () => queueListing(queue, recent, !isTerminal()))
  if (!json && queue.length === 0 && queueProblem === null) note(`nothing waits in the queue of '${tag}'`)
  const waits = pauseNote({ pause, tag })
  if (!json && waits !== null) note(`leap: ${waits}`)
  if (queueProblem !== null) note(`leap: ${queueProblem.message}`)
  return 0
}

/** What can be told of a session that has no host. */
const leftBehind = async (command: OneSession, places: SessionPlaces): Promise<Ended> => {
  const { json, tag } = command
  const left = await stored(places)
  if (left === null) return null
  if (command.name === "queue" && left !== "none" && left !== "damaged") {
    const { queue, queueProblem = null } = left
    return list(command, { queue, recent: [], queueProblem, pause: null })
  }
  const text = command.name === "screen" ? storedScreen(places) : null
  if (text !== null) return print(json, { schema: 1, tag, text, cols: null, rows: null }, () => printable(text))
  // its modes are kept for the next one
  return command.name === "mode" && left !== "none" ? null : absent(tag, left)
}

/** The commands that need a session's host. */
const ask = async (command: OneSession, places: SessionPlaces, host: HostConnection): Promise<Ended> => {
  const { json, tag } = command
  switch (command.name) {
    case "send":
      return send(command, host)
    case "queue": {
      const asking = host.call("Status")
      const found = await host.call("Queue")
      const now = await asking
      if (found.kind !== "value" || now.kind !== "value") return null
      const { pause = null } = now.value as SessionStatus
      const listed = found.value as Pick<Listing, "queue" | "recent">
      return list(command, { ...listed, queueProblem: damageIn(places), pause })
    }
    case "screen": {
      const captured = await host.call("Screen")
      if (captured.kind !== "value") return null
      const screen = captured.value as { readonly text: string }
      return print(json, { schema: 1, tag, ...screen }, () => printable(screen.text))
    }
    case "answer":
      return changed(await host.call("Answer", { answer: command.answer }), (value) => {
        const answered = value as { readonly dialog: string; readonly answer: string }
        return print(json, { schema: 1, tag, ...answered }, () => answeredLine(answered, !isTerminal()))
      })
    case "interrupt":
      return changed(await host.call("Interrupt"), () => 0)
    case "mode": {
      const isAsked = Object.keys(command.change).length === 0
      const found = isAsked ? await host.call("Status") : await host.call("SetModes", { modes: command.change })
      // to set them once more changes nothing
      if (found.kind !== "value") return null
      const modes = isAsked ? (found.value as SessionStatus).modes : (found.value as SessionStatus["modes"])
      return print(json, { schema: 1, tag, modes }, () => modesText(modes))
    }
    default:
      return null
  }
}

const attempt = async (argv: ReadonlyArray<string>): Promise<Ended> => {
  const words = helpWords(argv)
  if (words !== null) return (await import("./help.ts")).help(words) ? 0 : null
  const command = plainCommand(argv)
  if (command === null) return null
  const places = placesIn(process.env)
  if (command.name === "statuses") return statuses(command.json, places)
  const ofSession = places.session(command.tag)
  if (command.name === "status" || command.name === "last" || command.name === "wait") return read(command, ofSession)
  // what a send asks first: see there
  const asksFirst = command.name === "send" && !command.front && !command.force
  const host = await hostOf(ofSession, asksFirst ? "Status" : undefined)
  if (host === "unclear") return null
  if (host === "none") return leftBehind(command, ofSession)
  const ended = await ask(command, ofSession, host)
  host.close()
  return ended
}

/**
 * Runs a command that scripts call in a fraction of the time that it takes to load the whole program: it speaks with
 * hosts on their sockets, or reads their files, and prints the same. Gives the exit code; or what the whole program is
 * to do, where the case is not plain or is to be explained: the command line with words behind it, if any.
 */
export const runThin = async (argv: ReadonlyArray<string>): Promise<number | ReadonlyArray<string>> => {
  const ended = await attempt(argv)
  return typeof ended === "number" ? ended : [...argv, ...(ended ?? [])]
}

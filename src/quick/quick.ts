import * as fs from "node:fs"
import { withNeeds } from "../domain/words/attention/needsOf.ts"
import { helpWords } from "../domain/words/arguments/helpWords.ts"
import { type QuickCommand, quickCommand, type QuickForm } from "../domain/words/arguments/QuickCommand.ts"
import type { SessionStatus } from "../domain/words/session/Session.ts"
import { sessionStates, turnOver, turnToCome } from "../domain/words/session/states.ts"
import { ulid, ulidRandomness } from "../domain/words/text/ulid.ts"
import { printable } from "../domain/words/text/printable.ts"
import { modesText } from "../domain/words/wording/modesText.ts"
import { noLastMessage } from "../domain/words/wording/noSession.ts"
import { goesFirst, heldNote, obstacleText } from "../domain/words/wording/queueListing.ts"
import { heldText, waitsForUser } from "../domain/words/wording/StateLine.ts"
import { statusDetails } from "../domain/words/wording/statusDetails.ts"
import { statusTable } from "../domain/words/wording/StatusTable.ts"
import { placesIn } from "../layers/files/leapPaths.ts"
import { exitCode } from "../domain/words/session/exitCode.ts"
import forms from "#generated/quickForms.json" with { type: "json" }
import { absent, allStatuses, changed, type Ended, isTag, type OfSession, type Places, print } from "./common.ts"
import type { HostConnection } from "./HostConnection.ts"
import { isInputTerminal, isTerminal, note, usesColour } from "./print.ts"
import { hostOf, type SessionPlaces, statusOf, stored, storedScreen } from "./sessions.ts"

const statuses = async (json: boolean, now: number, places: Places): Promise<Ended> => {
  const all = await allStatuses(places, now)
  if (all === null) return null
  const { damaged, sessions } = all
  const columns = isTerminal() ? process.stdout.columns || 80 : null
  const home = process.env["HOME"] ?? ""
  const code = print(json, { schema: 1, sessions: sessions.map(withNeeds) }, () =>
    statusTable(sessions, { colour: usesColour(), columns, home })
  )
  for (const text of damaged) note(`leap: ${text}`)
  return code
}

/** The states of `--until`; null for the end of the turn, undefined for an unknown state. */
const untilOf = ({ until }: QuickCommand["flags"]): ReadonlySet<string> | null | undefined => {
  if (until === undefined) return null
  const states = until.split(",").map((state) => state.trim())
  return states.every((state) => (sessionStates as ReadonlyArray<string>).includes(state)) ? new Set(states) : undefined
}

const waited = ({ flags, json, tag }: OfSession, status: SessionStatus): Ended => {
  const { ready, reason, state } = status
  const until = untilOf(flags) ?? null
  const isReached = (until ?? turnOver).has(state) && (until !== null || !turnToCome(status))
  if (isReached) return print(json, { schema: 1, tag, state, ready, reason }, () => state)
  return state === "exited" ? absent(tag, status) : null
}

const read = async (command: OfSession, places: SessionPlaces): Promise<Ended> => {
  const { json, tag } = command
  const status = await statusOf(places, command.now)
  if (status === null || status === "none" || status === "damaged") return absent(tag, status)
  if (command.name === "wait") return waited(command, status)
  if (command.name === "status")
    return print(json, { schema: 1, sessions: [withNeeds(status)] }, () =>
      statusDetails(status, { colour: usesColour(), whole: !isTerminal(), now: command.now })
    )
  const text = status.lastResponse
  if (text !== null || json) return print(json, { schema: 1, tag, text }, () => printable(text ?? ""))
  note(`leap: ${noLastMessage(status)}`)
  return exitCode.failed
}

/** Reads random bytes from the system, because loading `crypto` takes as long as all modules here. */
const newId = (now: number): string => {
  const random = new Uint8Array(ulidRandomness)
  const source = fs.openSync("/dev/urandom", "r")
  fs.readSync(source, random)
  fs.closeSync(source)
  return ulid(now, random)
}

const mayWait = ({ flags }: OfSession): boolean => flags["front"] === undefined && flags["force"] === undefined

const send = async (command: OfSession, host: HostConnection): Promise<Ended> => {
  const { flags, json, rest, tag } = command
  const text = rest.join(" ")
  const [front, force] = [flags["front"] !== undefined, flags["force"] !== undefined]
  let held: string | null = null
  if (mayWait(command)) {
    const before = await host.call("Status")
    if (before.kind !== "value") return null
    const now = before.value as SessionStatus
    // while a message waits for the user, a new one is queued behind it and held too
    held = waitsForUser(now) ? null : heldText(now.queue)
    // the user decides whether the held messages go first
    if (held !== null && !json && isTerminal() && isInputTerminal()) return null
  }
  const own = newId(command.now)
  const sending = host.call("Send", { id: own, text, images: [], front, force })
  // concurrently: the status does not depend on the write
  const asking = force ? null : host.call("Status")
  const sent = await sending
  // the whole program finds the outcome and repeats the send if needed: a host ignores a known id
  if (sent.kind === "unclear") return ["--id", own]
  if (held !== null) note(`leap: ${goesFirst(tag, held)}`)
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

const showScreen = async ({ json, tag }: OfSession, host: HostConnection): Promise<Ended> => {
  const captured = await host.call("Screen")
  if (captured.kind !== "value") return null
  const screen = captured.value as { readonly text: string }
  return print(json, { schema: 1, tag, ...screen }, () => printable(screen.text))
}

const mode = async ({ flags, json, tag }: OfSession, host: HostConnection): Promise<Ended> => {
  const given = { autoSend: flags["auto-send"], churn: flags["churn"], night: flags["night"] }
  const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const isAsked = Object.keys(change).length === 0
  const found = isAsked ? await host.call("Status") : await host.call("SetModes", { modes: change })
  // setting the modes again is harmless
  if (found.kind !== "value") return null
  const modes = isAsked ? (found.value as SessionStatus).modes : (found.value as SessionStatus["modes"])
  return print(json, { schema: 1, tag, modes }, () => modesText(modes))
}

const leftBehind = async (command: OfSession, places: SessionPlaces): Promise<Ended> => {
  const { json, tag } = command
  const left = await stored(places, command.now)
  if (left === null) return null
  const text = command.name === "screen" ? storedScreen(places) : null
  if (text !== null) return print(json, { schema: 1, tag, text, cols: null, rows: null }, () => printable(text))
  // its modes are stored for the next start
  return command.name === "mode" && left !== "none" ? null : absent(tag, left)
}

type OfHost = (command: OfSession, host: HostConnection) => Promise<Ended>

/** The commands that need a session's host: the number of operands after the tag, and the work. */
const ofHost: Readonly<Record<string, { readonly operands: number | null; readonly run: OfHost }>> = {
  send: { operands: null, run: send },
  screen: { operands: 0, run: showScreen },
  mode: { operands: 0, run: mode }
}

/** Whether the arguments are valid. The whole program explains invalid ones, before it looks at any session. */
const isMeant = ({ flags, name, rest }: OfSession): boolean => {
  const text = rest.join(" ")
  if (name === "send") return text.trim() !== "" && text !== "-"
  return name !== "wait" || (untilOf(flags) !== undefined && Number(flags["timeout"] ?? 1) > 0)
}

const reading: ReadonlySet<string> = new Set(["status", "last", "wait"])

const ofSession = async (command: OfSession, places: SessionPlaces): Promise<Ended> => {
  const { json, name, rest } = command
  if (!isMeant(command)) return null
  if (reading.has(name)) return rest.length > 0 ? null : read(command, places)
  // the whole program opens the queue client
  if (name === "queue show" && !json && isTerminal() && isInputTerminal()) return null
  const its = ofHost[name]
  if (its === undefined) return (await import("./calls.ts")).call(command, places)
  if (its.operands !== null && rest.length !== its.operands) return null
  // `send` asks for the status first
  const host = await hostOf(places, name === "send" && mayWait(command) ? "Status" : undefined)
  if (host === "unclear") return null
  if (host === "none") return leftBehind(command, places)
  const ended = await its.run(command, host)
  host.close()
  return ended
}

const attempt = async (argv: ReadonlyArray<string>, now: number): Promise<Ended> => {
  const words = helpWords(argv)
  if (words !== null) return (await import("./help.ts")).help(words) ? 0 : null
  // without arguments: the monitor, or its text form without a terminal
  if (argv.length === 0) return isTerminal() && isInputTerminal() ? null : statuses(false, now, placesIn(process.env))
  const command = quickCommand(forms.commands as unknown as Readonly<Record<string, QuickForm>>, argv)
  if (command === null) return null
  const { flags, name, operands } = command
  const places = placesIn(process.env)
  const json = flags["json"] !== undefined
  if (name === "log" || name === "report") return (await import("./record.ts")).showRecord(command, now, places)
  const [tag, ...rest] = operands
  if (tag === undefined) return name === "status" ? statuses(json, now, places) : null
  if (!isTag(tag)) return null
  if (name === "audit") return (await import("./audit.ts")).showAudit(tag, command, places)
  return ofSession({ name, tag, rest, flags, json, now }, places.session(tag))
}

/**
 * Runs a command that scripts call, in a fraction of the whole program's load time: it asks hosts on their sockets, or
 * reads their files, and prints the same output. `now`: milliseconds since the epoch. Returns the exit code. For a case
 * that is not plain, or needs an explanation, it returns the command line for the whole program, with added words if
 * any.
 */
export const runQuick = async (argv: ReadonlyArray<string>, now: number): Promise<number | ReadonlyArray<string>> => {
  const ended = await attempt(argv, now)
  return typeof ended === "number" ? ended : [...argv, ...(ended ?? [])]
}

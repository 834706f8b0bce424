import { type CallCommand, callCommands, type ParsedArguments } from "../domain/surfaces/operations/callCommands.ts"
import type { Call, Done, DoneOf } from "../domain/surfaces/operations/calls.ts"
import { doneNotes } from "../domain/surfaces/operations/doneWords.ts"
import { aboutOf, namesMessage } from "../domain/surfaces/operations/namesMessage.ts"
import { whyDocument, whyText } from "../domain/surfaces/operations/whyText.ts"
import type { QueuedMessage } from "../domain/words/session/Message.ts"
import type { SessionStatus } from "../domain/words/session/Session.ts"
import forms from "#generated/quickForms.json" with { type: "json" }
import { absent, changed, type Ended, type OfSession, print } from "./common.ts"
import type { HostConnection, Outcome } from "./HostConnection.ts"
import { isTerminal, note, usesColour } from "./print.ts"
import { hostOf, type SessionPlaces, stored } from "./sessions.ts"

const repeats: ReadonlySet<string> = new Set(forms.repeats)

const payloadOf = ({ _tag, ...given }: Call, about: QueuedMessage | undefined): object | null =>
  Object.keys(given).length === 0 ? null : { ...given, ...(about === undefined ? {} : { id: about.id }) }

const ask = (host: HostConnection, call: Call, about?: QueuedMessage): Promise<Outcome> =>
  host.call(call._tag, payloadOf(call, about))

const why = async ({ json, tag }: OfSession, host: HostConnection): Promise<Ended> => {
  const asking = host.call("Status")
  const found = await host.call("Why")
  const status = await asking
  if (found.kind !== "value" || status.kind !== "value") return null
  const reply = found.value as DoneOf<"Why">["result"]
  return print(json, whyDocument(tag, reply), () =>
    whyText(reply, status.value as SessionStatus, isTerminal() ? process.stdout.columns || 80 : null)
  )
}

/** The parsed arguments; null if the whole program must read or explain them. */
const givenTo = (
  { flags: known = [], operands = [] }: CallCommand,
  { flags, rest }: OfSession
): ParsedArguments | null => {
  if (rest.length > operands.length) return null
  const given: Record<string, string> = {}
  for (const [i, { integer, name, optional, stdin }] of operands.entries()) {
    const word = rest[i]
    if (word === undefined && optional === true) continue
    if (word === undefined || (stdin && word === "-") || (integer && !/^\d{1,9}$/.test(word))) return null
    given[name] = word
  }
  for (const { is, name } of known) {
    const value = flags[name]
    if (value === undefined) continue
    if (!is(value)) return null
    given[name] = value
  }
  return given
}

const sayMore = async (then: NonNullable<CallCommand["then"]>, host: HostConnection): Promise<void> => {
  const now = await host.call("Status")
  const more = now.kind === "value" ? then(now.value as SessionStatus) : null
  if (more !== null) note(more)
}

const carryOut = async (
  command: CallCommand,
  given: ParsedArguments,
  line: OfSession,
  host: HostConnection
): Promise<Ended> => {
  const call = command.call(given, line.now)
  let about: QueuedMessage | undefined
  if (namesMessage(call)) {
    const listed = await host.call("Queue")
    if (listed.kind !== "value") return null
    about = aboutOf(call, (listed.value as { readonly queue: ReadonlyArray<QueuedMessage> }).queue)
  }
  const outcome = await ask(host, call, about)
  // the whole program repeats the call
  if (outcome.kind === "unclear" && repeats.has(call._tag)) return null
  const ended = changed(outcome, (result) => {
    const done = { _tag: call._tag, call, result } as Done
    if (command.shown !== undefined) {
      const { document, text } = command.shown(done, line.tag, usesColour())
      return print(line.json, { schema: 1, tag: line.tag, ...document }, () => text)
    }
    for (const said of doneNotes(done, about)) note(said)
    return 0
  })
  if (ended === 0 && command.then !== undefined) await sayMore(command.then, host)
  return ended
}

const keys = async ({ flags, rest }: OfSession, host: HostConnection): Promise<Ended> =>
  changed(await ask(host, { _tag: "Keys", keys: rest, force: flags["force"] !== undefined }), () => 0)

interface Asked {
  readonly run: (host: HostConnection) => Promise<Ended>
  readonly alsoEnded: boolean
}

/** The work that a command line asks for; null if the whole program must read or explain it. */
const askedBy = (line: OfSession): Asked | null => {
  const { name, rest } = line
  if (name === "why") return rest.length === 0 ? { run: (host) => why(line, host), alsoEnded: true } : null
  if (name === "keys") return rest.length > 0 ? { run: (host) => keys(line, host), alsoEnded: false } : null
  const command = callCommands.find((one) => one.name === name)
  const given = command === undefined ? null : givenTo(command, line)
  if (command === undefined || given === null) return null
  return { run: (host) => carryOut(command, given, line, host), alsoEnded: command.alsoEnded === true }
}

export const call = async (line: OfSession, places: SessionPlaces): Promise<Ended> => {
  const asked = askedBy(line)
  if (asked === null) return null
  const host = await hostOf(places)
  if (host === "unclear") return null
  if (host === "none") {
    const left = await stored(places, line.now)
    return asked.alsoEnded && left !== "none" ? null : absent(line.tag, left)
  }
  const ended = await asked.run(host)
  host.close()
  return ended
}

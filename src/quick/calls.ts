import {
  type CallCommand,
  callCommands,
  type ParsedArguments,
  type Shown,
  type ShownFacts
} from "../domain/surfaces/operations/callCommands.ts"
import type { Call, Done } from "../domain/surfaces/operations/calls.ts"
import { doneNotes } from "../domain/surfaces/operations/doneWords.ts"
import { aboutOf, namesMessage } from "../domain/surfaces/operations/namesMessage.ts"
import { exitCode } from "../domain/words/session/exitCode.ts"
import type { QueuedMessage } from "../domain/words/session/Message.ts"
import type { SessionStatus } from "../domain/words/session/Session.ts"
import { printable } from "../domain/words/text/printable.ts"
import forms from "#generated/quickForms.json" with { type: "json" }
import { absent, changed, type Ended, type OfSession, print } from "./common.ts"
import type { HostConnection, Outcome } from "./HostConnection.ts"
import { isTerminal, note, usesColour } from "./print.ts"
import { damageIn, hostOf, type SessionPlaces, stored } from "./sessions.ts"

const repeats: ReadonlySet<string> = new Set(forms.repeats)

const payloadOf = ({ _tag, ...given }: Call, about: QueuedMessage | undefined): object | null =>
  Object.keys(given).length === 0 ? null : { ...given, ...(about === undefined ? {} : { id: about.id }) }

const ask = (host: HostConnection, call: Call, about?: QueuedMessage): Promise<Outcome> =>
  host.call(call._tag, payloadOf(call, about))

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

/** Prints a command's output; returns its exit code. */
const show = ({ document, failure, notes = [], text = "" }: Shown, { json, tag }: OfSession): Ended => {
  if (document !== null) print(json, { schema: 1, tag, ...document }, () => text)
  for (const line of notes) note(line)
  if (failure === undefined) return 0
  note(`leap: ${printable(failure.why)}`)
  return exitCode[failure.code]
}

const factsOf = ({ json, tag }: OfSession): ShownFacts => ({
  tag,
  json,
  colour: usesColour(),
  columns: isTerminal() ? process.stdout.columns || 80 : null,
  status: null
})

const carryOut = async (
  command: CallCommand,
  call: Call,
  line: OfSession,
  places: SessionPlaces,
  host: HostConnection
): Promise<Ended> => {
  let about: QueuedMessage | undefined
  if (namesMessage(call)) {
    const listed = await host.call("Queue")
    if (listed.kind !== "value") return null
    about = aboutOf(call, (listed.value as { readonly queue: ReadonlyArray<QueuedMessage> }).queue)
  }
  const asking = command.status === true ? host.call("Status") : null
  const outcome = await ask(host, call, about)
  const now = await asking
  // the whole program repeats the call
  if ((outcome.kind === "unclear" && repeats.has(call._tag)) || (now !== null && now.kind !== "value")) return null
  const ended = changed(outcome, (result) => {
    const done = { _tag: call._tag, call, result } as Done
    if (command.shown !== undefined) {
      const status = now === null ? null : { ...(now.value as SessionStatus), queueProblem: damageIn(places) }
      return show(command.shown(done, { ...factsOf(line), status }), line)
    }
    for (const said of doneNotes(done, about)) note(said)
    return 0
  })
  if (ended !== 0 || command.then === undefined) return ended
  const after = await host.call("Status")
  const more = after.kind === "value" ? command.then(after.value as SessionStatus) : null
  if (more !== null) note(more)
  return ended
}

const keys = async ({ flags, rest }: OfSession, host: HostConnection): Promise<Ended> =>
  changed(await ask(host, { _tag: "Keys", keys: rest, force: flags["force"] !== undefined }), () => 0)

export const call = async (line: OfSession, places: SessionPlaces): Promise<Ended> => {
  const name = line.name === "queue show" ? "queue list" : line.name
  const command = callCommands.find((one) => one.name === name)
  const given = command === undefined ? null : givenTo(command, line)
  const isKeys = name === "keys" && line.rest.length > 0
  if (given === null && !isKeys) return null
  const host = await hostOf(places)
  if (host === "unclear") return null
  if (host === "none") {
    const left = await stored(places, line.now)
    if (left !== null && typeof left !== "string" && command?.left !== undefined)
      return show(command.left(left, factsOf(line)), line)
    return command?.alsoEnded === true && left !== "none" ? null : absent(line.tag, left)
  }
  const ended = await (command === undefined || given === null
    ? keys(line, host)
    : carryOut(command, command.call(given, line.now), line, places, host))
  host.close()
  return ended
}

import { Result } from "effect"
import { heldText, messageLine, stateLine } from "../../words/wording/StateLine.ts"
import { parseBang, type BangCommand } from "./BangCommands.ts"
import * as changes from "./changes.ts"
import {
  type ClientState,
  doing,
  failed,
  logged,
  noticed,
  only,
  type Outgoing,
  type Updated,
  unfinished,
  waiting,
  answering
} from "./ClientState.ts"
import { sent } from "./sent.ts"
import { messageNamed, type NamedMessage } from "../../engine/queue/MessageName.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { isFailed } from "../../words/session/failedMessage.ts"

const orWhy = (named: NamedMessage<QueuedMessage>): Result.Result<QueuedMessage, string> =>
  "message" in named ? Result.succeed(named.message) : Result.fail(named.refusal.why)

const waitingNamed = (state: ClientState, name: string): Result.Result<QueuedMessage, string> =>
  orWhy(messageNamed(waiting(state), name))

/** The same of all that are shown, those that are given up too. */
const seenNamed = (state: ClientState, name: string): Result.Result<QueuedMessage, string> =>
  orWhy(messageNamed([...failed(state), ...waiting(state).filter((message) => !isFailed(message))], name))

/** The same where the user sees which message it is first: there a number is its place among those that wait. */
const waitingShown = (state: ClientState, name: string): Result.Result<QueuedMessage, string> => {
  const standing = /^[1-9]\d{0,2}$/.test(name) ? waiting(state)[Number(name) - 1] : undefined
  return standing === undefined ? waitingNamed(state, name) : Result.succeed(standing)
}

/** State, modes and queue in full, as lines of the log. */
export const listing = (state: ClientState): ClientState => {
  const { status } = state
  if (status === null) return noticed(state, "nothing is known of the session yet", true)
  const { autoSend, churn } = status.modes
  const messages = unfinished(state)
  const held = heldText(messages)
  const lines = [
    stateLine({ ...status, message: null, queue: [] }, false),
    status.reason,
    `auto-approve: ${autoSend === "always" ? "auto" : "ask"} · while background work lives: ${churn}`,
    ...(messages.length === 0 ? ["nothing waits in the queue"] : messages.map((message) => messageLine(message))),
    ...(status.pause ? [`the queue waits: ${status.pause.text}`] : []),
    ...(held === null ? [] : [`${held}: !release lets them go`]),
    ...(failed(state).length === 0 ? [] : ["!retry sends again what failed"])
  ]
  return { ...logged(state, { kind: "note", text: lines.join("\n") }), scroll: 0 }
}

const modeSaid = (state: ClientState, command: BangCommand): string => {
  const modes = state.status?.modes
  if (modes === undefined) return "nothing is known of the session yet"
  return command._tag === "AutoSend"
    ? modes.autoSend === "always"
      ? "auto-approve is auto: policy answers permissions (!aa ask)"
      : "auto-approve is ask: permissions wait for you (!aa auto)"
    : modes.churn === "send"
      ? "messages go out while background work lives (!churn wait)"
      : "messages wait while background work lives (!churn send)"
}

const setModes = (
  state: ClientState,
  command: Extract<BangCommand, { readonly _tag: "AutoSend" | "Churn" }>
): Updated => {
  if (command.mode === null) return only(noticed(state, modeSaid(state, command)))
  const modes = command._tag === "AutoSend" ? { autoSend: command.mode } : { churn: command.mode }
  const call = { _tag: "SetModes", modes } as const
  return doing(state, { _tag: "Do", call, ...(command.everywhere ? { everywhere: true } : {}) })
}

/** Carries out a command that was entered as this line; the editor is empty already. */
const run = (state: ClientState, command: BangCommand, line: string): Updated => {
  const send = (message: Partial<Outgoing> & { readonly text: string }): Updated =>
    sent(state, { images: [], front: false, force: false, ...message })
  const withMessage = (
    name: string,
    use: (message: Result.Result.Success<ReturnType<typeof waitingNamed>>) => Updated,
    find = waitingNamed
  ): Updated =>
    Result.match(find(state, name), {
      onFailure: (why) => only(noticed(state, why, true)),
      onSuccess: use
    })
  switch (command._tag) {
    case "Wrong":
      return only(noticed(state, command.why, true))
    case "Help":
      return only({ ...state, mode: { _tag: "Help", top: 0 } })
    case "List":
      return only(listing(state))
    case "Quit":
      return only({ ...state, left: true })
    case "Clear":
      return changes.clear(state)
    case "Interrupt":
      return doing(state, { _tag: "Do", call: { _tag: "Interrupt" } })
    case "Dismiss":
      return changes.dismiss(state)
    case "TakeImage":
      return doing(state, { _tag: "TakeImage", line })
    case "Image":
      return doing(state, { _tag: "FindImage", path: command.text, text: "", line })
    case "Direct":
      return send({ text: command.text, force: true })
    case "Next":
      return send({ text: command.text, front: true })
    case "Answer":
      return doing(state, answering(command.text, state.status?.question ?? null))
    case "Keys":
      return doing(state, { _tag: "Do", call: { _tag: "Keys", keys: command.keys, force: false } })
    case "Edit":
      return withMessage(command.name, (message) => changes.edit(state, message), waitingShown)
    case "Remove":
      return withMessage(command.name, (message) => changes.remove(state, message), seenNamed)
    case "Move":
      return withMessage(command.name, (message) => changes.move(state, message, command.position))
    case "Force":
      return command.name === null
        ? changes.force(
            state,
            waiting(state).find(({ status }) => status === "queued")
          )
        : withMessage(command.name, (message) => changes.force(state, message))
    case "Hold":
      return command.name === null
        ? changes.hold(state, null)
        : withMessage(command.name, (message) => changes.hold(state, message))
    case "Release":
      return command.name === null
        ? changes.release(state, null)
        : withMessage(command.name, (message) => changes.release(state, message))
    case "Retry":
      return command.name === null
        ? changes.retry(state, null)
        : withMessage(command.name, (message) => changes.retry(state, message), seenNamed)
    case "AutoSend":
    case "Churn":
      return setModes(state, command)
    case "TellSent": {
      const on = command.on ?? state.tellsSent
      return only(
        noticed(
          { ...state, tellsSent: on },
          on ? "messages are told as they go out (!asm off)" : "messages go out untold (!asm on)"
        )
      )
    }
  }
}

/** What a line that begins with `!` does; null for a text that is a message. `emptied`: the client without the line. */
export const runBang = (state: ClientState, emptied: ClientState, text: string): Updated | null => {
  const command = parseBang(text)
  if (command === null) return null
  const done = run({ ...emptied, notice: null }, command, text)
  const { notice } = done.state
  // a line that is wrong stays, to be corrected
  return done.commands.length === 0 && notice?.bad === true ? only({ ...state, notice }) : done
}

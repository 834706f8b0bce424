import { isFailed, isGivenUp } from "../../words/session/failedMessage.ts"
import { needName } from "../../words/attention/Need.ts"
import type { NeedName } from "../../words/session/Session.ts"
import { canBeInterrupted, runs } from "../../words/session/states.ts"
import type { Call } from "./calls.ts"

/** What people can do with a session now, by key or button; what makes no sense in its state is not among them. */
export interface Action {
  /** Its letter where keys are letters, the same on every surface. */
  readonly key: string
  readonly label: string
  readonly call: Call
  /** Asked before it is done, where something would be lost. */
  readonly confirm?: string
  /** The call changes nothing: what it sets is so already. */
  readonly isSet?: true
}

interface Message {
  readonly id: string
  readonly status: string
  readonly outcome?: string | null
}

/** What of a session says what can be done with it. */
export interface ActionFacts {
  readonly tag: string
  readonly state: string
  readonly queue: ReadonlyArray<Message>
  readonly waitsForWord: boolean
  readonly modes: {
    readonly autoSend: "pause" | "always"
    readonly churn: "wait" | "send"
    readonly night?: "off" | "on"
    readonly mute?: string
  }
}

const isWaiting = ({ status }: Message): boolean => status === "queued" || status === "held"

/** A message that can still be changed, of this queue. */
export const waitingOf = <M extends Message>(queue: ReadonlyArray<M>): ReadonlyArray<M> => queue.filter(isWaiting)

/** The turn, where there is one to interrupt. */
export const turnActions = ({ state }: Pick<ActionFacts, "state">): ReadonlyArray<Action> =>
  canBeInterrupted(state) ? [{ key: "i", label: "Interrupt", call: { _tag: "Interrupt" } }] : []

/** Whether messages can be tried again, or what is held behind a failed turn let go. */
export const mayRetry = (session: Pick<ActionFacts, "queue" | "state" | "waitsForWord">): boolean =>
  runs(session) && (session.waitsForWord || session.queue.some(isFailed))

/** What can be done with all messages of a queue. */
export const queueActions = (session: Pick<ActionFacts, "queue" | "state" | "tag" | "waitsForWord">) => {
  const { queue, tag } = session
  if (!runs(session)) return []
  const count = queue.filter((message) => isWaiting(message) || isGivenUp(message)).length
  const which = count === 1 ? "the message that waits" : `all ${count} messages that wait`
  const lost = queue.some(isGivenUp) ? " or failed" : ""
  const actions: ReadonlyArray<Action | false> = [
    mayRetry(session) && { key: "T", label: "Retry what failed", call: { _tag: "QueueRetry", id: null } },
    queue.some(({ status }) => status === "held") && {
      key: "R",
      label: "Release all",
      call: { _tag: "QueueRelease", id: null }
    },
    queue.some(({ status }) => status === "queued") && {
      key: "H",
      label: "Hold all",
      call: { _tag: "QueueHold", id: null }
    },
    count > 0 && {
      key: "c",
      label: "Clear",
      call: { _tag: "QueueClear" },
      confirm: `Take ${which}${lost} out of the queue of ${tag}?`
    }
  ]
  return actions.filter((action) => action !== false)
}

/** What can be done with one message of a queue, but for a change of its text. */
export const messageActions = (
  { queue, state }: Pick<ActionFacts, "queue" | "state">,
  message: Message
): ReadonlyArray<Action> => {
  if (!runs({ state })) return []
  const { id, status } = message
  const [waits, failed] = [isWaiting(message), isFailed(message)]
  const waiting = waitingOf(queue)
  const place = waiting.findIndex((other) => other.id === id) + 1
  const to = (position: number): Call => ({ _tag: "QueueMove", id, position })
  const actions: ReadonlyArray<Action | false> = [
    failed && { key: "t", label: "Retry", call: { _tag: "QueueRetry", id } },
    !failed && status === "held" && { key: "h", label: "Release", call: { _tag: "QueueRelease", id } },
    status === "queued" && { key: "h", label: "Hold", call: { _tag: "QueueHold", id } },
    waits && place > 1 && { key: "K", label: "Earlier", call: to(place - 1) },
    waits && place > 0 && place < waiting.length && { key: "J", label: "Later", call: to(place + 1) },
    waits && { key: "f", label: "Send now", call: { _tag: "QueueForce", id } },
    (waits || isGivenUp(message)) && { key: "d", label: "Remove", call: { _tag: "QueueRemove", id } }
  ]
  return actions.filter((action) => action !== false)
}

type ModesCall = Extract<Call, { readonly _tag: "SetModes" }>

/** An action as a list of keys has it. */
export const keyLabel = ({ isSet, label }: Action): string =>
  `${label.toLowerCase()}${isSet === true ? " (so now)" : ""}`

/** What the modes can be set to. `modes`: those that are set now; null where that is not one session's. */
export const modeActions = (modes: ActionFacts["modes"] | null): ReadonlyArray<Action> => {
  const action = (key: string, label: string, change: ModesCall["modes"]): Action => {
    const isSet = modes !== null && Object.entries(change).every(([name, value]) => modeNow(modes, name) === value)
    return { key, label, call: { _tag: "SetModes", modes: change }, ...(isSet ? { isSet } : {}) }
  }
  return [
    action("p", "Permission requests wait for you", { autoSend: "pause" }),
    action("a", "Your policy answers permission requests", { autoSend: "always" }),
    action("w", "Messages wait for background work", { churn: "wait" }),
    action("s", "Messages go out during background work", { churn: "send" }),
    action("l", "Goes on by itself after a limit", { night: "on" }),
    action("o", "Stays at its limit", { night: "off" })
  ]
}

const modeNow = (modes: ActionFacts["modes"], name: string): string | undefined =>
  ({ autoSend: modes.autoSend, churn: modes.churn, night: modes.night ?? "off", mute: modes.mute ?? "off" })[name]

/** How long a session is muted that is muted for a while, in milliseconds. */
const muteMs = 3_600_000

/** Whether one is told of a session. `now`: milliseconds since the epoch. */
export const muteActions = (modes: ActionFacts["modes"] | null, now: number): ReadonlyArray<Action> => {
  const action = (key: string, label: string, mute: string): Action => ({
    key,
    label,
    call: { _tag: "SetModes", modes: { mute } },
    ...(modes !== null && modeNow(modes, "mute") === mute ? { isSet: true } : {})
  })
  return [
    action("h", "No notices for an hour", new Date(now + muteMs).toISOString()),
    action("m", "No notices until it is unmuted", "on"),
    action("u", "Notices as before", "off")
  ]
}

/** Needs that can be put aside, as the surface shows them. */
export const needActions = (needs: ReadonlyArray<NeedName>): ReadonlyArray<Action> =>
  needs.length === 0
    ? []
    : [
        {
          key: "z",
          label: "Dismiss",
          call: { _tag: "Dismiss", needs: needs.map(needName) }
        }
      ]

/** How a session is ended, where it runs. `who`: its tag, or how several are called. */
export const stopActions = (who: string): ReadonlyArray<Action> => {
  const confirm = `Stop ${who}? What is queued is kept.`
  return [
    { key: "y", label: "Stop", call: { _tag: "Stop", force: false }, confirm },
    { key: "k", label: "Kill at once", call: { _tag: "Stop", force: true }, confirm }
  ]
}

/** How many messages are held. */
export const heldOf = (queue: ReadonlyArray<Message>): number => queue.filter(({ status }) => status === "held").length

/** Asked before ended sessions are forgotten. `held`: how many messages go with them. */
export const forgetQuestion = (who: string, held: number): string =>
  `Forget ${who}?` + (held === 0 ? "" : ` ${held === 1 ? "1 held message goes" : `${held} held messages go`} with it.`)

/** Asked before a session that runs is moved. */
export const moveQuestion = (tag: string): string => `${tag} runs: stop it, move it and start it there?`

import { isFailed, isGivenUp } from "../../words/session/failedMessage.ts"
import { needName } from "../../words/attention/dismissing.ts"
import type { PauseEnd } from "../../words/session/queuePause.ts"
import type { NeedName } from "../../words/session/Session.ts"
import { canBeInterrupted, runs } from "../../words/session/states.ts"
import type { Call } from "./calls.ts"

/** An action that a session's present state allows, as a key or a button. */
export interface Action {
  /** Its letter on surfaces with keys, the same everywhere. */
  readonly key: string
  readonly label: string
  readonly call: Call
  /** The question before an action that loses data. */
  readonly confirm?: string
  /** The call would change nothing, because its value is set already. */
  readonly isSet?: true
}

interface Message {
  readonly id: string
  readonly status: string
  readonly outcome?: string | null
}

export interface ActionFacts {
  readonly tag: string
  readonly state: string
  readonly queue: ReadonlyArray<Message>
  /** How the user ends a wait of the queue: see `queuePause.ts`. */
  readonly pauseEnd: PauseEnd
  readonly modes: {
    /** Whether the policy answers permission requests, or they wait for the user. */
    readonly autoSend: "pause" | "always"
    /** Whether messages wait for background work of the CLI, or are sent meanwhile. */
    readonly churn: "wait" | "send"
    /** Whether the session continues automatically after a usage limit. */
    readonly night?: "off" | "on"
    readonly mute?: string
  }
}

const isWaiting = ({ status }: Message): boolean => status === "queued" || status === "held"

export const waitingOf = <M extends Message>(queue: ReadonlyArray<M>): ReadonlyArray<M> => queue.filter(isWaiting)

export const turnActions = ({ state }: Pick<ActionFacts, "state">): ReadonlyArray<Action> =>
  canBeInterrupted(state) ? [{ key: "i", label: "Interrupt", call: { _tag: "Interrupt" } }] : []

/** Whether a retry is offered: a message has failed, or the queue waits for the user behind a failed turn. */
export const mayRetry = (session: Pick<ActionFacts, "pauseEnd" | "queue" | "state">): boolean =>
  runs(session) && (session.pauseEnd === "retry" || session.queue.some(isFailed))

export const queueActions = (session: Pick<ActionFacts, "pauseEnd" | "queue" | "state" | "tag">) => {
  const { queue, tag } = session
  if (!runs(session)) return []
  const count = queue.filter((message) => isWaiting(message) || isGivenUp(message)).length
  const waitingText = count === 1 ? "the message that waits" : `all ${count} messages that wait`
  const failedText = queue.some(isGivenUp) ? " or failed" : ""
  const actions: ReadonlyArray<Action | false> = [
    mayRetry(session) && { key: "T", label: "Retry what failed", call: { _tag: "QueueRetry", id: null } },
    (session.pauseEnd === "release" || queue.some(({ status }) => status === "held")) && {
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
      confirm: `Take ${waitingText}${failedText} out of the queue of ${tag}?`
    }
  ]
  return actions.filter((action) => action !== false)
}

/** The actions on one message of a queue, except changing its text. */
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

export const keyLabel = ({ isSet, label }: Action): string =>
  `${label.toLowerCase()}${isSet === true ? " (current)" : ""}`

/** The modes that can be set. `modes`: the present ones; null for several sessions. */
export const modeActions = (modes: ActionFacts["modes"] | null): ReadonlyArray<Action> => {
  const action = (key: string, label: string, change: ModesCall["modes"]): Action => {
    const isSet = modes !== null && Object.entries(change).every(([name, value]) => modeNow(modes, name) === value)
    return { key, label, call: { _tag: "SetModes", modes: change }, ...(isSet ? { isSet } : {}) }
  }
  return [
    action("p", "Permission requests wait for you", { autoSend: "pause" }),
    action("a", "Your policy answers permission requests", { autoSend: "always" }),
    action("w", "Messages wait for background work", { churn: "wait" }),
    action("s", "Send messages during background work", { churn: "send" }),
    action("l", "Continue automatically after a usage limit", { night: "on" }),
    action("o", "Stay stopped at a usage limit", { night: "off" })
  ]
}

const modeNow = (modes: ActionFacts["modes"], name: string): string | undefined =>
  ({ autoSend: modes.autoSend, churn: modes.churn, night: modes.night ?? "off", mute: modes.mute ?? "off" })[name]

/** How long "No notices for an hour" mutes, in milliseconds. */
const muteMs = 3_600_000

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

/** The ways to stop a running session. `who`: its tag, or the number of sessions in words. */
export const stopActions = (who: string): ReadonlyArray<Action> => {
  const confirm = `Stop ${who}? What is queued is kept.`
  return [
    { key: "y", label: "Stop", call: { _tag: "Stop", force: false }, confirm },
    { key: "k", label: "Kill at once", call: { _tag: "Stop", force: true }, confirm }
  ]
}

/** The question before ended sessions are forgotten. `held`: the number of messages that are deleted with them. */
export const forgetQuestion = (who: string, held: number): string =>
  `Forget ${who}?` + (held === 0 ? "" : ` ${held === 1 ? "1 held message goes" : `${held} held messages go`} with it.`)

export const moveQuestion = (tag: string): string => `${tag} runs: stop it, move it, and start it in the new directory?`

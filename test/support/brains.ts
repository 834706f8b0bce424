import * as Delivery from "../../src/domain/engine/delivery/Delivery.ts"
import { blankFacts, type ScreenFacts } from "../../src/domain/words/session/Screen.ts"
import { defaultModes, type Modes, type SessionState, type View } from "../../src/domain/words/session/Session.ts"
import type { SessionEvent } from "../../src/domain/words/session/SessionEvent.ts"
import * as SessionMachine from "../../src/domain/engine/machine/SessionMachine.ts"
import { noPermissions } from "../../src/domain/cli/provider/PermissionProtocol.ts"
import { machineBrain } from "./session/seeingBrain.ts"
import { input } from "./session/SimulatedCli.ts"
import type { FirstHook } from "../../src/domain/cli/provider/Detection.ts"
import type { Brain } from "./SimulatedHost.ts"
import type { QueueState } from "../../src/domain/engine/queue/Queue.ts"

const isQueueEvent = (event: { readonly _tag: string }) =>
  event._tag === "QueueChanged" || event._tag === "Recorded" || event._tag === "NotRecorded"

/** A view that says what the last frame shows and nothing more: the sender has to be right on that alone. */
export const viewOf = (screen: ScreenFacts, since: number, exited = false): View => {
  const state: SessionState = exited
    ? "exited"
    : screen.blank
      ? "starting"
      : screen.dialog !== null
        ? "needs_permission"
        : screen.working
          ? "running"
          : screen.interrupted
            ? "interrupted"
            : "idle"
  const dialog = screen.dialog !== null || screen.picker
  return {
    state,
    ready: state === "idle" && !dialog && screen.box?.draft === "",
    dialog,
    reason: { _tag: "BoxShown" },
    since,
    message: null,
    problem: null,
    background: [],
    changesAt: null,
    notReady: null
  }
}

/** The sender alone, over a view read off the screen. */
export const senderAlone = (at: number, queue: QueueState): Brain => watchedSender(() => {})(at, queue)

/** The same, with each state that it comes to shown to `watch`, and the view of that moment. */
export const watchedSender =
  (watch: (memory: Delivery.Delivery, view: View) => void) =>
  (at: number, queue: QueueState): Brain => {
    let screen = blankFacts
    let exited = false
    let memory = Delivery.start(at, viewOf(screen, at), queue)
    const take = (now: number, [next, commands]: ReturnType<typeof Delivery.step>) => {
      memory = next
      watch(memory, viewOf(screen, now, exited))
      return commands
    }
    return {
      step: (event) => {
        if (isQueueEvent(event))
          return take(event.at, Delivery.stepQueue(input, memory, event as Parameters<typeof Delivery.stepQueue>[2]))
        const outside = event as SessionEvent
        if (outside._tag === "Output" && outside.screen !== null) screen = outside.screen
        if (outside._tag === "Exited") exited = true
        return take(outside.at, Delivery.step(input, memory, outside, viewOf(screen, outside.at, exited)))
      },
      wakeAt: () => Delivery.wakeAt(memory),
      queue: () => memory.queue,
      unwritten: () => memory.unwritten,
      why: () => ""
    }
  }

/** The whole machine, with the tracker that hosts use. */
export const wholeMachine = (at: number, queue: QueueState): Brain => machineWith({})(at, queue)

/** The same in these modes, for a CLI that has program status, or hooks alone. */
export const machineWith =
  ({
    firstHook,
    modes = {},
    programStatus = false,
    restrictions = 0,
    watch = () => {},
    ...earlier
  }: {
    readonly modes?: Partial<Modes>
    readonly programStatus?: boolean
    readonly firstHook?: FirstHook
    /** Deny and ask rules that rest on its hooks. */
    readonly restrictions?: number
    readonly watch?: (memory: SessionMachine.SessionMemory, commands: ReadonlyArray<SessionMachine.Command>) => void
  } & Pick<SessionMachine.SessionStart, "limit" | "cutOff">) =>
  (at: number, queue: QueueState): Brain => {
    const step = SessionMachine.reduce({
      detection: {
        capabilities: {
          programStatus,
          ownStatus: false,
          turnHooks: true,
          ...(firstHook === undefined ? {} : { firstHook })
        }
      },
      input,
      permissions: noPermissions
    })
    const started = SessionMachine.start({ at, modes: { ...defaultModes, ...modes }, queue, ...earlier })
    return machineBrain(step, { ...started, approvals: { ...started.approvals, restrictions } }, watch)
  }

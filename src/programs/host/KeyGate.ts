import { Context, Effect, Layer } from "effect"
import type { KeyKind, SessionEvent } from "../../domain/words/session/SessionEvent.ts"
import { Outbox } from "./Outbox.ts"

/** Keys that have gone to the CLI, as the event that the session's machine has to take. */
export type KeyPress = Omit<Extract<SessionEvent, { readonly _tag: "Input" }>, "_tag" | "at">

export interface Keys {
  /** Bytes (latin1) for the CLI. */
  readonly data: string
  /** What they are; none where no person pressed them (replies, focus, mouse). */
  readonly keys: ReadonlyArray<KeyKind>
  readonly by: "user" | "leap"
  /** They begin with the rest of a sequence whose first byte was passed on as the Escape key. */
  readonly continues?: boolean
}

/** Passes keys to the CLI. While leap types a message the user's keys wait, and follow it in one piece. */
export class KeyGate extends Context.Service<
  KeyGate,
  {
    /** Passes keys on, or keeps them; gives what has gone to the CLI by it, or null. */
    readonly press: (keys: Keys) => KeyPress | null
    /** Shuts the gate or opens it; gives the keys that had waited and have now gone to the CLI, or null. */
    readonly hold: (on: boolean) => KeyPress | null
  }
>()("leap/programs/host/KeyGate") {}

/** Keys that pass a shut gate: whoever presses them wants to stop something. */
const stopKeys: ReadonlySet<KeyKind> = new Set(["ctrl-c"])

/** `write` puts bytes (latin1) on their way to the CLI. */
export const makeKeyGate = (write: (latin1: string, by: "user" | "leap") => void): KeyGate["Service"] => {
  let held: { data: string; keys: Array<KeyKind> } | null = null
  const pass = ({ by, continues = false, data, keys }: Keys): KeyPress | null => {
    if (data !== "") write(data, by)
    return keys.length > 0 || continues ? { keys, by, ...(continues ? { continues } : {}) } : null
  }
  return {
    press: (pressed) => {
      const { by, continues = false, data, keys } = pressed
      if (held === null || by === "leap" || keys.length === 0 || keys.some((key) => stopKeys.has(key))) {
        return pass(pressed)
      }
      held.data += data
      held.keys.push(...keys)
      // That the Escape key was none is true at once, though the rest of its sequence waits.
      return continues ? { keys: [], by, continues } : null
    },
    hold: (on) => {
      if (on) {
        held ??= { data: "", keys: [] }
        return null
      }
      const waiting = held
      held = null
      return waiting === null ? null : pass({ ...waiting, by: "user" })
    }
  }
}

export const layer = Layer.effect(
  KeyGate,
  Effect.map(Outbox, ({ write }) => makeKeyGate(write))
)

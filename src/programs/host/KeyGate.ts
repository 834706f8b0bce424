import { Context, Effect, Layer } from "effect"
import type { KeyKind, SessionEvent } from "../../domain/words/session/SessionEvent.ts"
import { Outbox } from "./Outbox.ts"

/** Keys sent to the CLI, as the event for the session's machine. */
export type KeyPress = Omit<Extract<SessionEvent, { readonly _tag: "Input" }>, "_tag" | "at">

export interface Keys {
  readonly data: string
  /** The kinds of keys; empty for bytes that no person typed (replies, focus, mouse). */
  readonly keys: ReadonlyArray<KeyKind>
  readonly by: "user" | "leap"
  /** The bytes begin with the rest of a sequence whose first byte was passed on as the Escape key. */
  readonly continues?: boolean
}

/** Passes keys to the CLI. While leap types a message, the user's keys wait and then follow in one piece. */
export class KeyGate extends Context.Service<
  KeyGate,
  {
    readonly press: (keys: Keys) => KeyPress | null
    /** Closes or opens the gate; returns the held keys that were now sent to the CLI, or null. */
    readonly hold: (on: boolean) => KeyPress | null
  }
>()("leap/programs/host/KeyGate") {}

/** Keys that pass a closed gate, because their user wants to stop something. */
const stopKeys: ReadonlySet<KeyKind> = new Set(["ctrl-c"])

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
      // Reported at once: the Escape key was the start of a sequence, whose rest waits.
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

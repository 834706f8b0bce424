import type { KeyKind } from "../../domain/SessionEvent.ts"

/** Keys that pass even while leap types: who presses them wants to stop something. */
const stops: ReadonlySet<KeyKind> = new Set(["ctrl-c"])

/** The way of keys to the CLI. While leap types a message the user's keys wait, and follow right behind it. */
export const makeKeyboard = (options: {
  /** Bytes (latin1) for the CLI. */
  readonly write: (data: string, by: "user" | "leap") => void
  readonly pressed: (keys: ReadonlyArray<KeyKind>, by: "user" | "leap", continues: boolean) => void
}) => {
  let held: { data: string; keys: Array<KeyKind> } | null = null
  const press = (data: string, keys: ReadonlyArray<KeyKind>, by: "user" | "leap", continues: boolean): void => {
    if (data !== "") options.write(data, by)
    if (keys.length > 0 || continues) options.pressed(keys, by, continues)
  }
  return {
    /** `continues`: they begin with the rest of a sequence whose first byte was pressed as the Escape key. */
    press: (data: string, keys: ReadonlyArray<KeyKind>, by: "user" | "leap", continues = false): void => {
      if (held === null || by === "leap" || keys.length === 0 || keys.some((key) => stops.has(key))) press(data, keys, by, continues)
      else {
        if (continues) options.pressed([], by, continues)
        held.data += data
        held.keys.push(...keys)
      }
    },
    hold: (on: boolean): void => {
      if (on) held ??= { data: "", keys: [] }
      else if (held !== null) {
        const waiting = held
        held = null
        press(waiting.data, waiting.keys, "user", false)
      }
    }
  }
}

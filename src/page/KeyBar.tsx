import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { arrow, onType, press } from "./terminalView.ts"

/** The keys that a phone's keyboard lacks. Ctrl is held for the next letter. */
export const KeyBar = () => {
  const held = useSignal(false)
  useEffect(() => {
    onType((text) => {
      if (!held.value || text.length !== 1 || !/[@-_a-z]/.test(text)) return text
      held.value = false
      return String.fromCharCode(text.toUpperCase().charCodeAt(0) & 0x1f)
    })
    return () => onType((text) => text)
  }, [held])
  const keys: ReadonlyArray<readonly [string, string, () => string]> = [
    ["Esc", "Esc", () => "\x1b"],
    ["Tab", "Tab", () => "\t"],
    ["⇧Tab", "⇧Tab: Shift and Tab", () => "\x1b[Z"],
    ["←", "Left", () => arrow("D")],
    ["↑", "Up", () => arrow("A")],
    ["↓", "Down", () => arrow("B")],
    ["→", "Right", () => arrow("C")],
    ["⏎", "Enter", () => "\r"],
    ["^C", "^C: Ctrl and C", () => "\x03"]
  ]
  return (
    <div class="keys" role="toolbar" aria-label="Keys">
      <button
        type="button"
        aria-pressed={held.value}
        onClick={() => {
          held.value = !held.value
        }}
      >
        Ctrl
      </button>
      {keys.map(([sign, name, bytes]) => (
        <button key={name} type="button" aria-label={name} onClick={() => press(bytes())}>
          {sign}
        </button>
      ))}
    </div>
  )
}

import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { WebSession } from "../domain/surfaces/web/Frames.ts"
import { reshow } from "./connection.ts"
import { arrow, clearFor, fitSession, fitText, focus, mount, onType, press, setHeard } from "./terminalView.ts"
import { may, shown, unshownWhy } from "./store.ts"

/** The keys that a phone's keyboard lacks. Ctrl is held for the next letter. */
const KeyBar = () => {
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

/** The width for a terminal's text, without the room's edges and the terminal's scroll bar. */
const roomOf = (room: HTMLElement): number => room.clientWidth - 24

export const Screen = ({ session: { state, tag } }: { readonly session: WebSession }) => {
  const place = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const heard = useSignal(false)
  useEffect(() => mount(place.current!, () => toggle.current?.focus()), [])
  useEffect(() => clearFor(tag), [tag])
  const screen = shown.value?.tag === tag ? shown.value : null
  const isTyping = screen?.typing === true
  useEffect(() => {
    if (isTyping) focus()
  }, [isTyping])
  const cols = screen?.cols
  useEffect(() => {
    const room = place.current!
    const watch = new ResizeObserver(() => fitText(roomOf(room)))
    watch.observe(room)
    return () => watch.disconnect()
  }, [cols])
  const mayType = may("Input") && state !== "exited"
  return (
    <section aria-labelledby="screen-heading">
      <div class="bar">
        <h3 id="screen-heading">Screen</h3>
        {mayType ? (
          <button type="button" ref={toggle} aria-pressed={isTyping} onClick={() => reshow(!isTyping)}>
            Type
          </button>
        ) : null}
        {isTyping ? (
          <button type="button" onClick={() => fitSession(roomOf(place.current!))}>
            Fit the session to this page
          </button>
        ) : null}
        <label>
          <input
            type="checkbox"
            checked={heard.value}
            onChange={({ currentTarget }) => {
              heard.value = currentTarget.checked
              setHeard(currentTarget.checked)
            }}
          />{" "}
          for screen readers
        </label>
      </div>
      {unshownWhy.value === null ? null : (
        <p class="notice">
          {unshownWhy.value}{" "}
          <button type="button" onClick={() => reshow(false)}>
            Show it again
          </button>
        </p>
      )}
      {isTyping ? <p class="hint">keys go to {tag}; Ctrl+\ leaves its screen</p> : null}
      <div class="screen" ref={place} tabIndex={0} role="region" aria-label={`The screen of ${tag}`} />
      {isTyping ? <KeyBar /> : null}
    </section>
  )
}

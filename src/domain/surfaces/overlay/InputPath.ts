import * as DetachKey from "../../terminal/sequences/DetachKey.ts"
import * as InputBytes from "../../terminal/sequences/InputBytes.ts"
import * as InputTokens from "../../terminal/sequences/InputTokens.ts"
import * as KeyReport from "../../terminal/sequences/KeyReport.ts"

/** The way of typed bytes behind the tokenizer, through stages: what none of them takes goes to the CLI as it came. */

/** The keys of an attached terminal that are not the CLI's. */
export interface AttachKeys {
  readonly detach: DetachKey.DetachKey
  /** The key before leap's own; null: there is none. */
  readonly command: DetachKey.DetachKey | null
  /** The character that, typed twice, begins a message; null: there is none. */
  readonly capture: string | null
  /** The key that leaves the terminal to the shell; null: there is none. */
  readonly suspend: DetachKey.DetachKey | null
  /** ↑ and ↓ may bring back what was typed before. */
  readonly recall: boolean
}

export type PathAction =
  | { readonly _tag: "Forward"; readonly data: string }
  | { readonly _tag: "Detach" }
  | { readonly _tag: "Suspend" }
  | { readonly _tag: "Command"; readonly data: string }
  /** A message is begun, by these bytes. */
  | { readonly _tag: "Capture"; readonly data: string }
  /** An arrow that the CLI gets, unless it brings back what was typed before. */
  | { readonly _tag: "Arrow"; readonly data: string; readonly older: boolean }
  /** A key, or a click, for what lies over the screen. */
  | { readonly _tag: "Overlay"; readonly token: InputBytes.InputPart }

export interface PathState {
  /** The capture character, typed once: what waits with it, and since when. */
  readonly held: { readonly data: string; readonly after: string; readonly at: number } | null
  /** When a text was typed or edited last, and not sent or left since. */
  readonly typed: number | null
}

export interface Routed {
  readonly state: PathState
  readonly actions: ReadonlyArray<PathAction>
}

export const start: PathState = { held: null, typed: null }

/** Within this time the capture character must come again. */
export const captureMs = 200
/** A pause this long comes before the capture characters behind a text; else they belong to it ("great job ^^"). */
export const pauseMs = 400
/** The same where both come in one read, as fingers do not type them: nothing of a burst of text is a key. */
export const burstMs = 50

/** Whether the capture characters would belong to what was typed before. */
export const isWithinText = (typed: number | null, pause: number, now: number): boolean =>
  typed !== null && now - typed < pause

const forward = (data: string): ReadonlyArray<PathAction> => (data === "" ? [] : [{ _tag: "Forward", data }])

/** Whether a token is one press of a character: as it is, or as kitty and modifyOtherKeys encode it. */
export const isPressOf = (char: string, token: InputBytes.InputPart): boolean => {
  if (token._tag !== "Keys" || token.kind === "paste" || token.continues === true) return false
  if (token.data === char) return true
  const key = KeyReport.keyReport(token.data)
  if (key?._tag !== "Coded" || (key.modifiers & commanding) !== 0) return false
  const code = char.charCodeAt(0)
  return key.code === code || key.shifted === code || key.text === code
}
const commanding = KeyReport.alt | KeyReport.ctrl | KeyReport.command

/** Whether a token is two presses of a character that came in one read. */
const arePressesOf = (char: string, token: InputBytes.InputPart): boolean => {
  const half = token.data.length / 2
  const [first, second] = [token.data.slice(0, half), token.data.slice(half)]
  return first === second && isPressOf(char, { ...token, data: first })
}

/** The press of an arrow without modifiers, as terminals send it. */
const arrow = /^\x1b(?:O|\[(?:1;(?:1|65|129|193)(?::[12])?)?)([AB])$/
const arrowOf = (token: InputBytes.InputPart): "older" | "newer" | null => {
  if (token._tag !== "Keys" || token.kind === "paste" || token.continues === true) return null
  const final = arrow.exec(token.data)?.[1]
  return final === undefined ? null : final === "A" ? "older" : "newer"
}

/** Whether a token is a press of one of leap's keys. */
export const isPress = (key: DetachKey.DetachKey | null, token: InputBytes.InputPart): boolean =>
  key !== null && token._tag === "Keys" && token.kind !== "paste" && DetachKey.isPressOf(key, token.data)

/** When a text was typed last, after a key that the CLI gets. */
const typedAfter = (typed: number | null, token: InputBytes.InputPart, now: number): number | null => {
  if (token._tag !== "Keys") return typed
  switch (token.kind) {
    case "text":
    case "paste":
    case "edit":
    case "navigate":
      return now
    case "other":
      return typed
    default:
      return null
  }
}

/** Where a token goes. `open`: something lies over the screen and takes the keys. */
export const route = (
  keys: AttachKeys,
  state: PathState,
  token: InputBytes.InputPart,
  open: boolean,
  now: number
): Routed => {
  const { held, typed } = state
  // the terminal's own words wait with the character before them, for the order's sake
  if (held !== null && token._tag !== "Keys") {
    return { state: { held: { ...held, after: held.after + token.data }, typed }, actions: [] }
  }
  const capturing = (data: string, before = ""): Routed => ({
    state: start,
    actions: [...forward(before), { _tag: "Capture", data }]
  })
  if (!open && keys.capture !== null && isPressOf(keys.capture, token)) {
    if (held !== null && now - held.at <= captureMs) return capturing(held.data + token.data, held.after)
    const before = held === null ? "" : held.data + held.after
    if (isWithinText(held?.at ?? typed, pauseMs, now))
      return { state: { held: null, typed: now }, actions: forward(before + token.data) }
    return { state: { held: { data: token.data, after: "", at: now }, typed }, actions: forward(before) }
  }
  const before = held === null ? [] : forward(held.data + held.after)
  const then = (action: PathAction): Routed => ({
    state: { held: null, typed: open ? typed : typedAfter(held?.at ?? typed, token, now) },
    actions: [...before, action]
  })
  if (isPress(keys.detach, token)) return then({ _tag: "Detach" })
  if (open) {
    // a click is meant for what is seen: the CLI would take it for what lies below
    return token._tag === "Keys" || token._tag === "NoKey" || token._tag === "Mouse"
      ? then({ _tag: "Overlay", token })
      : then({ _tag: "Forward", data: token.data })
  }
  if (isPress(keys.suspend, token)) return then({ _tag: "Suspend" })
  if (isPress(keys.command, token)) return then({ _tag: "Command", data: token.data })
  const isBoth = keys.capture !== null && arePressesOf(keys.capture, token)
  if (isBoth && held === null && !isWithinText(typed, burstMs, now)) return capturing(token.data)
  const way = keys.recall ? arrowOf(token) : null
  if (way !== null) return then({ _tag: "Arrow", data: token.data, older: way === "older" })
  const all = (held === null ? "" : held.data + held.after) + token.data
  return { ...then({ _tag: "Forward", data: "" }), actions: forward(all) }
}

/** What was typed before, as far as it concerns what comes. */
export interface Typed {
  readonly tokens: InputTokens.TokenState
  readonly path: PathState
}

const isPlainKey = ({ capture, command, detach, suspend }: AttachKeys, data: string): boolean =>
  data !== capture && data !== detach.control && data !== command?.control && data !== suspend?.control

/** Bytes that go straight to the CLI: theirs alone, no overlay, nothing pending. Null where anything else is due. */
export const straight = (
  keys: AttachKeys,
  { path, tokens }: Typed,
  data: string,
  now: number
): (Typed & { readonly forward: string }) | null => {
  if (path.held !== null || InputTokens.patience(tokens) !== null) return null
  // most of what is typed, and people wait for it
  if (isPlainKey(keys, data) && tokens.held === "" && InputBytes.isTypedAlone(tokens.scan, data))
    return { tokens, path: { held: null, typed: now }, forward: data }
  const next = InputTokens.take(tokens, data, now)
  if (InputTokens.patience(next.state) !== null) return null
  let forward = ""
  let after = path
  for (const token of next.tokens) {
    const { actions, state } = route(keys, after, token, false, now)
    if (state.held !== null) return null
    after = state
    for (const action of actions) {
      if (action._tag !== "Forward") return null
      forward += action.data
    }
  }
  return { tokens: next.state, path: after, forward }
}

/** How long (milliseconds) the character that is held waits; null when none is. */
export const patience = (state: PathState, now: number): number | null =>
  state.held === null ? null : Math.max(0, state.held.at + captureMs + 1 - now)

/** It was typed once: it is the CLI's. */
export const flushHeld = ({ held, typed }: PathState): Routed => ({
  state: { held: null, typed: held?.at ?? typed },
  actions: held === null ? [] : forward(held.data + held.after)
})

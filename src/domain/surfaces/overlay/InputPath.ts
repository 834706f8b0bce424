import * as DetachKey from "../../terminal/sequences/DetachKey.ts"
import * as InputBytes from "../../terminal/sequences/InputBytes.ts"
import * as InputTokens from "../../terminal/sequences/InputTokens.ts"
import * as KeyReport from "../../terminal/sequences/KeyReport.ts"

/** The path of typed bytes after the tokenizer. Bytes that no stage takes go to the CLI unchanged. */

/** The keys of an attached terminal that leap takes. Null: switched off. */
export interface AttachKeys {
  readonly detach: DetachKey.DetachKey
  /** The key that begins leap's own commands. */
  readonly command: DetachKey.DetachKey | null
  /** The character that begins a message when typed twice. */
  readonly capture: string | null
  readonly suspend: DetachKey.DetachKey | null
  readonly recall: boolean
}

export type PathAction =
  | { readonly _tag: "Forward"; readonly data: string }
  | { readonly _tag: "Detach" }
  | { readonly _tag: "Suspend" }
  | { readonly _tag: "Command"; readonly data: string }
  | { readonly _tag: "Capture"; readonly data: string }
  /** An arrow for the CLI, unless it recalls an earlier prompt. */
  | { readonly _tag: "Arrow"; readonly data: string; readonly older: boolean }
  | { readonly _tag: "Overlay"; readonly token: InputBytes.InputPart }

export interface PathState {
  /** The capture character, typed once: its bytes, the input that waits behind it, and when it came. */
  readonly held: { readonly data: string; readonly after: string; readonly at: number } | null
  /** When text was last typed or edited that has not been sent or abandoned. */
  readonly typed: number | null
}

export interface Routed {
  readonly state: PathState
  readonly actions: ReadonlyArray<PathAction>
}

export const start: PathState = { held: null, typed: null }

/** Milliseconds within which the capture character must be repeated. */
export const captureMs = 200
/** Milliseconds of pause before capture characters after a text; otherwise they belong to the text ("great job ^^"). */
export const pauseMs = 400
/** The same pause if both came in one read, too fast for fingers: a key inside a burst of text is no command. */
export const burstMs = 50

/** Whether the capture characters belong to the text typed before them. */
export const isWithinText = (typed: number | null, pause: number, now: number): boolean =>
  typed !== null && now - typed < pause

const forward = (data: string): ReadonlyArray<PathAction> => (data === "" ? [] : [{ _tag: "Forward", data }])

/** Whether a token is one press of a character: plain, or as kitty and modifyOtherKeys encode it. */
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

export const isPress = (key: DetachKey.DetachKey | null, token: InputBytes.InputPart): boolean =>
  key !== null && token._tag === "Keys" && token.kind !== "paste" && DetachKey.isPressOf(key, token.data)

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

/** The actions of a token. `open`: an overlay is on screen and takes the keys. */
export const route = (
  keys: AttachKeys,
  state: PathState,
  token: InputBytes.InputPart,
  open: boolean,
  now: number
): Routed => {
  const { held, typed } = state
  // Replies of the terminal wait behind the held character, to keep the order.
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
    // A click is meant for the visible overlay; the CLI would take it for the element below.
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

export interface Typed {
  readonly tokens: InputTokens.TokenState
  readonly path: PathState
}

const isPlainKey = ({ capture, command, detach, suspend }: AttachKeys, data: string): boolean =>
  data !== capture && data !== detach.control && data !== command?.control && data !== suspend?.control

/** The fast path to the CLI: no key of leap's, no overlay, nothing pending. Null for all else. */
export const straight = (
  keys: AttachKeys,
  { path, tokens }: Typed,
  data: string,
  now: number
): (Typed & { readonly forward: string }) | null => {
  if (path.held !== null || InputTokens.timeout(tokens) !== null) return null
  // Most typed input takes this path, and people wait for it.
  if (isPlainKey(keys, data) && tokens.held === "" && InputBytes.isTypedAlone(tokens.scan, data))
    return { tokens, path: { held: null, typed: now }, forward: data }
  const next = InputTokens.take(tokens, data, now)
  if (InputTokens.timeout(next.state) !== null) return null
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

/** How long (milliseconds) the held character still waits; null if none is held. */
export const timeout = (state: PathState, now: number): number | null =>
  state.held === null ? null : Math.max(0, state.held.at + captureMs + 1 - now)

/** The held character was not repeated, so it goes to the CLI. */
export const flushHeld = ({ held, typed }: PathState): Routed => ({
  state: { held: null, typed: held?.at ?? typed },
  actions: held === null ? [] : forward(held.data + held.after)
})

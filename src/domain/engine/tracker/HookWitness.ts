import type { UnwiredCause } from "../../words/session/UnwiredCause.ts"
import type { Detection } from "../../cli/provider/Detection.ts"
import type { AskedTools, ToolUse } from "../../words/session/AskedTools.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"

/** A time in milliseconds since the epoch; null is never. */
export type When = number | null

/**
 * The facts about the hooks of a CLI's process. Entries in its settings prove nothing: another layer of settings may
 * disable all hooks, or the CLI may not read the file. Only an event from a hook is proof.
 */
export interface HookWitness {
  readonly heardAt: When
  /** When the next event must have come, after the CLI has begun something; null if none is due. */
  readonly dueAt: When
  /** The start of the session or turn for which an event was last due. */
  readonly begunAt: When
  /** Since when it is clear that no event comes. One ends it (after `unguarded`: about a tool), or an empty `off`. */
  readonly silentSince: When
  /** Why the CLI's own settings disable the hooks, and all of `unplaced`. */
  readonly off: ReadonlyArray<string>
  /** Why leap cannot give the hooks the rules. */
  readonly unplaced: ReadonlyArray<string>
  readonly asked: AskedTools
  /** When the last tool ran, by the CLI's record or by the hook after it. */
  readonly ranAt: When
  /** Tools that ran before any hook asked about them, and when that is certain. */
  readonly owed: ReadonlyArray<ToolUse & { readonly dueAt: number }>
  /** A tool that ran without its hook, until a hook asks about a tool again. */
  readonly unguarded: (ToolUse & { readonly dueAt: number }) | null
}

export const noWitness: HookWitness = {
  heardAt: null,
  dueAt: null,
  begunAt: null,
  silentSince: null,
  off: [],
  unplaced: [],
  asked: [],
  ranAt: null,
  owed: [],
  unguarded: null
}

/** Milliseconds from what a hook reports to the event from it, on an overloaded machine too. */
export const hookTimeouts = {
  /** A CLI may call its first hook up to two seconds after it has drawn its box. */
  start: 10_000,
  /** The CLI waits for a prompt's hook before it asks its model. */
  turn: 5_000,
  /** A tool's hook comes before the tool runs; only leap may read it later. */
  tool: 5_000
} as const

export const hookSource = (event: string): string => `hook ${event}`

export type HookCapabilities = Pick<Detection["capabilities"], "firstHook" | "firstTurn">

/** A status line also comes through leap's inbox, but even from a CLI whose hooks are off. */
const statusLine = hookSource("StatusLine")

/** Whether a hook of the CLI sent it, to ask or to report. */
export const isFromHook = (event: SessionEvent): event is Extract<SessionEvent, { readonly _tag: "Signal" }> =>
  event._tag === "Signal" && /^hook\b/.test(event.source) && event.source !== statusLine

/** How leap knows that the CLI's hooks do not work. */
export const unwiredCause = ({ heardAt, off, unguarded }: HookWitness): UnwiredCause =>
  off.length > 0
    ? { _tag: "SwitchedOff", by: off }
    : unguarded !== null
      ? { _tag: "RanUnasked", tool: unguarded.tool }
      : { _tag: heardAt === null ? "NeverCalled" : "StoppedCalling" }

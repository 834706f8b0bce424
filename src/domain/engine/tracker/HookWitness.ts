import type { UnwiredCause } from "../../words/session/UnwiredCause.ts"
import type { Detection } from "../../cli/provider/Detection.ts"
import type { AskedTools, ToolUse } from "../../words/session/AskedTools.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"

/** A moment in milliseconds since the epoch; null for never. */
export type When = number | null

/**
 * What is known of the hooks of a CLI's process. That they are in its settings proves nothing: another layer of them
 * may switch all hooks off, or the CLI may not read the file. The only proof that they call leap is an event that came.
 */
export interface HookWitness {
  /** The last event of a hook's. */
  readonly heardAt: When
  /** By when one has to come, for what the CLI has begun to do; null while none is due. */
  readonly dueAt: When
  /** The beginning, of the session or of a turn, for which one was last due. */
  readonly begunAt: When
  /** Since when it is clear that none comes; null while that is not clear, and from the next event on. */
  readonly silentSince: When
  /** What switches them off, as the CLI's own settings say, and all of `unplaced`; empty where nothing is found. */
  readonly off: ReadonlyArray<string>
  /** What keeps leap from telling them the rules. */
  readonly unplaced: ReadonlyArray<string>
  /** The uses of tools about which hooks have asked. */
  readonly asked: AskedTools
  /** The last moment at which a tool ran, by another record than its hook. */
  readonly ranAt: When
  /** Tools that ran and about which no hook has asked yet, and by when that is clear. */
  readonly owed: ReadonlyArray<ToolUse & { readonly dueAt: number }>
  /** The last tool that ran without its hook, until a hook asks about a tool again; null for none. */
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

/** How long after what it reports the first event may take, in milliseconds, also on an overloaded machine. */
export const hookPatience = {
  /** Gemini CLI calls its first hook up to two seconds after it has drawn its box. */
  start: 10_000,
  /** A prompt's hook is waited for by the CLI before it asks its model. */
  turn: 5_000,
  /** A tool's hook comes before it runs; only leap may read that later. */
  tool: 5_000
} as const

/** The name of a signal's source: a hook, by its event. */
export const hookSource = (event: string): string => `hook ${event}`

/** What is to be expected of a CLI's hooks. */
export type HookCapabilities = Pick<Detection["capabilities"], "firstHook" | "firstTurn">

/** A status line comes through leap's inbox, too, and from a CLI whose hooks are off: it asks nobody about anything. */
const statusLine = hookSource("StatusLine")

/** It is an event of a hook of the CLI's, by which that asks or tells. */
export const isFromHook = (event: SessionEvent): event is Extract<SessionEvent, { readonly _tag: "Signal" }> =>
  event._tag === "Signal" && /^hook\b/.test(event.source) && event.source !== statusLine

/** How it is known that a CLI is not wired, where it is not. */
export const unwiredCause = ({ heardAt, off, unguarded }: HookWitness): UnwiredCause =>
  off.length > 0
    ? { _tag: "SwitchedOff", by: off }
    : unguarded !== null
      ? { _tag: "RanUnasked", tool: unguarded.tool }
      : { _tag: heardAt === null ? "NeverCalled" : "StoppedCalling" }

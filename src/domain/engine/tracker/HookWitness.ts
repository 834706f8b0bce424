import type { Detection } from "../../cli/provider/Detection.ts"
import { type AskedTools, isSameUse, type ToolUse, withAsked, withoutRan } from "../../words/session/AskedTools.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import type { Signal } from "../../words/session/Signal.ts"
import type { Facts, When } from "./Facts.ts"

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
  /** What switches them off, as the CLI's own settings say; empty where nothing is found there. */
  readonly off: ReadonlyArray<string>
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
export const isFromHook = (event: SessionEvent): event is Extract<SessionEvent, { readonly _tag: "Signaled" }> =>
  event._tag === "Signaled" && /^hook\b/.test(event.source) && event.source !== statusLine

/** Since when there is work that has not come from a hook: the CLI shows it, or says so in another way. */
const workSince = ({ hasWorked, workedAt }: Facts): When => (hasWorked ? workedAt : null)

/**
 * What the CLI has begun to do since its last event, and by when that has to have brought one; null for nothing.
 *
 * A prompt that leap typed counts as such, one of the user's when it is seen to be worked on: that key may have had
 * another effect. What is typed ahead of a turn's end is reported when its own turn begins, and is left out.
 */
const begun = (
  { firstHook, firstTurn = 0 }: HookCapabilities,
  facts: Facts
): { readonly at: number; readonly dueAt: number } | null => {
  const { firstBoxAt, hooks, promptedAt, submitted } = facts
  const worked = workSince(facts)
  const loads = hooks.heardAt === null ? firstTurn : 0
  if (submitted !== null && !submitted.command && !submitted.ahead && (hooks.heardAt ?? -1) < submitted.at) {
    const byLeap = facts.sendAt !== null && promptedAt !== submitted.at
    if (worked !== null && worked >= submitted.at) return { at: submitted.at, dueAt: worked + hookPatience.turn }
    if (byLeap) return { at: submitted.at, dueAt: submitted.at + loads + hookPatience.turn }
  }
  // Work that no prompt began proves nothing: some CLIs report it while they load.
  if (hooks.heardAt !== null) return null
  return firstHook === "start" && firstBoxAt !== null
    ? { at: firstBoxAt, dueAt: firstBoxAt + hookPatience.start }
    : null
}

/** Since when hooks are silent, where one that has come says nothing of tools: a tool may have run without its own. */
const stillSilent = ({ silentSince, unguarded }: HookWitness): When => (unguarded === null ? null : silentSince)

/** After a hook's event: what asks about a tool pays what was owed for it, and guards again. */
const heard = (hooks: HookWitness, signal: Signal, now: number): HookWitness => {
  const after = { ...hooks, heardAt: now, dueAt: null, silentSince: stillSilent(hooks) }
  if (signal._tag !== "ToolStarted" || signal.agent !== null) return after
  const owed = hooks.owed.filter((ran) => !isSameUse(signal, ran))
  const isPaid = signal.id === null && owed.length < hooks.owed.length
  return {
    ...after,
    silentSince: null,
    asked: isPaid ? hooks.asked : withAsked(hooks.asked, signal),
    owed,
    unguarded: null
  }
}

/**
 * The tool that an event says to have run, other than by the hook before it: the CLI's record of it, or the hook behind
 * it, which tells as much where hooks name their tools' ids. A subagent's has no part in it.
 */
const ranIn = (event: SessionEvent): (ToolUse & { readonly at: number; readonly ok: boolean }) | null => {
  if (event._tag !== "Signaled") return null
  const { signal } = event
  if (signal._tag === "ToolRan") return signal
  return signal._tag === "ToolEnded" && signal.agent === null && signal.id !== null
    ? { tool: signal.tool, id: signal.id, at: event.at, ok: true }
    : null
}

/**
 * What a tool that ran tells of the hooks: one of them has asked about it before, or is owed. Only in a turn whose own
 * hook came: hooks may have been installed in the midst of one. A record that comes again says nothing new.
 */
const withRan = (hooks: HookWitness, { firstBoxAt, turnStartedAt }: Facts, event: SessionEvent, now: number) => {
  const ran = ranIn(event)
  if (ran === null || (ran.id === null && ran.tool === null)) return hooks
  if (hooks.heardAt === null || firstBoxAt === null || turnStartedAt === null || ran.at < firstBoxAt) return hooks
  if (ran.id === null && hooks.ranAt !== null && ran.at <= hooks.ranAt) return hooks
  const asked = withoutRan(hooks.asked, ran)
  if (asked === hooks.asked) return hooks
  return {
    ...hooks,
    ranAt: ran.at,
    asked: asked ?? hooks.asked,
    owed:
      asked !== null || !ran.ok
        ? hooks.owed
        : [...hooks.owed, { tool: ran.tool, id: ran.id, dueAt: now + hookPatience.tool }]
  }
}

/** The same after an event, which the facts have taken in. */
export const witness = (capabilities: HookCapabilities, facts: Facts, event: SessionEvent): HookWitness => {
  const now = facts.at
  if (capabilities.firstHook === undefined) return facts.hooks
  // Of a process that is gone none comes any more.
  if (facts.exit !== null) return { ...facts.hooks, dueAt: null, owed: [] }
  const hooks = withRan(told(capabilities, facts, event), facts, event, now)
  const [unguarded] = hooks.owed
  return unguarded === undefined || now < unguarded.dueAt
    ? hooks
    : { ...hooks, owed: [], unguarded, silentSince: hooks.silentSince ?? unguarded.dueAt }
}

const told = (capabilities: HookCapabilities, facts: Facts, event: SessionEvent): HookWitness => {
  const { hooks } = facts
  const now = facts.at
  if (isFromHook(event)) return heard(hooks, event.signal, now)
  if (event._tag === "HooksFound") {
    // Hooks that have called leap are off from when the settings begin to say so, and due again when they end to.
    const isOff = event.off.length > 0
    const begins = isOff && (hooks.heardAt === null || hooks.off.length === 0)
    const ends = !isOff && hooks.off.length > 0
    return {
      ...hooks,
      off: event.off,
      silentSince: ends ? stillSilent(hooks) : (hooks.silentSince ?? (begins ? now : null))
    }
  }
  if (hooks.dueAt !== null && now >= hooks.dueAt)
    return { ...hooks, dueAt: null, silentSince: hooks.silentSince ?? hooks.dueAt }
  if (hooks.dueAt !== null) return hooks
  const begin = begun(capabilities, facts)
  return begin === null || (hooks.begunAt !== null && begin.at <= hooks.begunAt)
    ? hooks
    : { ...hooks, begunAt: begin.at, dueAt: begin.dueAt }
}

/** Why a CLI is said not to be wired, for people. */
export const unwiredText = ({ heardAt, off, unguarded }: HookWitness): string =>
  off.length > 0
    ? `no hook of it calls leap (${off.join("; ")})`
    : unguarded !== null
      ? `it ran a tool${unguarded.tool === null ? "" : ` (${unguarded.tool})`} about which no hook had asked leap`
      : heardAt === null
        ? "no hook of it has called leap, though it should have by now"
        : "its hooks have stopped calling leap"

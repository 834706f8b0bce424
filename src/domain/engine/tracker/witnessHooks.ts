import { isSameUse, type ToolUse, unnamedTool, withAsked, withoutRan } from "../../words/session/AskedTools.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import type { Signal } from "../../words/session/Signal.ts"
import type { Facts } from "./Facts.ts"
import { type HookCapabilities, hookTimeouts, type HookWitness, isFromHook, type When } from "./HookWitness.ts"

/** When work was last reported or shown; null until a source other than a hook has shown some. */
const lastWorkAt = ({ hasWorked, workedAt }: Facts): When => (hasWorked ? workedAt : null)

/**
 * When the CLI last began a turn, or its session, without an event since, and when one is due at the latest; null for
 * none. A prompt that leap typed counts when it is sent. A prompt of the user counts once work is seen, because the key
 * may have had another effect. A prompt typed ahead is left out: it is reported when its own turn begins.
 */
const begun = (
  { firstHook, firstTurn = 0 }: HookCapabilities,
  facts: Facts
): { readonly at: number; readonly dueAt: number } | null => {
  const { firstBoxAt, hooks, promptedAt, submitted } = facts
  const worked = lastWorkAt(facts)
  const loads = hooks.heardAt === null ? firstTurn : 0
  if (submitted !== null && !submitted.command && !submitted.ahead && (hooks.heardAt ?? -1) < submitted.at) {
    const byLeap = facts.sendAt !== null && promptedAt !== submitted.at
    if (worked !== null && worked >= submitted.at) return { at: submitted.at, dueAt: worked + hookTimeouts.turn }
    if (byLeap) return { at: submitted.at, dueAt: submitted.at + loads + hookTimeouts.turn }
  }
  // Work that no prompt began proves nothing: some CLIs report it while they load.
  if (hooks.heardAt !== null) return null
  return firstHook === "start" && firstBoxAt !== null
    ? { at: firstBoxAt, dueAt: firstBoxAt + hookTimeouts.start }
    : null
}

/** An event that is not about tools does not end the silence after an unguarded tool. */
const stillSilent = ({ silentSince, unguarded }: HookWitness): When => (unguarded === null ? null : silentSince)

/** After a hook's event. A question about a tool removes it from `owed` and ends `unguarded`. */
const heard = (hooks: HookWitness, signal: Signal, now: number): HookWitness => {
  const after = { ...hooks, heardAt: now, dueAt: null, silentSince: stillSilent(hooks) }
  if (signal._tag !== "ToolStarted" || signal.agent !== null) return after
  const owed = signal.tool === unnamedTool ? hooks.owed.slice(1) : hooks.owed.filter((ran) => !isSameUse(signal, ran))
  const isPaid = signal.id === null && owed.length < hooks.owed.length
  return {
    ...after,
    silentSince: null,
    asked: isPaid ? hooks.asked : withAsked(hooks.asked, signal),
    owed,
    unguarded: null
  }
}

/** The tool that ran, by the CLI's record or, where tools have ids, by the hook after it. No subagent's tools. */
const ranIn = (event: SessionEvent): (ToolUse & { readonly at: number; readonly ok: boolean }) | null => {
  if (event._tag !== "Signal") return null
  const { signal } = event
  if (signal._tag === "ToolRan") return signal
  return signal._tag === "ToolEnded" && signal.agent === null && signal.id !== null
    ? { tool: signal.tool, id: signal.id, at: event.at, ok: true }
    : null
}

/**
 * The witness after a tool ran: either a hook has asked about it before, or it is owed. Only in a turn whose own hook
 * came, because hooks may have been installed in the middle of one. A repeated record adds nothing.
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
        : [...hooks.owed, { tool: ran.tool, id: ran.id, dueAt: now + hookTimeouts.tool }]
  }
}

export const witness = (capabilities: HookCapabilities, facts: Facts, event: SessionEvent): HookWitness => {
  const now = facts.at
  if (capabilities.firstHook === undefined) return facts.hooks
  // A process that is gone sends no more events.
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
    // Hooks that have called leap count as silent once the settings switch them off, until these no longer do.
    const unplaced = event.by === "spool" ? event.off : hooks.unplaced
    const found = event.by === "spool" ? hooks.off.filter((one) => !hooks.unplaced.includes(one)) : event.off
    const off = [...found, ...unplaced]
    const isOff = off.length > 0
    const begins = isOff && (hooks.heardAt === null || hooks.off.length === 0)
    const ends = !isOff && hooks.off.length > 0
    return {
      ...hooks,
      off,
      unplaced,
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

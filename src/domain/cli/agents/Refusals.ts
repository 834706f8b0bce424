import type { AgentResult } from "./AgentResult.ts"

type Refusal = AgentResult["refused"][number]

/** Refusals of tools that one side alone has told of: what leap refuses, most CLIs tell too, before it or after. */
export interface Refusals {
  readonly leap: ReadonlyArray<Refusal>
  readonly cli: ReadonlyArray<Refusal>
}

export const noRefusals: Refusals = { leap: [], cli: [] }

/** Why a tool was refused, for a CLI that does not say. */
export const withoutReason = "it was not allowed"

/** Takes a refusal, and tells whether it is another one than the other side has told of. */
export const refusedBy = (
  side: keyof Refusals,
  before: Refusals,
  { tool, why }: Refusal
): readonly [Refusals, boolean] => {
  const isSame = (leap: string, cli: string): boolean => cli.includes(leap) || cli === withoutReason
  const other = side === "leap" ? "cli" : "leap"
  const at = before[other].findIndex(
    (one) => one.tool === tool && (side === "leap" ? isSame(why, one.why) : isSame(one.why, why))
  )
  return at < 0
    ? [{ ...before, [side]: [...before[side], { tool, why }] }, true]
    : [{ ...before, [other]: before[other].toSpliced(at, 1) }, false]
}

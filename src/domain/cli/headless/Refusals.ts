import type { AgentResult } from "./AgentResult.ts"

type Refusal = AgentResult["refused"][number]

/** The refusals that only leap or only the CLI has reported. Most CLIs report leap's, too, before or after leap. */
export interface UnmatchedRefusals {
  readonly leap: ReadonlyArray<Refusal>
  readonly cli: ReadonlyArray<Refusal>
}

export const noRefusals: UnmatchedRefusals = { leap: [], cli: [] }

export const withoutReason = "it was not allowed"

/** Records a refusal; returns whether the other side has not reported it yet. */
export const recordRefusal = (
  side: keyof UnmatchedRefusals,
  before: UnmatchedRefusals,
  { tool, why }: Refusal
): readonly [UnmatchedRefusals, boolean] => {
  const isSame = (leap: string, cli: string): boolean => cli.includes(leap) || cli === withoutReason
  const other = side === "leap" ? "cli" : "leap"
  const at = before[other].findIndex(
    (one) => one.tool === tool && (side === "leap" ? isSame(why, one.why) : isSame(one.why, why))
  )
  return at < 0
    ? [{ ...before, [side]: [...before[side], { tool, why }] }, true]
    : [{ ...before, [other]: before[other].toSpliced(at, 1) }, false]
}

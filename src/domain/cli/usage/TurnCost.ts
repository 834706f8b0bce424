/** What a session had cost when its last turn began: `from`, null where that is not known. */
export interface TurnCost {
  readonly startedAt: number | null
  readonly from: number | null
}

export const noTurnCost: TurnCost = { startedAt: null, from: null }

/** The beginning of the last turn, once figures are there; `before`: what the session had cost until them. */
export const turnBegun = (known: TurnCost, startedAt: number | null, before: number | null): TurnCost =>
  known.startedAt === startedAt ? known : { startedAt, from: before }

/** What the last turn has cost so far, where both figures are known. A CLI that counts anew says less than before. */
export const spentInTurn = ({ from }: TurnCost, usd: number | null): number | null =>
  from === null || usd === null || usd < from ? null : Number((usd - from).toFixed(9))

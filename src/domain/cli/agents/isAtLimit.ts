import type { ProviderProblemKind } from "./AgentEvent.ts"

const limits: ReadonlySet<ProviderProblemKind> = new Set(["rate_limited", "quota", "overloaded"])

/** The provider cannot answer at present, and another one may. */
export const isAtLimit = (kind: ProviderProblemKind): boolean => limits.has(kind)

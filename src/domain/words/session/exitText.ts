import { oneLine } from "../text/printable.ts"

const endCauses = {
  asked: "it was told to end",
  signal: "its host was told to end by a signal",
  directory: "its directory was deleted or moved",
  taken: "another host took it over"
} as const
export type EndCause = keyof typeof endCauses

/** The cause in words. A later leap may have other causes. */
export const causeText = (why: string): string =>
  Object.hasOwn(endCauses, why) ? endCauses[why as EndCause] : oneLine(why, 100)

/** How a process ended, in words, and why if leap ended it. */
export const exitText = (exit: {
  readonly code: number | null
  readonly signal: string | null
  readonly why?: string | null
}): string => {
  const how = exit.signal !== null ? `killed by ${exit.signal}` : `exit code ${exit.code ?? "unknown"}`
  return exit.why == null ? how : `${causeText(exit.why)} (${how})`
}

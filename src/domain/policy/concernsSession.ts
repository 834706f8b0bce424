import type { PolicyRule } from "../store/settings/Settings.ts"
import { all, anyOf, certain, type Likelihood } from "./Likelihood.ts"
import { matches, textGlob } from "./TextGlob.ts"

export const textLikelihood = (pattern: string | undefined, text: string): Likelihood => {
  if (pattern === undefined) return "yes"
  const glob = textGlob(pattern)
  return glob === null ? "maybe" : certain(matches(glob, text))
}

/** The likelihood that a name matches; `maybe` if only its case differs. */
export const nameLikelihood = (pattern: string | undefined, name: string): Likelihood =>
  textLikelihood(pattern, name) === "no" && textLikelihood(pattern?.toLowerCase(), name.toLowerCase()) === "yes"
    ? "maybe"
    : textLikelihood(pattern, name)

/** The likelihood of a rule's conditions on the session. */
export const sessionLikelihood = (
  rule: PolicyRule,
  { clis, tag }: { readonly clis: ReadonlyArray<string>; readonly tag: string }
): Likelihood => all([anyOf(clis, (cli) => nameLikelihood(rule.cli, cli)), textLikelihood(rule.tag, tag)])

export const concernsSession = (...of: Parameters<typeof sessionLikelihood>): boolean =>
  sessionLikelihood(...of) !== "no"

import type { PolicyRule } from "../store/settings/Settings.ts"
import { any, certain, type Likelihood } from "./Likelihood.ts"
import { matches, textGlob } from "./TextGlob.ts"

export const textLikelihood = (pattern: string | undefined, text: string): Likelihood => {
  if (pattern === undefined) return "yes"
  const glob = textGlob(pattern)
  return glob === null ? "maybe" : certain(matches(glob, text))
}

/** The likelihood that a name matches; `maybe` if only its case differs. */
export const nameLikelihood = (pattern: string | undefined, name: string): Likelihood =>
  textLikelihood(pattern, name) === "no" &&
  pattern !== undefined &&
  textLikelihood(pattern.toLowerCase(), name.toLowerCase()) === "yes"
    ? "maybe"
    : textLikelihood(pattern, name)

export const concernsSession = (
  rule: PolicyRule,
  { clis, tag }: { readonly clis: ReadonlyArray<string>; readonly tag: string }
): boolean => any(clis.map((cli) => nameLikelihood(rule.cli, cli))) !== "no" && textLikelihood(rule.tag, tag) !== "no"

import { Effect } from "effect"
import {
  type PatternKind,
  patternKinds,
  patternProblem,
  patternsAtMost
} from "../../domain/store/settings/screenPatterns.ts"
import { Providers } from "../../services/Providers.ts"
import { fail } from "../exit.ts"

export type ScreenFields = Readonly<Record<PatternKind, ReadonlyArray<string>>>

export const isPatternKind = (name: string): name is PatternKind => patternKinds.some((kind) => kind === name)

export const screenPatterns = Effect.fn("clis.screenPatterns")(function* (
  base: string,
  given: ScreenFields | undefined
) {
  const screen: Partial<Record<PatternKind, ReadonlyArray<string>>> = {}
  for (const kind of patternKinds) {
    const sources = given?.[kind] ?? []
    if (sources.length === 0) continue
    if (sources.length > patternsAtMost) return yield* fail("usage", `--${kind}: at most ${patternsAtMost} patterns`)
    for (const source of sources) {
      const problem = patternProblem(kind, source)
      if (problem !== null) return yield* fail("usage", `--${kind} '${source}': ${problem}`)
    }
    screen[kind] = sources
  }
  if (Object.keys(screen).length > 0) {
    const { forProgram } = yield* (yield* Providers).get(base)
    if (forProgram === undefined)
      return yield* fail("usage", `leap has a reader of its own for the screen of ${base}: it takes no patterns`)
  }
  return screen
})

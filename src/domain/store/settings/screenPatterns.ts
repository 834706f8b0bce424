import { Result } from "effect"
import { type RowPattern, rowPattern } from "../../words/reading/RowPattern.ts"
import { keyNamed } from "../../terminal/sequences/KeyNames.ts"
import type { ScreenPatterns } from "./CliSettings.ts"

export const patternKinds = ["box", "busy", "done", "dialog"] as const
export type PatternKind = (typeof patternKinds)[number]

export const patternsAtMost = 20

/** In `done`: the box with no busy row proves that nothing works. */
export const restingBox = "{box}"

export const patternProblem = (kind: PatternKind, source: string): string | null => {
  if (kind === "done" && source === restingBox) return null
  const read = rowPattern(source)
  if (Result.isFailure(read)) return read.failure
  const { of, parts } = read.success
  const drafts = parts.some((part) => part._tag === "Any" && part.draft)
  if (kind !== "box") return drafts ? "only a pattern of the box has a {draft}" : null
  return of === "title" ? "the box is no title" : null
}

export const patternsOf = (patterns: ScreenPatterns, kind: PatternKind): ReadonlyArray<RowPattern> =>
  (patterns[kind] ?? []).slice(0, patternsAtMost).flatMap((source) => {
    const read = rowPattern(source)
    return patternProblem(kind, source) === null && Result.isSuccess(read) ? [read.success] : []
  })

/** The keys of these names in order; or why they are invalid. */
export const keysNamed = (names: string): Result.Result<ReadonlyArray<string>, string> => {
  const words = names.split(/ +/).filter((word) => word !== "")
  if (words.length === 0) return Result.fail("it names no key")
  if (words.length > 40) return Result.fail("it names more than 40 keys")
  return Result.all(words.map(keyNamed)).pipe(
    Result.flatMap((keys) =>
      keys.some(({ isText }) => isText) ? Result.fail("it names a key that writes text") : Result.succeed(keys)
    ),
    Result.map((keys) => keys.map(({ bytes }) => bytes))
  )
}

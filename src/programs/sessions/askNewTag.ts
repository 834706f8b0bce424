import { Effect, Result, Schema } from "effect"
import { Tag } from "../../domain/words/session/Tag.ts"
import { askText } from "../prompts/ask.ts"
import { fail } from "../exit.ts"

export const tagProblem = (text: string): string | null =>
  Result.match(Schema.decodeResult(Tag)(text), { onFailure: ({ message }) => message, onSuccess: () => null })

/** Asks for a new tag until `conflict` finds no problem; fails on an empty entry, or if the user leaves. */
export const askNewTag = Effect.fn("askNewTag")(function* <E, R>(
  conflict: (tag: string) => Effect.Effect<string | null, E, R>
) {
  const check = Effect.fnUntraced(function* (name: string) {
    if (name === "") return yield* fail("cancelled", "")
    return tagProblem(name) ?? (yield* conflict(name))
  })
  return Tag.make(yield* askText("New tag for the session:", "", check))
})

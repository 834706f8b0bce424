import { Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { Tag } from "../../domain/words/session/Tag.ts"
import { statusOf } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { withHost } from "../client/client.ts"
import { toggle, wordArgument } from "./shared/common.ts"
import { allFlag, chooseWithText, forChosen, tagsFlag } from "./shared/many.ts"

export const keys = Command.make(
  "keys",
  {
    words: wordArgument(
      "tag, then keys",
      "The session's name or a pattern (none with --all or --tags), then Esc, Enter, C-c, Space … or one character"
    ).pipe(Argument.variadic({ min: 1 })),
    all: allFlag,
    tags: tagsFlag,
    force: toggle("force", "Text into a dialog too, which it may answer")
  },
  Effect.fn(function* ({ all, force, tags, words }) {
    const { chosen, rest: keys } = yield* chooseWithText(words, { all, tags })
    const [first] = words
    if ((all || Option.isSome(tags)) && Schema.is(Tag)(first) && Option.isSome(yield* statusOf(first)))
      return yield* fail("usage", `'${first}' is a session: a tag, --tags or --all, not two of them`)
    if (keys.length === 0) return yield* fail("usage", "which keys? Esc, Enter, Up, C-c … or one character")
    yield* forChosen(chosen, false, (tag) =>
      Effect.as(
        withHost(tag, (client) => client.Keys({ keys, force })),
        { document: { tag }, text: "" }
      )
    )
  })
).pipe(Command.withDescription("Press keys in a session: leap keys <tag> Esc closes a view of its CLI"))

import { runs } from "../../../domain/words/session/states.ts"
import { Deferred, Effect, Option, Result, Schema } from "effect"
import { Argument } from "effect/cli"
import { fitsPattern, isPattern } from "../../../domain/words/arguments/TagPattern.ts"
import { Tag } from "../../../domain/words/session/Tag.ts"
import { naturalOrder } from "../../../domain/words/text/naturalOrder.ts"
import { longLine, oneLine, printable } from "../../../domain/words/text/printable.ts"
import type { SessionStatus } from "../../../domain/words/session/Session.ts"
import { Output } from "../../../services/Output.ts"
import { allStatuses } from "../../client/statuses.ts"
import { CommandError, describe, exitCode, fail } from "../../exit.ts"
import { print, textFlag, toggle, wordArgument } from "./common.ts"

/** Tags and patterns. The parser takes any word, because their meaning depends on the flags. */
export const tagsArgument = wordArgument(
  "tag",
  "The session's name; several, and patterns ('feat-*'), name several sessions"
).pipe(Argument.variadic({ min: 0 }))

export const allFlag = toggle("all", "All sessions that this can be done to")

/** For commands whose other words are a text. */
export const tagsFlag = textFlag("tags", "Several sessions: names and patterns, separated by commas")

/** The sessions of a command. `Single`: one session by its own name, with the output for one. */
export type Chosen =
  | { readonly _tag: "Single"; readonly tag: Tag }
  | { readonly _tag: "Many"; readonly tags: ReadonlyArray<Tag> }

/** The sessions that words and flags name. Patterns and `all` select only those that `can` be meant. */
export const chooseTags = Effect.fn("chooseTags")(function* (
  words: ReadonlyArray<string>,
  all: boolean,
  can: (status: SessionStatus) => boolean
) {
  const [only] = words
  if (only === undefined && !all)
    return yield* fail("usage", "which session? give a tag, several, a pattern ('feat-*'), or --all")
  if (only !== undefined && all) return yield* fail("usage", "tags or --all, not both")
  for (const word of words) {
    const tag = Schema.decodeUnknownResult(Tag)(word)
    if (Result.isFailure(tag) && !isPattern(word))
      return yield* fail("usage", `tag: '${oneLine(word, 60)}' will not do: ${oneLine(tag.failure.message, 200)}`)
  }
  if (only !== undefined && words.length === 1 && !isPattern(only))
    return { _tag: "Single", tag: Tag.make(only) } satisfies Chosen
  const known = (yield* allStatuses()).filter(can).map(({ tag }) => tag)
  const tags = new Set<string>()
  for (const word of all ? ["*"] : words) {
    const fitting = isPattern(word) ? known.filter((tag) => fitsPattern(word, tag)) : [word]
    if (fitting.length === 0)
      return yield* fail("notFound", all ? "there is no session to do this to" : `no session fits '${word}'`)
    for (const tag of fitting.toSorted((a, b) => naturalOrder(a, b))) tags.add(tag)
  }
  return { _tag: "Many", tags: [...tags].map((tag) => Tag.make(tag)) } satisfies Chosen
})

/** The sessions, and the text that follows them: without a flag the first word is a tag or a pattern. */
export const chooseWithText = Effect.fn("chooseWithText")(function* (
  words: ReadonlyArray<string>,
  { all, tags }: { readonly all: boolean; readonly tags: Option.Option<string> }
) {
  const named = Option.map(tags, (list) => list.split(",").map((word) => word.trim()))
  const byFlag = all || Option.isSome(named)
  const given = Option.getOrElse(named, () => (all ? [] : words.slice(0, 1)))
  const chosen = yield* chooseTags(given, all, runs)
  return { chosen, rest: byFlag ? words : words.slice(1) }
})

/** The result of a command for one session. `document`: null for no output. `failure`: an additional error. */
export interface Done {
  readonly document: object | null
  readonly text: string
  readonly notes?: ReadonlyArray<string>
  readonly failure?: CommandError | null
}

/** Sessions at a time; a wait must not block the others. */
const concurrency = 64

/**
 * Runs a command for each session. A single one gets the command's usual output; several get a line each, in the order
 * in which they were chosen. A failure does not stop the others, and the worst exit code counts.
 */
export const forChosen = Effect.fn("forChosen")(function* <E, R>(
  chosen: Chosen,
  json: boolean,
  act: (tag: Tag) => Effect.Effect<Done, E, R>
) {
  const output = yield* Output
  if (chosen._tag === "Single") {
    const { document, failure = null, notes = [], text } = yield* act(chosen.tag)
    if (document !== null) yield* print(json, { schema: 1, ...document }, () => text)
    yield* Effect.forEach(notes, (line) => output.note(line), { discard: true })
    if (failure !== null) return yield* Effect.fail(failure)
    return
  }
  const all = yield* Effect.forEach(chosen.tags, (tag) =>
    Effect.map(Deferred.make<Result.Result<Done, E>>(), (result) => ({ tag, result }))
  )
  const acting = Effect.forEach(
    all,
    ({ result, tag }) => Effect.flatMap(Effect.result(act(tag)), (done) => Deferred.succeed(result, done)),
    { concurrency, discard: true }
  )
  const reporting = Effect.forEach(
    all,
    Effect.fnUntraced(function* (each) {
      const { tag } = each
      const result = yield* Deferred.await(each.result)
      const problem = Result.isFailure(result) ? result.failure : (result.success.failure ?? null)
      const { exitCode: code, message } =
        problem === null ? { exitCode: exitCode.done as number, message: "" } : describe(problem)
      if (!json) {
        const said = Result.isSuccess(result) ? longLine(printable(result.success.text)) : ""
        if (problem === null) yield* output.line(`${tag}  ${said === "" ? "done" : said}`)
        else yield* output.note(`leap: ${tag}: ${printable(message)}`)
      }
      const document = Result.isSuccess(result) ? result.success.document : {}
      return { tag, ...document, exitCode: code, problem: problem === null ? null : message }
    })
  )
  const [, results] = yield* Effect.all([acting, reporting], { concurrency: 2 })
  if (json) yield* output.line(JSON.stringify({ schema: 1, results }))
  const worst = Math.max(...results.map((one) => one.exitCode))
  if (worst > 0) return yield* new CommandError({ message: "", exitCode: worst })
})

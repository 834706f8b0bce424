import { Effect } from "effect"
import { defaultFlags } from "../../domain/cli/provider/DefaultFlags.ts"
import { divideArguments } from "../../domain/cli/provider/StartArguments.ts"
import type { StartWords } from "../../domain/words/session/StartWords.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { givenAgain, notGivenAgain } from "../../domain/words/wording/startWords.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { System } from "../../services/System.ts"

/** What a start asks for: its arguments and flags, and the session whose conversation it goes on with. */
interface Asked {
  readonly tag: Tag
  /** Null: those that the session had before. */
  readonly args: ReadonlyArray<string> | null
  /** The conversation that goes on; null for a new one. */
  readonly sessionId: string | null
  /** The tag's session was of this CLI before. */
  readonly goesOn: boolean
}

/**
 * The arguments and default flags that a CLI is started with. Where none are said, those that the session had before
 * are given again; said ones stand for all of them, since one flag's meaning can hang on another's. What changes with
 * that for the session is told.
 */
export const startWords = Effect.fn("startWords")(function* (provider: Provider, asked: Asked) {
  const { env } = yield* System
  const { args, goesOn, sessionId, tag } = asked
  const flags = defaultFlags(provider.id, provider.flags, env)
  const own = flags.source === "environment" && flags.warning === null ? flags.words : null
  const before =
    sessionId === null && !goesOn ? null : yield* (yield* SessionRecords).wordsOf(tag, provider.id, sessionId)
  if (args !== null || before === null) {
    const { kept, leftOut } = divideArguments(provider.syntax, args ?? [])
    const words: StartWords = { args: kept, flags: own, leftOut }
    const missing = before === null ? null : notGivenAgain(before, args ?? [])
    return { args: args ?? [], flags: flags.words, words, repeats: false, notes: noted(flags.warning, missing) }
  }
  const again = flags.source === "environment" ? null : before.flags
  const words: StartWords = { args: before.args, flags: own ?? before.flags, leftOut: [] }
  return {
    args: before.args,
    flags: again ?? flags.words,
    words,
    /** The user's words of an earlier start are used. */
    repeats: before.args.length > 0 || again !== null,
    notes: noted(flags.warning, ...givenAgain([...(again ?? []), ...before.args], before.leftOut))
  }
})

const noted = (...lines: ReadonlyArray<string | null>): ReadonlyArray<string> => lines.filter((line) => line !== null)

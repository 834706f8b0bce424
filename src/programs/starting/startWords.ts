import { Effect } from "effect"
import { defaultFlags } from "../../domain/cli/provider/DefaultFlags.ts"
import { divideArguments } from "../../domain/cli/provider/RepeatedArguments.ts"
import type { StartWords } from "../../domain/words/session/StartWords.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { givenAgain, notGivenAgain } from "../../domain/words/wording/repeatedFlags.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { System } from "../../services/System.ts"

interface Asked {
  readonly tag: Tag
  /** Null: the session's former arguments. */
  readonly args: ReadonlyArray<string> | null
  readonly sessionId: string | null
  readonly goesOn: boolean
}

/**
 * The arguments and default flags of a CLI's start. Without arguments, the session's former ones are used. Given
 * arguments replace all of them, since one flag's meaning may depend on another. The notes say what changes for the
 * session.
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
    repeats: before.args.length > 0 || again !== null,
    notes: noted(flags.warning, ...givenAgain([...(again ?? []), ...before.args], before.leftOut))
  }
})

const noted = (...lines: ReadonlyArray<string | null>): ReadonlyArray<string> => lines.filter((line) => line !== null)

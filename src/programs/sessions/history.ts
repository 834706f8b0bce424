import { Effect } from "effect"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { Providers } from "../../services/Providers.ts"
import { typedHistory } from "../starting/typedHistory.ts"
import { fail } from "../exit.ts"

/** Only the end of a longer file is read, if its entries are lines. */
const limit = 32 << 20

/** The prompts typed into a session's CLI in its directory, oldest first; also for an ended session. */
export const inputHistory = Effect.fn("inputHistory")(function* (
  session: Pick<SessionStatus, "cli" | "cwd" | "displayName" | "tag">
) {
  const provider = yield* (yield* Providers).get(session.cli)
  if (provider.history === null)
    return yield* fail("failed", `${session.displayName} keeps no history of what was typed that leap can read`)
  return yield* typedHistory(provider, session.cwd, limit)
})

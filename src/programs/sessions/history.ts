import { Effect, FileSystem } from "effect"
import type { SessionStatus } from "../../domain/session/Session.ts"
import type { InputHistory } from "../../domain/usage/InputHistory.ts"
import { environmentOf } from "../../domain/provider/Launch.ts"
import { FileTail } from "../../services/FileTail.ts"
import { System } from "../../services/System.ts"
import { Providers } from "../../services/Providers.ts"
import { fail } from "../exit.ts"

/** Of a longer file only the end is read, if its entries are lines. */
const limit = 32 << 20

/**
 * What was typed into a session's CLI in the session's directory, oldest first, from the history that the CLI itself
 * keeps; also for an ended session.
 */
export const inputHistory = Effect.fn("inputHistory")(function* (
  session: Pick<SessionStatus, "cli" | "cwd" | "displayName" | "tag">
) {
  const provider = yield* (yield* Providers).get(session.cli)
  const system = yield* System
  const files = yield* FileTail
  const { history } = provider
  if (history === null)
    return yield* fail("failed", `${session.displayName} keeps no history of what was typed that leap can read`)
  const env = environmentOf(provider, system)
  const index = history.index === null ? null : yield* files.document(history.index(env), limit)
  const read = Effect.fnUntraced(function* ({ file, lines, prompts }: InputHistory, cwd: string) {
    const path = file(env, cwd, index)
    if (path === null) return []
    const text = yield* files.document(path, limit)
    return prompts(text ?? (lines ? (yield* files.last(path, limit)).join("\n") : ""), cwd)
  })
  const found = yield* read(history, session.cwd)
  if (found.length > 0) return found
  // some CLIs name a directory by its real path
  const real = yield* (yield* FileSystem.FileSystem).realPath(session.cwd).pipe(Effect.orElseSucceed(() => session.cwd))
  return real === session.cwd ? found : yield* read(history, real)
})

import { Effect } from "effect"
import { environmentOf } from "../../domain/cli/provider/Launch.ts"
import type { InputHistory } from "../../domain/cli/usage/InputHistory.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { FileTail } from "../../services/FileTail.ts"
import { System } from "../../services/System.ts"

/** The prompts typed into a CLI in a directory, oldest first, from its history; of a long one only the end. */
export const typedHistory = Effect.fnUntraced(function* (
  provider: Pick<Provider, "history" | "launch">,
  cwd: string,
  limit: number
) {
  const { history } = provider
  if (history === null) return []
  const system = yield* System
  const files = yield* FileTail
  const env = environmentOf(provider, system)
  const index = history.index === null ? null : yield* files.document(history.index(env), limit)
  const read = Effect.fnUntraced(function* ({ file, lines, prompts }: InputHistory, cwd: string) {
    const path = file(env, cwd, index)
    if (path === null) return []
    const text = yield* files.document(path, limit)
    return prompts(text ?? (lines ? (yield* files.last(path, limit)).join("\n") : ""), cwd)
  })
  const found = yield* read(history, cwd)
  if (found.length > 0) return found
  // some CLIs name a directory by its real path
  const real = yield* system.realPath(cwd)
  return real === null || real === cwd ? found : yield* read(history, real)
})

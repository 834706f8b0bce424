import { Effect, FileSystem, Option } from "effect"
import { Paths } from "../../services/Paths.ts"

/** So many starts at a terminal are early. */
const most = 3

/** Whether a start is one of the user's first; counts it. What cannot be counted is not told of for ever. */
export const isEarlyStart = Effect.gen(function* () {
  const { state } = yield* Paths
  // a program that embeds leap has no user to tell
  const fs = yield* Effect.serviceOption(FileSystem.FileSystem)
  if (Option.isNone(fs)) return false
  const file = `${state}/starts`
  const before = Number(yield* Effect.orElseSucceed(fs.value.readFileString(file), () => "0"))
  if (!(before < most)) return false
  yield* fs.value.writeFileString(file, `${before + 1}\n`, { mode: 0o600 })
  return true
}).pipe(Effect.orElseSucceed(() => false))

import { Effect, FileSystem, Option } from "effect"
import { Paths } from "../../services/Paths.ts"

/** Counts a start at the terminal, and returns the number before; infinity from `counted` on, and on a failure. */
export const countStart: Effect.Effect<number, never, Paths> = Effect.gen(function* () {
  const { state } = yield* Paths
  // a program that embeds leap shows no hints
  const fs = yield* Effect.serviceOption(FileSystem.FileSystem)
  if (Option.isNone(fs)) return Infinity
  const file = `${state}/starts`
  const before = Number(yield* Effect.orElseSucceed(fs.value.readFileString(file), () => "0"))
  if (!(before < counted)) return Infinity
  yield* fs.value.writeFileString(file, `${before + 1}\n`, { mode: 0o600 })
  return before
}).pipe(Effect.orElseSucceed(() => Infinity))

const counted = 3

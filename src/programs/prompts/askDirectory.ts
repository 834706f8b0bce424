import { Effect } from "effect"
import { System } from "../../services/System.ts"
import { askText } from "./ask.ts"
import { makeDirectories } from "./directories.ts"

export const askDirectory = Effect.fn("askDirectory")(function* (message: string) {
  const { check, complete, pathOf } = yield* makeDirectories
  return pathOf(yield* askText(message, (yield* System).cwd, check, complete))
})

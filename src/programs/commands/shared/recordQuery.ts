import { Clock, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { sinceTime } from "../../../domain/words/arguments/since.ts"
import { fail } from "../../exit.ts"

export const sinceFlag = Flag.String("since").pipe(
  Flag.withDescription("From then on: so long ago (90m, 12h, 3d, 2w), or a date (2026-11-23)"),
  Flag.optional
)

export const timeOf = Effect.fnUntraced(function* (since: Option.Option<string>, otherwise: number) {
  const now = yield* Clock.currentTimeMillis
  if (Option.isNone(since)) return { from: now - otherwise, now }
  const from = sinceTime(since.value, now)
  if (from === null)
    return yield* fail(
      "usage",
      `--since: '${since.value}' will not do: so long ago (90m, 12h, 3d, 2w), or a date (2026-11-23)`
    )
  return { from, now }
})

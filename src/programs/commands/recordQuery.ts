import { Clock, DateTime, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { sinceTime } from "../../domain/arguments/since.ts"
import type { LifeSeen } from "../../domain/record/Report.ts"
import { allStatuses } from "../client/client.ts"
import { fail } from "../exit.ts"

export const sinceFlag = Flag.String("since").pipe(
  Flag.withDescription("From then on: so long ago (90m, 12h, 3d, 2w), or a date (2026-11-23)"),
  Flag.optional
)

/** The moment that `--since` names, and now, in milliseconds since the epoch. */
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

/** Whether a life that has no recorded end is of a host that runs now. */
export const runningLives = Effect.gen(function* () {
  const statuses = yield* allStatuses()
  const running = new Set(
    statuses.filter(({ state }) => state !== "exited").map(({ hostPid, tag }) => `${tag} ${hostPid}`)
  )
  return ({ hostPid, tag, until }: LifeSeen): boolean => until === null && running.has(`${tag} ${hostPid}`)
})

const two = (value: number): string => String(value).padStart(2, "0")

/**
 * A moment as the user's clock shows it: `2026-11-23 08:15:02`. By the runtime's own dates: `DateTime`'s zones load
 * those of ICU, which takes half as long as Node's start.
 */
export const localTime = (at: number): string => {
  const date = new Date(at)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export const isoTime = (at: number): string => DateTime.formatIso(DateTime.makeUnsafe(at))

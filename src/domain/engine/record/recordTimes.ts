import { runs } from "../../words/session/states.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import type { LifeSeen } from "./Report.ts"

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

/** A moment in ISO 8601. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** Whether a life that has no recorded end is of a host that runs now, by what all sessions say of themselves. */
export const runningLives = (statuses: ReadonlyArray<Pick<SessionStatus, "hostPid" | "state" | "tag">>) => {
  const running = new Set(statuses.filter(runs).map(({ hostPid, tag }) => `${tag} ${hostPid}`))
  return ({ hostPid, tag, until }: LifeSeen): boolean => until === null && running.has(`${tag} ${hostPid}`)
}

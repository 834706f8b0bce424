import { runs } from "../../words/session/states.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import type { LifeSeen } from "./Report.ts"

const two = (value: number): string => String(value).padStart(2, "0")

/** A time by the user's clock: `2026-11-23 08:15:02`. Loading `DateTime`'s zones takes half as long as Node's start. */
export const localTime = (at: number): string => {
  const date = new Date(at)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export const isoTime = (at: number): string => new Date(at).toISOString()

/** Whether a life without a recorded end belongs to a running host, by the status of all sessions. */
export const runningLives = (statuses: ReadonlyArray<Pick<SessionStatus, "hostPid" | "state" | "tag">>) => {
  const running = new Set(statuses.filter(runs).map(({ hostPid, tag }) => `${tag} ${hostPid}`))
  return ({ hostPid, tag, until }: LifeSeen): boolean => until === null && running.has(`${tag} ${hostPid}`)
}

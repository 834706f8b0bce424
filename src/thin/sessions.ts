import * as fs from "node:fs"
import { dirname } from "node:path"
import { fits, type JsonForm } from "../domain/reading/JsonForm.ts"
import { asideOf } from "../domain/queue/QueueDamage.ts"
import { isFinished } from "../domain/queue/QueueSum.ts"
import type { SessionStatus } from "../domain/session/Session.ts"
import type { placesIn } from "../layers/files/places.ts"
import { readRegularSync } from "../layers/files/regularFile.ts"
import forms from "../layers/system/hostForms.json" with { type: "json" }
import { type Called, connectTo, type HostConnection } from "./HostConnection.ts"

export type SessionPlaces = ReturnType<ReturnType<typeof placesIn>["session"]>

const statusForm = forms.Status as unknown as JsonForm

/** A socket in a directory of another user cannot be trusted, whatever answers on it. */
const isOwn = (path: string): boolean => {
  try {
    return process.getuid === undefined || fs.lstatSync(dirname(path)).uid === process.getuid()
  } catch {
    return true
  }
}

/** The host of a session that runs, and that is asked this first. */
export const hostOf = (places: SessionPlaces, asked?: Called): Promise<HostConnection | "none" | "unclear"> =>
  isOwn(places.socket) ? connectTo(places.socket, asked) : Promise.resolve("unclear")

/** Damaged lines of the queue's log were set aside: the whole program tells how many. */
export const isQueueWhole = (places: SessionPlaces): boolean => !fs.existsSync(asideOf(places.queue))

/** The end of a session whose queue is empty, from its files; null where more than that is to be said. */
const storedStatus = (places: SessionPlaces): SessionStatus | "none" | null => {
  try {
    if (!fs.existsSync(places.status)) return "none"
    const { schema, session, ...others } = JSON.parse(readRegularSync(places.status).toString("utf8")) as {
      readonly schema: unknown
      readonly session: SessionStatus
    }
    if (schema !== 1 || Object.keys(others).length > 0 || !fits(statusForm, session)) return null
    if (session.exit === null || !isQueueWhole(places)) return null
    // the log knows what waits, the status perhaps not yet
    if (fs.existsSync(places.queue) && !isFinished(readRegularSync(places.queue))) return null
    return { ...session, attached: 0, hostPid: null, pid: null, queue: [], queueProblem: null }
  } catch {
    return null
  }
}

/** One session's status; "none" where there is no such session, null where the whole program has more to say. */
export const statusOf = async (places: SessionPlaces): Promise<SessionStatus | "none" | null> => {
  const host = await hostOf(places, "Status")
  if (host === "unclear") return null
  if (host === "none") return storedStatus(places)
  const status = await host.call("Status")
  host.close()
  return status.kind === "value" && isQueueWhole(places)
    ? { ...(status.value as SessionStatus), queueProblem: null }
    : null
}

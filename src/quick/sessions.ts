import * as fs from "node:fs"
import { basename, dirname } from "node:path"
import { asideOf, damageOf, splitLines } from "../domain/engine/queue/QueueDamage.ts"
import { isFinished } from "../domain/engine/queue/QueueSum.ts"
import { formed, type JsonForm } from "../domain/words/reading/JsonForm.ts"
import type { QueueProblem, SessionStatus } from "../domain/words/session/Session.ts"
import { withoutHost } from "../domain/words/session/withoutHost.ts"
import { lockHolder } from "../layers/files/lockHolder.ts"
import type { placesIn } from "../layers/files/places.ts"
import { readRegularSync } from "../layers/files/regularFile.ts"
import forms from "#generated/hostForms.mts"
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

/** The lines of the queue's log that hosts have set aside, as damaged. */
const setAside = (places: SessionPlaces): ReadonlyArray<Uint8Array> => {
  const file = asideOf(places.queue)
  if (!fs.existsSync(file)) return []
  try {
    return splitLines(readRegularSync(file))
  } catch (error) {
    // what is there and cannot be read counts as a line
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : [new Uint8Array()]
  }
}

/** What there is to say of the queue's log of a session that runs. */
export const damageIn = (places: SessionPlaces): QueueProblem | null => damageOf(places.queue, setAside(places))

/** What waits by the queue's log; null where the whole program has to read it. */
const storedQueue = async (
  places: SessionPlaces,
  now: number
): Promise<Pick<SessionStatus, "queue" | "queueProblem"> | null> => {
  try {
    const log = fs.existsSync(places.queue) ? readRegularSync(places.queue) : null
    // most are empty: what reads all others is loaded for those
    if (log === null || isFinished(log)) return { queue: [], queueProblem: damageIn(places) }
    const found = (await import("./storedQueue.ts")).readQueue(log, now)
    if (found === null) return null
    return { queue: found.queue, queueProblem: damageOf(places.queue, [...found.damaged, ...setAside(places)]) }
  } catch {
    return null
  }
}

/** A text file; null where it cannot be read. */
const textIn = (file: string): string | null => {
  try {
    return readRegularSync(file).toString("utf8")
  } catch {
    return null
  }
}

/**
 * What a session without a host has left in its files; null where the whole program has to look: where no end was
 * recorded, and the lock says that its host lives, too.
 */
export const stored = async (
  places: SessionPlaces,
  now: number
): Promise<SessionStatus | "none" | "damaged" | null> => {
  const text = textIn(places.status)
  if (text === null) return "none"
  let document: { readonly schema: unknown; readonly session: unknown }
  try {
    document = JSON.parse(text)
  } catch {
    // the machine stopped while it was written
    return "damaged"
  }
  const last = document?.schema === 1 ? formed(statusForm, document.session) : undefined
  if (last !== undefined && (last as SessionStatus).exit === null && lockHolder(places.lock) !== null) return null
  const left = last === undefined ? null : await storedQueue(places, now)
  return left === null
    ? null
    : withoutHost(last as SessionStatus, left.queue, left.queueProblem ?? null, basename(places.dir))
}

/** The last screen of a session without a host; null where none was kept. */
export const storedScreen = (places: SessionPlaces): string | null => textIn(places.screen)

/**
 * One session's status; "none" where there is no such session, "damaged" where none can be read, null where the whole
 * program has more to say.
 */
export const statusOf = async (
  places: SessionPlaces,
  now: number
): Promise<SessionStatus | "none" | "damaged" | null> => {
  const host = await hostOf(places, "Status")
  if (host === "unclear") return null
  if (host === "none") return stored(places, now)
  const status = await host.call("Status")
  host.close()
  return status.kind === "value" ? { ...(status.value as SessionStatus), queueProblem: damageIn(places) } : null
}

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
import { isProcessStopped } from "../layers/system/stoppedProcess.ts"
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
  isOwn(places.socket)
    ? connectTo(places.socket, asked, () => isProcessStopped(lockHolder(places.lock)?.pid ?? null))
    : Promise.resolve("unclear")

/** What is in a file; undefined where it is missing, null where it cannot be read. */
const bytesIn = (file: string): Buffer | undefined | null => {
  try {
    return readRegularSync(file)
  } catch (cause) {
    return /^ENO(?:ENT|TDIR)$/.test((cause as NodeJS.ErrnoException).code ?? "") ? undefined : null
  }
}

/** The lines of the queue's log that hosts have set aside, as damaged. */
const setAside = (places: SessionPlaces): ReadonlyArray<Uint8Array> => {
  // what is there and cannot be read counts as a line
  const text = bytesIn(asideOf(places.queue))
  return text === undefined ? [] : text === null ? [new Uint8Array()] : splitLines(text)
}

/** What there is to say of the queue's log of a session that runs. */
export const damageIn = (places: SessionPlaces): QueueProblem | null => damageOf(places.queue, setAside(places))

/** What waits by the queue's log; null where the whole program has to read it. */
const storedQueue = async (
  places: SessionPlaces,
  now: number
): Promise<Pick<SessionStatus, "queue" | "queueProblem"> | null> => {
  const log = bytesIn(places.queue)
  if (log === null) return null
  // most are empty: what reads all others is loaded for those
  if (log === undefined || isFinished(log)) return { queue: [], queueProblem: damageIn(places) }
  const found = (await import("./storedQueue.ts")).readQueue(log, now)
  if (found === null) return null
  return { queue: found.queue, queueProblem: damageOf(places.queue, [...found.damaged, ...setAside(places)]) }
}

/**
 * What a session without a host has left in its files; null where the whole program has to look: where its
 * files cannot be read, and where no end was recorded, and the lock does not say that its host is gone.
 */
export const stored = async (
  places: SessionPlaces,
  now: number
): Promise<SessionStatus | "none" | "damaged" | null> => {
  const text = bytesIn(places.status)
  if (text === null) return null
  if (text === undefined) return "none"
  let document: { readonly schema: unknown; readonly session: unknown }
  try {
    document = JSON.parse(text.toString())
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
export const storedScreen = (places: SessionPlaces): string | null => bytesIn(places.screen)?.toString() ?? null

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

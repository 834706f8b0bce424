import * as fs from "node:fs"
import { basename, dirname } from "node:path"
import { asideOf, damageOf, splitLines } from "../domain/engine/queue/QueueDamage.ts"
import { isFinished } from "../domain/engine/queue/QueueSum.ts"
import { formed, type JsonForm } from "../domain/words/formats/JsonForm.ts"
import { tryOr } from "../domain/words/reading/tryOr.ts"
import type { QueueProblem, SessionStatus } from "../domain/words/session/Session.ts"
import { withoutHost } from "../domain/words/session/withoutHost.ts"
import { lockHolder } from "../layers/files/lockHolder.ts"
import type { placesIn } from "../layers/files/leapPaths.ts"
import { readRegularSync } from "../layers/files/regularFile.ts"
import { isProcessStopped } from "../layers/system/proc.ts"
import forms from "#generated/hostForms.mts"
import { type Called, connectTo, type HostConnection } from "./HostConnection.ts"

export type SessionPlaces = ReturnType<ReturnType<typeof placesIn>["session"]>

const statusForm = forms.Status as unknown as JsonForm

/** A socket in a directory of another user cannot be trusted, whatever answers on it. */
const isOwn = (path: string): boolean =>
  tryOr(() => process.getuid === undefined || fs.lstatSync(dirname(path)).uid === process.getuid(), true)

export const hostOf = (places: SessionPlaces, asked?: Called): Promise<HostConnection | "none" | "unclear"> =>
  isOwn(places.socket)
    ? connectTo(places.socket, asked, () => isProcessStopped(lockHolder(places.lock)?.pid ?? null))
    : Promise.resolve("unclear")

/** A file's content; undefined if it is missing, null if it cannot be read. */
const bytesIn = (file: string): Buffer | undefined | null => {
  try {
    return readRegularSync(file)
  } catch (cause) {
    return /^ENO(?:ENT|TDIR)$/.test((cause as NodeJS.ErrnoException).code ?? "") ? undefined : null
  }
}

/** The damaged lines of the queue's log that hosts have set aside. */
const setAside = (places: SessionPlaces): ReadonlyArray<Uint8Array> => {
  // an existing but unreadable file counts as a line
  const text = bytesIn(asideOf(places.queue))
  return text === undefined ? [] : text === null ? [new Uint8Array()] : splitLines(text)
}

export const damageIn = (places: SessionPlaces): QueueProblem | null => damageOf(places.queue, setAside(places))

/** The waiting messages in the queue's log; null if the whole program must read it. */
const storedQueue = async (
  places: SessionPlaces,
  now: number
): Promise<Pick<SessionStatus, "queue" | "queueProblem"> | null> => {
  const log = bytesIn(places.queue)
  if (log === null) return null
  // most logs are empty; the reader is loaded only for the others
  if (log === undefined || isFinished(log)) return { queue: [], queueProblem: damageIn(places) }
  const found = (await import("./storedQueue.ts")).readQueue(log, now)
  if (found === null) return null
  return { queue: found.queue, queueProblem: damageOf(places.queue, [...found.damaged, ...setAside(places)]) }
}

/**
 * The stored status of a session without a host. Null if the whole program must look: the files cannot be read, or no
 * end was recorded and the lock does not prove that the host is gone.
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
    // the machine stopped during the write
    return "damaged"
  }
  const last = document?.schema === 1 ? formed(statusForm, document.session) : undefined
  if (last !== undefined && (last as SessionStatus).exit === null && lockHolder(places.lock) !== null) return null
  const left = last === undefined ? null : await storedQueue(places, now)
  return left === null
    ? null
    : withoutHost(last as SessionStatus, left.queue, left.queueProblem ?? null, basename(places.dir))
}

export const storedScreen = (places: SessionPlaces): string | null => bytesIn(places.screen)?.toString() ?? null

/** A session's status; "none" without one, "damaged" if unreadable, null if the whole program knows more. */
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

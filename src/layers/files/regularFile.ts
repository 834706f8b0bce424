import * as fs from "node:fs"

const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants

/** The error code if a named pipe, a socket or a device is there. */
export const notRegular = "ENOTREGULAR"

const kinds = [
  ["a named pipe", (stat) => stat.isFIFO()],
  ["a socket", (stat) => stat.isSocket()],
  ["a device", (stat) => stat.isCharacterDevice() || stat.isBlockDevice()]
] as const satisfies ReadonlyArray<readonly [kind: string, is: (stat: fs.Stats) => boolean]>

/** Refuses files that would block a reader or must not be replaced, and directories with the system's own code. */
export const demandRegular = (stat: fs.Stats): void => {
  if (stat.isDirectory()) throw Object.assign(new Error("it is a directory"), { code: "EISDIR" })
  const kind = kinds.find(([, is]) => is(stat))?.[0]
  if (kind !== undefined)
    throw Object.assign(new Error(`it is ${kind}, not a regular file; leap neither reads nor replaces it`), {
      code: notRegular
    })
}

/** Whether a link is followed to its file, or fails with the system's ELOOP. */
type Links = "followed" | "refused"

/** Opens for reading, without blocking as a named pipe does. Never opens a device, which may react. */
const openRegular = (file: string, links: Links): number => {
  demandRegular(links === "followed" ? fs.statSync(file) : fs.lstatSync(file))
  // The file may have been replaced meanwhile.
  const descriptor = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | (links === "followed" ? 0 : O_NOFOLLOW))
  try {
    demandRegular(fs.fstatSync(descriptor))
    return descriptor
  } catch (cause) {
    fs.closeSync(descriptor)
    throw cause
  }
}

/** The content of a regular file. Fails with {@link notRegular}, for a directory with EISDIR. */
export const readRegularSync = (file: string, links: Links = "followed"): Buffer => {
  const descriptor = openRegular(file, links)
  try {
    return fs.readFileSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/** As {@link readRegularSync}, with the content read in the background. */
export const readRegular = (file: string, links: Links = "followed"): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const descriptor = openRegular(file, links)
    fs.readFile(descriptor, (error, content) => {
      fs.closeSync(descriptor)
      if (error === null) resolve(content)
      else reject(error)
    })
  })

/**
 * Writes a complete file, for the user alone, or none. `durable`: synced before it gets its name. On a full disk
 * nothing of it stays, because others need the room.
 */
export const replaceFile = (file: string, content: string | Uint8Array, temporary: string, durable = false): void => {
  try {
    fs.writeFileSync(temporary, content, { mode: 0o600, flush: durable })
    fs.renameSync(temporary, file)
  } catch (cause) {
    fs.rmSync(temporary, { force: true })
    throw cause
  }
}

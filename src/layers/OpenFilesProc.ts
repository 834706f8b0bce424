import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import { OpenFiles } from "../services/OpenFiles.ts"

const entries = (path: string): ReadonlyArray<string> => {
  try {
    return fs.readdirSync(path)
  } catch {
    return []
  }
}

/** What a descriptor leads to, if that is a file of a disk: asking a pipe or a device for more would be in vain. */
const fileBehind = (descriptor: string): string | null => {
  try {
    if (!fs.readlinkSync(descriptor).startsWith("/")) return null
    const { dev, ino } = fs.statSync(descriptor, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/** From /proc. Where there is none, or another user's process, nothing is known and nobody is named. */
export const layer: Layer.Layer<OpenFiles> = Layer.succeed(OpenFiles, {
  holders: (files) =>
    Effect.sync(() => {
      const wanted = new Set(files.map(({ dev, ino }) => `${dev}:${ino}`))
      return entries("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).map(Number).filter((pid) =>
        entries(`/proc/${pid}/fd`).some((descriptor) => wanted.has(fileBehind(`/proc/${pid}/fd/${descriptor}`) ?? "")))
    })
})

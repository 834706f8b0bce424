import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import { OpenFiles } from "../../services/OpenFiles.ts"

const entries = (path: string): ReadonlyArray<string> => {
  try {
    return fs.readdirSync(path)
  } catch {
    return []
  }
}

/** The file behind a descriptor, if it is one on disk; pipes and devices are not looked up. */
const fileBehind = (descriptor: string): string | null => {
  try {
    if (!fs.readlinkSync(descriptor).startsWith("/")) return null
    const { dev, ino } = fs.statSync(descriptor, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

/** From /proc. Where there is none, and for processes of other users, no holders are found. */
export const layer: Layer.Layer<OpenFiles> = Layer.succeed(OpenFiles, {
  holders: (files) =>
    Effect.sync(() => {
      const wanted = new Set(files.map(({ dev, ino }) => `${dev}:${ino}`))
      return entries("/proc")
        .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
        .map(Number)
        .filter((pid) =>
          entries(`/proc/${pid}/fd`).some((descriptor) => wanted.has(fileBehind(`/proc/${pid}/fd/${descriptor}`) ?? ""))
        )
    })
})

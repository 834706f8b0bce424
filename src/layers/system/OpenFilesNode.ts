import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import { filesInLsof, workersInLsof } from "../../domain/store/relocation/openFiles.ts"
import { OpenFiles } from "../../services/OpenFiles.ts"
import { procFile } from "./proc.ts"
import { procPids } from "./procPids.ts"
import { programEnd } from "./programEnd.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"
import { isWithin } from "../../domain/words/text/paths.ts"

const entries = (path: string): ReadonlyArray<string> => tryOr(() => fs.readdirSync(path), [])

/** The identity of the file or device behind a descriptor; null for pipes and sockets, which have no path. */
const fileBehind = (descriptor: string): string | null =>
  tryOr(() => {
    if (!fs.readlinkSync(descriptor).startsWith("/")) return null
    const { dev, ino } = fs.statSync(descriptor, { bigint: true })
    return `${dev}:${ino}`
  }, null)

/** From /proc. Processes of other users are not found. */
export const layerProc: Layer.Layer<OpenFiles> = Layer.succeed(OpenFiles, {
  holders: (files) =>
    Effect.sync(() => {
      const wanted = new Set(files.map(({ dev, ino }) => `${dev}:${ino}`))
      return procPids()
        .map(Number)
        .filter((pid) => pid !== process.pid)
        .filter((pid) =>
          entries(`/proc/${pid}/fd`).some((descriptor) => wanted.has(fileBehind(`/proc/${pid}/fd/${descriptor}`) ?? ""))
        )
    }),
  workers: (directory) =>
    Effect.sync(() =>
      procPids()
        .filter((pid) => tryOr(() => isWithin(fs.readlinkSync(`/proc/${pid}/cwd`), directory), false))
        .map((pid) => ({ pid: Number(pid), name: procFile(pid, "comm")?.trim() ?? "?" }))
    )
})

/** lsof reads what all processes have open, which takes seconds on a large machine. */
const lsofTimeout = 20_000

/** lsof's output, run from this search path; null if it cannot be run. Exit code 1 means that it found nothing. */
const lsof = (path: string, ...args: ReadonlyArray<string>): Effect.Effect<string | null> => {
  const options = { env: { PATH: path, LC_ALL: "C" }, timeout: lsofTimeout, maxBuffer: 256 << 20 }
  return Effect.map(programEnd("lsof", ["-nP", "-w", ...args], options), ({ error, output }) =>
    error === null || error.code === 1 ? output.toString("utf8") : null
  )
}

/** From lsof, for systems without /proc: macOS has it in /usr/sbin. */
export const layerLsof = (
  path: string = `${process.env["PATH"] ?? "/usr/bin:/bin"}:/usr/sbin`
): Layer.Layer<OpenFiles> =>
  Layer.succeed(OpenFiles, {
    holders: (files) =>
      files.length === 0
        ? Effect.succeed([])
        : Effect.map(lsof(path, "-F", "pDi"), (output) => {
            if (output === null) return null
            const open = filesInLsof(output)
            const pids = new Set(files.flatMap(({ dev, ino }) => [...(open.get(`${dev}:${ino}`) ?? [])]))
            pids.delete(process.pid)
            return [...pids].toSorted((a, b) => a - b)
          }),
    workers: (directory) =>
      Effect.map(lsof(path, "-d", "cwd", "-F", "pcn"), (output) =>
        output === null
          ? null
          : workersInLsof(output).flatMap(({ name, path, pid }) => (isWithin(path, directory) ? [{ pid, name }] : []))
      )
  })

/** From /proc where there is one, else from lsof. */
export const layer: Layer.Layer<OpenFiles> = Layer.unwrap(
  Effect.sync(() => (fs.existsSync("/proc/self/fd") ? layerProc : layerLsof()))
)

import { Effect, Layer } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Paths } from "../services/Paths.ts"
import { PidMap } from "../services/PidMap.ts"
import { ProcessTable } from "../services/ProcessTable.ts"

/** The birth as the hook script compares it: one word. */
const word = (birth: string): string => birth.replaceAll(/\s+/g, "_")

const parsed = (text: string): { readonly birth: string; readonly spool: string } | null => {
  const [, birth, spool] = /^leap-pid 1 (\S+) (.+)\n$/s.exec(text) ?? []
  return birth === undefined || spool === undefined ? null : { birth, spool }
}

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A | null> => Effect.orElseSucceed(Effect.tryPromise(run), () => null)

const make = Effect.gen(function*() {
  // where the hook script looks: beside its own directory
  const dir = path.join((yield* Paths).state, "pids")
  const processes = yield* ProcessTable
  const birthOf = (pid: number) => Effect.map(processes.ancestry(pid), (line) => line[0]?.birth ?? null)

  /** A process that is gone, or one that has the pid of one that is. */
  const sweep = Effect.gen(function*() {
    for (const name of (yield* attempt(() => fs.readdir(dir))) ?? []) {
      const file = path.join(dir, name)
      const entry = /^\d+$/.test(name) ? parsed((yield* attempt(() => fs.readFile(file, "utf8"))) ?? "") : null
      const birth = entry === null ? null : yield* birthOf(Number(name))
      if (entry === null || birth === null || word(birth) !== entry.birth) yield* attempt(() => fs.rm(file, { recursive: true, force: true }))
    }
  })

  const register: PidMap["Service"]["register"] = Effect.fn("PidMap.register")(function*({ cliPid, spool }) {
    const file = path.join(dir, String(cliPid))
    const birth = yield* birthOf(cliPid)
    // Without its birth the process could not be told from a later one; it may have ended already.
    if (birth === null || spool.includes("\n")) return
    const text = `leap-pid 1 ${word(birth)} ${spool}\n`
    const write = attempt(async () => {
      await fs.mkdir(dir, { recursive: true, mode: 0o700 })
      const temporary = path.join(dir, `.${cliPid}.tmp`)
      await fs.writeFile(temporary, text, { mode: 0o600 })
      await fs.rename(temporary, file)
      return true
    })
    const forget = Effect.gen(function*() {
      if ((yield* attempt(() => fs.readFile(file, "utf8"))) === text) yield* attempt(() => fs.rm(file, { force: true }))
    })
    const written = yield* Effect.acquireRelease(write, () => forget)
    if (written === null) yield* Effect.logWarning(`${file} could not be written: hooks of a CLI that strips their environment will not find this session`)
    yield* sweep
  })

  return PidMap.of({ register })
})

/** A file for each hosted CLI, in leap's state directory. */
export const layer: Layer.Layer<PidMap, never, Paths | ProcessTable> = Layer.effect(PidMap, make)

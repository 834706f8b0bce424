import { Effect, Layer } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Paths } from "../../services/Paths.ts"
import { PidMap } from "../../services/PidMap.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { call, callNow, orNull } from "./fileCalls.ts"
import { replaceFile } from "./regularFile.ts"

/** The start time in the form that the hook script compares: one word. */
const birthWord = (birth: string): string => birth.replaceAll(/\s+/g, "_")

const parsed = (text: string): { readonly birth: string; readonly spool: string } | null => {
  const [, birth, spool] = /^leap-pid 1 (\S+) (.+)\n$/s.exec(text) ?? []
  return birth === undefined || spool === undefined ? null : { birth, spool }
}

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A | null> => orNull(call(run))

const make = Effect.gen(function* () {
  // The hook script searches beside its own directory.
  const dir = path.join((yield* Paths).state, "pids")
  const processes = yield* ProcessTable
  const birthOf = (pid: number) => Effect.map(processes.ancestry(pid), (ancestors) => ancestors[0]?.birth ?? null)

  const entryAt = (name: string) =>
    Effect.map(
      attempt(() => fs.readFile(path.join(dir, name), "utf8")),
      (text) => (/^\d+$/.test(name) ? parsed(text ?? "") : null)
    )
  const names = Effect.map(
    attempt(() => fs.readdir(dir)),
    (all) => all ?? []
  )

  /** Deletes the entries of ended processes, even if another process has the pid now. */
  const sweep = Effect.gen(function* () {
    for (const name of yield* names) {
      const file = path.join(dir, name)
      const entry = yield* entryAt(name)
      const birth = entry === null ? null : yield* birthOf(Number(name))
      if (entry === null || birth === null || birthWord(birth) !== entry.birth)
        yield* attempt(() => fs.rm(file, { recursive: true, force: true }))
    }
  })

  const register: PidMap["Service"]["register"] = Effect.fn("PidMap.register")(function* ({ cliPid, spool }) {
    const file = path.join(dir, String(cliPid))
    const birth = yield* birthOf(cliPid)
    // Without a start time the process cannot be told from a later one with the same pid; it may have ended already.
    if (birth === null || spool.includes("\n")) return
    const text = `leap-pid 1 ${birthWord(birth)} ${spool}\n`
    const temporary = path.join(dir, `.${cliPid}.tmp`)
    const write = call(() => fs.mkdir(dir, { recursive: true, mode: 0o700 })).pipe(
      Effect.andThen(callNow(() => replaceFile(file, text, temporary))),
      Effect.as(true),
      orNull
    )
    const forget = Effect.gen(function* () {
      if ((yield* attempt(() => fs.readFile(file, "utf8"))) === text) yield* attempt(() => fs.rm(file, { force: true }))
    })
    const written = yield* Effect.acquireRelease(write, () => forget)
    if (written === null)
      yield* Effect.logWarning(
        `${file} could not be written: hooks of a CLI that strips their environment will not find this session`
      )
    yield* sweep
  })

  const pidsOf = Effect.fn("PidMap.pidsOf")(function* (spool: string) {
    const found = yield* Effect.filter(yield* names, (name) =>
      Effect.map(entryAt(name), (entry) => entry?.spool === spool)
    )
    return found.map(Number)
  })

  return PidMap.of({ register, pidsOf })
})

/** A file for each hosted CLI, in leap's state directory. */
export const layer: Layer.Layer<PidMap, never, Paths | ProcessTable> = Layer.effect(PidMap, make)

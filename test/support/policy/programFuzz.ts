import { Effect } from "effect"
import * as fs from "node:fs"
import { decider } from "../../../src/domain/policy/decide.ts"
import { placesOf } from "../../../src/domain/policy/knownPrograms/table.ts"
import { presets } from "../../../src/domain/policy/presets.ts"
import { noPolicy, type Policy } from "../../../src/domain/store/settings/Settings.ts"
import { followed } from "../../../src/services/policy/followLinks.ts"
import { System } from "../../../src/services/System.ts"
import { bash } from "../../domain/policy/support.ts"
import { seedNumber } from "../run/seed.ts"
import { type JailRun, jailIn, secrets } from "./programJail.ts"
import { programLines, startsOf } from "./programLines.ts"

/** How many lines are made. */
export const count = Number(process.env["LEAP_SHELL_LINES"] ?? 1_000)
const batch = 1_000

/** Not below /tmp, which presets give away. */
const place = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync("/var/tmp/leap-programs-")),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

const known = (program: string): boolean =>
  placesOf(program, [], { _tag: "Inherited" }, () => false, new Set()) !== undefined

/** Rules that lines are tried against, and what none that passes may do. */
export interface Tried {
  readonly name: string
  readonly policy: Policy
  readonly mode: "pause" | "always"
  /** Patterns of the programs that are tried. */
  readonly commands: ReadonlyArray<string>
  readonly holeIn: (run: JailRun) => ReadonlyArray<string>
}

const preset = (name: string): Policy => presets.find((one) => one.name === name)?.policy ?? noPolicy
const allowedBy = ({ allow }: Policy): ReadonlyArray<string> => allow.flatMap(({ command }) => command ?? [])
const [readOnly, development] = [preset("read-only"), preset("development")]
const ran = ({ ran }: JailRun, name: RegExp) => ran.filter((one) => name.test(one)).map((one) => `ran ${one}`)
const opened = ({ opened }: JailRun) => opened.map((one) => `read ${one}`)
const changed = ({ changed }: JailRun, isKept: (name: string) => boolean) =>
  changed.filter(isKept).map((one) => `changed ${one}`)

export const tried: ReadonlyArray<Tried> = [
  {
    name: "what read-only allows starts no stranger, reads no secret and changes nothing",
    policy: readOnly,
    mode: "pause",
    commands: allowedBy(readOnly),
    holeIn: (run) => [...ran(run, /^/), ...opened(run), ...changed(run, () => true)]
  },
  {
    name: "what development allows starts no stranger, reads no secret and changes nothing outside of the project",
    policy: development,
    mode: "pause",
    commands: allowedBy(development),
    holeIn: (run) => [...ran(run, /^pwn/), ...opened(run), ...changed(run, (name) => !/^p(?:\/|$)/.test(name))]
  },
  {
    name: "what passes deny rules starts nothing that they deny and reads no such file",
    policy: { ...noPolicy, deny: [{ command: "pwn *" }, ...secrets.map((name) => ({ path: `~/${name}` }))] },
    mode: "always",
    commands: [
      ...allowedBy(development),
      ..."ed perl python3 bash sh dash ssh vi ex expect watch env parallel".split(" ")
    ],
    // of its own accord a program reads .netrc
    holeIn: (run) => [...ran(run, /^pwn/), ...opened(run).filter((one) => one.includes(".ssh"))]
  }
]

/** Lines over programs: those that pass run in a jail, and each that does what it must not. */
export const holesOf = Effect.fn("holesOf")(function* ({ commands, holeIn, mode, policy }: Tried) {
  const system = yield* System
  // a rule that denies is about what a line says, and not about what files say
  const jail = jailIn(yield* place, mode === "pause")
  const starts = startsOf(commands, mode === "always" ? () => true : known, jail.env, jail.cwd)
  const lines = programLines(starts, jail.home, seedNumber)
  const judge = decider({ policy, home: jail.home, tag: "t", cli: "c", directory: jail.cwd })
  const found: Array<string> = []
  const programs = new Set<string>()
  let passed = 0
  let ended = 0
  let told = 0
  for (let made = 0; made < count; made += batch) {
    const some: Array<string> = []
    for (let i = made; i < Math.min(made + batch, count); i++) {
      const { line, start, tokens } = lines.next()
      const asked = { ...bash(line), cwd: jail.cwd }
      // most are asked whatever is on the disk; wildcards are not where the names that they find are known
      if (judge(mode, asked).verdict !== "allow" && !/[*?[]/.test(line)) continue
      const { request } = yield* followed(system, asked, jail.home)
      if (judge(mode, request).verdict !== "allow") continue
      lines.passed(start, tokens)
      programs.add(start)
      some.push(line)
    }
    passed += some.length
    const runs = yield* Effect.promise(() => jail.run(some))
    for (const [i, run] of runs.entries()) {
      if (!run.late) ended++
      const holes = holeIn(run)
      if (holes.length > 0) found.push(`${JSON.stringify(some[i])}: ${holes.join("; ")}`)
    }
    yield* Effect.logDebug(`${made + batch} made, ${passed} passed`, ...found.slice(told))
    told = found.length
  }
  return {
    found,
    passed,
    ended,
    starts: [...new Set(starts.map(({ text }) => text))],
    programs: [...programs],
    canRun: jail.canRun
  }
})

import { Effect } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { decide } from "../../../src/domain/policy/decide.ts"
import { randomBy, shellLine } from "./shellLines.ts"
import { runLines, shellsHere } from "./stubShell.ts"
import { seedNumber } from "../run/seed.ts"
import { bash, policyOf } from "../../domain/policy/support.ts"

/**
 * Generated command lines, decided by leap; those that pass are run in the shells of this machine, whose only programs
 * write down that they ran. Each of the two test files makes its own.
 * The seed is in the tests' name; `LEAP_SEED` sets another one, `LEAP_SHELL_LINES` how many lines are made.
 */
export const seed = seedNumber
export const count = Number(process.env["LEAP_SHELL_LINES"] ?? 1_000)
const batch = 1_000

export const covered = ["a", "b", "echo", "sh", "env", "find", "xargs", "timeout", "nohup"]
const builtins = ["test", "[", "[[", "printf", "read", "eval", "command", "exec", "export", "set", "cd", "true", "let"]
export const allowing = policyOf({
  allow: [...covered, ...builtins, "declare", "trap", "unset", "shift", "exit", "wait", ":", "-", "time"].map(
    (name) => ({ command: `${name} *` })
  )
})
export const denying = policyOf({ deny: [{ command: "rm *" }] })

const passes = (policy: typeof allowing, mode: "pause" | "always", line: string): boolean =>
  decide({ policy, mode, home: "/home/me", tag: "t", cli: "c" }, bash(line)).verdict === "allow"

const place = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-shells-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

/** The lines that pass and do what they must not, each with the shell and what it did. */
export const holes = Effect.fn("holes")(function* (
  policy: typeof allowing,
  mode: "pause" | "always",
  isHole: (ran: ReadonlyArray<string>) => boolean,
  mayWrite: boolean
) {
  const dir = yield* place
  const random = randomBy(seed)
  const found: Array<string> = []
  let ran = 0
  let passed = 0
  for (let made = 0; made < count; made += batch) {
    const lines = Array.from({ length: Math.min(batch, count - made) }, () => shellLine(random)).filter((line) =>
      passes(policy, mode, line)
    )
    passed += lines.length
    const results = yield* Effect.promise(() => Promise.all(shellsHere.map((shell) => runLines(dir, shell, lines))))
    for (const [n, runs] of results.entries()) {
      for (const [i, done] of runs.entries()) {
        ran += done.ran.length
        const bad = done.ran.filter(isHole).map((words) => words.join(" "))
        if (bad.length > 0 || (!mayWrite && done.wrote.length > 0))
          found.push(
            `${shellsHere[n]?.[0]}: ${JSON.stringify(lines[i])} ran ${bad.join(", ")}; wrote ${done.wrote.join(", ")}`
          )
      }
    }
  }
  return { found, ran, passed }
})

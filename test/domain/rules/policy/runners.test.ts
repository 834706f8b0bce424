import { assert, describe, it } from "@effect/vitest"
import { decide } from "../../../../src/domain/rules/policy/decide.ts"
import { programs, type Risky } from "../../../../src/domain/rules/policy/RunnerOptions.ts"
import { wrappers } from "../../../../src/domain/rules/policy/ShellPrograms.ts"
import { bash, policyOf } from "./support.ts"

/** Each line of the tables of programs that run others, or write where their arguments do not say, is held to its word. */
const verdict = (allow: ReadonlyArray<string>, line: string) =>
  decide(
    {
      policy: policyOf({ allow: allow.map((command) => ({ command })) }),
      mode: "pause",
      home: "/home/me",
      tag: "t",
      cli: "c",
      directory: "/srv/app"
    },
    bash(line)
  ).verdict

/** Options that are harmless by their whole name, although one that is not begins so. */
const beginnings = (names: string | undefined, harmless: ReadonlyArray<string>): ReadonlyArray<string> =>
  (names?.split(" ") ?? []).flatMap((name) =>
    Array.from(name, (_, end) => name.slice(0, end + 1)).filter((one) => !harmless.includes(one))
  )

/** The same of programs that are described by what is harmless instead. */
const closed: Readonly<Record<string, Risky>> = {
  "git clone": { short: "uc", long: "config template upload-pack" },
  "git rebase": { short: "x", long: "exec" },
  sort: { short: "oT", long: "output compress-program temporary-directory", valued: "ktS" },
  tar: {
    short: "IF",
    long: "to-command checkpoint-action use-compress-program rsh-command info-script new-volume-script",
    valued: "fCTXbgHKLV"
  },
  zip: { short: "T", long: "unzip-command" },
  sed: { short: "if", long: "in-place file", valued: "el" },
  awk: { short: "filEe", long: "file include load exec source", valued: "Fv" },
  make: { short: "CfI", long: "directory file makefile include-dir eval" },
  xargs: { long: "process-slot-var", valued: "aEILPnsdRS" },
  ss: { short: "K", long: "kill" }
}

const rows = Object.entries({ ...programs, ...closed }).map(([program, risky]) => ({
  program,
  risky,
  rule: `${program.split(" ")[0]} *`
}))
/** The operand without which it does nothing: their script. */
const operandOf = (program: string): string => (/^(?:sed|awk)$/.test(program) ? " 1p" : "")

describe("a rule for all of a program covers none of", () => {
  it.each(rows.filter(({ risky }) => risky.long !== undefined))(
    "the long options of $program that run or write, however they are shortened",
    ({ program, risky, rule }) => {
      for (const name of beginnings(risky.long, risky.harmless?.split(" ") ?? []))
        for (const rest of ["", "=./evil", " ./evil"]) {
          const line = `${program} --${name}${rest}${operandOf(program)}`
          assert.strictEqual(verdict([rule], line), "ask", line)
        }
    }
  )

  it.each(rows.filter(({ risky }) => risky.short !== undefined))(
    "the short options of $program that run or write, alone, with a value or among others",
    ({ program, risky, rule }) => {
      const { short = "", valued = "" } = risky
      const other = [..."qvz"].find((one) => !valued.includes(one) && !short.includes(one)) ?? ""
      for (const letter of short)
        for (const option of [`-${letter}`, `-${letter}./evil`, `-${other}${letter} ./evil`]) {
          const line = `${program} ${option}${operandOf(program)}`
          assert.strictEqual(verdict([rule], line), "ask", line)
        }
    }
  )

  it.each(rows)("what may be one of them: $program", ({ program, rule }) => {
    for (const word of ["$x", "$(cat f)", "*"]) {
      const line = `${program} ${word}`
      assert.strictEqual(verdict([rule], line), "ask", line)
    }
  })
})

/** They have more to them than options: a script, an operand, a command. */
const more = new Set(["sed", "awk", "date", "xargs"])

it.each(rows.filter(({ program, risky }) => risky.long !== undefined && !more.has(program)))(
  "a rule that names an option of $program covers it",
  ({ program, risky }) => {
    const line = `${program} --${risky.long?.split(" ")[0]} x`
    assert.strictEqual(verdict([`${line.slice(0, -1)}*`], line), "allow", line)
  }
)

/** Not those that shells read in different ways. */
const foreign = /^(?:exec|-|command|builtin|repeat|coproc|noglob|nocorrect|and|or|not|begin)$/

it.each([...wrappers.keys()].filter((name) => !foreign.test(name)).map((name) => ({ name })))(
  "a rule for all of $name does not cover what it runs",
  ({ name }) => {
    const line = `${name} ${"1 ".repeat(wrappers.get(name)?.operands ?? 0)}rm x`
    assert.strictEqual(verdict([`${name} *`], line), "ask", line)
    assert.strictEqual(verdict([`${name} *`, "ls *"], line), "ask", line)
  }
)

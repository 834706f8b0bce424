import { assert, describe, it } from "@effect/vitest"
import { decide } from "../../../src/domain/policy/decide.ts"
import { commandName } from "../../../src/domain/policy/InnerCommands.ts"
import { wrappers } from "../../../src/domain/policy/knownPrograms/shellPrograms.ts"
import { bash, policyOf } from "./support.ts"

/** Options and operands by which a program runs another one, or writes where its arguments do not say. */
interface Risky {
  /** Long options, without dashes. Programs take their beginnings for them. */
  readonly long?: string
  /** Long options that only begin like one of those. */
  readonly harmless?: string
  /** The letters of short options, alone or among others. */
  readonly short?: string
  /** The letters of short options whose value follows, in the same word or the next. */
  readonly valued?: string
  /** Any other word that does it. */
  readonly word?: RegExp
  /** The number of operands beyond which it writes to one. */
  readonly operands?: number
  /** What its operands must look like. */
  readonly operand?: RegExp
}

const npm: Risky = {
  short: "C",
  long: "prefix dir cwd script-shell node-options userconfig globalconfig shell registry"
}
/** They bring in a program and run it, or change how all others are run. */
const fetching: Risky = {
  ...npm,
  word: /^(?:dlx|create|init|exec|global|config|plugin|set|setup|env|self-update|link|deploy|login|store|import)$/
}

const programs: Readonly<Record<string, Risky>> = {
  git: {
    long: "config-env exec-path upload-pack receive-pack open-files-in-pager output ext-diff textconv exec extcmd template filter smtp-server",
    harmless: "text",
    word: /(?:^|=)(?:alias|core|filter|diff|merge|pager|credential|url)\.|^ext::/
  },
  "git archive": { short: "o" },
  "git config": { long: "add edit file remove-section rename-section replace-all unset unset-all", short: "ef" },
  "git format-patch": { short: "o" },
  "git grep": { short: "O" },
  "git reflog": { word: /^(?:expire|delete)$/ },
  find: { word: /^-(?:delete|fls|fprint|fprint0|fprintf|files0-from)$/ },
  fd: { short: "xX", long: "exec exec-batch" },
  rg: { long: "pre hostname-bin" },
  ag: { long: "pager" },
  rsync: { short: "eM", long: "rsh rsync-path remote-option" },
  npm,
  pnpm: fetching,
  yarn: fetching,
  bun: fetching,
  pip: { short: "i", long: "log python index-url extra-index-url find-links" },
  go: {
    word: /^--?(?:exec|toolexec|vettool|C|modfile|overlay|gccgoflags|ldflags=(?!(?:-[sw]|-X[ =][\w./=-]+|\s)*$).*)(?:=|$)|-(?:extld|extldflags|linkmode)\b/
  },
  helm: {
    long: "post-renderer post-renderer-args kubeconfig kube-apiserver registry-config repository-config output-dir"
  },
  cargo: { short: "C", long: "config manifest-path" },
  curl: { short: "K", long: "config", valued: "HXdFuAbeTmwo" },
  ssh: { short: "oFLRDw", valued: "ilpc" },
  split: { long: "filter" },
  man: { short: "PH", long: "pager html" },
  less: { short: "oO", long: "log-file LOG-FILE", word: /^\+/ },
  diff: { short: "l", long: "paginate output" },
  date: { short: "s", long: "set", valued: "dfrv", operand: /^\+/ },
  tree: { short: "oR" },
  jq: { short: "fL", long: "from-file" },
  yq: { short: "is", long: "inplace split-exp" },
  xxd: { short: "r", valued: "cgloRs", operands: 1 },
  uniq: { valued: "fsw", operands: 1 },
  base64: { short: "o" },
  file: { short: "C", long: "compile" },
  docker: { word: /^(?:--host|-H|--config|-c|--context)(?:=|$)/ },
  kubectl: { word: /^(?:--kubeconfig|--server|-s)(?:=|$)/ }
}

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

/** The same of some that change files. */
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

it.each([
  ["/usr/bin/Python3.12", "python"],
  ["pip3", "pip"],
  ["gcc-12", "gcc"],
  ["sqlite3", "sqlite3"],
  ["base64", "base64"],
  ["sha256sum", "sha256sum"]
])("%s is %s", (program, name) => {
  assert.strictEqual(commandName(program), name)
})

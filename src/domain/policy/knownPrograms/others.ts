import { isPlainAwk, isPlainSed, isPlainSql, type Plain } from "../plainScripts.ts"
import { isSure, plainWord, type Words } from "../ShellWords.ts"
import { allLike, type Given, forEachName, type Program, type Target, targets } from "./Program.ts"

const isScript = (plain: Plain, words: Words): boolean => words.every((word) => isSure(word) && plain(word.text))

/** Scripts in these options, or in the first operand without one, and the operands that are left. */
const scripted = (plain: Plain, { operands, valuesOf }: Given, ...names: ReadonlyArray<string>): Words | null => {
  const own = valuesOf(...names)
  if (!isScript(plain, own)) return null
  if (own.length > 0) return operands
  return operands[0] !== undefined && isScript(plain, operands.slice(0, 1)) ? operands.slice(1) : null
}

/** What it is given on its input is such a script, too; a file of it is the project's own, as scripts are. */
const byInput = (plain: Plain, { input }: Given): ReadonlyArray<Target> | null =>
  input._tag === "File"
    ? targets("stay", [input.word])
    : input._tag === "Inherited" || (input._tag === "Text" && input.sure && plain(input.text))
      ? []
      : null

/** By another address it could be anybody's. */
const localDatabase = /^[\w-]+$|^postgres(?:ql)?:\/\/(?:[\w:-]+@)?(?:localhost|127\.0\.0\.1)(?::\d+)?\/[\w-]*$/

const sqlite: Program = {
  obeys: true,
  single: true,
  options:
    "-header -noheader -column -csv -json -line -list -table -box -markdown -html -readonly -bail -batch -version -separator: -cmd: -nullvalue:",
  does: (given) => {
    const [database, ...rest] = given.operands
    if (!isScript(isPlainSql, rest) || !isScript(isPlainSql, given.valuesOf("cmd"))) return null
    const read = rest.length === 0 ? byInput(isPlainSql, given) : []
    // a name may be an address with options
    if (read === null || /^file:/.test(database?.text ?? "")) return null
    const isKept = database === undefined || given.has("readonly") || database.text === ":memory:"
    return isKept ? read : [...read, ...targets("write", [database])]
  }
}

const interpreter: Program = {
  obeys: true,
  options: "-nceuxvlif -o: posix norc noprofile login",
  first: true,
  forms: { o: /^(?:pipefail|errexit|nounset|xtrace|noexec)$/ },
  // `+n` takes `-n` back
  does: ({ operands }) => (operands[0]?.text.startsWith("+") === true ? null : [])
}

/** They work where they are started. */
const here = targets("stay", [plainWord(".")])

/** Names of settings by which a build runs a program. */
const running = /COMPILER|LAUNCHER|RULE|PROGRAM|EMULATOR|LINKER|WRAP|COMMAND(?!S=)|EXECUTABLE|TOOL|PREFIX_PATH|INCLUDE/

/** Programs of no other table: those with scripts, runners of commands, makers, databases, shells. */
export const others: Readonly<Record<string, Program>> = {
  sed: {
    options:
      "-nErsuz -el: -i? regexp-extended null-data separate unbuffered posix sandbox expression: line-length: in-place?",
    // to macOS `-l` has no value
    forms: { "i in-place": /^[\w.~]*$/, l: /^\d+$/ },
    does: (given) => {
      // macOS's suffix for copies; other systems take it for a script
      const [first] = given.operands
      const own = first?.text === "" && given.has("i") ? { ...given, operands: given.operands.slice(1) } : given
      const files = scripted(isPlainSed, own, "e", "expression")
      if (files === null || !given.has("i", "in-place")) return files === null ? null : []
      return files.length === 0 ? null : files.map((word) => ({ effect: "remove", word, optional: true }))
    }
  },
  awk: {
    options: "-Fv: field-separator: assign: posix csv",
    first: true,
    forms: { "v assign": /^[A-Za-z_]\w*=[^@]*$/s },
    does: (given) => (scripted(isPlainAwk, given) === null ? null : [])
  },
  xargs: {
    options:
      "-0rtxo -PnLsdEIa: -ile? null exit open-tty max-args: max-procs: max-chars: max-lines? delimiter: replace? eof? arg-file:",
    first: true
  },
  time: { options: "-pva -f: portability append format: -o:write output:write", first: true },
  timeout: { options: "-vp -ks: foreground preserve-status kill-after: signal:", first: true },
  nice: { options: "-0123456789 -n: adjustment:", first: true },
  ionice: { options: "-t -cn: class: classdata: ignore", first: true },
  stdbuf: { options: "-ioe: input: output: error:", first: true },
  nohup: { first: true },
  watch: { options: "-dtbegcxw -n: interval: differences? no-title errexit chgexit exec", first: true },
  gem: {
    commands: forEachName("list environment outdated specification contents", { options: "-ad local installed" })
  },
  conda: {
    commands: {
      ...forEachName("activate list info deactivate", {
        options: "-n: name:",
        form: /^[\w.-]+$/
      }),
      env: { commands: forEachName("list export", { options: "-n: name: from-history no-builds" }) }
    }
  },
  nvm: { commands: forEachName("use current ls which version", {}) },
  make: {
    obeys: true,
    options:
      "-sknBqiwrRthv -jOl? -Wo: -C:at directory:at keep-going always-make ignore-errors jobs? output-sync? load-average? trace",
    // of variables those that say what is built, and how much is said of it
    // to BSD `-W` has no value
    forms: { "W o": /^[^=]*$/ },
    form: /^(?:(?!(?:un)?install|deploy|publish)[\w.%/:+@-]+|(?:V|VERBOSE|DEBUG|RELEASE|BOARD|TARGET|ARCH|PLATFORM|PROFILE|BUILD_TYPE|CONFIG|VERSION)=[\w.+-]*)$/,
    does: () => here
  },
  cmake: {
    obeys: true,
    options:
      "-LNv -GDtA: -SB:stay -j? install:stay prefix:write build:stay target: config: parallel? preset: fresh clean-first list-presets log-level:",
    // of the build tool's options only those for how it builds
    form: /^(?:-[jkvsld]\d*|VERBOSE=1|(?!-|install)[^=]+)$/,
    forms: { "target t": /^(?!install)/, D: /^[\w:-]+=[\w.+-]*$/ },
    // without a prefix it installs into the system's directories
    does: ({ has, valuesOf }) =>
      (has("install") && !has("prefix")) || valuesOf("D").some(({ text }) => running.test(text)) ? null : here
  },
  sqlite3: sqlite,
  psql: {
    obeys: true,
    options:
      "-tAqxX1wWlab -cdUpvFR: -f:stay tuples-only expanded csv command: dbname: username: port: file:stay set: variable: host: -h: -o:write output:write",
    form: localDatabase,
    forms: { "d dbname": localDatabase },
    does: (given) => {
      const scripts = given.valuesOf("c", "command")
      if (!isScript(isPlainSql, scripts)) return null
      const isInput = given.valuesOf("f", "file").some(({ text }) => text === "-")
      const isGiven = scripts.length > 0 || given.has("f", "file", "l", "list", "version")
      return isGiven && !isInput ? [] : byInput(isPlainSql, given)
    }
  },
  "redis-cli": {
    options: "-n: -p: -r: -i: raw csv scan pattern: count: bigkeys stat -3 -h:",
    first: true,
    does: ({ input, operands: [verb] }) =>
      verb === undefined
        ? input._tag === "Inherited"
          ? []
          : null
        : allLike(
              [verb],
              /^(?:ping|get|mget|set|keys|info|scan|[hlsxz](?:len|card|range|get(?:all)?|keys|set|members)|[lr]push|ttl|type|exists|dbsize|incr|decr|expire|strlen|time|echo|memory)$/i
            )
          ? []
          : null
  },
  kill: {
    options: "-s: -n: -lL signal:",
    // pids alone, or jobs of this shell alone
    does: ({ operands }) => (allLike(operands, /^\d+$/) || allLike(operands, /^%[%+\w-]*$/) ? [] : null)
  },
  bash: interpreter,
  sh: interpreter,
  zsh: interpreter,
  dash: interpreter
}

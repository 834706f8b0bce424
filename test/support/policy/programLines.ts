import { spawnSync } from "node:child_process"
import { randomBy } from "./shellLines.ts"

/**
 * Command lines over the options of programs: each option as the program's own help has it and each letter, its value
 * separate, joined, behind a shortened name, in a cluster of letters.
 */

/** What would run a stranger, write elsewhere or read a secret where a program takes it for a command, a file or a script. */
const values = (home: string): ReadonlyArray<string> => [
  "pwn",
  "./pwn",
  "pwn x",
  "!pwn",
  "|pwn",
  "| pwn",
  "e pwn",
  "1e pwn",
  "s/a/b/e",
  "s/^/pwn /e",
  "w ../out/x",
  "s/a/b/w ../out/x",
  "r ../.ssh/id_rsa",
  "R ../.netrc",
  'BEGIN{system("pwn")}',
  '{print "x" > "../out/x"}',
  'BEGIN{"pwn" | getline}',
  'BEGIN{print "x" | "pwn"}',
  'BEGIN{while((getline l < "../.netrc")>0) print l}',
  "{print $1}",
  "1,2p;5,6p",
  "s/a/b/",
  "s/a/b/g",
  "$p",
  "/a/d",
  "print if /a/",
  ".a",
  "$(pwn)",
  "`pwn`",
  "$(shell pwn)",
  "x:=$(shell pwn)",
  ".SHELLFLAGS=-c pwn",
  "SHELL=pwn",
  "all:;pwn",
  "all",
  ".shell pwn",
  ".system pwn",
  ".output ../out/x",
  ".read x.sql",
  "select 1",
  "select writefile('../out/x','y')",
  "select readfile('../.netrc')",
  String.raw`\! pwn`,
  String.raw`\o ../out/x`,
  "core.pager=pwn",
  "core.fsmonitor=pwn",
  "core.sshCommand=pwn",
  "diff.external=pwn",
  "alias.x=!pwn",
  "include.path=x",
  "x",
  "ext::pwn",
  "git@host.example:x",
  "host:x",
  "origin",
  "HEAD",
  "HEAD~1",
  "main",
  "feature",
  "v1",
  "+main:feature",
  "1",
  "2",
  "0",
  "-1",
  "5",
  "x=1",
  "@",
  "@list",
  "@../.netrc",
  "+",
  "{}",
  ";",
  ":",
  ",",
  "a",
  "README.md",
  "a.txt",
  "b.txt",
  "new.txt",
  "b.txt.gz",
  "x.tar",
  "data.json",
  "src",
  "src/a.js",
  "vendor",
  "list",
  "x.sed",
  "x.awk",
  "x.mk",
  "x.sql",
  "x.patch",
  "x.db",
  ".env",
  ".",
  "..",
  "../out",
  "../out/x",
  "../out/new",
  "../.zshenv",
  "../.netrc",
  "../.ssh/id_rsa",
  "~",
  "~/.ssh",
  "~/.ssh/id_rsa",
  "~/.zshenv",
  "~/out/x",
  `${home}/.netrc`,
  `${home}/out/x`,
  `${home}/out/new`,
  "-",
  "--",
  "/dev/null",
  "ls",
  "cat",
  "rm",
  "sh",
  "never",
  "always",
  "auto",
  "recurse",
  "name",
  "none",
  "exec",
  "pwn=pwn"
]

/** `grep -r *`: a program, with one of its commands, as an allow rule has it. */
export interface Start {
  readonly text: string
  readonly options: ReadonlyArray<string>
}

const slow = /^(?:npm|npx|pip3?|cargo|cmake|ctest|docker|kubectl|terraform|uv|python3?)\b/

const installed = (program: string, env: Readonly<Record<string, string>>): boolean =>
  spawnSync("/bin/sh", ["-c", 'command -v -- "$1"', "sh", program], { env, stdio: "ignore" }).status === 0

/** All that looks like an option in a program's own help, and all letters. */
const optionsOf = (start: string, env: Readonly<Record<string, string>>, cwd: string): ReadonlyArray<string> => {
  const [program = "", ...verbs] = start.split(" ")
  const ask = (...args: ReadonlyArray<string>): string => {
    const { stderr, stdout } = spawnSync(program, args, { env, cwd, timeout: 5_000, encoding: "utf8" })
    return `${stdout ?? ""}\n${stderr ?? ""}`
  }
  const text =
    program === "git"
      ? ask(...verbs, "-h")
      : verbs.length > 0
        ? ask(...verbs, "--help")
        : [["--help"], ["--help", "all"]].map((args) => ask(...args)).join("\n")
  const long = text.match(/(?<![\w-])--[A-Za-z][\w-]+/g) ?? []
  const single = text.match(/(?<![\w-])-[A-Za-z][\w]+/g) ?? []
  const letters = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@", (one) => `-${one}`)
  return [...new Set([...long, ...long, ...single, ...letters])]
}

const seen = new Map<string, ReadonlyArray<Start>>()

/** What these allow rules begin with, of the programs that are installed here. */
export const startsOf = (
  commands: ReadonlyArray<string>,
  isKnown: (program: string) => boolean,
  env: Readonly<Record<string, string>>,
  cwd: string
): ReadonlyArray<Start> => {
  const texts = commands.flatMap((command) => {
    const [, start] = /^([\w.-]+(?: [a-z][\w-]*)*)(?: .*)?$/.exec(command) ?? []
    // it would only wait
    return start === undefined || /^(?:sleep|wait|read|exit)\b/.test(start) ? [] : [start]
  })
  return [...new Set(texts)]
    .filter((start) => isKnown(start.split(" ")[0]!) && installed(start.split(" ")[0]!, env))
    .flatMap((text) => {
      const known = seen.get(text)
      if (known !== undefined) return known
      const options = optionsOf(text, env, cwd)
      // those that start slowly are tried less often
      const all = Array.from({ length: slow.test(text) ? 1 : 12 }, () => ({ text, options }))
      seen.set(text, all)
      return all
    })
}

const quoted = (value: string): string =>
  /^[\w./:=@%+,~-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`

/** Makes lines over these programs; what has passed is told to it, so that it makes more of the kind. */
export const programLines = (starts: ReadonlyArray<Start>, home: string, seed: number) => {
  const { below, pick } = randomBy(seed)
  const all = values(home)
  const good = new Map<string, Array<string>>()
  const value = (): string => quoted(pick(all))
  const letters = (start: Start) => start.options.filter((one) => one.length === 2)
  const option = (start: Start): string => {
    const known = good.get(start.text) ?? []
    if (known.length > 0 && below(3) > 0) return pick(known)
    const name = pick(start.options)
    const short = name.startsWith("--") && below(3) === 0 ? name.slice(0, 3 + below(name.length - 2)) : name
    switch (below(6)) {
      case 0:
      case 1:
        return short
      case 2:
        return `${short} ${value()}`
      case 3:
        return `${short}=${value()}`
      case 4:
        return name.startsWith("--") ? short : `${short}${value()}`
      default: {
        const cluster = Array.from({ length: 1 + below(3) }, () => pick(letters(start)).slice(1)).join("")
        return `-${cluster}${pick(["", value(), ` ${value()}`])}`
      }
    }
  }
  const command = (): { readonly start: Start; readonly text: string; readonly tokens: ReadonlyArray<string> } => {
    const start = pick(starts)
    const tokens = Array.from({ length: below(5) }, () => (below(5) < 3 ? option(start) : value()))
    const assigned = below(40) === 0 ? `${pick(["PAGER=pwn", "X=1", "LESSOPEN=pwn", "GIT_EDITOR=pwn"])} ` : ""
    return { start, tokens, text: `${assigned}${[start.text, ...tokens].join(" ")}` }
  }
  const wrapped = (text: string): string => {
    switch (below(16)) {
      case 0:
        return `echo ${value()} | ${text}`
      case 1:
        return `${text} < ${value()}`
      case 2:
        return `${text} <<'E'\n${pick(all)}\nE`
      case 3:
        return `${pick(["time", "nice", "timeout 1", "env", "xargs", "nohup", "stdbuf -oL", "command", "\\time"])} ${text}`
      case 4:
        return `cd ${value()} && ${text}`
      case 5:
        return `printf '%s\\n' ${value()} | xargs ${pick(["", "-n1 ", "-I{} ", "-t "])}${text}`
      case 6:
        return `find ${pick([".", "src", "~", ".."])} -maxdepth 1 -exec ${text} {} ${pick(["+", "\\;"])}`
      case 7:
        return `${text} | ${command().text}`
      case 8:
        return `for f in ${value()} ${value()}; do ${text} $f; done`
      case 9:
        return `${pick(["time", "nice", "env", "xargs", "timeout", "stdbuf"])} ${pick(["-", "--"])}${pick([..."abcdefinopstuvxI0"])} ${value()} ${text}`
      default:
        return text
    }
  }
  return {
    next: () => {
      const { start, text, tokens } = command()
      return { line: wrapped(text), start: start.text, tokens }
    },
    passed: (start: string, tokens: ReadonlyArray<string>): void => {
      const known = good.get(start) ?? []
      good.set(start, known)
      // without an end it would forget nothing
      for (const token of tokens)
        if (token.startsWith("-")) {
          if (known.length < 400) known.push(token)
          else known[below(known.length)] = token
        }
    }
  }
}

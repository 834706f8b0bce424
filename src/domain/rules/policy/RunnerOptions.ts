import type { Target } from "./programs/Program.ts"
import { placesOf } from "./programs/table.ts"
import { placesNamed } from "./Reach.ts"
import { isSure, type ShellInput, type ShellWord } from "./ShellWords.ts"

/**
 * Options and operands by which a program runs another one, or writes where its arguments do not say. An allow rule
 * covers them only if its pattern names them.
 */
export interface Risky {
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

export const programs: Readonly<Record<string, Risky>> = {
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
const sameAs: Readonly<Record<string, string>> = {
  gfind: "find",
  fdfind: "fd",
  npx: "npm",
  pip3: "pip",
  scp: "ssh",
  sftp: "ssh",
  podman: "docker"
}

/** Options whose value is only a text. */
const takesText = /^(?:-m|--message|--title|--body|-F|--grep|--author|--format|--pretty|--date)$/

/** A word with an unknown beginning that is nevertheless no option: a directory, or what a loop goes through. */
const beginsHarmless = ({ sure, text }: ShellWord, loops: ReadonlySet<string>): boolean =>
  sure > 0
    ? !text.startsWith("-")
    : /^\$(?:HOME|PWD|\{HOME\}|\{PWD\})(?:\/|$)|^\$\(pwd\)|^\$\?$|^\$\(git (?:merge-base [\w./ -]+|rev-parse HEAD)\)/.test(
        text
      ) || loops.has(/^\$\{?(\w+)\}?/.exec(text)?.[1] ?? "")

/** git's own options before its command. */
const placesValue = /^(?:-C|--git-dir|--work-tree|--namespace|--super-prefix)$/

/** git's command, and whether `-c` before it sets what it runs; behind it, `-c` is another option. */
const gitCommand = (args: ReadonlyArray<ShellWord>): { readonly name: string; readonly configured: boolean } => {
  let i = 0
  let configured = false
  for (; args[i]?.text.startsWith("-") === true; i++) {
    configured ||= args[i]!.text.startsWith("-c")
    if (placesValue.test(args[i]!.text)) i++
  }
  return { name: args[i]?.text ?? "", configured }
}

const namesOf = (text: string | undefined): ReadonlyArray<string> => text?.split(" ") ?? []

/** Whether a certain word is such an option. */
const isRisky = ({ harmless, long, short = "", valued = "", word }: Risky, text: string): boolean => {
  if (word?.test(text) === true) return true
  if (text.startsWith("--")) {
    const name = text.slice(2).split("=", 1)[0] ?? ""
    return name !== "" && !namesOf(harmless).includes(name) && namesOf(long).some((one) => one.startsWith(name))
  }
  if (!text.startsWith("-")) return false
  for (const letter of text.slice(1)) {
    if (short.includes(letter)) return true
    if (valued.includes(letter)) return false
  }
  return false
}

/** The next word is the value of this option. */
const takesNext = (valued: string, text: string): boolean => {
  if (!/^-[^-]/.test(text)) return false
  const at = Array.from(text.slice(1)).findIndex((letter) => valued.includes(letter))
  return at >= 0 && at === text.length - 2
}

/**
 * Whether the arguments can make the program run or write what they do not name. `named`: the text of the pattern that
 * allows it. `loops`: variables that cannot begin with a dash.
 */
const riskyOption = (
  program: string,
  args: ReadonlyArray<ShellWord>,
  named: string,
  loops: ReadonlySet<string>
): boolean => {
  const key = sameAs[program] ?? program
  if (!Object.hasOwn(programs, key)) return false
  const own = programs[key]!
  const git = key === "git" ? gitCommand(args) : null
  if (git?.configured === true) return true
  const sub = git !== null && Object.hasOwn(programs, `git ${git.name}`) ? programs[`git ${git.name}`]! : {}
  const all = [own, sub]
  const valued = (own.valued ?? "") + (sub.valued ?? "")
  const inPattern = (text: string): boolean => named.split(" ").some((word) => word !== "*" && word === text)
  let options = true
  let operands = 0
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!
    const { text } = word
    if (!isSure(word)) {
      if (options && !(takesText.test(args[i - 1]?.text ?? "") || beginsHarmless(word, loops))) return true
      // it may become several
      if (own.operands !== undefined || own.operand !== undefined) return true
    } else if (options && text === "--") options = false
    else if (options && text.startsWith("-") && text !== "-") {
      if (all.some((one) => isRisky(one, text)) && !inPattern(text)) return true
      else if (takesNext(valued, text)) i++
    } else {
      if (own.word?.test(text) === true || sub.word?.test(text) === true) return true
      operands++
      if (own.operands !== undefined && operands > own.operands) return true
      if (own.operand?.test(text) === false) return true
    }
  }
  return false
}

/** Whether a word with an unknown beginning is none of the options, behind this one. */
const isOperand =
  (loops: ReadonlySet<string>) =>
  (word: ShellWord, before: ShellWord | undefined): boolean =>
    takesText.test(before?.text ?? "") || beginsHarmless(word, loops)

/**
 * What a command does to places; null where its arguments may make it do more than that. `named`: the text of the pattern
 * that allows it. `loops`: variables that cannot begin with a dash.
 */
export const placesChanged = (
  program: string,
  args: ReadonlyArray<ShellWord>,
  input: ShellInput,
  named: string,
  loops: ReadonlySet<string>
): ReadonlyArray<Target> | null => {
  const words = new Set(named.split(" ").slice(1))
  words.delete("*")
  if (riskyOption(program, args, named, loops)) return null
  const described = placesOf(program, args, input, isOperand(loops), words)
  if (described === undefined) return placesNamed(program, args)
  // what the pattern says in full it is meant to do, in its place
  const isWhole = args.length > 0 && args.every((word) => isSure(word) && words.has(word.text))
  return isWhole ? (described ?? []).filter(({ effect }) => effect === "stay") : described
}

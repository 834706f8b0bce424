import { isSure, type ShellWord } from "./ShellWords.ts"

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

export const programs: Readonly<Record<string, Risky>> = {
  git: {
    long: "config-env exec-path upload-pack receive-pack open-files-in-pager output ext-diff textconv exec extcmd template filter smtp-server",
    harmless: "text",
    word: /(?:^|=)(?:alias|core|filter|diff|merge|pager|credential|url)\.|^ext::/
  },
  "git archive": { short: "o" },
  "git clone": { short: "uc", long: "config" },
  "git config": { long: "add edit file remove-section rename-section replace-all unset unset-all", short: "ef" },
  "git format-patch": { short: "o" },
  "git grep": { short: "O" },
  "git rebase": { short: "x" },
  "git reflog": { word: /^(?:expire|delete)$/ },
  find: { word: /^-(?:delete|fls|fprint|fprint0|fprintf|files0-from)$/ },
  fd: { short: "xX", long: "exec exec-batch" },
  rg: { long: "pre hostname-bin" },
  ag: { long: "pager" },
  sort: { short: "oT", long: "output compress-program temporary-directory", valued: "ktS" },
  tar: {
    short: "IF",
    long: "to-command checkpoint-action use-compress-program rsh-command info-script new-volume-script",
    valued: "fCTXbgHKLV"
  },
  rsync: { short: "eM", long: "rsh rsync-path remote-option" },
  npm: { short: "C", long: "prefix dir cwd script-shell node-options userconfig globalconfig shell registry" },
  pip: { short: "i", long: "log python index-url extra-index-url find-links" },
  go: { word: /^--?(?:exec|toolexec|vettool|C|modfile|overlay)(?:=|$)/ },
  cargo: { short: "C", long: "config manifest-path" },
  curl: { short: "K", long: "config", valued: "HXdFuAbeTmwo" },
  ssh: { short: "oFLRDw", valued: "ilpc" },
  zip: { short: "T", long: "unzip-command" },
  split: { long: "filter" },
  man: { short: "PH", long: "pager html" },
  less: { short: "oO", long: "log-file LOG-FILE", word: /^\+/ },
  sed: { short: "if", long: "in-place file", valued: "el" },
  awk: { short: "filEe", long: "file include load exec source", valued: "Fv" },
  make: { short: "CfI", long: "directory file makefile include-dir eval", word: /^[A-Za-z_]\w*[:+?!]*=/ },
  diff: { short: "l", long: "paginate output" },
  date: { short: "s", long: "set", valued: "dfrv", operand: /^\+/ },
  tree: { short: "oR" },
  jq: { short: "fL", long: "from-file" },
  yq: { short: "is", long: "inplace split-exp" },
  xxd: { short: "r", valued: "cgloRs", operands: 1 },
  uniq: { valued: "fsw", operands: 1 },
  base64: { short: "o" },
  file: { short: "C", long: "compile" },
  xargs: { long: "process-slot-var", valued: "aEILPnsdRS" },
  ss: { short: "K", long: "kill" },
  docker: { word: /^(?:--host|-H|--config|-c|--context)(?:=|$)/ },
  kubectl: { word: /^(?:--kubeconfig|--server|-s)(?:=|$)/ }
}
const sameAs: Readonly<Record<string, string>> = {
  gfind: "find",
  fdfind: "fd",
  gsort: "sort",
  gtar: "tar",
  bsdtar: "tar",
  pnpm: "npm",
  yarn: "npm",
  bun: "npm",
  npx: "npm",
  pip3: "pip",
  gsed: "sed",
  gawk: "awk",
  mawk: "awk",
  nawk: "awk",
  gmake: "make",
  scp: "ssh",
  sftp: "ssh",
  podman: "docker"
}

/** A script of sed that only prints or replaces. */
const plainSed =
  /^(?:\d+|\$|\/[^/]*\/)?(?:,(?:\d+|\$|\/[^/]*\/))?[pdq]?$|^s([/|#,])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gip\d]*$/i
/** A program of awk that neither runs nor writes anything: `>` compares, where nothing is printed before it. */
const plainAwk = /^(?!.*(?:system|getline|close|@|\|(?!\|)|<(?!=)|>>|\bprintf?\b[^;}]*>))/s

/** The operand that is a program in the tool's own language, the options that hold one, and what is harmless in it. */
const scripts: Readonly<Record<string, { readonly options: RegExp; readonly plain: RegExp }>> = {
  sed: {
    options: /^(?:-[nErsuz]*e|--e(?:x(?:p(?:r(?:e(?:s(?:s(?:i(?:o(?:n)?)?)?)?)?)?)?)?)?=?)(.*)$/s,
    plain: plainSed
  },
  awk: { options: /^(?!)/, plain: plainAwk }
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
export const riskyOption = (
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
  const script = Object.hasOwn(scripts, key) ? scripts[key] : undefined
  let wantsScript = script !== undefined
  let options = true
  let operands = 0
  // The first word of tar may be its options, without a dash.
  if (key === "tar" && args[0] !== undefined && /^[A-Za-z]+$/.test(args[0].text) && isRisky(own, `-${args[0].text}`))
    return true
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!
    const { text } = word
    if (!isSure(word)) {
      if (wantsScript) return true
      if (options && !(takesText.test(args[i - 1]?.text ?? "") || beginsHarmless(word, loops))) return true
      // it may become several
      if (own.operands !== undefined || own.operand !== undefined) return true
    } else if (options && text === "--") options = false
    else if (options && text.startsWith("-") && text !== "-") {
      const inOption = script?.options.exec(text)
      if (inOption !== undefined && inOption !== null) {
        const value = inOption[1] === "" ? args[++i] : { ...word, text: inOption[1] ?? "", sure: inOption[1]!.length }
        if (value === undefined || !isSure(value) || script?.plain.test(value.text) !== true) return true
        wantsScript = false
      } else if (all.some((one) => isRisky(one, text)) && !inPattern(text)) return true
      else if (takesNext(valued, text)) i++
    } else {
      if (own.word?.test(text) === true || sub.word?.test(text) === true) return true
      if (wantsScript) {
        if (script?.plain.test(text) !== true) return true
        wantsScript = false
        continue
      }
      operands++
      if (own.operands !== undefined && operands > own.operands) return true
      if (own.operand?.test(text) === false) return true
    }
  }
  return false
}

import { baseName, innerFile, isSure, type ShellInput, type Words } from "../ShellWords.ts"
import { builds } from "./builds.ts"
import { dashedTar, files } from "./files.ts"
import { git } from "./git.ts"
import { others } from "./others.ts"
import { packages } from "./packages.ts"
import { type As, commandAt, effectsOf, ownIn, type Program, works } from "./Program.ts"
import { withoutExec } from "../findWords.ts"
import { readers } from "./readers.ts"
import { remote } from "./remote.ts"
import { projectTools, script } from "./tools.ts"
import { trades } from "./trades.ts"

/** Marks programs that run what the place's files say. */
const obeying = (some: Readonly<Record<string, Program>>): Readonly<Record<string, Program>> =>
  Object.fromEntries(Object.entries(some).map(([name, one]) => [name, { ...one, obeys: true }]))

/** Programs that a project's own runners run. */
const runnable = obeying({ ...packages, ...builds, ...projectTools })
const table: Readonly<Record<string, Program>> = {
  ...readers,
  ...files,
  ...others,
  ...runnable,
  ...remote,
  ...trades,
  git
}
const sameAs: Readonly<Record<string, string>> = {
  gunzip: "gzip",
  gtar: "tar",
  bsdtar: "tar",
  gsort: "sort",
  gsed: "sed",
  gawk: "awk",
  mawk: "awk",
  nawk: "awk",
  gmake: "make",
  gtimeout: "timeout",
  podman: "docker",
  gfind: "find",
  fdfind: "fd",
  pip3: "pip",
  sftp: "ssh",
  tofu: "terraform"
}
const programOf = (name: string): Program | undefined => ownIn(table, ownIn(sameAs, name) ?? name)

/** Where other projects' programs are installed: the name alone does not tell what such a program does. */
export const dependencyPath = /(?:^|\/)(?:node_modules|vendor|\.?venv)\//

export const obeysFiles = (program: string): boolean => programOf(program)?.obeys === true

const bare = (args: Words, one: Program | undefined): Words => {
  if (one?.commands === undefined) return args
  const [verb, ...rest] = args.slice(commandAt(one, args))
  return verb === undefined ? [] : [verb, ...bare(rest, one.commands[verb.text])]
}

/** Without the program's own options and its command's: `npm --prefix x test` is `npm test`, in another place. */
export const withoutOwn = (program: string, args: Words): Words => bare(args, programOf(program))

/** Changes the words before they are read: removes the commands of find's `-exec`, and adds tar's missing dashes. */
const plain: Readonly<Record<string, (args: Words) => Words>> = { find: withoutExec, tar: dashedTar }

/** An option's value is the input: `-f -`, `-r-`, `--file=-`. */
const namesInput = (args: Words): boolean =>
  args.some(({ text }, i) =>
    text === "-" ? args[i - 1]?.text.startsWith("-") === true : /^-(?:[A-Za-z]+|-[\w-]+=)-$/.test(text)
  )

/** Null if the description does not cover all, undefined if there is none. `isOperand`, `named`: as in `effectsOf`. */
export const placesOf = (
  program: string,
  args: Words,
  input: ShellInput,
  isOperand: Parameters<typeof effectsOf>[3],
  named: ReadonlySet<string>
): ReturnType<typeof effectsOf> => {
  const one = programOf(program)
  // What it would obey comes from the command line itself.
  if (one?.obeys === true && (args.includes(innerFile) || (/Pipe|Text/.test(input._tag) && namesInput(args))))
    return null
  if (one === undefined) return undefined
  const as: As = (words, isOwn) => {
    const [head, ...rest] = words
    if (head !== undefined && isSure(head) && ownIn(runnable, baseName(head.text)) !== undefined)
      return placesOf(baseName(head.text), rest, input, isOperand, named) ?? null
    if (isOwn !== undefined) return isOwn ? works({ words }) : null
    // Runners pass on what follows the dashes, and some pass on the dashes.
    const handed = words.filter(({ text }) => text !== "--")
    return effectsOf(script, handed, input, isOperand, named, as) ?? null
  }
  const read = plain[sameAs[program] ?? program]
  return effectsOf(one, read === undefined ? args : read(args), input, isOperand, named, as)
}

import { isSure, type ShellInput, type ShellWord } from "../ShellWords.ts"
import { dashedTar, files } from "./files.ts"
import { git } from "./git.ts"
import { others } from "./others.ts"
import { effectsOf, type Program, type Target } from "./Program.ts"

type Words = ReadonlyArray<ShellWord>

const table: Readonly<Record<string, Program>> = { ...files, ...others }
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
  podman: "docker"
}

/** In a directory of its own. */
const inside = (directory: ShellWord, { word, ...target }: Target): Target =>
  /^[/~]/.test(word.text)
    ? { ...target, word }
    : {
        ...target,
        word: {
          ...word,
          text: `${directory.text}/${word.text}`,
          sure: isSure(directory) ? directory.text.length + 1 + word.sure : directory.sure
        }
      }

/** Whether a program runs what stands in files of the place. */
export const obeysFiles = (program: string): boolean => {
  const key = sameAs[program] ?? program
  return Object.hasOwn(table, key) && table[key]?.obeys === true
}

/**
 * What a command does to places; null where its description does not know all of it, undefined where it has none. `isOperand`
 * and `named`: as for `effectsOf`.
 */
export const placesOf = (
  program: string,
  args: Words,
  input: ShellInput,
  isOperand: Parameters<typeof effectsOf>[3],
  named: ReadonlySet<string>
): ReadonlyArray<Target> | null | undefined => {
  const key = sameAs[program] ?? program
  const read = (one: Program, rest: Words) => effectsOf(one, rest, input, isOperand, named)
  if (key === "git") {
    let i = 0
    const places: Array<ShellWord> = []
    for (; args[i]?.text.startsWith("-") === true; i++) {
      const { text } = args[i]!
      if (text === "-C" && args[i + 1] !== undefined) places.push(args[++i]!)
      else if (text !== "--no-pager") return undefined
    }
    const verb = args[i]
    if (verb === undefined || !isSure(verb) || !Object.hasOwn(git, verb.text)) return undefined
    const found = read(git[verb.text]!, args.slice(i + 1))
    const [place, more] = places
    return place === undefined || found === null
      ? found
      : more === undefined
        ? found.map((one) => inside(place, one))
        : null
  }
  if (key === "docker" && args[0]?.text === "build") return read(others["docker build"]!, args.slice(1))
  if (!Object.hasOwn(table, key)) return undefined
  return read(table[key]!, key === "tar" ? dashedTar(args) : args)
}

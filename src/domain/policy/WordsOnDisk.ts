import { absolutePath, normalPath } from "../words/text/paths.ts"
import { changesOf, directoriesOf, followedBy, handedBy } from "./directoryEffects.ts"
import { wildcard } from "./Globs.ts"
import { braced, directoriesAfter } from "./PathWords.ts"
import { directoriesIn } from "./Reach.ts"
import { effectsOf } from "./commandEffects.ts"
import { commandName } from "./InnerCommands.ts"
import { takesLists } from "./knownPrograms/shellPrograms.ts"
import { readCommandLine, type ShellReading } from "./ShellInner.ts"
import { inherited, isSure, plainCommand, plainWord, type ShellWord, type Words } from "./ShellWords.ts"
import { namesIn } from "./Subject.ts"

/** The files to examine on disk before a command line is decided. */
export interface WordsOnDisk {
  /** Words that may name files and whose links should be followed, each with its path. */
  readonly words: ReadonlyMap<string, string>
  /** Words that the shell expands to file names, each with its path. */
  readonly globs: ReadonlyMap<string, string>
  /** Those of them that may become a name with the `beginning` by which a program knows an option or a list. */
  readonly leading: ReadonlySet<string>
  readonly beginning: RegExp
  /** Paths with a part from a variable or a command: any name that exists there. */
  readonly loose: ReadonlySet<string>
  /** Directories whose contents are searched through links, too, as in the line; each with its path. */
  readonly followed: ReadonlyMap<string, string>
  /** Directories below which links of such names are opened. */
  readonly handed: ReadonlyArray<{ readonly word: string; readonly path: string; readonly name: string }>
  /** The directories in which the line calls git, as far as its words tell. */
  readonly repositories: ReadonlyArray<string>
  /** Wildcards may find names that begin with a dot. */
  readonly hidden: boolean
  /** There are more files than can be examined. */
  readonly tooMany: boolean
}

/** The most places of a command line that are examined. */
const mostPlaces = 256

/** The known variables of a line: those that it sets itself, and two that are always known. */
const valuesIn = (
  { commands, loops, others, through }: ShellReading,
  cwd: string,
  home: string
): ReadonlyMap<string, Words> =>
  new Map([
    ["HOME", [plainWord(home)]],
    ["PWD", [plainWord(cwd)]],
    ...loops.map((name) => [name, through.get(name) ?? others] as const),
    ...commands.flatMap(({ assignments }) => assignments.map(({ name, value }) => [name, [value]] as const))
  ])

/** The text with the user's home directory instead of `~`. */
const withHome = (text: string, home: string): string => text.replace(/^~(?=\/|$)/, () => home)

interface Reading {
  /** The word as written, and the inserted values. */
  readonly word: string
  readonly text: string
  /** The shell does not expand it to file names. */
  readonly sure: boolean
}

/** The possible forms of a word once its variables, braces and home directory are inserted. */
const readingsOf = (word: ShellWord, values: ReadonlyMap<string, Words>, home: string): ReadonlyArray<Reading> => {
  const sure = isSure(word)
  const whole = sure ? word.text : word.text.replace("$(pwd)", "$PWD")
  const given = sure ? null : /\$(?:(\w+)|\{(\w+)\})/.exec(whole)
  const known = given === null ? [] : (values.get(given[1] ?? given[2] ?? "") ?? [])
  if (given !== null && known.length > 0 && known.every(({ text }) => !text.includes("$")))
    return known.flatMap(({ text }) =>
      readingsOf({ ...word, text: whole.replace(given[0], () => text), sure: 0 }, values, home).map((one) => ({
        ...one,
        word: word.text
      }))
    )
  const texts = sure ? [] : braced(whole)
  return [whole, ...texts].map((text, i) => ({
    word: text,
    text: word.bare || !sure ? withHome(text, home) : text,
    sure: sure || !(i === 0 && texts.length > 0 ? /[*?[($`]/ : wildcard).test(text)
  }))
}

/** The directory in which the first wildcard of a word is. */
const above = (text: string): string => {
  const before = text.slice(0, text.search(wildcard))
  return before.includes("/") ? before.slice(0, before.lastIndexOf("/")) || "/" : "."
}

/** The files to examine on disk for a request's command line. */
export const wordsOnDisk = (command: string, cwd: string, home: string): WordsOnDisk => {
  const words = new Map<string, string>()
  const globs = new Map<string, string>()
  const leading = new Set<string>()
  const loose = new Set<string>()
  const followed = new Map<string, string>()
  const reading = readCommandLine(command)
  const { found, loops, openable, through } = reading
  const runs = found.map((words) => plainCommand(words))
  const starts = directoriesIn(runs, cwd, home, through) ?? directoriesIn(reading.commands, cwd, home, through) ?? []
  const named = directoriesOf(reading)
    .filter(isSure)
    .map(({ text }) => withHome(text, home))
  const others = new Set([
    ...starts,
    ...[cwd, ...starts].flatMap((start) => named.map((one) => normalPath(absolutePath(start, one)))),
    // each value of a loop
    ...(directoriesAfter(changesOf(reading), { cwd, home }) ?? []).filter((one) => !one.includes("**"))
  ])
  const repositories = /git/i.test(command) ? [...others].slice(0, mostPlaces) : []
  others.delete(normalPath(cwd))
  const changed = found.flatMap((all) =>
    (effectsOf(all, inherited, "", new Set([...loops, "*"])) ?? []).map(({ word }) => word)
  )
  const values = valuesIn(reading, cwd, home)
  const isHanded = found.some(([head]) => /(?:^|\/)(?:xargs|parallel|read)$/.test(head?.text ?? ""))
  const goesOn = new Set(found.flatMap(followedBy).map(({ text }) => text))
  const isAny = [...goesOn].some((text) => text.includes("$"))
  const isFull = (): boolean => Math.max(words.size, globs.size, loose.size) > mostPlaces
  for (const one of [plainWord("."), ...changed, ...openable])
    for (const { sure, text, word } of isFull() ? [] : readingsOf(one, values, home)) {
      // of an option only the value may be a file
      const names = word === text ? namesIn(text, home).filter((name) => !/^-|^$/.test(name)) : [text]
      for (const name of names)
        for (const directory of name.startsWith("/") ? [null] : [null, ...others]) {
          const label = name === text ? word : name
          const spelled = (part: string): string => (directory === null ? part : `${directory}/${part}`)
          const path = absolutePath(directory ?? cwd, name)
          if (wildcard.test(name[0] ?? "")) leading.add(spelled(label))
          if (wildcard.test(directory ?? "")) {
            globs.set(spelled(label), path)
            continue
          }
          const over = above(label)
          const [start, from] = sure
            ? [spelled(label), path]
            : [over === "." ? (directory ?? over) : spelled(over), absolutePath(directory ?? cwd, above(name))]
          words.set(start, from)
          if (isAny || goesOn.has(one.text)) followed.set(start, from)
          if (!sure) {
            if (/[$`]/.test(name)) loose.add(path)
            else globs.set(spelled(label), path)
          }
        }
    }
  return {
    words,
    globs,
    leading,
    beginning: found.some(([head]) => takesLists(commandName(head?.text ?? ""))) ? /^[-@]/ : /^-/,
    loose,
    followed,
    handed: found
      .flatMap((words) => handedBy(words, isHanded))
      .flatMap(({ name, start }) =>
        [cwd, ...others].map((directory) => ({
          word: start,
          path: absolutePath(directory, withHome(start, home)),
          name
        }))
      )
      .filter(({ path }) => !wildcard.test(path))
      .slice(0, mostPlaces),
    repositories,
    hidden: /dot_?glob|glob_?dots|globignore/i.test(command),
    tooMany: isFull()
  }
}

import type { Likelihood } from "./Likelihood.ts"
import { forEachName, ownIn, rowsOf } from "./knownPrograms/Program.ts"
import { baseName, isSure, type Words } from "./ShellWords.ts"
import { matches, matchesSome, type TextGlob, textGlob } from "./TextGlob.ts"

const placesValue = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source)$/

/** git's own options before its command are left out, with their values: `git -C x push` is `git push`. */
export const withoutOwnOptions = (words: Words): Words => {
  const [head] = words
  if (head === undefined || baseName(head.text) !== "git") return words
  let i = 1
  for (; words[i]?.text.startsWith("-") === true && isSure(words[i]!); i++) if (placesValue.test(words[i]!.text)) i++
  return i === 1 || words[i] === undefined ? words : [head, ...words.slice(i)]
}

/** What operands mean as options: `git push x +main` forces, `git push x :main` deletes. */
const implied = (program: string, operands: ReadonlyArray<string>): ReadonlyArray<string> =>
  program === "git" && operands[0] === "push"
    ? operands.flatMap((one) => (one[0] === "+" ? ["-f", "--force"] : one[0] === ":" ? ["-d", "--delete"] : []))
    : []

/** git's letters for deletions, moves and copies, and those for forced ones: `-d -f` is `-D`. */
const forced: Readonly<Record<string, string>> = { d: "D", m: "M", c: "C" }

/** Other names of a program's commands, by program. */
const sameCommands: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  git: forEachName("send-pack http-push", "push"),
  npm: {
    ...forEachName("i in ins inst add", "install"),
    ...forEachName("un rm r remove unlink", "uninstall"),
    ...forEachName("up upgrade udpate", "update"),
    ...forEachName("run-script rum urn", "run"),
    ...forEachName("t tst", "test"),
    ...forEachName("pub", "publish"),
    x: "exec"
  },
  // `docker container run` is `docker run`
  ...forEachName("docker podman", forEachName("container image", ""))
}

const plainOperands = (program: string, operands: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = "", ...rest] = operands
  const name = ownIn(ownIn(sameCommands, program) ?? {}, first)
  return name === undefined ? operands : name === "" ? rest : [name, ...rest]
}

/**
 * A command pattern without the order and grouping of its options: `rm -rf *` is a program, the letters r and f, and
 * operands.
 */
export interface CommandShape {
  readonly program: string
  readonly letters: ReadonlySet<string>
  readonly longs: ReadonlyArray<TextGlob>
  readonly operands: TextGlob
}

/** Options that mean the same, by program. */
const sameOptions: Readonly<Record<string, string>> = {
  rm: "-r -R --recursive · -f --force · -d --dir",
  cp: "-r -R --recursive · -f --force",
  ...forEachName("mv docker podman", "-f --force"),
  ln: "-f --force · -s --symbolic",
  ...forEachName("chmod chown chgrp", "-R --recursive"),
  git: "-f --force · -d --delete · -a -A --all · -n --no-verify · -m --message · -p --patch · -i --interactive",
  npm: "-f --force · -g --global --location=global",
  pnpm: "-g --global",
  tar: "-x --extract --get",
  curl: "-X --request · -d --data · -k --insecure · -o --output · -T --upload-file",
  kill: "-9 -KILL -SIGKILL"
}

/** All spellings of an option, the given one first. */
export const spellings = (program: string, option: string): ReadonlyArray<string> => {
  const name = option.split("=", 1)[0] ?? option
  const groups = rowsOf(ownIn(sameOptions, program) ?? "").map((group) => group.split(" "))
  return [option, ...groups.filter((group) => group.includes(name)).flat()]
}

/** `-rf` is two options; `-exec` and `-name` are one. */
const cluster = /^-[A-Za-z]{1,3}$/

/** The shape of a pattern; null where it names no program. */
export const shapeOf = (pattern: string): CommandShape | null => {
  const [program = "", ...words] = pattern.split(/ +/)
  if (/[*?\\]/.test(program) || program === "") return null
  const letters = new Set<string>()
  const longs: Array<TextGlob> = []
  const operands: Array<string> = []
  for (const [i, word] of words.entries()) {
    const own = i === words.length - 1 ? word.replace(/(?<=^-[A-Za-z]{2,})\*$/, "") : word
    if (cluster.test(own)) for (const letter of own.slice(1)) letters.add(letter)
    else if (/^-[^*?]/.test(word) && word !== "--") {
      const glob = textGlob(word)
      if (glob !== null) longs.push(glob)
    } else operands.push(word)
  }
  if (pattern.endsWith("*") && operands.at(-1)?.endsWith("*") !== true) operands.push("*")
  const glob = textGlob(operands.join(" "))
  return { program: baseName(program), letters, longs, operands: glob ?? { parts: [[]], short: null } }
}

/** The most words before the first operand that may be values of options. */
const mostValues = 16

/**
 * Whether a command has that shape. `maybe`: a long option may be another name of a short one (`--recursive`), or a
 * word may be an option's value (`git -C /x push`).
 */
export const hasShape = (shape: CommandShape, words: Words): Likelihood => {
  if (baseName(words[0]?.text ?? "") !== shape.program) return "no"
  const letters = new Set<string>()
  const longs: Array<string> = []
  const given: Array<string> = []
  const written: Array<string> = []
  let options = true
  let before = 0
  const add = (option: string): void => {
    if (/^-[^-]$/.test(option)) letters.add(option.slice(1))
    longs.push(option)
  }
  for (const { text } of withoutOwnOptions(words).slice(1)) {
    if (options && text === "--") options = false
    else if (options && text.startsWith("-") && text.length > 1) {
      const own = text.startsWith("--") ? [text] : [text, ...Array.from(text.slice(1, 65), (letter) => `-${letter}`)]
      given.push(...own)
      for (const option of own) spellings(shape.program, option).forEach(add)
      if (written.length <= before) before++
    } else written.push(text)
  }
  implied(shape.program, written).forEach(add)
  if (shape.program === "git" && letters.has("f"))
    for (const [letter, strong] of Object.entries(forced))
      if (letters.has(letter) || longs.some((long) => long.startsWith(`--${letter}`))) letters.add(strong)
  const operands = plainOperands(shape.program, written)
  const missing = [...shape.letters].filter((letter) => !letters.has(letter))
  if (missing.some((letter) => !longs.some((long) => long.startsWith(`--${letter.toLowerCase()}`)))) return "no"
  const spelled = (glob: TextGlob): boolean => longs.some((long) => matches(glob, long))
  // programs accept abbreviated long options
  const begun = (glob: TextGlob): boolean =>
    longs.some((long) => /^--[a-z]/.test(long) && !long.includes("=") && matchesSome(glob, long)) ||
    // a letter may be short for a long option, and the other way round
    given.some((one) =>
      /^-[A-Za-z]$/.test(one)
        ? matchesSome(glob, `-${one.toLowerCase()}`)
        : /^--(?!merged|format)[a-z]/.test(one) &&
          [one[2]!, one[2]!.toUpperCase()].some((letter) => matches(glob, `-${letter}`))
    )
  if (!shape.longs.every((glob) => spelled(glob) || begun(glob))) return "no"
  for (let values = 0; values <= Math.min(before, mostValues, operands.length); values++) {
    if (matches(shape.operands, operands.slice(values).join(" ")))
      return values === 0 && missing.length === 0 && shape.longs.every(spelled) ? "yes" : "maybe"
  }
  return "no"
}

import { isSure, plainWord, type ShellWord, type Words } from "./ShellWords.ts"

/** find's words: options of its own, which stand first, the directories where it starts, and the expression after them. */
export const findParts = (args: Words) => {
  const starts: Array<ShellWord> = []
  let at = 0
  // of all versions: `-EX`, `-O3`, `-D tree`, `-f start`, `--`
  for (; /^-(?:[EHLPXdsx]+|O.*|[Df]|-)$/s.test(args[at]?.text ?? ""); at++)
    if (/^-[Df]$/.test(args[at]!.text) && args[++at] !== undefined && args[at - 1]!.text === "-f")
      starts.push(args[at]!)
  const rest = args.slice(at)
  const end = rest.findIndex(({ text }) => /^[-!(,)]/.test(text))
  return {
    options: args.slice(0, at).filter(({ text }) => text !== "--"),
    starts: [...starts, ...(end < 0 ? rest : rest.slice(0, end))],
    expression: end < 0 ? [] : rest.slice(end)
  }
}

/** The commands of `-exec`, with the place of that word, and find's other words. */
export const execsIn = (words: Words) => {
  const commands: Array<{ readonly at: number; readonly own: Array<ShellWord> }> = []
  const tests: Array<ShellWord> = []
  let own: Array<ShellWord> | null = null
  for (const [at, word] of words.entries()) {
    if (own === null && /^-(?:exec|execdir|ok|okdir)$/.test(word.text)) commands.push({ at, own: (own = []) })
    else if (own === null) tests.push(word)
    else if (/^[;+]$/.test(word.text)) own = null
    else own.push(word)
  }
  return { commands, tests }
}

/** find's words without the commands of `-exec`, which are looked at by themselves. */
export const withoutExec = (args: Words): Words => {
  const { expression, options, starts } = findParts(args)
  return [...options, ...starts, ...execsIn(expression).tests]
}

/** Files that builds and editors leave behind and no program obeys. */
const litter =
  /^(?:\*(?:~|\.(?:py[co]|orig|rej|bak|swp|tmp|log|gc(?:da|no|ov)|class|tsbuildinfo|js\.map|d\.ts))|__pycache__|\.(?:DS_Store|\w+_cache|eslintcache|nyc_output|ipynb_checkpoints)|node_modules|dist|coverage)$/

/** The names that find hands to an action behind these words, if they are litter in the given directories; null otherwise. */
export const litterIn = (args: Words): Words | null => {
  const { expression, options, starts } = findParts(withoutExec(args))
  const names = expression.filter((_, i) => /^-i?name$/.test(expression[i - 1]?.text ?? ""))
  const [name] = names
  if (
    name === undefined ||
    names.length > 1 ||
    !names.every((word) => isSure(word) && litter.test(word.text)) ||
    !starts.every(isSure)
  )
    return null
  if ([...options, ...expression].some(({ text }) => /^(?:!|,|-not|-o|-or|-\w*L\w*|-follow)$/.test(text))) return null
  return (starts.length === 0 ? [plainWord(".")] : starts).map(({ text }) => {
    const found = plainWord(`${text.replace(/\/+$/, "")}/${name.text}`)
    return /\*/.test(name.text) ? { ...found, sure: found.text.length - name.text.length, globs: true } : found
  })
}

// Code that stands in two places: pairs of files with the lines that both have, found token by token.
import { Detector, getModeHandler } from "@jscpd/core"
import { Tokenizer } from "@jscpd/tokenizer"
import { hash } from "node:crypto"

/** Shorter runs are how the language is written. */
const minTokens = 50
const minLines = 6

const imports = /^import [\s\S]*? from "[^"]+"(?: with \{[^}]*\})?;?$/gm
/** What each file imports is its own, however alike: its lines are empty. */
const withoutImports = (text) => text.replace(imports, (statement) => statement.replaceAll(/[^\n]/g, ""))

const formatOf = (name) => (name.endsWith(".tsx") ? "tsx" : name.endsWith(".mjs") ? "javascript" : "typescript")

/** What is not there: one promise for all, as one that nobody has caught yet costs Node more than the search. */
const missing = Promise.reject(undefined)
missing.catch(() => {})

/** What was read so far. The library's own store makes an error, with its stack, for every token that is new. */
const storeInMemory = () => {
  const all = new Map()
  let known
  return {
    namespace: (name) => {
      known = all.get(name) ?? new Map()
      all.set(name, known)
    },
    get: (key) => (known.has(key) ? Promise.resolve(known.get(key)) : missing),
    set: (key, value) => Promise.resolve(known.set(key, value)),
    close: () => all.clear()
  }
}

/**
 * The pairs of places of these files (`[name, text]`) that have a run of tokens in common, comments aside: the names of
 * the two in their order, where each begins, and how many lines the run has.
 */
export const findDuplicates = async (files) => {
  const options = {
    minTokens,
    minLines,
    maxLines: 5_000,
    mode: getModeHandler("weak"),
    hashFunction: (value) => hash("sha1", value, "base64")
  }
  const detector = new Detector(new Tokenizer(), storeInMemory(), [], options)
  const found = []
  for (const [name, text] of files)
    for (const { duplicationA, duplicationB } of await detector.detect(name, withoutImports(text), formatOf(name))) {
      const places = [duplicationA, duplicationB].map(({ sourceId, start }) => ({ file: sourceId, line: start.line }))
      const lines = duplicationA.end.line - duplicationA.start.line + 1
      found.push({
        places: places.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
        lines
      })
    }
  return found
}

/** By the two files of a pair, all lines that they have in common. */
export const byPair = (found) => {
  const pairs = {}
  for (const { lines, places } of found) {
    const name = places.map(({ file }) => file).join(" ~ ")
    pairs[name] = (pairs[name] ?? 0) + lines
  }
  return Object.fromEntries(Object.entries(pairs).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** What is more than was known, and what is less, so that what is known shrinks with it: one line each. */
export const problemsOf = (found, known) => {
  const now = byPair(found)
  const more = Object.entries(now)
    .filter(([pair, lines]) => lines > (known[pair] ?? 0))
    .map(([pair, lines]) => {
      const at = found
        .filter(({ places }) => places.map(({ file }) => file).join(" ~ ") === pair)
        .map(({ lines, places: [a, b] }) => `${a.file}:${a.line} and ${b.file}:${b.line} (${lines} lines)`)
      return `${lines} lines stand twice, ${known[pair] ?? 0} did: ${at.join("; ")}`
    })
  const less = Object.entries(known)
    .filter(([pair, lines]) => (now[pair] ?? 0) < lines)
    .map(
      ([pair, lines]) =>
        `${pair}: ${now[pair] ?? 0} lines now, ${lines} before: 'npm run duplicates -- --fewer' notes it`
    )
  return [...more, ...less]
}

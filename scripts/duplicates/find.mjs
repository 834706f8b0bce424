// Code that stands in two places: pairs of files with the lines that both have, found token by token.
import { tokenize } from "@jscpd/tokenizer"

/** Shorter runs are how the language is written. */
const minTokens = 50
const minLines = 6

const imports = /^import [\s\S]*? from "[^"]+"(?: with \{[^}]*\})?;?$/gm
/** What each file imports is its own, however alike: its lines are empty. */
const withoutImports = (text) => text.replace(imports, (statement) => statement.replaceAll(/[^\n]/g, ""))

const formatOf = (name) => (name.endsWith(".tsx") ? "tsx" : name.endsWith(".mjs") ? "javascript" : "typescript")

/** Comments, and what only divides, are not compared. */
const isCode = ({ format, type }) =>
  format !== "comment" && !["ignore", "empty", "new_line", "comment", "block-comment"].includes(type)

/** The two numbers that stand for a run of tokens while it moves on by one: together their hash of 52 bits. */
const [prime, otherPrime] = [67_108_859, 67_108_837]
const [base, otherBase] = [40_503_107, 30_402_457]
const power = (its, modulus) => {
  let all = 1
  for (let n = 1; n < minTokens; n++) all = (all * its) % modulus
  return all
}
const [leaving, otherLeaving] = [power(base, prime), power(otherBase, otherPrime)]

/** Gives each token of a text a number, the same for the same; and calls back with the hash of each run of them. */
const eachRun = (numbers, found) => {
  let [hash, other] = [0, 0]
  for (let end = 0; end < numbers.length - 1; end++) {
    if (end >= minTokens) {
      hash = (hash + prime - ((numbers[end - minTokens] * leaving) % prime)) % prime
      other = (other + otherPrime - ((numbers[end - minTokens] * otherLeaving) % otherPrime)) % otherPrime
    }
    hash = (hash * base + numbers[end]) % prime
    other = (other * otherBase + numbers[end]) % otherPrime
    if (end >= minTokens - 1) found(end - minTokens + 1, hash * 67_108_864 + other)
  }
}

/**
 * The pairs of places of these files (`[name, text]`) that have a run of tokens in common, comments aside: the names of
 * the two in their order, where each begins, and how many lines the run has.
 */
export const findDuplicates = (files) => {
  const found = []
  /** By the hash of a run of tokens, where it stands first. */
  const known = new Map()
  const numberOf = new Map()
  for (const [name, text] of files) {
    const byFormat = Map.groupBy(tokenize(withoutImports(text), formatOf(name)).filter(isCode), ({ format }) => format)
    for (const [format, tokens] of byFormat) {
      const numbers = tokens.map(({ type, value }) => {
        const its = `${format} ${type}${value}`
        const number = numberOf.get(its) ?? numberOf.size + 1
        numberOf.set(its, number)
        return number
      })
      let pair = null
      const end = () => {
        const lines = pair === null ? 0 : pair.end - pair.places[0].line
        if (lines >= minLines) {
          const places = pair.places.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
          found.push({ places, lines: lines + 1 })
        }
        pair = null
      }
      eachRun(numbers, (at, hash) => {
        const place = { file: name, line: tokens[at].loc.start.line }
        const first = known.get(hash)
        if (first === undefined) {
          end()
          known.set(hash, place)
        } else {
          pair ??= { places: [place, first], end: 0 }
          pair.end = tokens[at + minTokens].loc.end.line
        }
      })
      end()
    }
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

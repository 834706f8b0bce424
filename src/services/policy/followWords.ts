import { Effect, Option } from "effect"
import { type Expansion, expansions, matcher, wildcard } from "../../domain/policy/Globs.ts"
import type { WordsOnDisk } from "../../domain/policy/WordsOnDisk.ts"
import type { System } from "../System.ts"

export { wordsOnDisk } from "../../domain/policy/WordsOnDisk.ts"

/** The expansion of a word with wildcards; null if unknown. */
const expand = Effect.fnUntraced(function* ({ entries }: System["Service"], path: string, hidden: boolean) {
  const steps = expansions(path, hidden)
  let next = steps.next()
  while (next.done !== true) next = steps.next(yield* entries(next.value))
  return next.value
})

/** Whether a path exists: a shell expands a wildcard only to existing paths. */
const exists = ({ directory, file }: System["Service"], { path }: Expansion) =>
  Effect.map(Effect.all([file(path), directory(path)]), (found) => found.some(Option.isSome))

/** The most directory entries to read below a directory that a command searches with its contents. */
const mostBelow = 16_384

/** All directories below one, and the directories to which links there lead; null if there are too many entries. */
const below = Effect.fnUntraced(function* ({ entries, realPath }: System["Service"], start: string) {
  const found = new Set<string>()
  let seen = 0
  const first = yield* realPath(start)
  for (const open = [first]; open.length > 0;) {
    const path = open.pop()!
    const inside = path === null ? null : yield* entries(path)
    if (path === null || inside === null || (seen += inside.length) > mostBelow) return null
    if (found.has(path)) continue
    found.add(path)
    for (const { kind, name } of inside)
      if (kind === "directory") open.push(`${path}/${name}`)
      else if (kind === "link") open.push(yield* realPath(`${path}/${name}`))
  }
  return [...found]
})

/** The targets of links with such names below a directory (for an unknown one, its directory); null for too much. */
const linksBelow = Effect.fnUntraced(function* (
  { entries, realPath }: System["Service"],
  start: string,
  isMeant: (name: string) => boolean
) {
  const found: Array<string> = []
  let seen = 0
  for (const open = [start]; open.length > 0;) {
    const path = open.pop()!
    const inside = yield* entries(path)
    if (inside === null || (seen += inside.length) > mostBelow) return null
    for (const { kind, name } of inside)
      if (kind === "directory") {
        // skips what packages contain: unpacked ones have no links to other places, and all of them are too many
        if (!/\/node_modules\/(?:@[^/]+\/[^/]+|[^@/][^/]*)$/.test(`${path}/${name}`)) open.push(`${path}/${name}`)
      } else if (kind === "link" && isMeant(name)) found.push((yield* realPath(`${path}/${name}`)) ?? path)
  }
  return found
})

/** The targets of a command line's files. `certain`: all were seen, and no computed name can lead elsewhere. */
export const followWords = Effect.fnUntraced(function* (
  system: System["Service"],
  { beginning, followed, globs, handed, hidden, leading, loose, tooMany, words }: WordsOnDisk
) {
  const follow = (word: string, paths: ReadonlyArray<string>) =>
    Effect.forEach(
      paths,
      (path) => Effect.map(system.realPath(path), (real) => (real === null ? [] : [{ word, path: real }])),
      { concurrency: 8 }
    )
  const named = yield* Effect.forEach(words, ([word, path]) => follow(word, [path]), { concurrency: 8 })
  let certain = !tooMany
  for (const [word, path] of globs) {
    const found = yield* expand(system, path, hidden)
    if (found === null) certain = false
    const there = yield* Effect.filter(
      found ?? [],
      (one) => (one.linked ? exists(system, one) : Effect.succeed(true)),
      {
        concurrency: 8
      }
    )
    const [linked, plain] = [true, false].map((are) => there.filter((one) => one.linked === are))
    named.push(
      yield* follow(
        word,
        (linked ?? []).map(({ path }) => path)
      )
    )
    // a path that is not a link is below the directory of the first wildcard
    const head = path.slice(0, path.lastIndexOf("/", path.search(wildcard)))
    const real = yield* system.realPath(head || "/")
    if (real === null) certain = false
    else named.push((plain ?? []).map((one) => [{ word, path: real + one.path.slice(head.length) }]))
    if (leading.has(word) && there.some((one) => beginning.test(one.path.slice(head.length + 1)))) certain = false
  }
  for (const [word, path] of followed) {
    const found = yield* below(system, path)
    if (found === null) certain = false
    named.push((found ?? []).map((path) => [{ word, path }]))
  }
  for (const { name, path, word } of handed) {
    const found = yield* linksBelow(system, path, matcher(name, true))
    if (found === null) certain = false
    named.push((found ?? []).map((path) => [{ word, path }]))
  }
  for (const path of loose) {
    const before = path.slice(0, path.lastIndexOf("/", path.search(/[$`]/)))
    const inside = yield* system.realPath(before || "/")
    for (const one of (yield* expand(system, `${before}/*`, true)) ?? []) {
      const real = yield* system.realPath(one.path)
      if (inside === null || real?.startsWith(`${inside}/`) !== true) certain = false
    }
  }
  return { named: named.flat(2), certain }
})

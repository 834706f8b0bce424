import { Effect, Option } from "effect"
import { type Expansion, expansions, mostSeen } from "../domain/rules/policy/Globs.ts"
import { wordsOnDisk } from "../domain/rules/policy/WordsOnDisk.ts"
import type { System } from "./System.ts"

export { repositoriesToFind } from "../domain/rules/policy/WordsOnDisk.ts"

/** The expansion of a word with wildcards; null if unknown. */
const expand = Effect.fnUntraced(function* ({ entries }: System["Service"], path: string, hidden: boolean) {
  const steps = expansions(path, hidden)
  let next = steps.next()
  while (next.done !== true) next = steps.next(yield* entries(next.value))
  return next.value
})

/** Whether a path exists; a shell expands a wildcard to nothing else. */
const exists = ({ directory, file }: System["Service"], { path }: Expansion) =>
  Effect.map(Effect.all([file(path), directory(path)]), (found) => found.some(Option.isSome))

/** Every directory below one, and where every link there leads, links followed; null for more than can be looked at. */
const below = Effect.fnUntraced(function* ({ entries, realPath }: System["Service"], start: string) {
  const found = new Set<string>()
  let seen = 0
  for (const open = [start]; open.length > 0;) {
    const real = yield* realPath(open.pop()!)
    const inside = real === null ? null : yield* entries(real)
    if (real === null || inside === null || (seen += inside.length) > mostSeen) return null
    if (!found.has(real)) for (const { kind, name } of inside) if (kind !== "other") open.push(`${real}/${name}`)
    found.add(real)
  }
  return [...found]
})

/** The targets of a command line's files. `certain`: all were seen, and no computed name can leave by a link. */
export const followWords = Effect.fnUntraced(function* (
  system: System["Service"],
  command: string,
  cwd: string,
  home: string
) {
  const { followed, globs, hidden, loose, tooMany, words } = wordsOnDisk(command, cwd, home)
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
    const there = yield* Effect.filter(found ?? [], (one) => exists(system, one), { concurrency: 8 })
    named.push(
      yield* follow(
        word,
        there.map(({ path }) => path)
      )
    )
  }
  for (const [word, path] of followed) {
    const found = yield* below(system, path)
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

import { Effect, Option } from "effect"
import { type Expansion, expansions } from "../domain/rules/policy/Globs.ts"
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

/** The targets of a command line's files. `certain`: all were seen, and no computed name can leave by a link. */
export const followWords = Effect.fnUntraced(function* (
  system: System["Service"],
  command: string,
  cwd: string,
  home: string
) {
  const { globs, hidden, loose, tooMany, words } = wordsOnDisk(command, cwd, home)
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

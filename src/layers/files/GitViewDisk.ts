import { Effect, Layer, Option } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { readHead } from "../../domain/store/worktrees/GitText.ts"
import { GitView } from "../../services/GitView.ts"
import { readRegular } from "./regularFile.ts"

/** The most directories that are searched, from the given one upwards. */
const depthMost = 40

const attempt = <A>(run: () => Promise<A>): Effect.Effect<Option.Option<A>> =>
  Effect.option(Effect.tryPromise({ try: run, catch: () => "unreadable" as const }))

const textOf = (file: string, most: number): Effect.Effect<string | null> =>
  attempt(() =>
    fs.stat(file).then(({ size }) => (size > most ? Promise.reject(new Error("large")) : readRegular(file)))
  ).pipe(Effect.map((content) => (Option.isSome(content) ? content.value.toString("utf8") : null)))

/** The git directory of the work tree around a directory: `.git`, or what a linked worktree's file `.git` names. */
const gitOf = Effect.fnUntraced(function* (directory: string) {
  let root = directory
  for (let depth = 0; depth < depthMost; depth++) {
    const at = path.join(root, ".git")
    const found = yield* attempt(() => fs.stat(at))
    if (Option.isSome(found) && found.value.isDirectory()) return at
    if (Option.isSome(found) && found.value.isFile()) {
      const named = /^gitdir: (.+)$/m.exec((yield* textOf(at, 4096)) ?? "")?.[1]
      return named === undefined ? null : path.resolve(root, named.trim())
    }
    const above = path.dirname(root)
    if (above === root) return null
    root = above
  }
  return null
})

const branchOf = Effect.fn("GitView.branch")(function* (directory: string) {
  const git = yield* gitOf(directory)
  return git === null ? null : readHead((yield* textOf(path.join(git, "HEAD"), 4096)) ?? "")
})

export const layer: Layer.Layer<GitView> = Layer.succeed(GitView, {
  branch: (directory) => Effect.map(Effect.timeoutOption(branchOf(directory), "5 seconds"), Option.getOrNull)
})

import { Effect, Layer, Option } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { type IndexedFile, readHead, readIndex } from "../../domain/words/reading/GitIndex.ts"
import { type GitSight, GitView } from "../../services/GitView.ts"
import { readRegular } from "./regularFile.ts"

/** Files of a work tree that are looked at; in larger ones only the branch is told. */
const filesMost = 5_000
const indexMost = 8_000_000
/** Directories above the one that is asked about. */
const depthMost = 40
/** Files that are looked at together, so that nothing else waits for long. */
const together = 64
const patience = "3 seconds"

const attempt = <A>(run: () => Promise<A>): Effect.Effect<Option.Option<A>> =>
  Effect.option(Effect.tryPromise({ try: run, catch: () => "unreadable" as const }))

const textOf = (file: string, most: number): Effect.Effect<string | null> =>
  attempt(() =>
    fs.stat(file).then(({ size }) => (size > most ? Promise.reject(new Error("large")) : readRegular(file)))
  ).pipe(Effect.map((content) => (Option.isSome(content) ? content.value.toString("utf8") : null)))

interface Tree {
  readonly root: string
  readonly git: string
}

/** The work tree that a directory is in, and where its git is: beside it, or where a file says (worktrees). */
const treeOf = Effect.fnUntraced(function* (directory: string) {
  let root = directory
  for (let depth = 0; depth < depthMost; depth++) {
    const at = path.join(root, ".git")
    const found = yield* attempt(() => fs.stat(at))
    if (Option.isSome(found) && found.value.isDirectory()) return { root, git: at } satisfies Tree
    if (Option.isSome(found) && found.value.isFile()) {
      const named = /^gitdir: (.+)$/m.exec((yield* textOf(at, 4096)) ?? "")?.[1]
      return named === undefined ? null : ({ root, git: path.resolve(root, named.trim()) } satisfies Tree)
    }
    const above = path.dirname(root)
    if (above === root) return null
    root = above
  }
  return null
})

/** Whether a file is another one than git saw. */
const differs = (root: string, { certain, nanoseconds, path: name, seconds, size }: IndexedFile): Promise<boolean> => {
  if (certain) return Promise.resolve(true)
  return fs.lstat(path.join(root, name), { bigint: true }).then(
    (stat) =>
      BigInt.asUintN(32, stat.size) !== BigInt(size) ||
      BigInt.asUintN(32, stat.mtimeNs / 1_000_000_000n) !== BigInt(seconds) ||
      (nanoseconds !== 0 && stat.mtimeNs % 1_000_000_000n !== BigInt(nanoseconds)),
    () => true
  )
}

const changedIn = Effect.fnUntraced(function* ({ git, root }: Tree) {
  const index = path.join(git, "index")
  const bytes = yield* attempt(() =>
    fs.stat(index).then(({ size }) => (size > indexMost ? Promise.reject(new Error("large")) : readRegular(index)))
  )
  if (Option.isNone(bytes)) return null
  const files = readIndex(bytes.value, filesMost)
  if (files === null) return null
  // an index is data of others': what it names outside of the tree is none of it
  const inside = files.filter(({ path: name }) => !path.isAbsolute(name) && !name.split("/").includes(".."))
  let changed = 0
  for (let i = 0; i < inside.length; i += together) {
    const found = yield* Effect.promise(() =>
      Promise.all(inside.slice(i, i + together).map((file) => differs(root, file)))
    )
    changed += found.filter(Boolean).length
  }
  return changed
})

const headOf = (tree: Tree) => Effect.map(textOf(path.join(tree.git, "HEAD"), 4096), (text) => readHead(text ?? ""))

const branchOf = Effect.fn("GitView.branch")(function* (directory: string) {
  const tree = yield* treeOf(directory)
  return tree === null ? null : yield* headOf(tree)
})

const look = Effect.fn("GitView.look")(function* (directory: string) {
  const tree = yield* treeOf(directory)
  if (tree === null) return null
  const branch = yield* headOf(tree)
  if (branch === null) return null
  const changed = yield* Effect.timeoutOption(changedIn(tree), patience)
  return { branch, changed: Option.getOrNull(changed) } satisfies GitSight
})

export const layer: Layer.Layer<GitView> = Layer.succeed(GitView, {
  look: (directory) => Effect.map(Effect.timeoutOption(look(directory), "5 seconds"), Option.getOrNull),
  branch: (directory) => Effect.map(Effect.timeoutOption(branchOf(directory), "5 seconds"), Option.getOrNull)
})

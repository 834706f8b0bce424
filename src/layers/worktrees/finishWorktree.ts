import { Effect, Exit, type Scope } from "effect"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import {
  commitLine,
  conflictText,
  finishProblem,
  flatText,
  type FinishWish,
  mergedLine,
  mergeMessage,
  type TreeFacts
} from "../../domain/store/worktrees/Finish.ts"
import type { Finished } from "../../domain/store/worktrees/Finished.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { OpenFiles } from "../../services/OpenFiles.ts"
import { WorktreeError } from "../../services/Worktrees.ts"
import { type Answer, type Git, failureLine, namesIn, numberIn, readBy } from "./git.ts"
import { commitOf, failed, inspectRepository, refused } from "./inspectRepository.ts"
import { operationIn } from "./worktreePaths.ts"
import { changesIn } from "./submodules.ts"

const gitPath = (git: Git, place: string, name: string) =>
  readBy(git, place, ["rev-parse", "--path-format=absolute", "--git-path", name], (out) => out.replace(/\n$/, ""))

const operationOf = (git: Git, place: string) =>
  Effect.map(gitPath(git, place, "HEAD"), (head) => (head === null ? null : operationIn(path.dirname(head))))

const treeAt = Effect.fnUntraced(function* (git: Git, place: string, isOwn: boolean): Effect.fn.Return<TreeFacts> {
  const head = yield* git.read(place, ["symbolic-ref", "--quiet", "HEAD"])
  return {
    path: place,
    branch: /^refs\/heads\/(.+)\n$/.exec(head.out)?.[1] ?? null,
    operation: yield* operationOf(git, place),
    changes: yield* changesIn(git, place, { all: isOwn, within: isOwn })
  }
})

const hasCommit = (git: Git, place: string, commit: string, within: string) =>
  Effect.map(git.read(place, ["merge-base", "--is-ancestor", commit, within]), ({ code }) => code === 0)

/** The tree of a merge of two commits; null: they conflict over `conflicts`, or git is too old to report it. */
const mergeOf = (git: Git, place: string, base: string, tip: string) =>
  Effect.map(
    git.read(place, ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", base, tip]),
    ({ code, out }) => {
      const [tree = null, ...conflicts] = namesIn(out)
      return code === 0 ? { tree, conflicts: [] } : { tree: null, conflicts: code === 1 ? conflicts : [] }
    }
  )

const unmergedIn = (git: Git, place: string) =>
  Effect.map(git.read(place, ["diff", "--name-only", "--diff-filter=U", "-z"]), ({ out }) => namesIn(out))

/** What is staged, as it differs from a commit; null: unknown. */
const stagedIn = (git: Git, place: string, commit: string) => {
  const diff = "diff --cached --raw -z --no-ext-diff --no-renames --ignore-submodules=none".split(" ")
  return readBy(git, place, [...diff, commit], (out) => out)
}

/** Undoes a step. Gives the differences that remain; empty: everything is as before. */
type Undo = Effect.Effect<ReadonlyArray<string>>

const undone = (what: string, { code, ...said }: Answer): ReadonlyArray<string> =>
  code === 0 ? [] : [`${what}: ${failureLine({ code, ...said })}`]

/** Deletes a file of leap's when the scope closes, even one that a killed leap has left. */
const dropping = (file: string) =>
  Effect.addFinalizer(() => Effect.promise(() => fs.rm(file, { force: true }).catch(() => {})))

/** Commits all changes in a work tree with the user's `git commit` and hooks. An interrupt ends and undoes it. */
const commitAll = Effect.fnUntraced(function* (
  git: Git,
  { changes, path: top }: TreeFacts,
  index: string | null,
  message: string
) {
  const before = yield* commitOf(git, top, "HEAD")
  if (before === null || index === null) return yield* failed(`there is no commit in ${oneLine(top, 300)} yet`)
  const kept = `${index}${keptEnding}`
  const copy = (from: string, to: string, mode?: number) =>
    Effect.tryPromise({ try: () => fs.copyFile(from, to, mode), catch: errorTextOf })
  yield* Effect.mapError(copy(index, kept), (why) => failed(`git's index cannot be kept meanwhile: ${why}`))
  const staged = yield* stagedIn(git, top, before)
  /** Restores the index, unless its difference from this commit shows that something else has been staged since. */
  const putBack = (commit: string, expected: string | null): Undo =>
    Effect.gen(function* () {
      // git's own lock, so that nothing is staged meanwhile
      const lock = `${index}.lock`
      yield* copy(kept, lock, constants.COPYFILE_EXCL)
      const isSame = expected !== null && (yield* stagedIn(git, top, commit)) === expected
      yield* Effect.tryPromise({ try: () => (isSame ? fs.rename(lock, index) : fs.rm(lock)), catch: errorTextOf })
      return isSame ? null : "it has changed meanwhile"
    }).pipe(
      Effect.catch(Effect.succeed),
      Effect.map((why) => (why === null ? [] : [`what was staged in ${oneLine(top, 300)} stays so: ${why}`]))
    )
  // 'commit -a' commits all files that git knows, in one step
  const known = ["--literal-pathspecs", "add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"]
  const untracked = changes?.untracked ?? []
  if (untracked.length > 0) {
    const added = yield* git.run(top, known, untracked.join("\0"))
    if (added.code !== 0) return yield* refused(`git does not commit: ${failureLine(added)}`)
  }
  const ran = yield* Effect.exit(Effect.interruptible(git.run(top, ["commit", "-a", "-F", "-"], message)))
  const ended = Exit.isSuccess(ran) ? ran.value : null
  const commit = yield* commitOf(git, top, "HEAD")
  // git's exit code may be that of a hook: only the commit counts
  if (commit !== null && commit !== before) {
    const undo: Undo = Effect.flatMap(
      git.run(top, ["update-ref", "-m", "leap: undone", "HEAD", before, commit]),
      (answer) =>
        answer.code === 0
          ? putBack(commit, "")
          : Effect.succeed(undone(`the commit ${commit.slice(0, 7)} stays`, answer))
    )
    if (ended !== null) return { commit, undo }
    yield* undo
    return yield* Effect.interrupt
  }
  const left = untracked.length === 0 ? [] : yield* putBack(before, staged)
  if (ended === null) return yield* Effect.interrupt
  return yield* refused([`git does not commit: ${failureLine(ended)}`, ...left].join("; "))
})

/** A file in git's directory while leap finishes a worktree. It names the commit that leap merges; empty: none. */
const markName = "leap-finish"
/** The copy of an index while leap commits. */
const keptEnding = ".leap"

const writing = (mark: string, text: string) => Effect.ignore(Effect.tryPromise(() => fs.writeFile(mark, text)))

const textOf = (file: string) => Effect.promise(() => fs.readFile(file, "utf8").catch(() => null))

/**
 * Whether a killed leap has left its merge in a work tree, and nobody has touched it since. git writes `MERGE_HEAD`
 * only after the first hook, so it may be missing.
 */
const isLeft = Effect.fnUntraced(function* (git: Git, main: string, marked: string, common: string) {
  const merging = yield* textOf(path.join(common, "MERGE_HEAD"))
  if (merging !== null && marked !== merging) return false
  const [written, { tree }, unstaged] = yield* Effect.all([
    git.run(main, ["write-tree"]),
    mergeOf(git, main, "HEAD", marked.trim()),
    git.read(main, ["diff", "--quiet", "--no-ext-diff", "--ignore-submodules=dirty"])
  ])
  return written.code === 0 && written.out === `${tree}\n` && unstaged.code === 0
})

interface Bringing {
  readonly git: Git
  readonly own: string
  readonly branch: string
  readonly main: string
  readonly base: string
  readonly how: "merge" | "rebase"
  readonly mark: string
}

const bringInto = Effect.fnUntraced(function* ({ base, branch, git, how, main, mark, own }: Bringing) {
  const [before, tip] = [yield* commitOf(git, main, "HEAD"), yield* commitOf(git, own, "HEAD")]
  if (before === null || tip === null) return yield* failed("there is no commit yet that could be merged")
  if (yield* hasCommit(git, main, tip, before)) return { commits: 0, merged: before }
  const { conflicts, tree } = yield* mergeOf(git, main, before, tip)
  if (conflicts.length > 0) return yield* refused(conflictText(branch, base, conflicts, how))

  const rebaseUndone = Effect.fnUntraced(function* (end: string) {
    if (end === tip) return []
    if ((yield* commitOf(git, own, "HEAD")) !== end || (yield* stagedIn(git, own, end)) !== "")
      return ["the rebase stays: the branch or what is staged has changed meanwhile"]
    return undone("the rebase stays", yield* git.run(own, ["reset", "--quiet", "--keep", tip]))
  })
  if (how === "rebase") {
    const merges = yield* git.read(own, ["rev-list", "--merges", "--max-count=1", `${before}..${tip}`])
    const ran = yield* git.run(own, ["-c", "rebase.updateRefs=false", "rebase", "--quiet", before])
    const operation = yield* operationOf(git, own)
    const now = yield* commitOf(git, own, "HEAD")
    if (operation !== false || now === null || !(yield* hasCommit(git, own, before, now))) {
      const files = yield* unmergedIn(git, own)
      const left = operation === false ? [] : undone("the rebase stays", yield* git.run(own, ["rebase", "--abort"]))
      const why =
        files.length > 0 ? conflictText(branch, base, files, "oneByOne") : `git does not rebase: ${failureLine(ran)}`
      return yield* refused([why, ...left].join("; "))
    }
    if (merges.code !== 0 || merges.out !== "") {
      const differing =
        tree === null ? null : yield* git.read(own, ["diff", "--name-only", "--no-renames", "-z", tree, now])
      const files = differing?.code === 0 ? namesIn(differing.out) : null
      if (files === null || files.length > 0)
        return yield* refused([flatText(branch, files), ...(yield* rebaseUndone(now))].join("; "))
    }
  }
  const end = (yield* commitOf(git, own, "HEAD")) ?? tip
  const counted = yield* git.read(main, ["rev-list", "--count", `${before}..${end}`])
  if (how === "merge") yield* writing(mark, `${end}\n`)
  const ran = yield* git.run(
    main,
    how === "rebase"
      ? ["merge", "--ff-only", "--no-stat", end]
      : ["merge", "--commit", "--no-squash", "--no-stat", "-m", mergeMessage(branch, base), `heads/${branch}`]
  )
  const isMerged = yield* hasCommit(git, main, end, "HEAD")
  const files = isMerged ? [] : yield* unmergedIn(git, main)
  const left =
    !isMerged && (yield* operationOf(git, main)) === "a merge"
      ? undone("the merge stays", yield* git.run(main, ["merge", "--abort"]))
      : []
  if (isMerged)
    return {
      commits: numberIn(counted.out),
      merged: (yield* commitOf(git, main, "HEAD")) ?? end
    }
  const why = files.length > 0 ? conflictText(branch, base, files, how) : `git does not merge: ${failureLine(ran)}`
  return yield* refused([why, ...left, ...(yield* rebaseUndone(end))].join("; "))
})

/** Finishes the worktree of a directory, or changes nothing. */
export const finishWorktree = Effect.fn("worktrees.finish")(function* (
  git: Git,
  directory: string,
  wish: FinishWish,
  lock: (common: string) => Effect.Effect<void, WorktreeError, Scope.Scope>
): Effect.fn.Return<Finished, WorktreeError, OpenFiles | Scope.Scope> {
  const found = yield* Effect.interruptible(inspectRepository(git, directory))
  const { common, linked, superproject, top, worktrees } = found
  const [first] = worktrees
  yield* Effect.interruptible(lock(common))
  const mark = path.join(common, markName)
  const marked = yield* textOf(mark)
  if (marked !== null) {
    const places = [top ?? directory, ...(first === undefined ? [] : [first.path])]
    const workers = yield* Effect.forEach(places, (place) => Effect.flatMap(OpenFiles, (files) => files.workers(place)))
    if (workers.some((found) => found === null || found.some(({ name }) => name === "git")))
      return yield* refused(
        `git may still be at what a killed leap has begun: wait for its end, or delete ${oneLine(mark, 300)}`
      )
  }
  const own = yield* treeAt(git, top ?? directory, true)
  const index = yield* gitPath(git, own.path, "index")
  if (index !== null) yield* dropping(`${index}${keptEnding}`)
  const seen = first === undefined || first.bare ? null : yield* treeAt(git, first.path, false)
  const mayBeLeft = wish.how !== "commit" && (seen?.operation === false || seen?.operation === "a merge")
  const isLeftMerge = seen !== null && mayBeLeft && marked ? yield* isLeft(git, seen.path, marked, common) : false
  const none = { changed: [], untracked: [], conflicts: [] }
  // the merge that was left is undone only if nothing else prevents the finish
  const main = isLeftMerge && seen !== null ? { ...seen, operation: false as const, changes: none } : seen
  const problem = finishProblem({ linked: linked && top !== null, superproject, own, main }, wish)
  const branch = own.branch
  if (problem !== null || branch === null || own.changes === null) return yield* refused(problem ?? "it has no branch")
  if (isLeftMerge && main !== null) yield* git.run(main.path, ["reset", "--quiet", "--merge"])
  if (wish.how !== "commit" || !marked) {
    yield* dropping(mark)
    yield* writing(mark, "")
  }
  const files = own.changes.changed.length + own.changes.untracked.length
  const made = files === 0 ? null : yield* commitAll(git, own, index, wish.message ?? "")
  const said = made === null ? [] : [commitLine(files, branch, made.commit)]
  const done = (more: ReadonlyArray<string>, merged: string | null): Finished => ({
    said: [...said, ...more].join("; "),
    committed: made?.commit ?? null,
    merged,
    losses: null
  })
  const base = main?.branch ?? null
  if (wish.how === "commit" || main === null || base === null) return done([], null)
  const brought = yield* Effect.exit(
    bringInto({ git, own: own.path, branch, main: main.path, base, mark, how: wish.how })
  )
  if (Exit.isSuccess(brought))
    return done([mergedLine(branch, base, brought.value.commits, brought.value.merged)], brought.value.merged)
  const stays = made === null ? [] : yield* made.undo
  return yield* Effect.failCause(brought.cause).pipe(
    Effect.mapError(({ kind, message }) => new WorktreeError({ kind, message: [message, ...stays].join("; ") }))
  )
}, Effect.uninterruptible)

import { Effect, Exit } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import {
  commitLine,
  conflictText,
  finishProblem,
  type FinishWish,
  mergedLine,
  mergeMessage,
  type TreeFacts
} from "../../domain/store/worktrees/Finish.ts"
import type { Finished } from "../../domain/store/worktrees/Finished.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { WorktreeError } from "../../services/Worktrees.ts"
import { type Answer, type Git, saidBy } from "./git.ts"
import { commitOf, failed, inspectRepository, refused } from "./inspectRepository.ts"
import { operationIn } from "./worktreePaths.ts"
import { changesIn } from "./submodules.ts"

const gitPath = (git: Git, place: string, name: string) =>
  Effect.map(git.read(place, ["rev-parse", "--path-format=absolute", "--git-path", name]), ({ code, out }) =>
    code === 0 ? out.replace(/\n$/, "") : null
  )

const operationOf = (git: Git, place: string) =>
  Effect.map(gitPath(git, place, "HEAD"), (head) => (head === null ? null : operationIn(path.dirname(head))))

const treeAt = Effect.fnUntraced(function* (git: Git, place: string, isOwn: boolean): Effect.fn.Return<TreeFacts> {
  const head = yield* git.read(place, ["symbolic-ref", "--quiet", "HEAD"])
  return {
    path: place,
    branch: /^refs\/heads\/(.+)\n$/.exec(head.out)?.[1] ?? null,
    operation: yield* operationOf(git, place),
    changes: yield* changesIn(git, place, isOwn)
  }
})

const hasCommit = (git: Git, place: string, commit: string, within: string) =>
  Effect.map(git.read(place, ["merge-base", "--is-ancestor", commit, within]), ({ code }) => code === 0)

/** The files over which two commits conflict; empty: none, or git is too old to report them. */
const conflictsOf = (git: Git, place: string, base: string, tip: string) =>
  Effect.map(
    git.read(place, ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", base, tip]),
    ({ code, out }) =>
      code === 1
        ? out
            .split("\0")
            .slice(1)
            .filter((name) => name !== "")
        : []
  )

/** The differences that remain; empty: everything is as before. */
type Undo = Effect.Effect<ReadonlyArray<string>>

const undone = (what: string, { code, ...said }: Answer): ReadonlyArray<string> =>
  code === 0 ? [] : [`${what}: ${saidBy({ code, ...said })}`]

/**
 * Commits all that differs in a work tree, by the user's `git commit`, with its hooks. An interrupt ends that, and
 * all is as before.
 */
const commitAll = Effect.fnUntraced(function* (git: Git, { changes, path: top }: TreeFacts, message: string) {
  const before = yield* commitOf(git, top, "HEAD")
  const index = yield* gitPath(git, top, "index")
  if (before === null || index === null) return yield* failed(`there is no commit in ${oneLine(top, 300)} yet`)
  const kept = `${index}.leap`
  yield* Effect.tryPromise({
    try: () => fs.copyFile(index, kept),
    catch: (cause) => failed(`git's index cannot be kept meanwhile: ${errorTextOf(cause)}`)
  })
  const drop = Effect.promise(() => fs.rm(kept, { force: true }).catch(() => {}))
  const asBefore: Undo = Effect.tryPromise({ try: () => fs.rename(kept, index), catch: errorTextOf }).pipe(
    Effect.as([]),
    Effect.catch((why) => Effect.succeed([`what was staged in ${oneLine(top, 300)} stays so: ${why}`]))
  )
  // 'commit -a' commits all files that git knows, in one step
  const known = ["--literal-pathspecs", "add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"]
  const untracked = changes?.untracked ?? []
  const run = Effect.gen(function* () {
    const added = untracked.length === 0 ? null : yield* git.run(top, known, untracked.join("\0"))
    return added !== null && added.code !== 0 ? added : yield* git.run(top, ["commit", "-a", "-F", "-"], message)
  })
  const ran = yield* Effect.exit(Effect.interruptible(run))
  const ended = Exit.isSuccess(ran) ? ran.value : null
  const commit = yield* commitOf(git, top, "HEAD")
  // git ends with the result of its hooks, too: only the commit counts
  if (commit !== null && commit !== before) {
    const undo: Undo = Effect.flatMap(
      git.run(top, ["update-ref", "-m", "leap: undone", "HEAD", before, commit]),
      (answer) => (answer.code === 0 ? asBefore : Effect.succeed(undone(`the commit ${commit} stays`, answer)))
    )
    if (ended !== null) return { commit, drop, undo }
    yield* undo
    return yield* Effect.interrupt
  }
  const left = yield* asBefore
  if (ended === null) return yield* Effect.interrupt
  return yield* refused([`git does not commit: ${saidBy(ended)}`, ...left].join("; "))
})

interface Bringing {
  readonly git: Git
  readonly own: string
  readonly branch: string
  readonly main: string
  readonly base: string
  readonly how: "merge" | "rebase"
}

const bringInto = Effect.fnUntraced(function* ({ base, branch, git, how, main, own }: Bringing) {
  const [before, tip] = [yield* commitOf(git, main, "HEAD"), yield* commitOf(git, own, "HEAD")]
  if (before === null || tip === null) return yield* failed("there is no commit yet that could be merged")
  const merged = (from: string) => Effect.map(commitOf(git, main, "HEAD"), (now) => ({ merged: now ?? from }))
  if (yield* hasCommit(git, main, tip, before)) return { commits: 0, merged: before }
  const conflicts = yield* conflictsOf(git, main, before, tip)
  if (conflicts.length > 0) return yield* refused(conflictText(branch, base, conflicts))

  if (how === "rebase") {
    const ran = yield* git.run(own, ["rebase", "--quiet", before])
    const operation = yield* operationOf(git, own)
    const now = yield* commitOf(git, own, "HEAD")
    if (operation !== false || now === null || !(yield* hasCommit(git, own, before, now))) {
      const over = yield* git.read(own, ["diff", "--name-only", "--diff-filter=U", "-z"])
      const files = over.out.split("\0").filter((name) => name !== "")
      const left = operation === false ? [] : undone("the rebase stays", yield* git.run(own, ["rebase", "--abort"]))
      const why = files.length > 0 ? conflictText(branch, base, files) : `git does not rebase: ${saidBy(ran)}`
      return yield* refused([why, ...left].join("; "))
    }
  }
  const rebased = yield* commitOf(git, own, "HEAD")
  const end = rebased ?? tip
  const counted = yield* git.read(main, ["rev-list", "--count", `${before}..${end}`])
  const ran = yield* git.run(
    main,
    how === "rebase"
      ? ["merge", "--ff-only", "--no-stat", end]
      : ["merge", "--commit", "--no-squash", "--no-stat", "-m", mergeMessage(branch, base), `heads/${branch}`]
  )
  if (yield* hasCommit(git, main, end, "HEAD")) return { commits: Number(counted.out), ...(yield* merged(before)) }
  const left = [
    ...((yield* operationOf(git, main)) === "a merge"
      ? undone("the merge stays", yield* git.run(main, ["merge", "--abort"]))
      : []),
    ...(end === tip ? [] : undone("the rebase stays", yield* git.run(own, ["reset", "--quiet", "--keep", tip])))
  ]
  return yield* refused([`git does not merge: ${saidBy(ran)}`, ...left].join("; "))
})

/**
 * Undoes a merge of this commit that a killed leap left in the main work tree, if nobody has touched it; it is then
 * made again.
 */
const takeBackMerge = Effect.fnUntraced(function* (git: Git, main: string, tip: string) {
  const merging = yield* commitOf(git, main, "MERGE_HEAD")
  if (merging !== tip) return
  const [written, merge, unstaged] = yield* Effect.all([
    git.run(main, ["write-tree"]),
    git.read(main, ["merge-tree", "--write-tree", "--no-messages", "HEAD", tip]),
    git.read(main, ["diff", "--quiet", "--no-ext-diff", "--ignore-submodules=dirty"])
  ])
  if (written.code === 0 && merge.code === 0 && written.out === merge.out && unstaged.code === 0)
    yield* git.run(main, ["merge", "--abort"])
})

/** Finishes the worktree of a directory, or changes nothing. */
export const finishWorktree = Effect.fn("worktrees.finish")(function* (
  git: Git,
  directory: string,
  wish: FinishWish
): Effect.fn.Return<Finished, WorktreeError> {
  const { linked, superproject, top, worktrees } = yield* Effect.interruptible(inspectRepository(git, directory))
  const [first] = worktrees
  const own = yield* treeAt(git, top ?? directory, true)
  const tip = yield* commitOf(git, own.path, "HEAD")
  if (first !== undefined && !first.bare && linked && tip !== null && wish.how !== "commit")
    yield* takeBackMerge(git, first.path, tip)
  const main = first === undefined || first.bare ? null : yield* treeAt(git, first.path, false)
  const problem = finishProblem({ linked: linked && top !== null, superproject, own, main }, wish)
  const branch = own.branch
  if (problem !== null || branch === null || own.changes === null) return yield* refused(problem ?? "it has no branch")
  const files = own.changes.changed.length + own.changes.untracked.length
  const made = files === 0 ? null : yield* commitAll(git, own, wish.message ?? "")
  const said = made === null ? [] : [commitLine(files, branch, made.commit)]
  const done = (more: ReadonlyArray<string>, merged: string | null): Finished => ({
    said: [...said, ...more].join("; "),
    committed: made?.commit ?? null,
    merged,
    losses: null
  })
  const base = main?.branch ?? null
  if (wish.how === "commit" || main === null || base === null) {
    if (made !== null) yield* made.drop
    return done([], null)
  }
  const brought = yield* Effect.exit(bringInto({ git, own: own.path, branch, main: main.path, base, how: wish.how }))
  if (Exit.isSuccess(brought)) {
    if (made !== null) yield* made.drop
    return done([mergedLine(branch, base, brought.value.commits, brought.value.merged)], brought.value.merged)
  }
  const left = made === null ? [] : yield* made.undo
  return yield* Effect.failCause(brought.cause).pipe(
    Effect.mapError(({ kind, message }) => new WorktreeError({ kind, message: [message, ...left].join("; ") }))
  )
}, Effect.uninterruptible)

import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { keptOf } from "../../domain/store/worktrees/Losses.ts"
import type { WorktreeRecord } from "../../domain/store/worktrees/WorktreeRecord.ts"
import { OpenFiles } from "../../services/OpenFiles.ts"
import { type Git, failureLine } from "./git.ts"
import { differing, includedIn, includeListOf } from "./includedFiles.ts"
import { commitOf } from "./inspectRepository.ts"
import { changesIn } from "./submodules.ts"
import { adminsOf, identityOf, isMissing, takeEmpty } from "./worktreePaths.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/** A killed process may take a moment to leave the directory. */
const leaving = { times: 10, pause: "50 millis" } as const

export const processesIn = (place: string) =>
  Effect.flatMap(OpenFiles, ({ workers }) =>
    Effect.map(workers(place), (found) => found?.map(({ name, pid }) => `process ${pid} (${name})`) ?? null)
  )

const usersOf = Effect.fnUntraced(function* (place: string) {
  for (let i = 0; ; i++) {
    const users = yield* processesIn(place)
    if (users?.length === 0 || i === leaving.times) return users
    yield* Effect.sleep(leaving.pause)
  }
})

/**
 * Deletes a branch of leap's if it is still at this commit, with git's settings for it. Null: done, else the reason why
 * not.
 */
export const dropBranch = Effect.fn("worktrees.dropBranch")(function* (
  git: Git,
  { branch, main }: WorktreeRecord,
  commit: string
) {
  // git refuses if the branch has moved meanwhile
  const dropped = yield* git.run(main, ["update-ref", "-d", `refs/heads/${branch}`, commit])
  if (dropped.code !== 0) return failureLine(dropped)
  const section = `branch.${branch}`
  const follows = yield* git.read(main, ["config", "--local", "--get", `${section}.merge`])
  if (follows.code === 0) yield* git.run(main, ["config", "--local", "--remove-section", section])
  return null
})

/**
 * Whether leap may have made the branch without recording it, because it was killed in between. git's reflog tells a
 * branch that was created and never moved from one that somebody has used; without a reflog, the commit decides.
 */
const madeUnnoted = Effect.fnUntraced(function* (git: Git, { branch, main, makesBranch }: WorktreeRecord) {
  if (makesBranch !== true) return false
  const log = yield* git.read(main, ["reflog", "show", "--format=%gs", `refs/heads/${branch}`, "--"])
  const lines = log.out.split("\n").filter((line) => line !== "")
  return log.code !== 0 || lines.length === 0 || (lines.length === 1 && /^branch: Created from /.test(lines[0] ?? ""))
})

/** Files of `.worktreeinclude` in it that belong to the user by now: leap did not copy them before it died. */
const ownIncluded = Effect.fnUntraced(function* (git: Git, { main, path: place }: WorktreeRecord) {
  const list = includeListOf(place, main)
  const names = list === null ? [] : yield* includedIn(git, place, list)
  return names === null ? null : differing(place, main, names)
})

/** git was killed while it made the worktree, so nobody could know of it yet. */
const isUnfinished = (admin: string): boolean =>
  tryOr(() => fs.readFileSync(path.join(admin, "locked"), "utf8").trim() === "initializing", false)

/** Removes half a worktree: git was interrupted, or failed. If git never began, only an empty directory is leap's. */
const removeHalf = ({ common, path: place }: WorktreeRecord, stale: boolean) =>
  Effect.gen(function* () {
    const admins = yield* Effect.try(() => adminsOf(common, place))
    if (stale && admins.length === 0) return yield* Effect.try(() => void (fs.existsSync(place) && fs.rmdirSync(place)))
    // not rmSync, which leaves the rest without an error where an entry has just gone
    for (const one of [place, ...admins])
      yield* Effect.tryPromise(() => fs.promises.rm(one, { recursive: true, force: true }))
    // git creates this directory for the first worktree, and removes it with the last
    const all = path.join(common, "worktrees")
    yield* Effect.try(() => (fs.existsSync(all) && fs.readdirSync(all).length === 0 ? fs.rmdirSync(all) : undefined))
  })

/**
 * Removes the parts of a worktree that was not completed: directory, git's entry, branch. One that somebody has begun
 * to use stays; returns the reasons. `stale`: a dead leap left it, and a user may have found it since, so untracked
 * files are the user's too.
 */
export const takeBack = Effect.fn("worktrees.takeBack")(function* (
  git: Git,
  record: WorktreeRecord,
  stale: boolean
): Effect.fn.Return<ReadonlyArray<string>, never, OpenFiles> {
  const { commit, directories, madeBranch, main, path: place } = record
  const isWhole =
    record.admin !== null || (stale && adminsOf(record.common, place).some((admin) => !isUnfinished(admin)))
  const missing = isMissing(place)
  if (missing === null) return ["it cannot be looked at now"]
  if (!missing && isWhole) {
    if (record.admin !== null && identityOf(record) !== "own") return ["it is not the one that leap made any more"]
    const changes = yield* changesIn(git, place, { all: stale })
    const head = yield* commitOf(git, place, "HEAD")
    const kept = keptOf({
      included: stale ? yield* ownIncluded(git, record) : [],
      changed: changes === null ? null : [...changes.changed, ...changes.conflicts, ...changes.untracked],
      moved: head === null ? null : head !== commit,
      users: yield* usersOf(place)
    })
    if (kept.length > 0) return kept
    const removed = yield* git.run(main, ["worktree", "remove", "--force", "--", place])
    if (removed.code !== 0) return [`git does not remove it: ${failureLine(removed)}`]
  } else {
    // the git of the dead leap may still be running: its next writes would belong to nobody
    const users = stale ? yield* usersOf(place) : []
    if (users?.length !== 0) return keptOf({ changed: [], moved: false, users })
    const removed = yield* Effect.result(removeHalf(record, stale))
    if (removed._tag === "Failure") return [`it cannot be removed: ${String(removed.failure)}`]
  }
  if (madeBranch || (yield* madeUnnoted(git, record))) yield* dropBranch(git, record, commit)
  yield* takeEmpty(directories)
  return []
})

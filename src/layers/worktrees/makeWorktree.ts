import { Clock, Effect, Exit, Option } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { directoryFor } from "../../domain/store/worktrees/BranchName.ts"
import {
  addArguments,
  branchArguments,
  planWorktree,
  type WorktreePlan
} from "../../domain/store/worktrees/WorktreePlan.ts"
import { type WorktreeRecord, worktreeOf } from "../../domain/store/worktrees/WorktreeRecord.ts"
import { oneLine, printable } from "../../domain/words/text/printable.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { WorktreeError, type WorktreeRequest } from "../../services/Worktrees.ts"
import { type Git, gitEnvironment, runProgram, failureLine } from "./git.ts"
import { copyInto, includedIn, includeFile, includeListOf } from "./includedFiles.ts"
import { commitOf, failed, inspectRepository, refused } from "./inspectRepository.ts"
import { identityOf, makeWay, type recordsIn, wayTo, writeMark } from "./worktreePaths.ts"
import { takeBack } from "./takeBack.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"

/** Longer than an installation of dependencies. */
const setupTimeout = "30 minutes"
/** The limit of directories with one name. */
const namesMost = 100
/** The limit of kept setup output, in characters; the last are kept. */
const heardMost = 16_384
/** The number of a failed setup's last lines that are told. */
const linesKept = 5

export interface Maker {
  readonly git: Git
  readonly env: Readonly<Record<string, string>>
  readonly pid: number
  readonly records: ReturnType<typeof recordsIn>
  readonly newId: Effect.Effect<string>
  /** The ids of the worktrees that this process is making. */
  readonly making: Set<string>
  /** One at a time: the plan is still valid when it is carried out. */
  readonly alone: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | WorktreeError, R>
}

const attempt = <A>(what: string, run: () => A): Effect.Effect<A, WorktreeError> =>
  Effect.try({
    try: run,
    catch: (cause) => failed(`${what}: ${errorTextOf(cause)}`)
  })

const freshPlace = (parent: string, branch: string): string | null => {
  for (let n = 1; n <= namesMost; n++) {
    const place = path.join(parent, directoryFor(branch, n))
    if (fs.lstatSync(place, { throwIfNoEntry: false }) === undefined) return place
  }
  return null
}

/** A record without its end belongs to a maker that works on it, or has died. */
export const isBeingMade = ({ making, pid }: Pick<Maker, "making" | "pid">, record: WorktreeRecord) =>
  record.maker === pid
    ? Effect.succeed(making.has(record.id))
    : Effect.flatMap(ProcessTable, ({ isAlive }) => isAlive({ pid: record.maker, birth: record.makerBirth ?? null }))

/** The session's own worktree from an earlier time; null: none. The remains of a dead leap are removed. */
const earlier = Effect.fnUntraced(function* (maker: Maker, request: WorktreeRequest, common: string) {
  const { git, records } = maker
  const record = worktreeOf(yield* records.all, request.tag)
  if (record === null) return { reuse: null, madeBranch: null, settled: false }
  const where = oneLine(record.path, 300)
  const advice = `'leap forget --worktree ${request.tag}' takes it away, another session name makes another one`
  if (record.readyAt === null) {
    if (yield* isBeingMade(maker, record))
      return yield* refused(`the worktree of session '${request.tag}' is being made by process ${record.maker}`)
    const kept = yield* takeBack(git, record, true)
    if (kept.length > 0)
      return yield* refused(
        `session '${request.tag}' has half a worktree, ${where}, which leap was cut off over, and that cannot go: ` +
          `${kept.join("; ")}; 'git worktree remove ${where}' removes it`
      )
    yield* records.drop(record.id)
    return { reuse: null, madeBranch: null, settled: true }
  }
  const identity = identityOf(record)
  if (identity === "gone") return { reuse: null, madeBranch: record, settled: false }
  if (identity !== "own")
    return yield* refused(`${where} is not the worktree any more that leap made for '${request.tag}'`)
  if (record.common !== common)
    return yield* refused(`session '${request.tag}' has a worktree of another repository, ${where}: ${advice}`)
  if (request.from !== null || (request.branch !== null && request.branch !== record.branch))
    return yield* refused(
      `session '${request.tag}' has a worktree already, ${where}, of branch '${oneLine(record.branch, 100)}': ${advice}`
    )
  return { reuse: record, madeBranch: null, settled: false }
})

const add = Effect.fnUntraced(function* (
  { git, making, newId, pid, records }: Maker,
  request: WorktreeRequest,
  plan: WorktreePlan,
  common: string,
  formerly: WorktreeRecord | null,
  begun: (record: WorktreeRecord) => void
) {
  const { branch, main, parent } = plan
  const commit = yield* commitOf(git, request.directory, plan.start ?? `refs/heads/${branch}`)
  if (commit === null) return yield* failed(`git does not find the commit that branch '${branch}' begins at`)
  const way = yield* attempt(`no directory for worktrees can be made (${parent})`, () => wayTo(parent))
  const place = yield* attempt(`no directory for the worktree can be made in ${parent}`, () =>
    freshPlace(way.real, branch)
  )
  if (place === null)
    return yield* failed(`${parent} has ${namesMost} directories of the name ${directoryFor(branch, 1)}`)
  let record: WorktreeRecord = {
    id: yield* newId,
    tag: request.tag,
    path: place,
    main,
    common,
    admin: null,
    branch,
    madeBranch: plan.exists && formerly?.branch === branch && formerly.common === common && formerly.madeBranch,
    makesBranch: !plan.exists,
    commit,
    directories: way.missing,
    readyAt: null,
    maker: pid,
    makerBirth: (yield* (yield* ProcessTable).ancestry(pid))[0]?.birth ?? null
  }
  const note = Effect.fnUntraced(function* (change: Partial<WorktreeRecord>) {
    record = { ...record, ...change }
    begun(record)
    yield* Effect.mapError(records.write(record), (error) => failed(`leap cannot note the worktree: ${String(error)}`))
  })
  making.add(record.id)
  begun(record)
  // Before anything is made: a killed maker leaves nothing that the record does not name.
  yield* note({})
  yield* attempt(`no directory for worktrees can be made (${parent})`, () => void makeWay(parent))
  yield* attempt(`no directory for the worktree can be made in ${parent}`, () => fs.mkdirSync(place))
  const words = branchArguments(plan)
  if (words !== null) {
    const made = yield* git.run(request.directory, words)
    // Somebody else has made it by now, and it is not leap's.
    if (made.code !== 0) yield* note({ makesBranch: false })
    if (made.code !== 0) return yield* refused(`git does not make the branch '${branch}': ${failureLine(made)}`)
    yield* note({ madeBranch: true })
  }
  const added = yield* Effect.interruptible(git.run(request.directory, addArguments(plan, place)))
  if (added.code !== 0) return yield* refused(`git does not make the worktree: ${failureLine(added)}`)
  const admin = yield* git.read(place, ["rev-parse", "--path-format=absolute", "--git-dir"])
  if (admin.code !== 0) return yield* failed(`git does not find the worktree that it made: ${failureLine(admin)}`)
  const directory = path.normalize(admin.out.replace(/\n$/, ""))
  yield* Effect.mapError(writeMark(directory, record.id), () => failed(`leap cannot mark the worktree (${directory})`))
  yield* note({ admin: directory })
  return record
})

const copyIncluded = Effect.fnUntraced(function* (git: Git, top: string | null, { path: place }: WorktreeRecord) {
  const list = includeListOf(top)
  if (top === null || list === null) return []
  const names = yield* includedIn(git, top, list)
  if (names === null) return yield* failed(`git does not tell which files ${list} names`)
  const count = yield* Effect.mapError(copyInto(top, place, names), ({ message }) =>
    failed(`what ${includeFile} names cannot be copied: ${message}`)
  )
  return count === 0 ? [] : [`${count} ${count === 1 ? "file" : "files"} of ${includeFile} copied`]
})

const runSetup = Effect.fnUntraced(function* (
  { env }: Maker,
  { setup, tag }: WorktreeRequest,
  { branch, main, path: place }: WorktreeRecord,
  tell: (line: string) => Effect.Effect<void>
) {
  if (setup === null) return
  yield* tell(`setup in ${oneLine(place, 300)}: ${oneLine(setup, 200)}`)
  let heard = ""
  const ended = yield* runProgram({
    program: "/bin/sh",
    args: ["-c", setup],
    cwd: place,
    env: {
      ...gitEnvironment(env),
      PWD: place,
      LEAP_TAG: tag,
      LEAP_WORKTREE: place,
      LEAP_WORKTREE_BRANCH: branch,
      LEAP_WORKTREE_MAIN: main
    },
    timeout: setupTimeout,
    onOutput: (text) => {
      heard = (heard + text).slice(-heardMost)
    }
  })
  const lines = printable(heard)
    .split("\n")
    .filter((line) => line.trim() !== "")
  if (ended.code === 0) return
  for (const line of lines.slice(-linesKept)) yield* tell(`  ${oneLine(line, 300)}`)
  return yield* failed(
    ended.code === null
      ? `the setup did not come to its end (${oneLine(setup, 100)}): ${failureLine(ended)}`
      : `the setup ended with code ${ended.code} (${oneLine(setup, 100)})`
  )
})

/**
 * Makes a worktree with all its parts, or nothing. The failure's message says whether the worktree stays, and why: for
 * example because somebody works in it.
 */
export const makeWorktree = Effect.fn("worktrees.make")(function* (
  maker: Maker,
  request: WorktreeRequest,
  tell: (line: string) => Effect.Effect<void>
) {
  const { git, records } = maker
  const begun: { record: WorktreeRecord | null } = { record: null }
  const work = Effect.gen(function* () {
    const { record, reused, top } = yield* maker.alone(
      Effect.gen(function* () {
        const facts = yield* Effect.interruptible(inspectRepository(git, request.directory))
        const { madeBranch, reuse, settled } = yield* earlier(maker, request, facts.common)
        if (reuse !== null) return { record: reuse, reused: true, top: facts.top }
        // The lists may contain what was just undone.
        const now = settled ? yield* Effect.interruptible(inspectRepository(git, request.directory)) : facts
        const planned = planWorktree(now, {
          tag: request.tag,
          branch: request.branch,
          from:
            request.from === null
              ? null
              : { name: request.from, commit: yield* commitOf(git, request.directory, request.from) },
          directory: request.parent
        })
        if (planned._tag === "Refused")
          return yield* new WorktreeError({ kind: planned.usage ? "usage" : "refused", message: planned.why })
        const record = yield* add(maker, request, planned.plan, now.common, madeBranch, (next) => {
          begun.record = next
        })
        if (madeBranch !== null) yield* records.drop(madeBranch.id)
        return { record, reused: false, top: now.top }
      })
    )
    if (reused) return { record, notes: [], reused }
    const copied = yield* Effect.interruptible(copyIncluded(git, top, record))
    yield* Effect.interruptible(runSetup(maker, request, record, tell))
    const submodules = fs.existsSync(path.join(record.path, ".gitmodules"))
    const ready: WorktreeRecord = { ...record, readyAt: yield* Clock.currentTimeMillis }
    yield* Effect.mapError(records.write(ready), (error) => failed(`leap cannot note the worktree: ${String(error)}`))
    return {
      record: ready,
      notes: [
        ...copied,
        ...(submodules && request.setup === null
          ? ["its submodules are empty: 'git submodule update --init' fills them (--setup can)"]
          : [])
      ],
      reused
    }
  })
  return yield* Effect.uninterruptible(
    Effect.gen(function* () {
      const exit = yield* Effect.exit(work)
      const made = begun.record
      if (Exit.isSuccess(exit)) return exit.value
      if (made === null) return yield* exit
      const kept = yield* takeBack(git, made, false)
      if (kept.length === 0) yield* records.drop(made.id)
      // The worktree counts as complete, and is now the user's: leap may remove it later, by the rules for that.
      else yield* Effect.ignore(records.write({ ...made, readyAt: yield* Clock.currentTimeMillis }))
      const stays = `the worktree ${oneLine(made.path, 300)} stays: ${kept.join("; ")}`
      const error = Exit.findErrorOption(exit)
      if (Option.isSome(error) && kept.length > 0)
        return yield* new WorktreeError({ kind: error.value.kind, message: `${error.value.message}; ${stays}` })
      if (kept.length > 0) yield* tell(stays)
      return yield* exit
    }).pipe(Effect.ensuring(Effect.sync(() => void (begun.record && maker.making.delete(begun.record.id)))))
  )
})

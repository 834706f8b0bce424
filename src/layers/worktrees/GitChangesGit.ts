import { Effect, Layer } from "effect"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { readStatus, readWorktreeList } from "../../domain/store/worktrees/GitText.ts"
import {
  type Changes,
  cutPatch,
  listMost,
  patchMost,
  readChangedFiles,
  shownFiles
} from "../../domain/store/worktrees/Changes.ts"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { GitChanges, GitChangesError } from "../../services/GitChanges.ts"
import { System } from "../../services/System.ts"
import { type Answer, type Git, gitAt, failureLine, readBy } from "./git.ts"

const failed = (message: string) => new GitChangesError({ message })

/** No program of the repository's own settings may run; a split index has a part beside the repository's. */
const quiet = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.splitIndex=false", "core.pager=cat"]

/** Nothing is fetched. A git too old for the first variable heeds the second, which overrides all settings. */
const noFetch = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" }

/** A directory for the index that git writes instead of the repository's own. */
const scratch = Effect.acquireRelease(
  Effect.tryPromise({
    try: () => fs.mkdtemp(path.join(os.tmpdir(), "leap-changes-")),
    catch: (cause) => failed(`there is no place for git's own index: ${errorTextOf(cause)}`)
  }),
  (dir) => Effect.promise(() => fs.rm(dir, { recursive: true, force: true }).catch(() => {}))
)

const indexFailed = (index: string, why: string) => failed(`git's index ${oneLine(index, 200)}: ${why}`)

/** Whether there is an index; git would block on one that is no file. */
const hasIndex = (index: string) =>
  Effect.tryPromise({ try: () => fs.stat(index), catch: errorCodeOf }).pipe(
    Effect.flatMap((stat) => (stat.isFile() ? Effect.succeed(true) : Effect.fail("it is no file"))),
    Effect.catch((why) => (why === "ENOENT" ? Effect.succeed(false) : Effect.fail(indexFailed(index, why))))
  )

const copyIndex = (from: string, to: string) =>
  Effect.tryPromise({ try: () => fs.copyFile(from, to), catch: (cause) => indexFailed(from, errorTextOf(cause)) })

/** The branch that the main work tree has checked out; null if it has none. */
const mainBranch = (git: Git, top: string) =>
  Effect.map(
    git.read(top, ["worktree", "list", "--porcelain", "-z"]),
    ({ out }) => readWorktreeList(out)[0]?.branch ?? null
  )

/** The base of the work tree's comparison. `target`: the branch that a worktree is to be merged into. */
const baseOf = Effect.fnUntraced(function* (git: Git, top: string, target: string | null, against: string | null) {
  const commitOf = (name: string) =>
    readBy(git, top, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`], (out) => out.trim())
  if (against !== null) {
    const commit = yield* commitOf(against)
    return commit === null
      ? yield* failed(`there is no commit '${oneLine(against, 100)}' in ${oneLine(top, 200)}`)
      : { name: against, commit }
  }
  const head = yield* commitOf("HEAD")
  if (head === null) {
    if ((yield* git.read(top, ["rev-parse", "--verify", "--quiet", "HEAD"])).code === 0)
      return yield* failed(`the last commit of ${oneLine(top, 200)} cannot be read`)
    return { name: "the beginning", commit: null }
  }
  const left = target === null ? null : yield* git.read(top, ["merge-base", head, `refs/heads/${target}`])
  return target !== null && left?.code === 0
    ? { name: target, commit: left.out.trim() }
    : { name: "the last commit", commit: head }
})

/** git in the work tree of a directory, and its paths; it runs no program of the repository's. */
const quietIn = (system: System["Service"]) =>
  Effect.fnUntraced(function* (directory: string) {
    const program = yield* Effect.mapError(system.which("git", system.env, directory), () =>
      failed("git is not installed, and leap needs it to show changes")
    )
    const plain = gitAt(program, system.env, noFetch)
    const wanted = "--show-toplevel --git-dir --git-common-dir --git-path index".split(" ")
    const asked = yield* plain.read(directory, ["rev-parse", "--path-format=absolute", ...wanted])
    const paths = asked.out.trimEnd().split("\n")
    const [top = "", own = "", common = "", index = ""] = paths
    if (asked.code !== 0)
      return yield* failed(`${oneLine(directory, 200)} is in no git work tree: ${failureLine(asked)}`)
    if (paths.length !== 4 || paths.some((one) => !path.isAbsolute(one)))
      return yield* failed(`${oneLine(directory, 200)} cannot be told: its name has a line break, or git is too old`)
    // A setting may put the work tree where another repository is found.
    const place = { ...noFetch, GIT_DIR: own, GIT_WORK_TREE: top }
    const here = gitAt(program, system.env, place)
    // Filters that convert a file's content for git are programs that the repository names.
    const filters = yield* here.read(top, ["config", "--null", "--name-only", "--get-regexp", "^filter\\..*"])
    const off = [...new Set(filters.out.split("\0").flatMap((name) => /^(filter\..*)\.[^.]+$/s.exec(name)?.[1] ?? []))]
    const settings = [
      ...quiet,
      ...off.flatMap((name) => [`${name}.clean=`, `${name}.smudge=`, `${name}.process=`, `${name}.required=false`])
    ]
    if (off.some((name) => name.includes("=")))
      return yield* failed(`a filter of ${oneLine(top, 200)} has a '=' in its name`)
    const readWith =
      (own: Readonly<Record<string, string>>) =>
      (args: ReadonlyArray<string>, input?: string, most?: number): Effect.Effect<Answer> =>
        gitAt(program, system.env, { ...place, ...own }).read(
          top,
          [...settings.flatMap((setting) => ["-c", setting]), ...args],
          input,
          most
        )
    return { here, index: (yield* hasIndex(index)) ? index : null, isLinked: own !== common, readWith, top }
  })

/** The limit of a list of changed files, in bytes, and of the wait for it. */
const countMost = 4 << 20
const countTimeout = "5 seconds"

const changesAsked = "status --porcelain=v2 -z --untracked-files=all --ignore-submodules=dirty".split(" ")
const countOf = ({ code, out }: Answer): number | null => {
  const found = code === 0 ? readStatus(out) : null
  return found === null ? null : found.changed.length + found.untracked.length + found.conflicts.length
}

const count = (system: System["Service"]) =>
  Effect.fn("GitChanges.count")(
    function* (directory: string) {
      const { readWith } = yield* quietIn(system)(directory)
      return countOf(yield* readWith({})(changesAsked, "", countMost))
    },
    Effect.timeout(countTimeout),
    Effect.orElseSucceed(() => null)
  )

/** A worktree and the branch into which it is to be merged. */
const worktreeAt = Effect.fnUntraced(function* (
  readWith: Effect.Success<ReturnType<ReturnType<typeof quietIn>>>["readWith"],
  base: string | null
) {
  const read = readWith({})
  const [head, status, sides] = yield* Effect.all([
    read(["symbolic-ref", "--quiet", "HEAD"]),
    read(changesAsked, "", countMost),
    read(["rev-list", "--left-right", "--count", `refs/heads/${base ?? ""}...HEAD`, "--"])
  ])
  const [behind, ahead] = /^\d+\t\d+\n$/.test(sides.out) ? sides.out.split("\t").map(Number) : []
  // without a base there is nothing to count
  const none = base === null ? 0 : null
  return {
    branch: /^refs\/heads\/(.+)\n$/.exec(head.out)?.[1] ?? null,
    base,
    uncommitted: countOf(status),
    ahead: ahead ?? none,
    behind: behind ?? none
  }
})

const look = (system: System["Service"]) =>
  Effect.fn("GitChanges.look")(function* (directory: string, against: string | null) {
    const { here, index, isLinked, readWith, top } = yield* quietIn(system)(directory)
    const added = path.join(yield* scratch, "index")
    if (index !== null) yield* copyIndex(index, added)
    const read = readWith({ GIT_INDEX_FILE: added })
    const emptyOf = (kind: "blob" | "tree") =>
      Effect.map(read(["hash-object", "-t", kind, "--stdin"], ""), ({ out }) => out.trim())
    const target = isLinked ? yield* mainBranch(here, top) : null
    const base = yield* baseOf(here, top, target, against)
    // 'git add' would inspect submodules, by their own settings. git unquotes its own quoted names, in UTF-8 or not.
    const others = yield* read(["-c", "core.quotePath=true", "ls-files", "--others", "--exclude-standard"])
    const blob = yield* emptyOf("blob")
    const names = others.out.split("\n").filter((name) => name !== "")
    const isRepository = (name: string): boolean => /\/"?$/.test(name)
    // Repositories inside are only named: their content is their own.
    const within = names.some(isRepository)
      ? (yield* read(["ls-files", "--others", "--exclude-standard", "-z"])).out.split("\0").filter(isRepository)
      : []
    const entries = names.filter((name) => !isRepository(name)).map((name) => `100644 ${blob}\t${name}\n`)
    const known = others.code === 0 ? yield* read(["update-index", "--index-info"], entries.join("")) : others
    if (known.code !== 0)
      return yield* failed(`git cannot list the new files of ${oneLine(top, 200)}: ${failureLine(known)}`)
    const diff = (args: ReadonlyArray<string>, most?: number) =>
      read(
        [
          "-c",
          "core.quotePath=false",
          ..."diff --no-ext-diff --no-textconv --no-color --ignore-submodules=dirty --submodule=short".split(" "),
          ..."--find-renames --src-prefix=a/ --dst-prefix=b/".split(" "),
          ...args
        ],
        "",
        most
      )
    const commit = base.commit ?? (yield* emptyOf("tree"))
    const listed = yield* diff(["--raw", "--numstat", "-z", commit])
    if (listed.code !== 0) return yield* failed(`git cannot compare ${oneLine(top, 200)}: ${failureLine(listed)}`)
    const files = readChangedFiles(listed.out)
    const shown = shownFiles(files.slice(0, listMost))
    const chosenNames = shown.flatMap((file) => [...(file.from === null ? [] : [file.from]), file.path])
    const chosen = ["-p", commit, "--", ...chosenNames.map((name) => `:(top,literal)${name}`)]
    // A character has up to four bytes; of a longer patch the beginning is shown.
    const patched = shown.length === 0 ? null : yield* diff(chosen, 4 * patchMost)
    if (patched !== null && patched.code !== 0 && patched.out.length <= patchMost)
      return yield* failed(`git cannot compare ${oneLine(top, 200)}: ${failureLine(patched)}`)
    const { patch, shown: told } = cutPatch(patched?.out ?? "", patched?.code === 0)
    const all = [
      ...files,
      ...within.map((name) => ({ path: name, from: null, kind: "added" as const, added: null, removed: null }))
    ]
    return {
      directory: top,
      against: base,
      files: all.slice(0, listMost),
      patch,
      unlisted: Math.max(0, all.length - listMost),
      unshown: files.length - told,
      ...(isLinked ? { worktree: yield* worktreeAt(readWith, target) } : {})
    } satisfies Changes
  }, Effect.scoped)

/** Changes by the git on PATH, with its own index. */
export const layer: Layer.Layer<GitChanges, never, System> = Layer.effect(
  GitChanges,
  Effect.map(System, (system) => GitChanges.of({ look: look(system), count: count(system) }))
)

import { Effect, Layer } from "effect"
import * as path from "node:path"
import { readStatus, readWorktreeList } from "../../domain/store/worktrees/GitText.ts"
import {
  type ChangedFile,
  type Changes,
  cutPatch,
  listMost,
  patchMost,
  readChangedFiles,
  shownFiles
} from "../../domain/store/worktrees/Changes.ts"
import { isMoment, moments } from "../../domain/store/worktrees/moments.ts"
import { notedOf } from "../../domain/store/worktrees/Snapshot.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { GitChanges } from "../../services/GitChanges.ts"
import { System } from "../../services/System.ts"
import { type Answer, type Git, failureLine, readBy } from "./git.ts"
import { copyIndex, failed, listOthers, type Quiet, quietIn, scratch } from "./quietGit.ts"
import { note, notedAs, treeOf } from "./snapshots.ts"

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
const worktreeAt = Effect.fnUntraced(function* (readWith: Quiet["readWith"], base: string | null) {
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

/** A file that was not noted cannot be compared; one that was renamed to such a name is gone from where it was. */
const compared = (files: ReadonlyArray<ChangedFile>, left: ReadonlyArray<string>): ReadonlyArray<ChangedFile> => {
  const unknown = new Set(left)
  return files.flatMap((file): ReadonlyArray<ChangedFile> => {
    if (!unknown.has(file.path)) return [file]
    return file.kind === "renamed" && file.from !== null
      ? [{ path: file.from, from: null, kind: "removed", added: 0, removed: null }]
      : []
  })
}

const lookOnce = (system: System["Service"]) =>
  Effect.fnUntraced(function* (directory: string, against: string | null, place: string) {
    const git = yield* quietIn(system)(directory)
    const { here, index, isLinked, readWith, top } = git
    const own = yield* scratch
    const added = path.join(own, "index")
    const noted = isMoment(against) ? yield* notedAs(place, against, top) : null
    // compared with itself, what was noted has no differences of git's index
    const from = noted === null ? index : noted.index
    if (from !== null) yield* copyIndex(from, added)
    const remembered = noted === null ? null : yield* treeOf(noted, git, own, added)
    const read = readWith({ GIT_INDEX_FILE: added, ...remembered?.own })
    const emptyOf = (kind: "blob" | "tree") =>
      Effect.map(read(["hash-object", "-t", kind, "--stdin"], ""), ({ out }) => out.trim())
    const target = isLinked ? yield* mainBranch(here, top) : null
    const base =
      remembered !== null && isMoment(against)
        ? { name: moments[against], commit: null }
        : yield* baseOf(here, top, target, against)
    // 'git add' would inspect submodules, by their own settings. git unquotes its own quoted names.
    const { listed: others, names, within } = yield* listOthers(read)
    const blob = yield* emptyOf("blob")
    const entries = names.map((name) => `100644 ${blob}\t${name}\n`)
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
    const commit = remembered?.tree ?? base.commit ?? (yield* emptyOf("tree"))
    const listed = yield* diff(["--raw", "--numstat", "-z", commit])
    if (listed.code !== 0) return yield* failed(`git cannot compare ${oneLine(top, 200)}: ${failureLine(listed)}`)
    const files = compared(readChangedFiles(listed.out), noted?.snapshot.left ?? [])
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
      ...within
        .filter((name) => noted?.snapshot.within.includes(name) !== true)
        .map((name) => ({ path: name, from: null, kind: "added" as const, added: null, removed: null }))
    ]
    return {
      directory: top,
      against: base,
      files: all.slice(0, listMost),
      patch,
      unlisted: Math.max(0, all.length - listMost),
      unshown: files.length - told,
      ...(noted === null ? {} : { noted: notedOf(noted.snapshot) }),
      ...(isLinked ? { worktree: yield* worktreeAt(readWith, target) } : {})
    } satisfies Changes
  }, Effect.scoped)

const look = (system: System["Service"]) =>
  Effect.fn("GitChanges.look")((directory: string, against: string | null, place: string) =>
    // what was noted of the turn before goes away when the next one begins
    Effect.retry(lookOnce(system)(directory, against, place), { times: isMoment(against) ? 1 : 0 })
  )

/** Changes by the git on PATH, with its own index. */
export const layer: Layer.Layer<GitChanges, never, System> = Layer.effect(
  GitChanges,
  Effect.map(System, (system) => GitChanges.of({ look: look(system), count: count(system), note: note(system) }))
)

import { Effect } from "effect"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { unquoted } from "../../domain/store/worktrees/patchLines.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { GitChangesError } from "../../services/GitChanges.ts"
import type { System } from "../../services/System.ts"
import { type Answer, gitAt, failureLine } from "./git.ts"

export const failed = (message: string) => new GitChangesError({ message })

/** No program of the repository's own settings may run; a split index has a part beside the repository's. */
const quiet = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.splitIndex=false", "core.pager=cat"]

/** Nothing is fetched. A git too old for the first variable heeds the second, which overrides all settings. */
const noFetch = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" }

/** A directory for the index that git writes instead of the repository's own. */
export const scratch = Effect.acquireRelease(
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

/** Copies an index with its time: git looks again at files that are not older than that. */
export const copyIndex = (from: string, to: string) =>
  Effect.tryPromise({
    try: () =>
      fs.stat(from).then(({ atimeMs, mtimeMs }) =>
        // earlier, because the time is not kept exactly
        fs.copyFile(from, to).then(() => fs.utimes(to, atimeMs / 1_000, (Math.floor(mtimeMs) - 1) / 1_000))
      ),
    catch: (cause) => indexFailed(from, errorTextOf(cause))
  })

/**
 * The files of the work tree that git does not know, as its quoted names in UTF-8 or not, and the repositories within
 * it, whose content is their own. `also`: `--modified` adds the files that differ from the index.
 */
export const listOthers = Effect.fnUntraced(function* (
  read: (args: ReadonlyArray<string>, input?: string, most?: number) => Effect.Effect<Answer>,
  also: ReadonlyArray<"--modified"> = [],
  most?: number
) {
  const asked = ["ls-files", "--others", ...also, "--exclude-standard"]
  const listed = yield* read(["-c", "core.quotePath=true", ...asked], "", most)
  const names = [...new Set(listed.out.split("\n").filter((name) => name !== ""))]
  const isRepository = (name: string): boolean => /\/"?$/.test(name)
  return {
    listed,
    names: names.filter((name) => !isRepository(name)),
    within: names.filter(isRepository).map((name) => unquoted(name))
  }
})

export type Quiet = Effect.Success<ReturnType<ReturnType<typeof quietIn>>>

/** git in the work tree of a directory, and its paths; it runs no program of the repository's. */
export const quietIn = (system: System["Service"]) =>
  Effect.fnUntraced(function* (directory: string) {
    const program = yield* Effect.mapError(system.which("git", system.env, directory), () =>
      failed("git is not installed, and leap needs it to show changes")
    )
    const plain = gitAt(program, system.env, noFetch)
    const wanted = "--show-toplevel --git-dir --git-common-dir --git-path index --git-path objects".split(" ")
    const asked = yield* plain.read(directory, ["rev-parse", "--path-format=absolute", ...wanted])
    const paths = asked.out.trimEnd().split("\n")
    const [top = "", own = "", common = "", index = "", objects = ""] = paths
    if (asked.code !== 0)
      return yield* failed(`${oneLine(directory, 200)} is in no git work tree: ${failureLine(asked)}`)
    if (paths.length !== 5 || paths.some((one) => !path.isAbsolute(one)))
      return yield* failed(`${oneLine(directory, 200)} cannot be told: its name has a line break, or git is too old`)
    // A setting may put the work tree where another repository is found.
    const place = { ...noFetch, GIT_DIR: own, GIT_WORK_TREE: top }
    const here = gitAt(program, system.env, place)
    // Filters that convert a file's content for git, and hooks by name (git 2.54), are programs that settings name.
    const named = yield* here.read(top, ["config", "--null", "--name-only", "--get-regexp", "^(filter|hook)\\..*"])
    const sections = named.out.split("\0").flatMap((name) => /^((?:filter|hook)\..*)\.[^.]+$/s.exec(name)?.[1] ?? [])
    const off = [...new Set(sections)]
    const settings = [
      ...quiet,
      ...off.flatMap((name) =>
        name.startsWith("filter.")
          ? [`${name}.clean=`, `${name}.smudge=`, `${name}.process=`, `${name}.required=false`]
          : [`${name}.enabled=false`]
      )
    ]
    if (off.some((name) => name.includes("=")))
      return yield* failed(`a filter or a hook of ${oneLine(top, 200)} has a '=' in its name`)
    const readWith =
      (own: Readonly<Record<string, string>>) =>
      (args: ReadonlyArray<string>, input?: string, most?: number): Effect.Effect<Answer> =>
        gitAt(program, system.env, { ...place, ...own }).read(
          top,
          [...settings.flatMap((setting) => ["-c", setting]), ...args],
          input,
          most
        )
    return { here, index: (yield* hasIndex(index)) ? index : null, isLinked: own !== common, objects, readWith, top }
  })

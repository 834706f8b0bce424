import { Clock, Effect, Option, Schema } from "effect"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { type Moment, moments } from "../../domain/store/worktrees/moments.ts"
import { unquoted } from "../../domain/store/worktrees/patchLines.ts"
import { snapshotMost, SnapshotText } from "../../domain/store/worktrees/Snapshot.ts"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import type { System } from "../../services/System.ts"
import { failureLine } from "./git.ts"
import { copyIndex, failed, listOthers, type Quiet, quietIn } from "./quietGit.ts"

/** Bytes of a list of names. */
const namesMost = 1 << 20
/** Nothing waits for it, but the machine has more to do. */
const patience = "15 seconds"

const decode = Schema.decodeUnknownOption(SnapshotText)
const encode = Schema.encodeSync(SnapshotText)

const inPlace = (place: string, moment: Moment) => {
  const dir = path.join(place, moment.slice(1))
  const at = (name: string): string => path.join(dir, name)
  return { dir, document: at("noted.json"), index: at("index"), objects: at("objects") }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

/** The size of a file that git can read; 0 where a link, a directory or nothing is there; null for all else. */
const sizeOf = (top: string, name: string): Effect.Effect<number | null> => {
  const full = Buffer.concat([Buffer.from(`${top}/`), Buffer.from(unquoted(name, latin1), "latin1")])
  const readable = Effect.tryPromise({ try: () => fs.access(full, constants.R_OK), catch: errorCodeOf })
  return Effect.tryPromise({ try: () => fs.lstat(full), catch: errorCodeOf }).pipe(
    Effect.flatMap((stat): Effect.Effect<number | null, string> => {
      if (stat.isSymbolicLink() || stat.isDirectory()) return Effect.succeed(0)
      return stat.isFile() ? Effect.as(readable, stat.size) : Effect.succeed(null)
    }),
    Effect.catch((code) => Effect.succeed(/^ENO(?:ENT|TDIR)$/.test(code) ? 0 : null))
  )
}

/** A file that became a directory is removed before what is in that is added. */
const byName = (a: string, b: string): number => (unquoted(a) < unquoted(b) ? -1 : 1)

/** The files to note, and those that are left out. */
const chosen = Effect.fnUntraced(function* (top: string, names: ReadonlyArray<string>) {
  const [kept, left]: [Array<string>, Array<string>] = [[], []]
  let bytes = 0
  for (const name of names.toSorted(byName)) {
    const size = yield* sizeOf(top, name)
    const isKept = size !== null && size <= snapshotMost.fileBytes && bytes + size <= snapshotMost.bytes
    if (isKept) bytes += size
    ;(isKept ? kept : left).push(name)
  }
  return { kept, left }
})

/** A directory for objects beside those of others, which git reads too. */
const objectsAt = (dir: string, ...others: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: () =>
      fs
        .mkdir(path.join(dir, "info"), { recursive: true })
        .then(() => fs.writeFile(path.join(dir, "info", "alternates"), others.map((other) => `${other}\n`).join(""))),
    catch: (cause) => failed(`there is no place for git's objects: ${errorTextOf(cause)}`)
  })

/** Settings for many small objects that are soon thrown away. */
const cheap = ["-c", "core.looseCompression=1", "-c", "core.fsync=none"]

type Place = ReturnType<typeof inPlace>

const noteIn = Effect.fnUntraced(function* (system: System["Service"], directory: string, to: Place) {
  const { index, objects, readWith, top } = yield* quietIn(system)(directory)
  const at = oneLine(top, 200)
  yield* objectsAt(to.objects, objects)
  const read = readWith({ GIT_INDEX_FILE: to.index, GIT_OBJECT_DIRECTORY: to.objects })
  yield* index === null ? read(["read-tree", "--empty"]) : copyIndex(index, to.index)
  const { listed, names, within } = yield* listOthers(read, ["--modified"], namesMost)
  if (listed.out.length > namesMost || names.length > snapshotMost.files)
    return yield* failed(`more than ${snapshotMost.files} files of ${at} are not as git knows them`)
  const { kept, left } = yield* chosen(top, names)
  const update = (its: ReadonlyArray<string>, ...how: ReadonlyArray<string>) =>
    read([...cheap, "update-index", ...how, "--stdin"], its.map((name) => `${name}\n`).join(""))
  const done = [listed, yield* update(kept, "--add", "--remove", "--replace"), yield* update(left, "--force-remove")]
  const wrong = done.find(({ code }) => code !== 0)
  if (wrong !== undefined) return yield* failed(`git cannot read the files of ${at}: ${failureLine(wrong)}`)
  return { top, left: left.map((name) => unquoted(name)), within }
})

/**
 * Notes what a directory's work tree has now, as `moment`, in the place of what was noted as that before. `began`: when
 * the moment was. Why nothing could be noted is noted too.
 */
export const note = (system: System["Service"]) =>
  Effect.fn("GitChanges.note")(function* (directory: string, place: string, moment: Moment, began: number) {
    const to = inPlace(place, moment)
    const former = moment === ":start" ? place : to.dir
    yield* Effect.promise(() => fs.rm(former, { recursive: true, force: true }))
    yield* Effect.promise(() => fs.mkdir(to.dir, { recursive: true, mode: 0o700 }))
    const found = yield* noteIn(system, directory, to).pipe(
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(failed("it took too long")) }),
      Effect.match({
        onFailure: ({ message }) => ({ top: null, why: message, left: [], within: [] }),
        onSuccess: (its) => ({ ...its, why: null })
      })
    )
    const text = encode({ schema: 1, began, at: yield* Clock.currentTimeMillis, ...found })
    yield* Effect.promise(() => fs.writeFile(`${to.document}.tmp`, text, { mode: 0o600 }))
    yield* Effect.promise(() => fs.rename(`${to.document}.tmp`, to.document))
  })

/** What was noted as a moment of this work tree; fails where it cannot be compared with. */
export const notedAs = Effect.fnUntraced(function* (place: string, moment: Moment, top: string) {
  const what = moments[moment]
  const to = inPlace(place, moment)
  const there = (file: string) => Effect.promise(() => fs.readFile(file, "utf8").catch(() => null))
  const text = yield* there(to.document)
  if (text === null) {
    const isBegun = yield* Effect.promise(() =>
      fs.access(to.dir).then(
        () => true,
        () => false
      )
    )
    return yield* failed(
      isBegun
        ? `${what} is being noted: look again in a moment`
        : `${what} is not noted: none was since the session's host started`
    )
  }
  const snapshot = Option.getOrNull(decode(text))
  const why = snapshot === null ? "the note cannot be read" : snapshot.why
  if (snapshot === null || why !== null) return yield* failed(`${what} could not be noted: ${why}`)
  if (snapshot.top !== top)
    return yield* failed(
      `at ${what} the session was in ${oneLine(snapshot.top ?? "", 200)}, and now it is in ${oneLine(top, 200)}: ` +
        "compare it with its base"
    )
  return { snapshot, ...to }
})

/** Its tree, and the variable with which git reads that. `index`: a copy of its own. */
export const treeOf = Effect.fnUntraced(function* (
  { objects }: Effect.Success<ReturnType<typeof notedAs>>,
  git: Pick<Quiet, "objects" | "readWith">,
  scratch: string,
  index: string
) {
  const own = { GIT_OBJECT_DIRECTORY: path.join(scratch, "objects") }
  yield* objectsAt(own.GIT_OBJECT_DIRECTORY, objects, git.objects)
  const tree = yield* git.readWith({ ...own, GIT_INDEX_FILE: index })([...cheap, "write-tree", "--missing-ok"])
  return tree.code === 0
    ? { own, tree: tree.out.trim() }
    : yield* failed(`the note cannot be read: ${failureLine(tree)}`)
})

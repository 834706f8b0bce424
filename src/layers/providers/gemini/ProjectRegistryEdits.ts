import { Effect, Schema } from "effect"
import * as Projects from "../../../domain/providers/gemini/RelocationProjects.ts"
import { isEmptyTwin } from "../../../domain/providers/gemini/Relocation.ts"
import { editsOf } from "../../../domain/store/relocation/Edits.ts"
import type { RelocationFilesService } from "../../../services/RelocationFiles.ts"
import { holdDirectoryLock } from "../directoryLock.ts"
import { editHandler, applyEdit } from "../edits.ts"
import { FileFault, insteadOf, unless } from "../../../services/FileFault.ts"
import { parentOf } from "../../../domain/words/text/paths.ts"

const Paths = Schema.fromJsonString(Schema.Array(Schema.String))

/** The inspected state, so that a revert removes exactly what the move added. `first`: there was no registry. */
const ProjectDetail = Schema.Struct({
  home: Schema.String,
  project: Schema.String,
  folder: Schema.String,
  before: Schema.optionalKey(Schema.String),
  first: Schema.optionalKey(Schema.Literal("yes")),
  markers: Paths,
  /** Directories that did not exist, outermost first. A revert removes those that are empty. */
  directories: Paths
})
type ProjectDetail = typeof ProjectDetail.Type

/** The edit that makes a directory a project of Gemini CLI: its entry in the registry, and its folders' markers. */
export const projectEdits = editsOf("gemini.project", ProjectDetail)

/** A file whose complete content can be restored from this. */
const TwinDetail = Schema.Struct({
  path: Schema.String,
  content: Schema.String,
  mode: Schema.NumberFromString,
  mtimeNs: Schema.String
})
type TwinDetail = typeof TwinDetail.Type

/** The edit that removes the empty file that Gemini CLI leaves beside a resumed session's file. */
export const twinEdits = editsOf("gemini.twin", TwinDetail)

const orNull = insteadOf(null, "ENOENT", "ENOTDIR")

const refused = (path: string, why: string) => new FileFault({ operation: "change", path, code: "EREFUSED", why })

/**
 * A temporary name. Only the lock's holder or the session's mover writes it, so a file left by a crash may be
 * overwritten.
 */
const temporaryPath = (path: string): string => `${parentOf(path)}/.leap-${path.slice(path.lastIndexOf("/") + 1)}.new`

const replace = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  path: string,
  text: string,
  mode: number,
  check: Effect.Effect<void, FileFault>
) {
  const temporary = temporaryPath(path)
  yield* files.unlink(temporary).pipe(unless("ENOENT"))
  yield* files.create(temporary, text)
  yield* files.setMode(temporary, mode)
  yield* check
  yield* files.rename(temporary, path)
  yield* files.syncDirectory(parentOf(path))
})

/** Runs a change under Gemini CLI's own lock of its registry. The lock is beside the file that the path leads to. */
const underLock = <A>(
  files: RelocationFilesService,
  home: string,
  change: (registry: string, check: Effect.Effect<void, FileFault>) => Effect.Effect<A, FileFault>
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const registryPath = `${home}/projects.json`
      const registry = (yield* orNull(files.realPath(registryPath))) ?? registryPath
      const check = yield* holdDirectoryLock(files, `${registry}.lock`)
      return yield* change(registry, check)
    })
  )

const markersOf = ({ folder, home }: ProjectDetail): ReadonlyArray<string> =>
  Projects.bases.map((base) => `${home}/${base}/${folder}/${Projects.markerName}`)

const removeTemporaries = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  detail: ProjectDetail,
  registry: string
) {
  for (const path of [registry, ...markersOf(detail)])
    yield* files.unlink(temporaryPath(path)).pipe(unless("ENOENT", "ENOTDIR"))
})

/** Gemini CLI also writes its files readable for everybody. */
const newMode = 0o644

const applyProject = (files: RelocationFilesService, detail: ProjectDetail) =>
  underLock(files, detail.home, (registry, check) =>
    Effect.gen(function* () {
      const { before, folder, project } = detail
      yield* removeTemporaries(files, detail, registry)
      const found = yield* files.read(registry)
      const text = found ?? Projects.emptyRegistry
      const read = Projects.readRegistry(text)
      if ("problem" in read) return yield* refused(registry, `it was damaged meanwhile (${read.problem})`)
      const current = read.projects.get(project)
      if (current !== undefined && current !== before && current !== folder)
        return yield* refused(registry, `${JSON.stringify(project)} was given another folder meanwhile; try again`)
      const rival = [...read.projects].find(([owner, ownerFolder]) => ownerFolder === folder && owner !== project)
      if (rival !== undefined)
        return yield* refused(
          registry,
          `the folder ${folder} was given to ${JSON.stringify(rival[0])} meanwhile; try again`
        )
      for (const directory of detail.directories) yield* files.makeDirectory(directory, 0o755).pipe(unless("EEXIST"))
      for (const marker of markersOf(detail)) {
        const owner = yield* orNull(files.read(marker))
        if (owner !== null && owner.trim() !== project)
          return yield* refused(marker, `the folder was given to ${JSON.stringify(owner.trim())} meanwhile; try again`)
        if (owner === null) yield* replace(files, marker, project, newMode, check)
      }
      const changed = Projects.withProject(text, project, folder)
      if (changed === found) return
      yield* replace(files, registry, changed, (yield* files.stat(registry))?.mode ?? newMode, check)
    })
  )

const revertProject = (files: RelocationFilesService, detail: ProjectDetail) =>
  underLock(files, detail.home, (registry, check) =>
    Effect.gen(function* () {
      const { before, first, folder, project } = detail
      yield* removeTemporaries(files, detail, registry)
      const text = yield* files.read(registry)
      const changed = text === null ? null : Projects.withoutProject(text, project, folder, before ?? null)
      if (first !== undefined && changed === Projects.emptyRegistry) yield* files.unlink(registry)
      else if (changed !== null && changed !== text) {
        yield* replace(files, registry, changed, (yield* files.stat(registry))?.mode ?? newMode, check)
      }
      for (const marker of detail.markers) {
        if ((yield* orNull(files.read(marker)))?.trim() !== project) continue
        yield* files.unlink(marker)
        yield* files.syncDirectory(parentOf(marker))
      }
      for (const directory of detail.directories.toReversed()) {
        yield* files.removeDirectory(directory).pipe(unless("ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"))
      }
    })
  )

const applyTwin = Effect.fnUntraced(function* (files: RelocationFilesService, { content, path }: TwinDetail) {
  yield* files.unlink(temporaryPath(path)).pipe(unless("ENOENT", "ENOTDIR"))
  const found = yield* orNull(files.read(path))
  if (found === null) return
  if (found !== content || !isEmptyTwin(found))
    return yield* refused(path, "it was written to meanwhile: end the Gemini CLI that does and try again")
  yield* files.unlink(path)
  yield* files.syncDirectory(parentOf(path))
})

const revertTwin = Effect.fnUntraced(function* (
  files: RelocationFilesService,
  { content, mode, mtimeNs, path }: TwinDetail
) {
  const temporary = temporaryPath(path)
  yield* files.unlink(temporary).pipe(unless("ENOENT", "ENOTDIR"))
  // An existing file stays as it is. Without its directory the session is gone, so nothing is restored.
  if ((yield* files.stat(path)) !== null || (yield* files.stat(parentOf(path))) === null) return
  yield* files.create(temporary, content)
  yield* files.setMode(temporary, mode)
  yield* files.setTime(temporary, mtimeNs)
  yield* files.rename(temporary, path)
  yield* files.syncDirectory(parentOf(path))
})

export const apply = applyEdit(
  "tell Gemini CLI where the session is",
  editHandler(projectEdits, applyProject),
  editHandler(twinEdits, applyTwin)
)

/** Reverts one edit: removes what the move added, or restores the file that it deleted. */
export const revert = applyEdit(
  "undo the change for Gemini CLI",
  editHandler(projectEdits, revertProject),
  editHandler(twinEdits, revertTwin)
)

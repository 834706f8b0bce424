import { Effect, Schema } from "effect"
import { emptyRegistry, readRegistry, withoutProject, withProject } from "../../domain/gemini/GeminiRegistry.ts"
import { bases, markerName } from "../../domain/gemini/GeminiProjects.ts"
import { isEmptyTwin } from "../../domain/gemini/GeminiRelocation.ts"
import { parentOf } from "../../domain/relocation/Names.ts"
import type { Edit } from "../../domain/relocation/Plan.ts"
import { RelocationFileError, RelocationFiles } from "../../services/RelocationFiles.ts"
import { BookkeepingError } from "../../services/Relocator.ts"
import { holdDirectoryLock } from "./directoryLock.ts"
import { type Files, noEdits } from "./looking.ts"

/** Makes a directory a project of Gemini CLI's: its entry in the registry, and its folders' markers. */
export const projectKind = "gemini.project"
/** Takes away what Gemini CLI left of a resume beside the session's file. */
export const twinKind = "gemini.twin"

const Paths = Schema.fromJsonString(Schema.Array(Schema.String))

/** What a plan found, so that exactly what the move put in can be taken out again. */
export const ProjectDetail = Schema.Struct({
  /** Gemini CLI's own directory. */
  home: Schema.String,
  project: Schema.String,
  folder: Schema.String,
  /** The folder that the registry named before. */
  before: Schema.optionalKey(Schema.String),
  /** There was no registry. */
  first: Schema.optionalKey(Schema.Literal("yes")),
  /** Markers that were not there. */
  markers: Paths,
  /** Directories that were not there and are nobody's but the project's, outermost first. */
  directories: Paths
})
type ProjectDetail = typeof ProjectDetail.Type

/** A file that is nothing but what can be written anew from here. */
export const TwinDetail = Schema.Struct({
  path: Schema.String,
  content: Schema.String,
  mode: Schema.NumberFromString,
  mtimeNs: Schema.String
})
type TwinDetail = typeof TwinDetail.Type

const orNothing = <A, R>(look: Effect.Effect<A, RelocationFileError, R>) =>
  Effect.catchIf(look, ({ code }) => code === "ENOENT" || code === "ENOTDIR", () => Effect.succeed(null))
const unless = (...codes: ReadonlyArray<string>) => (change: Effect.Effect<void, RelocationFileError>) =>
  Effect.catchIf(change, ({ code }) => codes.includes(code), () => Effect.void)

const refused = (path: string, why: string) => new RelocationFileError({ operation: "change", path, code: "EREFUSED", why })

/** A name beside a file that only who holds the lock, or moves the session, writes: what a crash left there is written over. */
const besides = (path: string): string => `${parentOf(path)}/.leap-${path.slice(path.lastIndexOf("/") + 1)}.new`

/** Puts a file in a name's place, whole or not at all. */
const replace = Effect.fnUntraced(function*(files: Files, path: string, text: string, mode: number, check: Effect.Effect<void, RelocationFileError>) {
  const temporary = besides(path)
  yield* files.unlink(temporary).pipe(unless("ENOENT"))
  yield* files.create(temporary, text)
  yield* files.setMode(temporary, mode)
  yield* check
  yield* files.rename(temporary, path)
  yield* files.syncDirectory(parentOf(path))
})

/** Does something under Gemini CLI's own lock of its registry, which is beside the file that links lead to. */
const underLock = <A>(files: Files, home: string, change: (registry: string, check: Effect.Effect<void, RelocationFileError>) => Effect.Effect<A, RelocationFileError>) =>
  Effect.scoped(Effect.gen(function*() {
    const named = `${home}/projects.json`
    const registry = (yield* orNothing(files.realPath(named))) ?? named
    const check = yield* holdDirectoryLock(files, `${registry}.lock`)
    return yield* change(registry, check)
  }))

const markersOf = ({ folder, home }: ProjectDetail): ReadonlyArray<string> => bases.map((base) => `${home}/${base}/${folder}/${markerName}`)

/** What this move may have left of a change that was cut off. */
const clear = Effect.fnUntraced(function*(files: Files, detail: ProjectDetail, registry: string) {
  for (const path of [registry, ...markersOf(detail)]) yield* files.unlink(besides(path)).pipe(unless("ENOENT", "ENOTDIR"))
})

/** Nobody but Gemini CLI's user needs to read what is written, and it writes so that others may. */
const newMode = 0o644

const applyProject = (files: Files, detail: ProjectDetail) =>
  underLock(files, detail.home, (registry, check) =>
    Effect.gen(function*() {
      const { before, folder, project } = detail
      yield* clear(files, detail, registry)
      const found = yield* files.read(registry)
      const text = found ?? emptyRegistry
      const read = readRegistry(text)
      if ("problem" in read) return yield* refused(registry, `it was damaged meanwhile (${read.problem})`)
      const now = read.projects.get(project)
      if (now !== undefined && now !== before && now !== folder) return yield* refused(registry, `${JSON.stringify(project)} was given another folder meanwhile; try again`)
      const rival = [...read.projects].find(([owner, its]) => its === folder && owner !== project)
      if (rival !== undefined) return yield* refused(registry, `the folder ${folder} was given to ${JSON.stringify(rival[0])} meanwhile; try again`)
      for (const directory of detail.directories) yield* files.makeDirectory(directory, 0o755).pipe(unless("EEXIST"))
      for (const marker of markersOf(detail)) {
        const owner = yield* orNothing(files.read(marker))
        if (owner !== null && owner.trim() !== project) return yield* refused(marker, `the folder was given to ${JSON.stringify(owner.trim())} meanwhile; try again`)
        if (owner === null) yield* replace(files, marker, project, newMode, check)
      }
      const changed = withProject(text, project, folder)
      if (changed === found) return
      yield* replace(files, registry, changed, (yield* files.stat(registry))?.mode ?? newMode, check)
    }))

const revertProject = (files: Files, detail: ProjectDetail) =>
  underLock(files, detail.home, (registry, check) =>
    Effect.gen(function*() {
      const { before, first, folder, project } = detail
      yield* clear(files, detail, registry)
      const text = yield* files.read(registry)
      const changed = text === null ? null : withoutProject(text, project, folder, before ?? null)
      if (first !== undefined && changed === emptyRegistry) yield* files.unlink(registry)
      else if (changed !== null && changed !== text) {
        yield* replace(files, registry, changed, (yield* files.stat(registry))?.mode ?? newMode, check)
      }
      for (const marker of detail.markers) {
        if ((yield* orNothing(files.read(marker)))?.trim() !== project) continue
        yield* files.unlink(marker)
        yield* files.syncDirectory(parentOf(marker))
      }
      for (const directory of detail.directories.toReversed()) {
        yield* files.removeDirectory(directory).pipe(unless("ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR"))
      }
    }))

const applyTwin = Effect.fnUntraced(function*(files: Files, { content, path }: TwinDetail) {
  yield* files.unlink(besides(path)).pipe(unless("ENOENT", "ENOTDIR"))
  const found = yield* orNothing(files.read(path))
  if (found === null) return
  if (found !== content || !isEmptyTwin(found)) return yield* refused(path, "it was written to meanwhile: end the Gemini CLI that does and try again")
  yield* files.unlink(path)
  yield* files.syncDirectory(parentOf(path))
})

const revertTwin = Effect.fnUntraced(function*(files: Files, { content, mode, mtimeNs, path }: TwinDetail) {
  const temporary = besides(path)
  yield* files.unlink(temporary).pipe(unless("ENOENT", "ENOTDIR"))
  // there it is not ours to change; and without its directory there is nothing beside which it would be
  if ((yield* files.stat(path)) !== null || (yield* files.stat(parentOf(path))) === null) return
  yield* files.create(temporary, content)
  yield* files.setMode(temporary, mode)
  yield* files.setTime(temporary, mtimeNs)
  yield* files.rename(temporary, path)
  yield* files.syncDirectory(parentOf(path))
})

const decodeProject = Schema.decodeUnknownEffect(ProjectDetail)
const decodeTwin = Schema.decodeUnknownEffect(TwinDetail)

const change = (
  what: string,
  project: (files: Files, detail: ProjectDetail) => Effect.Effect<void, RelocationFileError>,
  twin: (files: Files, detail: TwinDetail) => Effect.Effect<void, RelocationFileError>
) =>
  Effect.fnUntraced(function*(edit: Edit) {
    const files = yield* RelocationFiles
    const run = Effect.gen(function*() {
      if (edit.kind === projectKind) return yield* project(files, yield* decodeProject(edit.detail))
      return yield* twin(files, yield* decodeTwin(edit.detail))
    })
    if (edit.kind !== projectKind && edit.kind !== twinKind) return yield* noEdits(edit)
    yield* Effect.mapError(run, ({ message }) => new BookkeepingError({ what, why: message }))
  })

/** Carries out one edit of a plan of Gemini's. */
export const apply = change("tell Gemini CLI where the session is", applyProject, applyTwin)

/** Takes one edit back: what the move put in goes, all else stays. */
export const revert = change("take back what Gemini CLI was told", revertProject, revertTwin)

import { Effect } from "effect"
import * as Projects from "../../../domain/providers/gemini/RelocationProjects.ts"
import { readRegistry } from "../../../domain/providers/gemini/RelocationProjects.ts"
import * as Move from "../../../domain/providers/gemini/Relocation.ts"
import { geminiHome } from "../../../domain/providers/gemini/Identity.ts"
import type { Edit } from "../../../domain/store/relocation/Plan.ts"
import { type FileInfo, type RelocationFilesService } from "../../../services/RelocationFiles.ts"
import type { RelocationProtocol } from "../../../services/RelocationProtocol.ts"
import { apply, projectEdits, revert, twinEdits } from "./ProjectRegistryEdits.ts"
import { choose, isThere, listed, namesIn, planning } from "../edits.ts"
import { absolute } from "../../../domain/words/text/paths.ts"

interface SessionFile {
  readonly name: string
  readonly path: string
  readonly seen: FileInfo
  /** The text of a file without a conversation; null: any other file. */
  readonly empty: string | null
}

const byMarker = Effect.fnUntraced(function* (files: RelocationFilesService, base: string) {
  const found = new Map<string, string | null>()
  for (const folder of yield* namesIn(files, base)) {
    const text = yield* files.read(`${base}/${folder}/${Projects.markerName}`).pipe(
      Effect.catchIf(
        ({ code }) => code === "ENOTDIR",
        () => Effect.succeed(null)
      ),
      Effect.map((text) => (text === null ? undefined : text)),
      // A marker that exists but is unreadable counts as another project's.
      Effect.catch(() => Effect.succeed(null))
    )
    if (text !== undefined) found.set(folder, text)
  }
  return found
})

const filesIn = Effect.fnUntraced(function* (files: RelocationFilesService, chats: string, sessionId: string) {
  const found: Array<SessionFile> = []
  for (const name of yield* namesIn(files, chats)) {
    if (!Move.isNamedFor(name, sessionId)) continue
    const path = `${chats}/${name}`
    if (
      !(yield* isThere(files, path, "file")) ||
      Move.sessionIn(yield* files.head(path, Move.headerBytes)) !== sessionId
    )
      continue
    const seen = yield* files.stat(path)
    if (seen === null) continue
    const text = seen.kind === "file" && seen.stamp.size <= Move.twinBytes ? yield* files.read(path) : null
    found.push({ name, path, seen, empty: text !== null && Move.isEmptyTwin(text) ? text : null })
  }
  return found
})

const twinEdit = ({ empty, path, seen }: SessionFile): ReadonlyArray<Edit> =>
  empty === null ? [] : [twinEdits.edit({ path, content: empty, mode: seen.mode, mtimeNs: seen.stamp.mtimeNs })]

const plan = planning("Gemini.plan")(function* ({ env, files, from, refuse, session, to }) {
  const { sessionId, transcriptPath } = session
  const home = absolute(from, geminiHome(env))
  const [tmp, registryFile] = [`${home}/tmp`, `${home}/projects.json`]

  if (!Projects.isFindable(to))
    return yield* refuse(
      "bad-plan",
      to,
      "Gemini CLI does not find its sessions again in a directory whose name begins or ends in white space; " +
        "give it another name"
    )
  const text = yield* files.read(registryFile)
  if (text === null && (yield* files.stat(registryFile)) !== null)
    return yield* refuse("registry-damaged", registryFile, "it is a link that leads nowhere")
  const registry = text === null ? { projects: new Map<string, string>() } : readRegistry(text)
  if ("problem" in registry) {
    return yield* refuse(
      "registry-damaged",
      registryFile,
      `Gemini CLI would throw all of it away: ${registry.problem}; mend it, or let Gemini CLI make it anew, ` +
        "and try again"
    )
  }
  const projects: Projects.Projects = {
    registry: registry.projects,
    markers: { tmp: yield* byMarker(files, tmp), history: yield* byMarker(files, `${home}/history`) }
  }

  const recorded =
    transcriptPath !== null && transcriptPath.startsWith(`${tmp}/`)
      ? transcriptPath.slice(tmp.length + 1).split("/")[0]
      : undefined
  const ownFolder = Projects.folderOf(projects, from)
  const preferred = [recorded, ownFolder].filter((folder) => folder !== undefined && folder !== null)
  const filesByFolder = new Map<string, ReadonlyArray<SessionFile>>()
  for (const folder of [...preferred, ...(yield* namesIn(files, tmp))]) {
    if (filesByFolder.has(folder)) continue
    const found = yield* filesIn(files, `${tmp}/${folder}/chats`, sessionId)
    if (found.some(({ empty }) => empty === null)) filesByFolder.set(folder, found)
    if (preferred.includes(folder) && filesByFolder.has(folder)) break
  }
  const folder = choose(preferred, [...filesByFolder.keys()])
  if (folder === null) {
    return yield* filesByFolder.size > 0
      ? refuse(
          "ambiguous",
          tmp,
          "several projects have a session of that id, and nothing says which is the one: " +
            `${listed([...filesByFolder.keys()])}; move the others away`
        )
      : refuse(
          "source-missing",
          ownFolder === null ? tmp : `${tmp}/${ownFolder}/chats`,
          `no project in ${tmp} has a session of that id that could be gone on with`
        )
  }
  const target = Projects.chooseFolder(projects, to)
  const sessionFiles = filesByFolder.get(folder) ?? []
  const atTarget = folder === target ? [] : yield* filesIn(files, `${tmp}/${target}/chats`, sessionId)
  const rival = atTarget.find(({ empty, name }) => empty === null && !sessionFiles.some((file) => file.name === name))
  if (rival !== undefined)
    return yield* refuse(
      "destination-exists",
      rival.path,
      "that is the same session, in another state: move one of the two away"
    )

  const present: Array<ReturnType<typeof Move.belongings>[number]> = []
  for (const [kind, path] of Move.belongings(sessionId, yield* namesIn(files, `${tmp}/${folder}/chats/${sessionId}`))) {
    if ((yield* files.stat(`${tmp}/${folder}/${path}`)) !== null) present.push([kind, path])
  }
  const markers: Array<string> = []
  const directories: Array<string> = []
  for (const base of Projects.bases) {
    const project = `${home}/${base}/${target}`
    if (!projects.markers[base].has(target)) markers.push(`${project}/${Projects.markerName}`)
    for (const directory of [`${home}/${base}`, project]) {
      if ((yield* files.stat(directory)) === null) directories.push(directory)
    }
  }
  const before = projects.registry.get(to)
  const isKnown = before === target && markers.length === 0
  const project: ReadonlyArray<Edit> = isKnown
    ? []
    : [
        projectEdits.edit({
          home,
          project: to,
          folder: target,
          markers,
          directories,
          ...(before === undefined ? {} : { before }),
          ...(text === null ? { first: "yes" } : {})
        })
      ]
  const real = sessionFiles
    .filter(({ empty }) => empty === null)
    .toSorted((a, b) => Number(BigInt(b.seen.stamp.mtimeNs) - BigInt(a.seen.stamp.mtimeNs)))
  return {
    plan: Move.relocation({
      sessionId,
      fromFolder: `${tmp}/${folder}`,
      toFolder: `${tmp}/${target}`,
      files: real.map(({ name }) => name),
      belongings: present,
      edits: [...project, ...[...sessionFiles, ...atTarget].flatMap(twinEdit)]
    }),
    // Of several files Gemini CLI resumes the one written last.
    transcriptPath: real[0] === undefined ? null : `${tmp}/${target}/chats/${real[0].name}`
  }
})

/** Moves a session from one project's folder to another's, which is added to Gemini CLI's registry. */
export const protocol: RelocationProtocol = { plan, apply, revert }

import { Clock, Effect } from "effect"
import * as Yaml from "effect/encoding/Yaml"
import * as Move from "../../../domain/providers/copilot/Relocation.ts"
import { copilotHome } from "../../../domain/providers/copilot/Identity.ts"
import { editsAlone } from "../../../domain/store/relocation/Edits.ts"
import type { RelocationFilesService } from "../../../services/RelocationFiles.ts"
import type { RelocationProtocol } from "../../../services/RelocationProtocol.ts"
import { editHandler, applyEdit, isThere, namesIn, planning } from "../edits.ts"
import { FileFault, unless } from "../../../services/FileFault.ts"
import { absolute, parentOf } from "../../../domain/words/text/paths.ts"

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Whether a running Copilot has the session open: it would write its own directory into the session's file again. */
const isRunning = Effect.fnUntraced(function* (files: RelocationFilesService, home: string, sessionId: string) {
  const list = yield* files.read(`${home}/open-sessions-state.json`)
  if (!Move.isOpen(list, sessionId, yield* Clock.currentTimeMillis)) return false
  const pids = (yield* namesIn(files, `${home}/logs`)).map(Move.loggedPid)
  return pids.some((pid) => pid !== null && isAlive(pid))
})

/** Whether a YAML parser reads the two texts as equal except for these fields, and the directory as `to`. */
const differsOnlyIn = (text: string, edited: string, to: string, changed: ReadonlyArray<string>): boolean => {
  const parse = (text: string) => {
    const value = Yaml.parse(text)
    return {
      cwd: (value as Record<string, unknown>)["cwd"],
      rest: JSON.stringify(value, (key, it: unknown) => (changed.includes(key) ? undefined : it))
    }
  }
  try {
    const [before, after] = [parse(text), parse(edited)]
    return after.cwd === to && typeof before.cwd === "string" && before.rest === after.rest
  } catch {
    return false
  }
}

const plan = planning("Copilot.plan")(function* ({ env, files, from, refuse, session: { sessionId }, to }) {
  const home = absolute(from, copilotHome(env))
  const folder = `${home}/session-state/${sessionId}`
  const file = `${folder}/workspace.yaml`
  if (!(yield* isThere(files, folder, "directory")))
    return yield* refuse(
      "source-missing",
      folder,
      "there is no such session: if it is elsewhere, COPILOT_HOME must say where"
    )
  const seen = yield* files.stat(file)
  if (seen === null)
    return yield* refuse(
      "source-missing",
      file,
      "there is no such file, in which Copilot keeps the session's directory: go on with the session once, " +
        "and it makes one"
    )
  if (seen.kind !== "file") return yield* refuse("source-kind", file, "it is no regular file")
  if (files.user !== null && seen.uid !== files.user)
    return yield* refuse("not-yours", file, "it belongs to another user")
  if (!(yield* files.isWritable(folder))) return yield* refuse("not-writable", folder, "nothing can be written to it")
  if (yield* isRunning(files, home, sessionId)) {
    return yield* refuse(
      "in-use",
      file,
      "a GitHub Copilot has the session open and would write down its own directory again: " +
        "end it and try again; one that was killed counts as ended after a minute"
    )
  }
  const text = yield* files.read(file)
  const before = text === null || text.includes("\ufffd") ? null : Move.placeIn(text)
  if (text === null || before === null)
    return yield* refuse("unreadable", file, "it does not say the session's directory as Copilot says it")
  if (Move.directoryOf(text) === to) return { plan: editsAlone("copilot", sessionId, []), transcriptPath: null }
  const edited = Move.withDirectory(text, { before, to })
  if (
    edited._tag !== "Text" ||
    !differsOnlyIn(
      text,
      edited.text,
      to,
      before.map(({ key }) => key)
    )
  ) {
    return yield* refuse("unreadable", file, "it is no list of fields as Copilot writes it")
  }
  return {
    plan: editsAlone("copilot", sessionId, [Move.workspaceEdits.edit({ file, before, to })]),
    transcriptPath: null
  }
})

const temporaryPath = (path: string): string => `${parentOf(path)}/.leap-workspace.in`

const replace = Effect.fnUntraced(function* (files: RelocationFilesService, path: string, text: string, mode: number) {
  const temporary = temporaryPath(path)
  yield* files.create(temporary, text)
  yield* files.setMode(temporary, mode)
  yield* files.rename(temporary, path)
  yield* files.syncDirectory(parentOf(path))
})

const failure = (path: string, why: string) => new FileFault({ operation: "change", path, code: "EREGISTRY", why })

const edited = (what: string, edit: (text: string, detail: Move.WorkspaceDetail) => Move.Edited, strict: boolean) =>
  applyEdit(
    what,
    editHandler(Move.workspaceEdits, (files, detail) =>
      Effect.gen(function* () {
        const { file } = detail
        // The rest of an interrupted change; only this mover writes to the session.
        yield* files.unlink(temporaryPath(file)).pipe(unless("ENOENT", "ENOTDIR"))
        const seen = yield* files.stat(file)
        const text = yield* files.read(file)
        if (text === null || seen === null)
          return yield* strict ? failure(file, "it is not there any more") : Effect.void
        const result = edit(text, detail)
        if (result._tag === "Text")
          return yield* result.text === text ? Effect.void : replace(files, file, result.text, seen.mode)
        if (strict)
          return yield* failure(
            file,
            result._tag === "other"
              ? "the session was moved elsewhere meanwhile; try again"
              : "it is no list of fields as Copilot writes it"
          )
      })
    )
  )

/** Copilot's sessions belong to no directory. Each session's file names the one in which it is resumed. */
export const protocol: RelocationProtocol = {
  plan,
  apply: edited("tell GitHub Copilot where the session is", Move.withDirectory, true),
  revert: edited("undo the change for GitHub Copilot", Move.withoutDirectory, false)
}

import { Effect } from "effect"
import { folderOf, relocation } from "../../../domain/providers/claude/Relocation.ts"
import { claudeDirectory } from "../../../domain/providers/claude/Identity.ts"
import type { RelocationProtocol } from "../../../services/RelocationProtocol.ts"
import { choose, having, isThere, listed, namesIn, noEdits, planning } from "../edits.ts"
import { absolute, parentOf } from "../../../domain/words/text/paths.ts"

const plan = planning("Claude.plan")(function* ({ env, files, from, refuse, session, to }) {
  const { sessionId, transcriptPath } = session
  const home = absolute(from, claudeDirectory(env))
  const projects = `${home}/projects`
  const name = `${sessionId}.jsonl`
  const ownFolder = folderOf(home, from)
  // The recorded path and directory can be wrong, so the files on disk decide.
  const recorded = transcriptPath === null ? null : absolute(from, transcriptPath)
  const preferred = [
    ...(recorded !== null && recorded === `${projects}/${recorded.split("/").at(-2)}/${name}`
      ? [parentOf(recorded)]
      : []),
    ownFolder
  ]
  const folder = yield* Effect.gen(function* () {
    const near = yield* having(files, preferred, name, "file")
    if (near[0] !== undefined) return near[0]
    const all = (yield* namesIn(files, projects)).map((slug) => `${projects}/${slug}`)
    const found = yield* having(files, all, name, "file")
    const chosen = choose(preferred, found)
    if (chosen !== null) return chosen
    if (found.length > 0) {
      return yield* refuse(
        "ambiguous",
        projects,
        "there are several transcripts of it, and nothing says which is the one: " +
          `${listed(found.map((folder) => `${folder}/${name}`))}; move the others away`
      )
    }
    if (all.length === 0)
      return yield* refuse(
        "source-missing",
        projects,
        "there are no transcripts here: if they are elsewhere, CLAUDE_CONFIG_DIR must say where"
      )
    return yield* (yield* isThere(files, ownFolder, "directory"))
      ? refuse(
          "source-missing",
          `${ownFolder}/${name}`,
          `there is no such transcript, nor one of that name for another directory in ${projects}`
        )
      : refuse(
          "source-missing",
          ownFolder,
          `there are no transcripts of ${from}, nor a transcript ${name} for another directory in ${projects}`
        )
  })
  return {
    plan: relocation({ home, sessionId, from, to, folder }),
    transcriptPath: `${folderOf(home, to)}/${name}`
  }
})

/** Claude Code finds a session's files by the directory's name and keeps no list, so the files move. */
export const protocol: RelocationProtocol = { plan, apply: noEdits, revert: noEdits }

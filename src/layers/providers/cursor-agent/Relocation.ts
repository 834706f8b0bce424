import { Effect } from "effect"
import { createHash } from "node:crypto"
import { relocation } from "../../../domain/providers/cursor-agent/Relocation.ts"
import type { RelocationProtocol } from "../../../services/RelocationProtocol.ts"
import { choose, having, listed, namesIn, noEdits, planning } from "../edits.ts"
import { absolute } from "../../../domain/words/text/paths.ts"

const hashOf = (cwd: string): string => createHash("md5").update(cwd).digest("hex")

const plan = planning("CursorAgent.plan")(function* ({ env, files, from, refuse, session: { sessionId }, to }) {
  const chats = absolute(from, `${env["HOME"] ?? ""}/.cursor/chats`)
  const toHash = hashOf(to)
  const project = yield* Effect.gen(function* () {
    const all = (yield* namesIn(files, chats)).map((hash) => `${chats}/${hash}`)
    if (all.length === 0) return yield* refuse("source-missing", chats, "there are no chats here")
    const found = yield* having(files, all, sessionId, "directory")
    // Cursor may have hashed a parent of the recorded directory.
    const above = from.split("/").map((_, i, parts) => parts.slice(0, parts.length - i).join("/") || "/")
    const chosen = choose(
      above.map((directory) => `${chats}/${hashOf(directory)}`),
      found
    )
    if (chosen !== null) return chosen
    return yield* found.length === 0
      ? refuse(
          "source-missing",
          `${chats}/${hashOf(from)}/${sessionId}`,
          `there is no such chat, nor one of that name for another directory in ${chats}`
        )
      : refuse(
          "ambiguous",
          chats,
          `there are several chats of that name, and nothing says which is the one: ${listed(found)}; ` +
            "move the others away"
        )
  })
  return { plan: relocation({ chat: `${project}/${sessionId}`, sessionId, toHash }), transcriptPath: null }
})

/** Cursor Agent finds a chat by the hash of the working directory and keeps no list, so the chat's directory moves. */
export const protocol: RelocationProtocol = { plan, apply: noEdits, revert: noEdits }

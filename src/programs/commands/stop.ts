import { runs } from "../../domain/words/session/states.ts"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { heldOf, messagesWhich } from "../../domain/words/session/failedMessage.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { requireStatus, statusOf } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { endSession, ownSession } from "../sessions/stopSession.ts"
import { forgetWorktree, madeWorktree } from "../sessions/worktrees.ts"
import { jsonFlag, toggle } from "./shared/common.ts"
import { allFlag, chooseTags, forChosen, tagsArgument } from "./shared/many.ts"

export const stop = Command.make(
  "stop",
  {
    tags: tagsArgument,
    all: allFlag,
    force: toggle("force", "Kill the CLI at once, also where its host does not answer, and what it left running"),
    json: jsonFlag
  },
  Effect.fn(function* ({ all, force, json, tags }) {
    yield* forChosen(
      yield* chooseTags(tags, all, runs),
      json,
      Effect.fnUntraced(function* (tag) {
        const { exit, note, still } = yield* endSession(tag, force)
        const output = yield* Output
        const told = note ?? (output.errorIsTerminal ? `session '${tag}' has ended` : null)
        if (told !== null) yield* output.note(`leap: ${told}`)
        const running = still.map(({ name, pid }) => ({ pid, name }))
        return { document: { tag, exit, ...(running.length === 0 ? {} : { left: running }) }, text: "" }
      })
    )
  })
).pipe(Command.withDescription("End the session; what is queued is kept"))

export const forget = Command.make(
  "forget",
  {
    tags: tagsArgument,
    all: allFlag,
    force: toggle("force", "Even if messages are held for it"),
    worktree: toggle("worktree", "Remove the git worktree that leap made for it, too, unless something would be lost")
  },
  Effect.fn(function* ({ all, force, tags, worktree }) {
    yield* forChosen(
      yield* chooseTags(tags, all, (status) => !runs(status)),
      false,
      Effect.fnUntraced(function* (tag) {
        const own = yield* madeWorktree(tag)
        // a session may be forgotten before its worktree is
        if (worktree && own !== null && Option.isNone(yield* statusOf(tag)))
          return { document: { tag }, text: yield* forgetWorktree(tag) }
        const session = yield* requireStatus(tag)
        if (runs(session)) return yield* fail("refused", `session '${tag}' runs; 'leap stop ${tag}' ends it`)
        const held = heldOf(session.queue)
        if (held > 0 && !force) {
          return yield* fail(
            "refused",
            `${messagesWhich(held, "is", "are")} held for '${tag}'; --force forgets them too`
          )
        }
        const paths = yield* Paths
        const text = yield* Effect.scoped(
          Effect.gen(function* () {
            yield* ownSession(tag)
            // before the session, which must stay if this is refused
            const text = worktree ? yield* forgetWorktree(tag) : ""
            yield* paths.removeSession(tag)
            return text
          })
        )
        if (!worktree && own !== null) {
          yield* (yield* Output).note(
            `leap: its worktree stays (${oneLine(own.path, 300)}); 'leap forget --worktree ${tag}' removes it`
          )
        }
        return { document: { tag }, text }
      })
    )
  })
).pipe(Command.withDescription("Remove what is kept of an ended session"))

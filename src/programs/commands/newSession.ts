import { Effect } from "effect"
import { Command } from "effect/cli"
import { Tag } from "../../domain/words/session/Tag.ts"
import { newTag } from "../../domain/surfaces/acp/newTag.ts"
import { GitView } from "../../services/GitView.ts"
import { System } from "../../services/System.ts"
import { attach } from "../attach/attach.ts"
import { installed } from "../client/locateCli.ts"
import { allStatuses } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { tagProblem } from "../sessions/askNewTag.ts"
import { askChoice, askText, askYes } from "../client/ask.ts"
import { askDirectory } from "../client/askDirectory.ts"
import { callSession } from "../sessions/callSession.ts"
import { start } from "./start.ts"

/** Asks what a new session is to be, starts it, and shows its screen. */
export const newSession = Effect.gen(function* () {
  const system = yield* System
  const preset = system.env["LEAP_CLI"]
  const clis = (yield* installed).toSorted((a, b) => Number(b.id === preset) - Number(a.id === preset))
  const [only] = clis
  if (only === undefined)
    return yield* fail("notInstalled", "no CLI that leap can host is installed; 'leap doctor' tells where to get them")
  const taken: ReadonlySet<string> = new Set((yield* allStatuses()).map(({ tag }) => tag))
  const cli =
    clis.length === 1
      ? only.id
      : yield* askChoice(
          "Which CLI?",
          clis.map(({ displayName, id }) => ({ title: `${id}  ${displayName}`, value: id }))
        )
  const directory = yield* askDirectory("In which directory?")
  const branch = yield* (yield* GitView).branch(directory)
  const worktree = branch !== null && (yield* askYes(`In a git worktree of its own (this one is on ${branch})?`))
  const name = yield* askText("Its name?", newTag(directory, taken), (text) => Effect.succeed(tagProblem(text)))
  const first = yield* askText("A first message (or none)?")
  const tag = Tag.make(name)
  const says = first !== ""
  yield* Command.runWith(start(null), { version: system.version })([
    tag,
    "--cli",
    cli,
    "--cwd",
    directory,
    ...(worktree ? ["--worktree="] : []),
    ...(says ? ["--detach"] : [])
  ])
  if (!says) return
  yield* callSession(tag, { _tag: "Send", text: first, images: [], front: false, force: false })
  yield* attach({ tag, readOnly: false })
})

import { Effect } from "effect"
import { Tag } from "../../domain/words/session/Tag.ts"
import { newTag } from "../../domain/words/session/newTag.ts"
import { GitView } from "../../services/GitView.ts"
import { attach } from "../attach/attach.ts"
import { allStatuses } from "../client/statuses.ts"
import { tagProblem } from "../sessions/askNewTag.ts"
import { askChoice, askText, askYes } from "../prompts/ask.ts"
import { askDirectory } from "../prompts/askDirectory.ts"
import { beginSession, noCli, startable } from "./shared/manage.ts"

export const newSession = Effect.gen(function* () {
  const clis = yield* startable
  const [only] = clis
  if (only === undefined) return yield* noCli
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
  yield* beginSession({ tag, cli, directory, worktree, args: [], first }, false)
  if (first !== "") yield* attach({ tag, readOnly: false })
})

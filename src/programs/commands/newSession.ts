import { Effect, Option, Schema } from "effect"
import { Command, Prompt } from "effect/cli"
import { Tag } from "../../domain/words/session/Tag.ts"
import { fromTilde } from "../../domain/surfaces/picker/Rows.ts"
import { newTag } from "../../domain/surfaces/acp/newTag.ts"
import { GitView } from "../../services/GitView.ts"
import { System } from "../../services/System.ts"
import { attach } from "../attach/attach.ts"
import { installed } from "../client/locateCli.ts"
import { allStatuses } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { askUser } from "../sessions/askUser.ts"
import { callSession } from "../sessions/callSession.ts"
import { start } from "./start.ts"

const validTag = (text: string) =>
  Effect.mapError(Schema.decodeUnknownEffect(Tag)(text.trim()), (error) => error.message)

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
      : yield* askUser(
          Prompt.Select({
            message: "Which CLI?",
            choices: clis.map(({ displayName, id }) => ({ title: `${id}  ${displayName}`, value: id }))
          })
        )
  const asked = yield* askUser(
    Prompt.String({
      message: "In which directory?",
      default: system.cwd,
      validate: (text) =>
        Effect.flatMap(
          system.directory(fromTilde(text.trim(), system.env["HOME"] ?? "")),
          Option.match({
            onNone: () => Effect.fail("there is no such directory"),
            onSome: Effect.succeed<string>
          })
        )
    })
  )
  const directory = fromTilde(asked.trim(), system.env["HOME"] ?? "")
  const branch = yield* (yield* GitView).branch(directory)
  const worktree =
    branch !== null &&
    (yield* askUser(
      Prompt.Confirm({ message: `In a git worktree of its own (this one is on ${branch})?`, initial: false })
    ))
  const name = yield* askUser(
    Prompt.String({ message: "Its name?", default: newTag(directory, taken), validate: validTag })
  )
  const first = yield* askUser(Prompt.String({ message: "A first message (or none)?" }))
  const tag = Tag.make(name.trim())
  const says = first.trim() !== ""
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
  yield* callSession(tag, { _tag: "Send", text: first.trim(), images: [], front: false, force: false })
  yield* attach({ tag, readOnly: false })
})

import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { commandLike } from "../../domain/words/arguments/CommandLine.ts"
import { doubtOf } from "../../domain/engine/queue/Leftovers.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Output } from "../../services/Output.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { attach } from "../attach/attach.ts"
import { connectTo } from "../client/client.ts"
import { statusOf } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { detachedSize, prepareStart, type startSession } from "../client/start.ts"
import { askUnwired } from "../sessions/askUnwired.ts"
import { inWorktree, ownWorktree } from "../sessions/worktrees.ts"
import { jsonFlag, print, tagArgument } from "./common.ts"
import { toggle } from "./toggle.ts"

const heldLimit = 5

/** Prints what the user should know of a session that was started. */
export const reportStart = Effect.fn("reportStart")(function* (
  tag: Tag,
  started: Effect.Success<ReturnType<typeof startSession>>
) {
  const output = yield* Output
  const { directory, held, leaves, movedFrom, note, queueProblem, warnings } = started
  for (const warning of warnings) yield* output.note(`leap: ${warning}`)
  if (note !== null) yield* output.note(note)
  if (movedFrom !== null) yield* output.note(`session '${tag}' now runs in ${directory} (before: ${movedFrom})`)
  if (queueProblem !== null) yield* output.note(`leap: ${queueProblem.message}`)
  if (leaves) {
    yield* output.note(
      `a new conversation begins; 'leap stop ${tag}', then 'leap resume --tag ${tag}', goes on with an earlier one`
    )
  }
  if (held.length > 0) {
    yield* output.note(
      [
        `${held.length === 1 ? "1 message is" : `${held.length} messages are`} held from the session's earlier ` +
          `run; 'leap queue release ${tag}' sends:`,
        ...held.slice(0, heldLimit).map(({ text, why }) => `  ${oneLine(text, 90)}${doubtOf(why)}`),
        ...(held.length > heldLimit ? [`  … 'leap queue ${tag}' shows all`] : [])
      ].join("\n")
    )
  }
})

/** `leap <tag>`: starts the session and attaches, or joins a running one as its queue client. */
export const start = (rest: ReadonlyArray<string> | null) =>
  Command.make(
    "start",
    {
      tag: tagArgument.pipe(Argument.optional),
      cli: Flag.String("cli").pipe(
        Flag.withDescription(
          "The CLI to run (default: the session's last one, else the first of 'leap clis' that is installed)"
        ),
        Flag.optional
      ),
      cwd: Flag.String("cwd").pipe(
        Flag.withDescription("The directory to run it in (default: this one)"),
        Flag.optional
      ),
      worktree: Flag.String("worktree").pipe(
        Flag.withMetavar("[branch]"),
        Flag.withDescription("Run it in a git worktree of its own, of this branch (default: a new one of its name)"),
        Flag.optional
      ),
      from: Flag.String("from").pipe(
        Flag.withDescription("With --worktree: where a new branch begins (default: what is checked out)"),
        Flag.optional
      ),
      setup: Flag.String("setup").pipe(
        Flag.withDescription("With --worktree: a line for sh that makes a new worktree ready"),
        Flag.optional
      ),
      requireHooks: toggle("require-hooks", "Do not start a CLI without leap's hooks"),
      detach: toggle("detach", "Start without attaching").pipe(Flag.withAlias("d")),
      json: jsonFlag
    },
    Effect.fn(function* ({ cli, cwd, detach, from, json, requireHooks, setup, tag: namedTag, worktree }) {
      const output = yield* Output
      if (Option.isNone(worktree) && (Option.isSome(from) || Option.isSome(setup)))
        return yield* fail("usage", `${Option.isSome(from) ? "--from" : "--setup"} belongs to --worktree`)
      if (Option.isNone(namedTag))
        return yield* fail("usage", "which session? 'leap <tag>' starts one or shows it, 'leap' alone shows all")
      const tag = namedTag.value
      const terminal = output.isTerminal && output.inputIsTerminal
      const joined = yield* connectTo(tag).pipe(
        Effect.scoped,
        Effect.as(true),
        Effect.catchTag("NoSessionError", () => Effect.succeed(false))
      )
      if (joined) {
        if (detach || Option.isSome(cli) || Option.isSome(cwd) || Option.isSome(worktree) || rest !== null) {
          return yield* fail(
            "refused",
            `session '${tag}' runs already; 'leap attach ${tag}' shows it, 'leap stop ${tag}' ends it`
          )
        }
        if (!terminal)
          return yield* fail(
            "refused",
            `session '${tag}' runs already; 'leap send ${tag} <text>' queues a message for it`
          )
        // all other commands start without it
        const client = yield* Effect.promise(() => import("../queueClient/openQueueClient.ts"))
        return yield* client.openQueueClient(tag)
      }
      const suggestion = commandLike(tag)
      if (suggestion !== null && Option.isNone(cli) && Option.isNone(yield* statusOf(tag))) {
        return yield* fail(
          "usage",
          `there is no session '${tag}' yet; did you mean 'leap ${suggestion}'? (with --cli it is started all the same)`
        )
      }
      if (!detach && !terminal)
        return yield* fail("usage", "attaching needs a terminal; use --detach to start without one")
      const size = detach ? detachedSize : yield* (yield* UserTerminal).size
      const own = Option.isNone(cwd) && Option.isNone(worktree) ? yield* ownWorktree(tag) : Option.none<string>()
      if (Option.isSome(own)) yield* output.note(`leap: in the session's worktree ${oneLine(own.value, 300)}`)
      const { directory, launch } = yield* prepareStart({
        tag,
        cli,
        cwd: Option.orElse(cwd, () => own),
        args: rest,
        size,
        waitForViewer: !detach,
        resumes: null,
        requireHooks,
        ...(terminal ? { askUnwired: yield* askUnwired } : {})
      })
      const words = {
        branch: Option.getOrNull(Option.filter(worktree, (name) => name !== "")),
        from: Option.getOrNull(from),
        setup: Option.getOrNull(setup)
      }
      yield* reportStart(
        tag,
        yield* Option.isSome(worktree) ? inWorktree(tag, directory, words, launch) : launch(directory)
      )
      if (!detach) return yield* attach({ tag, readOnly: false })
      const session = yield* statusOf(tag)
      yield* print(json, { schema: 1, sessions: Option.toArray(session) }, () => tag)
    })
  ).pipe(
    Command.withDescription("Start a session, or join one that runs (also: leap <tag>)"),
    Command.withShortDescription("Start a session, or join one that runs")
  )

export const attachCommand = Command.make(
  "attach",
  {
    tag: tagArgument,
    readOnly: toggle("read-only", "Watch without typing")
  },
  Effect.fn(function* ({ readOnly, tag }) {
    const output = yield* Output
    if (!output.isTerminal || !output.inputIsTerminal)
      return yield* fail("usage", "attaching needs a terminal; 'leap screen' prints the screen")
    return yield* attach({ tag, readOnly })
  })
).pipe(Command.withDescription("The session's screen in this terminal"))

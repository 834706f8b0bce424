import { runs } from "../../domain/words/session/states.ts"
import { Effect, FileSystem, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { messagesWhich } from "../../domain/words/session/failedMessage.ts"
import { commandNear } from "../../domain/words/arguments/CommandLine.ts"
import { localTime } from "../../domain/engine/history/recordTimes.ts"
import { tilde } from "../../domain/surfaces/picker/Rows.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { statusTable } from "../../domain/words/wording/StatusTable.ts"
import { doubtOf } from "../../domain/engine/queue/Leftovers.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Output } from "../../services/Output.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { attach } from "../attach/attach.ts"
import { awaitHost } from "../attach/attachedWire.ts"
import { requireScreen } from "../prompts/requireScreen.ts"
import { connectTo } from "../client/client.ts"
import { reachesNobody } from "../client/giveNotice.ts"
import { allStatuses, statusOf } from "../client/statuses.ts"
import { fail, OtherCommand } from "../exit.ts"
import { continueCommand, hasConversation } from "../client/continueCommand.ts"
import { System } from "../../services/System.ts"
import { askChoice } from "../prompts/ask.ts"
import { detachedSize, prepareStart, type startSession } from "../starting/start.ts"
import { askUnwired } from "../sessions/askUnwired.ts"
import { inWorktree, ownWorktree } from "../sessions/worktrees.ts"
import { jsonFlag, print, tagArgument, textFlag, toggle } from "./shared/common.ts"
import { Paths } from "../../services/Paths.ts"

/** Counts a start at the terminal, and returns the number before; infinity from `counted` on, and on a failure. */
const countStart: Effect.Effect<number, never, Paths> = Effect.gen(function* () {
  const { state } = yield* Paths
  // a program that embeds leap shows no hints
  const fs = yield* Effect.serviceOption(FileSystem.FileSystem)
  if (Option.isNone(fs)) return Infinity
  const file = `${state}/starts`
  const before = Number(yield* Effect.orElseSucceed(fs.value.readFileString(file), () => "0"))
  if (!(before < counted)) return Infinity
  yield* fs.value.writeFileString(file, `${before + 1}\n`, { mode: 0o600 })
  return before
}).pipe(Effect.orElseSucceed(() => Infinity))

const counted = 3

const heldLimit = 5

export const reportStart = Effect.fn("reportStart")(function* (
  tag: Tag,
  started: Effect.Success<ReturnType<typeof startSession>>
) {
  const output = yield* Output
  const { chosen, directory, held, leaves, movedFrom, note, queueProblem, warnings } = started
  for (const warning of warnings) yield* output.note(`leap: ${warning}`)
  if (chosen !== null) yield* output.note(chosen)
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
        `${messagesWhich(held.length, "is", "are")} held from the session's earlier run; ` +
          `'leap queue release ${tag}' sends:`,
        ...held.slice(0, heldLimit).map((message) => `  ${oneLine(message.text, 90)}${doubtOf(message)}`),
        ...(held.length > heldLimit ? [`  … 'leap queue ${tag}' shows all`] : [])
      ].join("\n")
    )
  }
})

/** Asks about a tag that resembles a command, which would otherwise start a CLI. */
const askMeant = Effect.fnUntraced(function* (tag: Tag, meant: string, terminal: boolean) {
  if (!terminal)
    return yield* fail(
      "usage",
      `there is no session '${tag}' yet; did you mean 'leap ${meant}'? (with --new it is started all the same)`
    )
  const isCommand = yield* askChoice(`There is no session '${tag}' yet. What do you mean?`, [
    { title: `the command: leap ${meant}`, value: true },
    { title: `a new session of the name '${tag}'`, value: false }
  ])
  if (isCommand) return yield* new OtherCommand({ words: [meant] })
})

/** Asks whether an ended session resumes its conversation, if it has one, or begins a new one. */
const askGoesOn = Effect.fnUntraced(function* (tag: Tag, { cwd, since }: SessionStatus, terminal: boolean) {
  if (!(yield* hasConversation(tag))) return "new" as const
  const command = yield* continueCommand(tag)
  if (!terminal)
    return yield* fail(
      "refused",
      `session '${tag}' has ended: '${command}' goes on with its conversation, 'leap ${tag} --new' begins a new one`
    )
  const system = yield* System
  const place = oneLine(tilde(cwd, system.env["HOME"] ?? ""), 40)
  const here = oneLine(tilde(system.cwd, system.env["HOME"] ?? ""), 40)
  return yield* askChoice<"goesOn" | "new">(
    `Session '${tag}' has ended (${localTime(Date.parse(since)).slice(0, 16)}, in ${place}).`,
    [
      { title: `go on with its conversation, in ${place}`, value: "goesOn" },
      { title: `begin a new one here, in ${here}`, value: "new" }
    ]
  )
})

export const start = (rest: ReadonlyArray<string> | null) =>
  Command.make(
    "start",
    {
      tag: tagArgument.pipe(Argument.optional),
      cli: textFlag(
        "cli",
        "The CLI to run (default: the session's last one, else the first of 'leap clis' that is installed)"
      ),
      cwd: textFlag("cwd", "The directory to run it in (default: this one)"),
      worktree: textFlag(
        "worktree",
        "Run it in a git worktree of its own, of this branch (default: a new one of its name)"
      ).pipe(Flag.withMetavar("[branch]")),
      from: textFlag("from", "With --worktree: where a new branch begins (default: what is checked out)"),
      setup: textFlag("setup", "With --worktree: a line for sh that makes a new worktree ready"),
      anew: toggle("new", "Begin a new conversation, where the session of this name has ended with one"),
      requireHooks: toggle("require-hooks", "Do not start a CLI without leap's hooks"),
      detach: toggle("detach", "Start without attaching").pipe(Flag.withAlias("d")),
      json: jsonFlag
    },
    Effect.fn(function* ({ anew, cli, cwd, detach, from, json, requireHooks, setup, tag: namedTag, worktree }) {
      const output = yield* Output
      if (Option.isNone(worktree) && (Option.isSome(from) || Option.isSome(setup)))
        return yield* fail("usage", `${Option.isSome(from) ? "--from" : "--setup"} belongs to --worktree`)
      if (Option.isNone(namedTag))
        return yield* fail("usage", "which session? 'leap <tag>' starts one or shows it, 'leap' alone shows all")
      const tag = namedTag.value
      const terminal = output.isTerminal && output.inputIsTerminal
      const joins = connectTo(tag).pipe(
        Effect.scoped,
        Effect.as(true),
        Effect.catchTag("NoSessionError", () => Effect.succeed(false))
      )
      // a background job may not change the terminal
      const met = terminal && !detach ? yield* Effect.scoped(awaitHost(tag, joins)) : { value: yield* joins, typed: [] }
      const { typed } = met
      if (met.value) {
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
        yield* requireScreen("attaching", `'leap screen ${tag}' prints the screen`)
        return yield* attach({ tag, readOnly: false, typed })
      }
      const last = yield* statusOf(tag)
      // further arguments show that a new session is wanted
      const isPlain = !anew && rest === null && [cli, cwd, worktree].every(Option.isNone)
      const meant = Option.isNone(last) && isPlain ? commandNear(tag) : null
      if (meant !== null) yield* askMeant(tag, meant, terminal)
      if (Option.isSome(last) && isPlain && (yield* askGoesOn(tag, last.value, terminal)) === "goesOn")
        return yield* new OtherCommand({
          words: [
            "resume",
            "--tag",
            tag,
            "--last",
            "--there",
            ...(detach ? ["--detach"] : []),
            ...(json ? ["--json"] : [])
          ]
        })
      if (!detach) yield* requireScreen("attaching", "use --detach to start without one")
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
        requireHooks,
        ...(terminal ? { askUnwired: yield* askUnwired } : {})
      })
      const words = {
        branch: Option.getOrNull(Option.filter(worktree, (name) => name !== "")),
        from: Option.getOrNull(from),
        setup: Option.getOrNull(setup)
      }
      const started = yield* Option.isSome(worktree) ? inWorktree(tag, directory, words, launch) : launch(directory)
      yield* reportStart(tag, started)
      const before = output.errorIsTerminal ? yield* countStart : Infinity
      const { notify } = (yield* (yield* UserSettings).read).settings
      // a user who disabled desktop notices knows
      const nobody = before === 0 && notify.desktop === "auto" ? yield* reachesNobody(notify) : null
      const tellNobody = nobody === null ? Effect.void : output.note(`leap: ${nobody}`)
      const introduces = before < Infinity ? { introduces: started.displayName } : {}
      // after attaching, because the CLI's screen would cover it
      if (!detach) return yield* Effect.andThen(attach({ tag, readOnly: false, typed, ...introduces }), tellNobody)
      yield* tellNobody
      const session = yield* statusOf(tag)
      yield* print(json, { schema: 1, sessions: Option.toArray(session) }, () => tag)
    })
  ).pipe(
    Command.withDescription("Start a session, or show the screen of one that runs (also: leap <tag>)"),
    Command.withShortDescription("Start a session, or show one that runs")
  )

export const attachCommand = Command.make(
  "attach",
  {
    tag: Argument.optional(tagArgument),
    readOnly: toggle("read-only", "Watch without typing")
  },
  Effect.fn(function* ({ readOnly, tag: named }) {
    yield* requireScreen("attaching", "'leap screen' prints the screen")
    return yield* attach({ tag: Option.isSome(named) ? named.value : yield* onlyOne, readOnly })
  })
).pipe(
  Command.withDescription("The session's screen in this terminal; the only one that runs needs no name"),
  Command.withShortDescription("The session's screen in this terminal")
)

const onlyOne = Effect.gen(function* () {
  const running = (yield* allStatuses()).filter(runs)
  const [first, ...more] = running
  if (first === undefined) return yield* fail("notFound", "no session runs; 'leap <tag>' starts one, 'leap' shows all")
  if (more.length === 0) return Tag.make(first.tag)
  const output = yield* Output
  const home = (yield* System).env["HOME"] ?? ""
  yield* output.note(statusTable(running, { colour: false, columns: yield* output.columns, home }))
  return yield* fail("usage", `${running.length} sessions run: 'leap attach <tag>' shows one, 'leap' all`)
})

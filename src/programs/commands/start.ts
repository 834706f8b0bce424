import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag, Prompt } from "effect/cli"
import { commandLike } from "../../domain/CommandLine.ts"
import { oneLine, stateLine } from "../../domain/StateLine.ts"
import { Tag } from "../../domain/Tag.ts"
import { Output } from "../../services/Output.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { attach } from "../attach.ts"
import { allStatuses, connectTo, statusOf } from "../client.ts"
import { fail } from "../exit.ts"
import { installed } from "../locate.ts"
import { queueClient } from "../queueClient.ts"
import { detachedSize, startSession } from "../start.ts"
import { jsonFlag, print, tagArgument } from "./common.ts"

const heldShown = 5

/** What the user chose: a session that runs, or a new one. */
type Picked = { readonly tag: Tag; readonly cli: Option.Option<string>; readonly runs: boolean }

/** The prompts' library gives the terminal its line mode back some 10 ms after an answer: who wants it raw must come later. */
const promptLeaves = "30 millis"

/** Asks the user; giving up is exit code 130. */
export const asked = <A>(prompt: Prompt.Prompt<A>) =>
  Prompt.run(prompt).pipe(
    // the library leaves the cursor behind the last choice
    Effect.catchTag("QuitError", () => Effect.andThen(Effect.flatMap(Output, (output) => output.note("")), fail("cancelled", ""))),
    Effect.tap(Effect.sleep(promptLeaves))
  )

/** Asks for a new session's name, and for its CLI where there is a choice. */
const pickNew = Effect.gen(function*() {
  const clis = yield* installed
  const [first] = clis
  if (first === undefined) return yield* fail("notInstalled", "no CLI that leap can host is installed; 'leap doctor' tells where to get them")
  const name = yield* asked(Prompt.String({
    message: "Name of the new session?",
    validate: (text) => Effect.mapError(Schema.decodeUnknownEffect(Tag)(text.trim()), (error) => error.message)
  }))
  const tag = Tag.make(name.trim())
  // one that was there before goes on with the CLI it had
  if (clis.length === 1 || Option.isSome(yield* statusOf(tag))) return { tag, cli: Option.none(), runs: false } satisfies Picked
  const cli = yield* asked(Prompt.Select({
    message: "Which CLI?",
    choices: clis.map((provider) => ({ title: `${provider.id}  ${provider.displayName}`, value: provider.id }))
  }))
  return { tag, cli: Option.some(cli), runs: false } satisfies Picked
})

/** Lets the user pick one of the running sessions, or start one. */
const pick = Effect.gen(function*() {
  const output = yield* Output
  if (!output.isTerminal || !output.inputIsTerminal) {
    return yield* fail("usage", "which session? 'leap <tag>' starts or joins one, 'leap status' lists them, 'leap --help' tells the rest")
  }
  const running = (yield* allStatuses()).filter((session) => session.state !== "exited")
  if (running.length === 0) return yield* pickNew
  const tag = yield* asked(Prompt.Select<Tag | null>({
    message: "Which session?",
    choices: [
      ...running.map((session) => ({ title: `${session.tag}  ${stateLine(session, false)}`, value: Tag.make(session.tag) })),
      { title: "a new one", value: null }
    ]
  }))
  return tag === null ? yield* pickNew : { tag, cli: Option.none(), runs: true } satisfies Picked
})

/** Tells what the user should know of a session that was started. */
export const tellStart = Effect.fn("tellStart")(function*(tag: Tag, started: Effect.Success<ReturnType<typeof startSession>>) {
  const output = yield* Output
  const { directory, held, movedFrom, note, warnings } = started
  for (const warning of warnings) yield* output.note(`leap: ${warning}`)
  if (note !== null) yield* output.note(note)
  if (movedFrom !== null) yield* output.note(`session '${tag}' now runs in ${directory} (before: ${movedFrom})`)
  if (held.length > 0) {
    yield* output.note([
      `${held.length === 1 ? "1 message is" : `${held.length} messages are`} held from the session's earlier run; 'leap queue release ${tag}' sends:`,
      ...held.slice(0, heldShown).map((message) => `  ${oneLine(message.text, 90)}`),
      ...(held.length > heldShown ? [`  … 'leap queue ${tag}' shows all`] : [])
    ].join("\n"))
  }
})

/** `leap <tag>`: starts the session and attaches, or joins one that runs as its queue client. */
export const start = (rest: ReadonlyArray<string>) =>
  Command.make("start", {
    tag: tagArgument.pipe(Argument.optional),
    cli: Flag.String("cli").pipe(Flag.withDescription("The CLI to run (default: the session's last one, else the first of 'leap clis' that is installed)"), Flag.optional),
    cwd: Flag.String("cwd").pipe(Flag.withDescription("The directory to run it in (default: this one)"), Flag.optional),
    detach: Flag.Boolean("detach").pipe(Flag.withAlias("d"), Flag.withDescription("Start without attaching"), Flag.withDefault(false)),
    json: jsonFlag
  }, Effect.fn(function*({ cli: named, cwd, detach, json, tag: given }) {
    const output = yield* Output
    const picked = Option.isSome(given) ? { tag: given.value, cli: named, runs: false } : yield* pick
    if (picked.runs) return yield* attach({ tag: picked.tag, readOnly: false })
    const { tag } = picked
    const cli = Option.orElse(named, () => picked.cli)
    const terminal = output.isTerminal && output.inputIsTerminal
    const joined = yield* connectTo(tag).pipe(
      Effect.scoped,
      Effect.as(true),
      Effect.catchTag("NoSessionError", () => Effect.succeed(false))
    )
    if (joined) {
      if (detach || Option.isSome(cli) || Option.isSome(cwd) || rest.length > 0) {
        return yield* fail("refused", `session '${tag}' runs already; 'leap attach ${tag}' shows it, 'leap stop ${tag}' ends it`)
      }
      if (!terminal) return yield* fail("refused", `session '${tag}' runs already; 'leap send ${tag} <text>' queues a message for it`)
      return yield* queueClient(tag)
    }
    const meant = commandLike(tag)
    if (meant !== null && Option.isNone(cli) && Option.isNone(yield* statusOf(tag))) {
      return yield* fail("usage", `there is no session '${tag}' yet; did you mean 'leap ${meant}'? (with --cli it is started all the same)`)
    }
    if (!detach && !terminal) return yield* fail("usage", "attaching needs a terminal; use --detach to start without one")
    const size = detach ? detachedSize : yield* (yield* UserTerminal).size
    yield* tellStart(tag, yield* startSession({ tag, cli, cwd, args: rest, size, waitForViewer: !detach, resumes: null }))
    if (!detach) return yield* attach({ tag, readOnly: false })
    const session = yield* statusOf(tag)
    yield* print(json, { schema: 1, sessions: Option.toArray(session) }, () => tag)
  })).pipe(Command.withDescription("Start a session, or join one that runs (also: leap <tag>)"))

export const attachCommand = Command.make("attach", {
  tag: tagArgument,
  readOnly: Flag.Boolean("read-only").pipe(Flag.withDescription("Watch without typing"), Flag.withDefault(false))
}, Effect.fn(function*({ readOnly, tag }) {
  const output = yield* Output
  if (!output.isTerminal || !output.inputIsTerminal) return yield* fail("usage", "attaching needs a terminal; 'leap screen' prints the screen")
  return yield* attach({ tag, readOnly })
})).pipe(Command.withDescription("The session's screen in this terminal"))


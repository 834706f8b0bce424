import { Effect, Schema } from "effect"
import { CliConfig, CliError, Command, GlobalFlag } from "effect/cli"
import { Tag } from "../domain/words/session/Tag.ts"
import { type CommandName, commandGroups, commandsOf } from "../domain/words/session/commandGroups.ts"
import { System } from "../services/System.ts"
import { Output } from "../services/Output.ts"
import { oneLine, printable } from "../domain/words/text/printable.ts"
import { placesCursor } from "../domain/surfaces/tui/placesCursor.ts"
import { commandLike, parseCommandLine } from "../domain/words/arguments/CommandLine.ts"
import { hostWords } from "../domain/words/arguments/hostWords.ts"
import { queueVerbs } from "../domain/words/arguments/queueVerbs.ts"
import { continueAdvice } from "./client/continueCommand.ts"
import { hasEnded } from "../domain/words/wording/noSession.ts"
import { describe, exitCode } from "./exit.ts"

/**
 * The commands. Each is loaded on use, because loading takes most of the start-up time. `own`: the arguments after a
 * lone `--`, for the session's CLI; null without `--`, where the session's recorded arguments count.
 */
const commands = (rest: ReadonlyArray<string>, own: ReadonlyArray<string> | null) => {
  const the = <M, N extends keyof M>(load: () => Promise<M>, name: N) =>
    Effect.map(Effect.promise(load), (module) => module[name])
  const given =
    <A>(words: A) =>
    <C>(command: Effect.Effect<(words: A) => C>) =>
      Effect.map(command, (make) => make(words))
  const called = (name: string) => the(() => import("./commands/callCommand.ts"), "callCommand").pipe(given(name))
  const lookBack = () => import("./commands/lookBack.ts")
  const messages = () => import("./commands/messages.ts")
  const sessions = () => import("./commands/sessions.ts")
  const start = () => import("./commands/start.ts")
  const stop = () => import("./commands/stop.ts")
  const tools = () => import("./commands/tools.ts")
  const usage = () => import("./commands/usage.ts")
  return {
    start: the(start, "start").pipe(given(own)),
    attach: the(start, "attachCommand"),
    resume: the(() => import("./commands/resume.ts"), "resume").pipe(given(own)),
    hand: the(() => import("./commands/hand.ts"), "hand").pipe(given(own)),
    move: the(() => import("./commands/move.ts"), "move").pipe(given(own)),
    send: the(messages, "send"),
    queue: the(messages, "queue"),
    status: the(sessions, "status"),
    monitor: the(() => import("./commands/monitor.ts"), "monitor"),
    why: called("why"),
    wait: the(sessions, "wait"),
    answer: called("answer"),
    keys: the(() => import("./commands/keys.ts"), "keys"),
    interrupt: called("interrupt"),
    stop: the(stop, "stop"),
    forget: the(stop, "forget"),
    mode: the(() => import("./commands/mode.ts"), "mode"),
    notify: the(() => import("./commands/notify.ts"), "notify"),
    settings: the(() => import("./commands/settings.ts"), "settings"),
    dismiss: called("dismiss"),
    diff: called("diff"),
    mute: called("mute"),
    unmute: called("unmute"),
    screen: the(sessions, "screen"),
    last: the(sessions, "last"),
    history: the(usage, "history"),
    prices: the(usage, "prices"),
    record: the(() => import("./commands/record.ts"), "record"),
    replay: the(tools, "replay"),
    log: the(lookBack, "log"),
    report: the(lookBack, "report"),
    hooks: the(tools, "hooks"),
    clis: the(() => import("./commands/clis.ts"), "clis").pipe(given(rest)),
    policy: the(() => import("./commands/policy.ts"), "policy"),
    audit: the(() => import("./commands/audit.ts"), "audit"),
    web: the(() => import("./commands/web.ts"), "web"),
    out: the(() => import("./commands/out.ts"), "out"),
    exec: the(() => import("./commands/exec.ts"), "exec").pipe(given(rest)),
    chat: the(() => import("./commands/chat.ts"), "chat").pipe(given(rest)),
    completions: the(() => import("./commands/completions.ts"), "completions"),
    mcp: the(() => import("./commands/mcp.ts"), "mcp"),
    acp: the(() => import("./commands/acp.ts"), "acp").pipe(given(own)),
    demo: the(() => import("./commands/demo.ts"), "demo"),
    doctor: the(() => import("./commands/doctor.ts"), "doctor"),
    edit: the(() => import("./commands/edit.ts"), "edit"),
    finish: the(() => import("./commands/finish.ts"), "finish"),
    skill: the(() => import("./commands/skill.ts"), "skill"),
    upgrade: the(() => import("./commands/upgrade.ts"), "upgrade"),
    uninstall: the(() => import("./commands/uninstall.ts"), "uninstall"),
    hosts: the(() => import("./commands/hosts.ts"), "hosts"),
    help: the(() => import("./commands/help.ts"), "help")
  } satisfies Readonly<Record<CommandName, unknown>>
}

const root = Command.make("leap").pipe(
  Command.withDescription(
    "Hosts AI coding CLIs: knows what each does, types your messages when it is safe.\n" +
      "'leap <tag>' starts a session or shows the screen of one that runs; what follows a lone -- goes to its CLI."
  )
)

const tree = Effect.fnUntraced(function* (
  name: string | undefined,
  rest: ReadonlyArray<string>,
  own: ReadonlyArray<string> | null
) {
  const all = commands(rest, own)
  const known = Object.entries(all).find(([own]) => own === name)
  if (known !== undefined) return root.pipe(Command.withSubcommands([yield* known[1]]))
  const loaded = yield* Effect.all(all)
  const groups = commandGroups.map((group) => ({
    group: group.title,
    commands: commandsOf(group).map((name) => loaded[name])
  }))
  return root.pipe(Command.withSubcommands(groups))
})

export const commandTree = tree(undefined, [], null)

const firstLine = (text: string): string => text.split("\n")[0] ?? ""

/** Translates the parser's expectation into plain words. */
const expectedOf = (text: string): string =>
  firstLine(text)
    .replace(/^(Expected:?|Schema validation failed:|Failed to parse [^:]*:)\s*/gi, "")
    .replace(/^Expected:?\s*/i, "")
    .replace(
      /^(?:a string (?:representing|that will be decoded as) a finite number|number|a finite number)$/,
      "a number"
    )
    .replace(/^integer$/, "an integer")

const wrongValue = ({ expected, kind, option, value }: CliError.InvalidValue): string => {
  const name = kind === "flag" ? `--${option}` : option
  const wanted = expectedOf(expected)
  return value === "" ? `${name} needs a value: ${wanted}` : `${name}: '${value}' will not do: ${wanted}`
}

/** A parse error on one line, with a hint to the help; the parser's suggestions are kept. */
const usageLine = (error: CliError.ShowHelp): string => {
  const path = error.commandPath.join(" ")
  const [first] = error.errors
  const suggestion = first?.message.match(/Did you mean this\?\s+(\S.*)/)?.[1]
  const what = first?._tag === "InvalidValue" ? wrongValue(first) : firstLine(first?.message ?? "wrong usage")
  return `${what}${suggestion === undefined ? "" : ` (did you mean ${suggestion.trim()}?)`}; see '${path} --help'`
}

/** The message for a tag followed by words, as if they were for its session; null for any other command line. */
const messageMeant = (argv: ReadonlyArray<string>, words: ReadonlyArray<string>): string | null => {
  const [tag, text] = argv
  if (words[0] !== "start" || tag === undefined || tag === "start" || text === undefined || text.startsWith("-"))
    return null
  // the verbs of the queue need a tag before them
  if (queueVerbs.has(tag) && !["list", "show"].includes(tag))
    return `there is no command '${tag}'; did you mean 'leap queue ${tag} ${oneLine(text, 40)}'?`
  const meant = commandLike(tag)
  if (meant !== null) return `there is no command '${tag}'; did you mean 'leap ${meant}'?`
  return `'leap ${tag}' takes no text ('${oneLine(text, 40)}'): 'leap send ${tag} <text>' queues a message for it`
}

/** The message for an unknown flag at the beginning of a line or behind a tag, if its right place can be guessed. */
const placeMeant = (words: ReadonlyArray<string>, error: CliError.CliError): string | null => {
  const [first = "", tag = ""] = words
  if (error._tag !== "ShowHelp") return null
  const [wrong] = error.errors
  if (wrong?._tag !== "UnrecognizedOption" || wrong.suggestions.length > 0) return null
  const flag = oneLine(wrong.option, 40)
  const at = words.findIndex((word) => word === wrong.option || word.startsWith(`${wrong.option}=`))
  if (first === "start" && at > 1 && !tag.startsWith("-"))
    return (
      `leap has no flag ${flag} for a start: what is for the CLI comes behind a lone -- ` +
      `('leap ${tag} -- ${oneLine(words.slice(at).join(" "), 60)}'); see 'leap start --help'`
    )
  if (!first.startsWith("-") || (wrong.command?.length ?? 1) > 1) return null
  return (
    `leap has no flag ${flag} to begin with: a name or a command comes first ('leap <tag> --cli NAME'), ` +
    `what is for the CLI behind a lone -- ('leap <tag> -- ${flag}'); see 'leap --help'`
  )
}

/** The message for an unknown subcommand after `leap help` and a command; null if all words are known. */
const unknownHelp = (root: Command.Command.Any, argv: ReadonlyArray<string>): string | null => {
  const [first, ...words] = argv
  if (first !== "help") return null
  let at: Command.Command.Any = root
  for (const [i, word] of words.entries()) {
    const below = at.subcommands.flatMap(({ commands }) => commands)
    const next = below.find(({ name }) => name === word)
    if (next === undefined) {
      // the first word may be a help page, which another command shows
      if (i === 0 || word.startsWith("-")) return null
      const path = words.slice(0, i).join(" ")
      const all = below.map(({ name }) => name).join(", ")
      return below.length === 0
        ? `'leap ${path}' has no commands of its own: 'leap help ${path}' shows its flags`
        : `'leap ${path}' has no command '${oneLine(word, 40)}'; there are ${all}`
    }
    at = next
  }
  return null
}

export const builtIns = CliConfig.layer({
  builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions, GlobalFlag.LogLevel]
})

/** `leap` without arguments: all sessions, full-screen if possible. */
const alone = Effect.gen(function* () {
  const { inputIsTerminal, isTerminal } = yield* Output
  const { env } = yield* System
  return [isTerminal && inputIsTerminal && placesCursor(env) ? "monitor" : "status"]
})

/** The outcome of a failed command line: its exit code, or the command line that the user meant. */
type Ended = Effect.Effect<
  number | ReadonlyArray<string>,
  never,
  Output | Effect.Services<ReturnType<typeof continueAdvice>>
>

const runOnce = Effect.fn("runCommandLine")(function* (argv: ReadonlyArray<string>, version: string) {
  const output = yield* Output
  const { rest, words } = argv.length === 0 ? { rest: [], words: yield* alone } : parseCommandLine(argv, queueVerbs)
  const report = (message: string, code: number) =>
    Effect.as(message === "" ? Effect.void : output.note(`leap: ${printable(message)}`), code)
  const away = hostWords(argv)
  if (away !== null) {
    const { runThere } = yield* Effect.promise(() => import("./client/runThere.ts"))
    return yield* Effect.catch(runThere(away), (error) => report(describe(error).message, describe(error).exitCode))
  }
  // the shell completions cover all commands
  const name = words.some((word) => word.startsWith("--completions")) ? undefined : words[0]
  const root = yield* tree(name, rest, argv.includes("--") ? rest : null)
  const unknown = unknownHelp(root, argv)
  if (unknown !== null) return yield* report(unknown, exitCode.usage)
  return yield* Command.runWith(root, { version })(words).pipe(
    Effect.as<number | ReadonlyArray<string>>(exitCode.done),
    Effect.catch((error): Ended => {
      if (!CliError.isCliError(error)) {
        if (error._tag === "OtherCommand") return Effect.succeed(error.words)
        const { exitCode, message } = describe(error)
        return error._tag === "NoSessionError" && error.ended && Schema.is(Tag)(error.tag)
          ? Effect.flatMap(continueAdvice(error.tag), (advice) => report(hasEnded(error.tag, advice), exitCode))
          : report(message, exitCode)
      }
      const message = messageMeant(argv, words) ?? placeMeant(words, error)
      if (message !== null) return report(message, exitCode.usage)
      if (error._tag === "ShowHelp") {
        return error.errors.length === 0 ? Effect.succeed(exitCode.usage) : report(usageLine(error), exitCode.usage)
      }
      return report(firstLine(error.message), exitCode.usage)
    })
  )
})

/** Runs one command line and returns the exit code. It prints a failure as one line on standard error. */
export const runCommandLine = Effect.fnUntraced(function* (argv: ReadonlyArray<string>, version: string) {
  let words = argv
  for (;;) {
    const ended = yield* runOnce(words, version)
    if (typeof ended === "number") return ended
    words = ended
  }
})

import { Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AgentOptions } from "../../domain/agents/AgentOptions.ts"
import type { Conversation } from "../../domain/agents/Conversation.ts"
import * as turns from "../../domain/agents/turns.ts"
import { type AgentProviderShape, AgentProviders, type ConversationResult } from "../../services/AgentProvider.ts"
import { LinePrompt } from "../../services/LinePrompt.ts"
import { Machine } from "../../services/Machine.ts"
import { Output } from "../../services/Output.ts"
import { noState, openState, type StateFile } from "../agents/stateFile.ts"
import { type Format, formats, telling, withFailureTold } from "../agents/telling.ts"
import { fail } from "../exit.ts"
import { timeoutFlag } from "./common.ts"

const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)
const toggle = (name: string, description: string) => Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const flags = {
  provider: text("provider", "Whose CLI or API: claude, codex, gemini, copilot, opencode, …"),
  model: text("model", "The model by the provider's own name"),
  system: text("system-prompt", "What the model hears before the first prompt"),
  output: Flag.Literals("output", formats).pipe(
    Flag.withDescription("text: the answer; json: one document; stream-json: each event as it comes"),
    Flag.withDefault("text" as Format)
  ),
  json: toggle("json", "The same as --output json"),
  answer: Flag.Literals("answer", ["text", "json"] as const).pipe(
    Flag.withDescription("json: the answer has to be JSON (exit code 13 when it is not)"),
    Flag.optional
  ),
  skip: toggle("dangerously-skip-permissions", "Every tool runs unasked; otherwise what would be asked for is refused"),
  allowed: text("allowed-tools", "Tools that run unasked, with commas between them"),
  denied: text("denied-tools", "Tools that do not run"),
  effort: text("effort", "How much the model thinks"),
  maxTurns: Flag.Int("max-turns").pipe(
    Flag.withDescription("Model turns at most"),
    Flag.filter((turns) => turns > 0, () => "expected a whole number above 0"),
    Flag.optional
  ),
  timeout: timeoutFlag,
  idle: Flag.Finite("idle-timeout").pipe(
    Flag.withDescription("Give up when nothing comes for this many seconds (exit code 4)"),
    Flag.filter((seconds) => seconds > 0, () => "expected a number of seconds above 0"),
    Flag.optional
  ),
  cwd: text("cwd", "Its directory (default: this one)"),
  quiet: toggle("quiet", "No progress on standard error")
}

type Given = { readonly [K in keyof typeof flags]: (typeof flags)[K] extends Flag.Flag<infer A> ? A : never }

const put = <K extends string, A>(key: K, value: Option.Option<A>): { readonly [P in K]?: A } =>
  Option.match(value, { onNone: () => ({}), onSome: (it) => ({ [key]: it }) as { readonly [P in K]: A } })

const optionsOf = (given: Given, rest: ReadonlyArray<string>, directory: (path: string) => string): AgentOptions => ({
  ...put("model", given.model),
  ...put("systemPrompt", given.system),
  ...put("outputFormat", given.answer),
  ...given.skip ? { skipPermissions: true } : {},
  ...put("allowedTools", given.allowed),
  ...put("deniedTools", given.denied),
  ...put("effort", given.effort),
  ...put("maxTurns", given.maxTurns),
  ...put("timeout", Option.map(given.timeout, (seconds) => seconds * 1_000)),
  ...put("idleTimeout", Option.map(given.idle, (seconds) => seconds * 1_000)),
  ...put("cwd", Option.map(given.cwd, directory)),
  ...rest.length === 0 ? {} : { args: rest }
})

const promptArgument = Argument.String("prompt").pipe(
  Argument.withDescription("What to ask; - or nothing: standard input"),
  Argument.optional
)

const setting = Effect.fnUntraced(function*(given: Given, rest: ReadonlyArray<string>) {
  const output = yield* Output
  const machine = yield* Machine
  const format: Format = given.json ? "json" : given.output
  const options = optionsOf(given, rest, (path) => path.startsWith("/") ? path : `${machine.cwd}/${path}`)
  return { output, options, format, progress: output.notesAreSeen && !given.quiet && format === "text" }
})

const provider = Effect.fnUntraced(function*(name: string | null) {
  const providers = yield* AgentProviders
  if (name !== null) return yield* providers.get(name)
  return yield* fail("usage", `which provider is not said: --provider ${providers.all.map((it) => it.name).join("|")}`)
})

/** No prompt is as long as this, and no part of one is left out in silence. In bytes. */
const promptLimit = 16 << 20

/** The prompt of a command: its argument, or all of standard input where that is no terminal. */
const promptOf = Effect.fnUntraced(function*(given: Option.Option<string>) {
  const output = yield* Output
  if (Option.isSome(given) && given.value !== "-") return given.value
  if (Option.isNone(given) && output.inputIsTerminal) return yield* fail("usage", "there is no prompt; give one, or - for standard input")
  const text = yield* output.stdin
  if (new TextEncoder().encode(text).length > promptLimit) return yield* fail("usage", "the prompt is longer than 16 MiB; put it in a file, and name the file")
  // the newline that ends a file is not the prompt's
  return text.replace(/\r?\n$/, "")
})

/** `leap exec`: one turn without a terminal. */
export const exec = (rest: ReadonlyArray<string>) => Command.make("exec", {
  ...flags,
  session: text("resume", "Go on in this session of the CLI"),
  fork: toggle("fork", "Go on in a copy of it"),
  prompt: promptArgument
}, Effect.fn(function*({ fork, prompt, session, ...given }) {
  const { format, options, progress } = yield* setting(given, rest)
  yield* Effect.gen(function*() {
    // a variable of a script that is empty must not begin another session in silence
    if (Option.isSome(session) && session.value.trim() === "") return yield* fail("usage", "--resume: the session is empty")
    if (fork && Option.isNone(session)) return yield* fail("usage", "--fork: of which session? --resume names it")
    const agent = yield* provider(Option.getOrNull(given.provider))
    const asked = yield* promptOf(prompt)
    const how = { format, progress }
    if (Option.isNone(session)) {
      yield* telling(agent.execute(asked, options), { ...how, resultOf: (result) => result, document: (result) => ({ schema: 1, ...result }) })
    } else {
      const conversation = turns.begin(agent.name, { sessionId: session.value })
      yield* telling(agent.executeConversation(conversation, asked, { ...options, fork }), {
        ...how, resultOf: ({ result }) => result, document: ({ result }) => ({ schema: 1, ...result })
      })
    }
  }).pipe(withFailureTold(format))
})).pipe(Command.withDescription("Asks an AI CLI or API one thing, without its terminal interface; what follows a lone -- goes to the CLI"))

/** One turn; its outcome is kept, and what a failure or an interrupt has told of the session too. */
const turn = Effect.fnUntraced(function*(agent: AgentProviderShape, conversation: Conversation, asked: string, how: {
  readonly state: StateFile
  readonly options: AgentOptions & { readonly fork?: boolean }
  readonly format: Format
  readonly progress: boolean
}) {
  const machine = yield* Machine
  const cwd = Option.getOrNull(yield* machine.directory(how.options.cwd ?? conversation.cwd ?? machine.cwd))
  const failed = (sessionId: string | null, lost = false) => Effect.ignore(how.state.keep(turns.afterFailure(conversation, sessionId, { cwd, lost })))
  const { conversation: after } = yield* telling(agent.executeConversation(conversation, asked, how.options), {
    format: how.format,
    progress: how.progress,
    resultOf: ({ result }: ConversationResult) => result,
    document: ({ conversation: { turns, totalTokens }, result }) => ({ schema: 1, ...result, conversation: { turns: turns.length, totalTokens } }),
    keep: ({ conversation }) => how.state.keep(conversation),
    cut: ({ sessionId }) => failed(sessionId)
  }).pipe(Effect.tapError((error) =>
    "sessionId" in error ? failed(error.sessionId, error._tag === "AgentReportedError" && error.problem.kind === "session") : Effect.void
  ))
  return after
})

/** `leap chat`: a conversation without a terminal interface, kept in a file between calls. */
export const chat = (rest: ReadonlyArray<string>) => Command.make("chat", {
  ...flags,
  state: text("state", "The file that carries the conversation from call to call"),
  fork: toggle("fork", "Go on in a copy of the CLI's session"),
  prompt: promptArgument
}, Effect.fn(function*({ fork, prompt, state: path, ...given }) {
  const { format, options, output, progress } = yield* setting(given, rest)
  yield* Effect.gen(function*() {
    const state = Option.isNone(path) ? noState : yield* openState(path.value)
    const kept = state.conversation
    const agent = yield* provider(Option.getOrNull(given.provider) ?? kept?.provider ?? null)
    const conversation = kept ?? turns.begin(agent.name, { systemPrompt: Option.getOrNull(given.system) })
    const how = { state, options: { ...options, fork }, format, progress }
    if (Option.isSome(prompt) || !output.inputIsTerminal) {
      yield* turn(agent, conversation, yield* promptOf(prompt), how)
      return
    }
    const editor = yield* (yield* LinePrompt).open
    yield* editor.prompt("> ")
    // an empty line ends it; so does a failure
    yield* editor.entries.pipe(
      Stream.takeWhile((entry) => entry.trim() !== ""),
      Stream.runFoldEffect(() => conversation, (now, entry) => turn(agent, now, entry, how)),
      Effect.flatMap((last) => last === conversation ? Effect.void : state.keep({ ...last, stoppedBy: "user_exit" }))
    )
  }).pipe(withFailureTold(format))
}, Effect.scoped)).pipe(Command.withDescription("Goes on with a conversation, turn by turn, without the CLI's terminal interface"))

import { Effect, Option, Result, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AgentOptions } from "../../domain/agents/AgentOptions.ts"
import { Conversation } from "../../domain/agents/Conversation.ts"
import * as turns from "../../domain/agents/turns.ts"
import { type AgentProviderShape, AgentProviders, type ConversationResult } from "../../services/AgentProvider.ts"
import { LinePrompt } from "../../services/LinePrompt.ts"
import { Machine } from "../../services/Machine.ts"
import { Output } from "../../services/Output.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { type Format, formats, telling } from "../agents/telling.ts"
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
  maxTurns: Flag.Int("max-turns").pipe(Flag.withDescription("Model turns at most"), Flag.optional),
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

/** The prompt of a command: its argument, or all of standard input where that is no terminal. */
const promptOf = Effect.fnUntraced(function*(given: Option.Option<string>) {
  const output = yield* Output
  if (Option.isSome(given) && given.value !== "-") return given.value
  if (Option.isNone(given) && output.inputIsTerminal) return yield* fail("usage", "there is no prompt; give one, or - for standard input")
  // the newline that ends a file is not the prompt's
  return (yield* output.stdin).replace(/\r?\n$/, "")
})

/** `leap exec`: one turn without a terminal. */
export const exec = (rest: ReadonlyArray<string>) => Command.make("exec", {
  ...flags,
  session: text("resume", "Go on in this session of the CLI"),
  fork: toggle("fork", "Go on in a copy of it"),
  prompt: promptArgument
}, Effect.fn(function*({ fork, prompt, session, ...given }) {
  const { format, options, progress } = yield* setting(given, rest)
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
})).pipe(Command.withDescription("Asks an AI CLI or API one thing, without its terminal interface; what follows a lone -- goes to the CLI"))

const read = Effect.fnUntraced(function*(file: string | null) {
  if (file === null) return null
  const bytes = yield* (yield* SharedFile).read(file)
  if (bytes === null || bytes.length === 0) return null
  return yield* Result.match(Schema.decodeUnknownResult(Schema.fromJsonString(Conversation))(new TextDecoder().decode(bytes)), {
    onFailure: () => Effect.fail(fail("usage", `${file} is no conversation that 'leap chat' has kept`)),
    onSuccess: Effect.succeed
  })
})

const keep = Effect.fnUntraced(function*(file: string | null, conversation: Conversation) {
  if (file === null) return
  yield* (yield* SharedFile).change(file, () => Result.succeed(new TextEncoder().encode(`${JSON.stringify(conversation, null, 2)}\n`)))
})

/** One turn; its outcome is kept, and what a failure tells of the session too. */
const turn = Effect.fnUntraced(function*(agent: AgentProviderShape, conversation: Conversation, asked: string, how: {
  readonly file: string | null
  readonly options: AgentOptions & { readonly fork?: boolean }
  readonly format: Format
  readonly progress: boolean
}) {
  const { conversation: after } = yield* telling(agent.executeConversation(conversation, asked, how.options), {
    format: how.format,
    progress: how.progress,
    resultOf: ({ result }: ConversationResult) => result,
    document: ({ conversation: { turns, totalTokens }, result }) => ({ schema: 1, ...result, conversation: { turns: turns.length, totalTokens } })
  }).pipe(Effect.tapError((error) =>
    "sessionId" in error ? Effect.ignore(keep(how.file, turns.afterFailure(conversation, error.sessionId))) : Effect.void
  ))
  yield* keep(how.file, after)
  return after
})

/** `leap chat`: a conversation without a terminal interface, kept in a file between calls. */
export const chat = (rest: ReadonlyArray<string>) => Command.make("chat", {
  ...flags,
  state: text("state", "The file that carries the conversation from call to call"),
  fork: toggle("fork", "Go on in a copy of the CLI's session"),
  prompt: promptArgument
}, Effect.fn(function*({ fork, prompt, state, ...given }) {
  const { format, options, output, progress } = yield* setting(given, rest)
  const { cwd } = yield* Machine
  const file = Option.getOrNull(Option.map(state, (path) => path.startsWith("/") ? path : `${cwd}/${path}`))
  const kept = yield* read(file)
  const agent = yield* provider(Option.getOrNull(given.provider) ?? kept?.provider ?? null)
  const conversation = kept ?? turns.begin(agent.name, { systemPrompt: Option.getOrNull(given.system) })
  const how = { file, options: { ...options, fork }, format, progress }
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
    Effect.flatMap((last) => last === conversation ? Effect.void : keep(file, { ...last, stoppedBy: "user_exit" }))
  )
}, Effect.scoped)).pipe(Command.withDescription("Goes on with a conversation, turn by turn, without the CLI's terminal interface"))

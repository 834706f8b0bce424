import { Option } from "effect"
import { Argument, Flag } from "effect/cli"
import type { AgentOptions } from "../../../domain/cli/headless/AgentOptions.ts"
import { isNetwork, networkForms } from "../../../domain/cli/headless/Network.ts"
import { type Format, formats } from "../../headless/renderRun.ts"
import {
  aboveZero,
  choiceFlag,
  countFlag,
  secondsFlag,
  textFlag,
  textFlags,
  timeoutFlag,
  toggle,
  wordArgument
} from "./common.ts"

const number = (name: string, description: string) =>
  Flag.Finite(name).pipe(Flag.withDescription(description), Flag.optional)

const whole = (name: string, description: string) => countFlag(name, description, "a whole number").pipe(Flag.optional)

export const flags = {
  provider: textFlag(
    "provider",
    "Whose CLI or API: claude, codex, gemini, copilot, opencode, …; exec takes several: a,b,c"
  ).pipe(Flag.withAlias("cli")),
  fallback: textFlag("fallback", "Who is asked where the provider is at its limit or overloaded, in this order: a,b"),
  model: textFlag("model", "The model by the provider's own name"),
  system: textFlag("system-prompt", "What the model hears before the first prompt"),
  output: Flag.Literals("output", formats).pipe(
    Flag.withDescription(
      "text: the answer; json: one document; stream-json: each event as it comes; native: the CLI's own lines"
    ),
    Flag.withDefault("text" as Format)
  ),
  json: toggle("json", "The same as --output json"),
  answer: choiceFlag("answer", ["text", "json"], "json: the answer has to be JSON (exit code 13 when it is not)"),
  schema: textFlag("schema", "A file with a JSON schema that the answer has to fit (exit code 13 when it does not)"),
  skip: toggle("dangerously-skip-permissions", "Every tool runs unasked, but for what a rule of yours is against"),
  noPolicy: toggle("no-policy", "The rules of leap's settings ('leap policy') do not hold in this run"),
  allowed: textFlag("allowed-tools", "Tools that run unasked, with commas between them"),
  denied: textFlag("denied-tools", "Tools that do not run"),
  deny: textFlags(
    "deny",
    "What no tool may do in this run: command(git push *), edit(src/**), mcp, a tool's name; may be repeated"
  ).pipe(Flag.withMetavar("RULE")),
  allow: textFlags("allow", "What runs unasked, written in the same way; may be repeated").pipe(
    Flag.withMetavar("RULE")
  ),
  effort: textFlag("effort", "How much the model thinks"),
  mcpConfig: textFlags(
    "mcp-config",
    "A file with MCP servers for this run, in the form of Claude Code's .mcp.json; may be repeated"
  ).pipe(Flag.withMetavar("FILE")),
  sandbox: choiceFlag(
    "sandbox",
    ["read-only", "workspace-write", "off"],
    "What tools may write: kept by the CLI, or by leap's rules where it has no sandbox"
  ),
  readOnly: toggle("read-only", "The same as --sandbox read-only"),
  network: Flag.String("network").pipe(
    Flag.withDescription("What tools may reach: none, or these hosts: a.com,*.b.com,localhost:80; any lifts it"),
    Flag.filter(isNetwork, () => `expected ${networkForms}`),
    Flag.optional
  ),
  maxTurns: whole("max-turns", "Model turns at most"),
  maxCost: Flag.Finite("max-cost").pipe(
    Flag.withDescription("US dollars at most: leap ends what goes on beyond them (exit code 12)"),
    aboveZero("US dollars"),
    Flag.optional
  ),
  maxTokensTotal: whole("max-tokens-total", "Tokens at most, of all kinds: leap ends what goes on beyond them (12)"),
  promptFile: textFlag("prompt-file", "A file that has the prompt, in place of the argument"),
  images: textFlags("image", "A picture that the prompt is about; may be repeated"),
  baseUrl: textFlag("base-url", "For HTTP: the server's address (default: OPENAI_BASE_URL)"),
  endpoint: textFlag("endpoint", "A server by its name in leap's settings, in place of --provider"),
  header: textFlags(
    "header",
    "For HTTP: 'Name: value', sent with each request, or @FILE with such lines (for secrets); may be repeated"
  ),
  temperature: number("temperature", "For HTTP: from 0 to 2"),
  topP: number("top-p", "For HTTP: from 0 to 1"),
  maxTokens: Flag.Int("max-tokens").pipe(Flag.withDescription("For HTTP: tokens of an answer at most"), Flag.optional),
  timeout: timeoutFlag,
  idle: secondsFlag("idle-timeout", "Give up when nothing comes for this many seconds, or 5m, 1h (exit code 4)"),
  cwd: textFlag("cwd", "Its directory (default: this one)"),
  stream: toggle("stream", "Print the text as it comes, also into a pipe, and what is said before tools are used too"),
  quiet: toggle("quiet", "No progress on standard error")
}

export type Values = { readonly [K in keyof typeof flags]: (typeof flags)[K] extends Flag.Flag<infer A> ? A : never }

const optional = <K extends string, A>(key: K, value: Option.Option<A>): { readonly [P in K]?: A } =>
  Option.match(value, { onNone: () => ({}), onSome: (it) => ({ [key]: it }) as { readonly [P in K]: A } })

const inMs = (seconds: Option.Option<number>): Option.Option<number> => Option.map(seconds, (it) => it * 1_000)

/** The options in the flags, except those that need a file. `absolute` makes a path absolute. */
export const optionsOf = (
  values: Values,
  rest: ReadonlyArray<string>,
  absolute: (path: string) => string
): AgentOptions => ({
  ...optional("model", values.model),
  ...optional("systemPrompt", values.system),
  ...optional("outputFormat", values.answer),
  ...(values.output === "native" ? { native: true } : {}),
  ...(values.skip ? { skipPermissions: true } : {}),
  ...optional("allowedTools", values.allowed),
  ...optional("deniedTools", values.denied),
  ...optional("effort", values.effort),
  ...optional("sandbox", values.readOnly ? Option.some("read-only" as const) : values.sandbox),
  ...optional("network", values.network),
  ...optional("maxTurns", values.maxTurns),
  ...optional("maxCost", values.maxCost),
  ...optional("maxTokensTotal", values.maxTokensTotal),
  ...(values.images.length === 0 ? {} : { images: values.images.map(absolute) }),
  ...optional("baseUrl", values.baseUrl),
  ...optional("temperature", values.temperature),
  ...optional("topP", values.topP),
  ...optional("maxTokens", values.maxTokens),
  ...optional("timeout", inMs(values.timeout)),
  ...optional("idleTimeout", inMs(values.idle)),
  ...optional("cwd", Option.map(values.cwd, absolute)),
  ...(rest.length === 0 ? {} : { args: rest })
})

export const promptArgument = wordArgument(
  "prompt",
  "What to ask; what is piped in comes behind it; - or nothing: standard input alone"
).pipe(Argument.optional)

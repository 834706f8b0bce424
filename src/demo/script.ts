/** The scripted model: what a prompt makes it do. Words in the prompt choose; the same prompt always does the same. */

export interface Tool {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** What it does, for people. */
  readonly title: string
}

export type Step =
  | { readonly do: "hook"; readonly event: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly do: "wait"; readonly ms: number; readonly activity: string }
  | { readonly do: "say"; readonly words: ReadonlyArray<string> }
  | { readonly do: "result"; readonly text: string }
  /** `then` runs when the user, a hook or the mode allows the tool. */
  | { readonly do: "permit"; readonly tool: Tool; readonly then: ReadonlyArray<Step> }
  | { readonly do: "ask"; readonly question: string; readonly options: ReadonlyArray<string> }
  | { readonly do: "nested"; readonly prompt: string }
  | { readonly do: "background"; readonly title: string; readonly ms: number }
  | { readonly do: "fail"; readonly message: string }

const thinking = 800

/** A sentence that is streamed word by word. */
export const say = (text: string): Step => ({ do: "say", words: text.split(/(?<= )/) })

/** The steps of one tool: its hooks around it, and a permission before it where it needs one. */
const useTool = (tool: Tool, run: Step, result: string, needsPermission: boolean): ReadonlyArray<Step> => {
  const fields = { tool_name: tool.name, tool_input: tool.input }
  const then: ReadonlyArray<Step> = [
    run,
    { do: "hook", event: "PostToolUse", fields: { ...fields, tool_response: result } },
    { do: "result", text: `${tool.title}: ${result}` }
  ]
  return [
    { do: "hook", event: "PreToolUse", fields },
    ...(needsPermission ? [{ do: "permit", tool, then } as const] : then)
  ]
}

const writeFile = (): ReadonlyArray<Step> =>
  useTool(
    { name: "Write", input: { file_path: "notes.md", content: "- one\n- two\n- three\n" }, title: "Write notes.md" },
    { do: "wait", ms: 1200, activity: "Writing notes.md" },
    "3 lines (only pretended)",
    true
  )

const silentTool = (seconds: number): ReadonlyArray<Step> =>
  useTool(
    { name: "Shell", input: { command: `sleep ${seconds}` }, title: `Run sleep ${seconds}` },
    { do: "wait", ms: seconds * 1000, activity: `Running sleep ${seconds}` },
    "no output",
    false
  )

const nestedTool = (): ReadonlyArray<Step> =>
  useTool(
    { name: "Shell", input: { command: "leap-demo --print hello" }, title: "Run another demo CLI" },
    { do: "nested", prompt: "hello from inside" },
    "it answered",
    false
  )

const question = "Which way shall it go?"
const ask = (): ReadonlyArray<Step> => [
  { do: "hook", event: "PreToolUse", fields: { tool_name: "Ask", tool_input: { question } } },
  { do: "ask", question, options: ["The short way", "The scenic way"] }
]

const long = (): ReadonlyArray<Step> =>
  Array.from({ length: 12 }, (_, i) =>
    say(`Part ${i + 1} of a long answer, which goes on for a while so that there is something to watch and to interrupt. `))

const directives: ReadonlyArray<readonly [RegExp, (found: RegExpExecArray) => ReadonlyArray<Step>]> = [
  [/\bwrite a file\b|\bpermission\b/i, writeFile],
  [/\bask me\b/i, ask],
  [/\btool (\d{1,4})\b/i, (found) => silentTool(Number(found[1]))],
  [/\blong\b/i, long],
  [/\bnested\b/i, nestedTool],
  [/\bbackground\b(?: (\d{1,4})\b)?/i, (found) => [{ do: "background", title: "Watch the build", ms: Number(found[1] ?? 20) * 1000 }]],
  [/\bfail\b/i, () => [{ do: "fail", message: "the scripted model failed, as it was asked to" }]]
]

/** The words that a prompt may hold, for people. */
export const directiveHelp =
  "words that make something happen: write a file · ask me · tool N (seconds) · long · nested · background N · fail"

const echo = (prompt: string): string => {
  const line = prompt.replaceAll(/\s+/g, " ").trim()
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}

/** The answer's last words. */
export const answer = (prompt: string): string => `You asked “${echo(prompt)}”. That is my answer.`

/** All that the model does for a prompt: what its words ask for in their order, then a short answer. */
export const plan = (prompt: string): ReadonlyArray<Step> => {
  const found = directives.flatMap(([pattern, steps]) => {
    const match = pattern.exec(prompt)
    return match === null ? [] : [{ index: match.index, steps: steps(match) }]
  })
  return [
    { do: "wait", ms: thinking, activity: "Thinking" },
    ...found.sort((a, b) => a.index - b.index).flatMap(({ steps }) => steps),
    say(answer(prompt))
  ]
}

/** What follows the user's answer to a question. */
export const answered = (asked: string, choice: string): ReadonlyArray<Step> => [
  { do: "hook", event: "PostToolUse", fields: { tool_name: "Ask", tool_input: { question: asked, answers: { [asked]: choice } } } },
  { do: "result", text: `${asked} ${choice}` }
]

/** What follows a refusal. */
export const refused = (tool: Tool): ReadonlyArray<Step> => [{ do: "result", text: `${tool.title}: not allowed` }]

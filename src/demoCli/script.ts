/** The scripted model: words in the prompt select its steps, and the same prompt always has the same steps. */

export interface Tool {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly title: string
  /** What the dialog shows of the input; absent: all. */
  readonly shown?: Readonly<Record<string, unknown>>
}

export type ScriptStep =
  | { readonly do: "hook"; readonly event: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly do: "wait"; readonly ms: number; readonly activity: string }
  | { readonly do: "say"; readonly words: ReadonlyArray<string> }
  | { readonly do: "result"; readonly text: string }
  /** `then` runs when the user, a hook or the mode allows the tool. */
  | { readonly do: "permit"; readonly tool: Tool; readonly then: ReadonlyArray<ScriptStep> }
  | { readonly do: "ask"; readonly question: string; readonly options: ReadonlyArray<string> }
  | { readonly do: "nested"; readonly prompt: string }
  | { readonly do: "flood"; readonly kilobytes: number }
  | { readonly do: "background"; readonly title: string; readonly ms: number }
  | { readonly do: "fail"; readonly message: string }

const thinking = 800

export const speech = (text: string): ScriptStep => ({ do: "say", words: text.split(/(?<= )/) })

/** The steps of one tool: its hooks around it, and a permission request first if needed. */
const useTool = (tool: Tool, run: ScriptStep, result: string, needsPermission: boolean): ReadonlyArray<ScriptStep> => {
  const fields = { tool_name: tool.name, tool_input: tool.input }
  const then: ReadonlyArray<ScriptStep> = [
    run,
    { do: "hook", event: "PostToolUse", fields: { ...fields, tool_response: result } },
    { do: "result", text: `${tool.title}: ${result}` }
  ]
  return [
    { do: "hook", event: "PreToolUse", fields },
    ...(needsPermission ? [{ do: "permit", tool, then } as const] : then)
  ]
}

const writeFile = (): ReadonlyArray<ScriptStep> =>
  useTool(
    { name: "Write", input: { file_path: "notes.md", content: "- one\n- two\n- three\n" }, title: "Write notes.md" },
    { do: "wait", ms: 1200, activity: "Writing notes.md" },
    "3 lines (only pretended)",
    true
  )

const before = "const port = 80\n\nexport const start = () => listen(port)\n"

/** Several edits of one file, one after the other: the dialogs of all look the same. */
const editFile = ([, times, text]: RegExpExecArray): ReadonlyArray<ScriptStep> =>
  Array.from({ length: Number(times ?? 1) }, (_, n) => {
    const changed = text ?? `const port = 808${n}`
    const input = {
      file_path: "server.ts",
      old_string: before,
      new_string: before.replace("const port = 80", () => changed)
    }
    return useTool(
      { name: "Edit", input, shown: { file_path: "server.ts" }, title: "Edit server.ts" },
      { do: "wait", ms: 600, activity: "Editing server.ts" },
      "1 line (only pretended)",
      true
    )
  }).flat()

const silentTool = (seconds: number): ReadonlyArray<ScriptStep> =>
  useTool(
    { name: "Shell", input: { command: `sleep ${seconds}` }, title: `Run sleep ${seconds}` },
    { do: "wait", ms: seconds * 1000, activity: `Running sleep ${seconds}` },
    "no output",
    false
  )

const nestedTool = (): ReadonlyArray<ScriptStep> =>
  useTool(
    { name: "Shell", input: { command: "leap-demo --print hello" }, title: "Run another demo CLI" },
    { do: "nested", prompt: "hello from inside" },
    "it answered",
    false
  )

const question = "Which way shall it go?"
const questionTool = (): ReadonlyArray<ScriptStep> => [
  { do: "hook", event: "PreToolUse", fields: { tool_name: "Ask", tool_input: { question } } },
  { do: "ask", question, options: ["The short way", "The scenic way"] }
]

const long = (): ReadonlyArray<ScriptStep> =>
  Array.from({ length: 12 }, (_, i) =>
    speech(
      `Part ${i + 1} of a long answer, which goes on for a while so that there is something to watch and to interrupt. `
    )
  )

const directives: ReadonlyArray<readonly [RegExp, (found: RegExpExecArray) => ReadonlyArray<ScriptStep>]> = [
  [/\bwrite a file\b|\bpermission\b/i, writeFile],
  [/\bedit a file\b(?: (\d) times)?(?:: ([^]+))?/i, editFile],
  [/\bask me\b/i, questionTool],
  [/\btool (\d{1,4})\b/i, (found) => silentTool(Number(found[1]))],
  [/\blong\b/i, long],
  [/\bnested\b/i, nestedTool],
  [/\bflood (\d{1,6})\b/i, (found) => [{ do: "flood", kilobytes: Number(found[1]) }]],
  [
    /\bbackground\b(?: (\d{1,4})\b)?/i,
    (found) => [{ do: "background", title: "Watch the build", ms: Number(found[1] ?? 20) * 1000 }]
  ],
  [
    /\blimit\b(?: at ([^\n]{1,60})| (\d{1,5})\b)?/i,
    ([, time, minutes]) => {
      const end =
        time === undefined
          ? minutes === undefined
            ? null
            : `in ${minutes} ${minutes === "1" ? "minute" : "minutes"}`
          : `at ${time}`
      const reset = end === null ? "" : `; it resets ${end}`
      return [{ do: "fail", message: `the usage limit of the scripted model is reached${reset}` }]
    }
  ],
  [/\bfail\b/i, () => [{ do: "fail", message: "the scripted model failed, as it was asked to" }]]
]

export const directiveHelp =
  "words that make something happen: write a file · edit a file · ask me · tool N (seconds) · long · nested · " +
  "background N · flood N (kilobytes) · limit N (minutes) · limit at TIME · fail"

const echo = (prompt: string): string => {
  const line = prompt.replaceAll(/\s+/g, " ").trim()
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}

export const answer = (prompt: string): string => `You asked “${echo(prompt)}”. That is my answer.`

/** The steps for a prompt: those that its words select, in order, then a short answer. */
export const plan = (prompt: string): ReadonlyArray<ScriptStep> => {
  const found = directives.flatMap(([pattern, steps]) => {
    const match = pattern.exec(prompt)
    return match === null ? [] : [{ index: match.index, steps: steps(match) }]
  })
  return [
    { do: "wait", ms: thinking, activity: "Thinking" },
    ...found.sort((a, b) => a.index - b.index).flatMap(({ steps }) => steps),
    speech(answer(prompt))
  ]
}

export const answered = (question: string, choice: string): ReadonlyArray<ScriptStep> => [
  {
    do: "hook",
    event: "PostToolUse",
    fields: { tool_name: "Ask", tool_input: { question: question, answers: { [question]: choice } } }
  },
  { do: "result", text: `${question} ${choice}` }
]

export const refused = (tool: Tool): ReadonlyArray<ScriptStep> => [{ do: "result", text: `${tool.title}: not allowed` }]

import { draftOf, textOf } from "./draft.ts"
import {
  andThen,
  type Background,
  type DemoCommand,
  type DemoDialog,
  type Model,
  next,
  type Next,
  withEntry,
  type DemoTurn
} from "./model.ts"
import { answered, plan, refused, type ScriptStep, type Tool } from "./script.ts"

const wordPause = 60
const reminderDelay = 6000

/** Starts a turn: first the prompt's hook, then the steps of the scripted model. */
export const start = (model: Model, prompt: string, at: number): Next => {
  const turn: DemoTurn = {
    prompt,
    activity: "Thinking",
    startedAt: at,
    token: 0,
    response: "",
    closing: false,
    steps: [{ do: "hook", event: "UserPromptSubmit", fields: { prompt } }, ...plan(prompt)]
  }
  return andThen(
    next(
      { ...withEntry(model, "user", prompt), turn, restStatus: "idle" },
      { type: "log", event: "turn_started", text: prompt }
    ),
    (model) => advance(model, at)
  )
}

export const advance = (model: Model, at: number): Next => {
  const turn = model.turn
  if (turn === null) return next(model)
  const [step, ...steps] = turn.steps
  if (step === undefined) return turn.closing ? end(model, at) : close(model, turn)
  return perform({ ...model, turn: { ...turn, steps } }, { ...turn, steps }, step, at)
}

const perform = (model: Model, turn: DemoTurn, step: ScriptStep, at: number): Next => {
  switch (step.do) {
    case "hook":
      return awaiting(model, turn, (token) => ({ type: "hook", event: step.event, fields: step.fields, token }))
    case "wait":
      return awaiting(model, { ...turn, activity: step.activity }, (token) => ({ type: "wait", ms: step.ms, token }))
    case "nested":
      return awaiting(model, { ...turn, activity: "Running another demo CLI" }, (token) => ({
        type: "nested",
        prompt: step.prompt,
        token
      }))
    case "flood":
      return awaiting(model, { ...turn, activity: "Writing a lot" }, (token) => ({
        type: "flood",
        kilobytes: step.kilobytes,
        token
      }))
    case "say": {
      const [word = "", ...words] = step.words
      const steps = words.length === 0 ? turn.steps : [{ do: "say", words } as const, ...turn.steps]
      return awaiting(
        stream(model, word),
        { ...turn, steps, activity: "Answering", response: turn.response + word },
        (token) => ({ type: "wait", ms: wordPause, token })
      )
    }
    case "result":
      return advance(withEntry(model, "tool", step.text), at)
    case "permit":
      return model.mode === "accept" || model.allowedTools.includes(step.tool.name)
        ? advance({ ...model, turn: { ...turn, steps: [...step.then, ...turn.steps] } }, at)
        : open(model, turn, permission(step.tool, step.then))
    case "ask":
      return open(model, turn, {
        kind: "question",
        title: step.question,
        body: "",
        options: [...step.options, "Something else:"],
        selected: 0,
        free: true,
        typed: "",
        request: null
      })
    case "background": {
      const id = `bg${model.lastToken + 1}`
      const background = [...model.background, { id, title: step.title }]
      return andThen(
        next({ ...model, lastToken: model.lastToken + 1, background }, { type: "background", ms: step.ms, id }),
        (model) => advance(model, at)
      )
    }
    case "fail":
      return andThen(
        next(
          { ...withEntry(model, "error", step.message), turn: null, restStatus: "error" },
          { type: "log", event: "turn_failed", text: turn.prompt },
          {
            type: "hook",
            event: "StopFailure",
            fields: { error: "unknown", error_details: step.message, last_assistant_message: turn.response },
            token: null
          }
        ),
        (model) => takeQueued(model, at)
      )
  }
}

const permission = (tool: Tool, then: ReadonlyArray<ScriptStep>): Omit<DemoDialog, "token"> => ({
  kind: "permission",
  title: `${tool.title}?`,
  body: JSON.stringify(tool.shown ?? tool.input),
  selected: 0,
  free: false,
  typed: "",
  options: ["Yes", `Yes, and don't ask again for ${tool.name}`, "No"],
  request: { tool, then }
})

const stream = (model: Model, word: string): Model => {
  const last = model.entries.at(-1)
  return last?.kind === "assistant"
    ? { ...model, entries: model.entries.with(-1, { kind: "assistant", text: last.text + word }) }
    : withEntry(model, "assistant", word)
}

const awaiting = (model: Model, turn: DemoTurn, command: (token: number) => DemoCommand): Next => {
  const token = model.lastToken + 1
  return next({ ...model, lastToken: token, turn: { ...turn, token } }, command(token))
}

const open = (model: Model, turn: DemoTurn, content: Omit<DemoDialog, "token">): Next => {
  const token = model.lastToken + 1
  const dialog: DemoDialog = { ...content, token }
  const commands: ReadonlyArray<DemoCommand> = [
    { type: "log", event: "dialog_opened", text: dialog.title },
    ...(dialog.request === null
      ? []
      : [
          {
            type: "decide",
            fields: { tool_name: dialog.request.tool.name, tool_input: dialog.request.tool.input },
            token
          } as const
        ]),
    { type: "remind", ms: reminderDelay, token }
  ]
  return next({ ...model, lastToken: token, turn: { ...turn, token }, dialog }, ...commands)
}

/** Applies the choice of the user or a hook. `text`: the typed text, for a choice that takes one. */
export const choose = (model: Model, dialog: DemoDialog, choice: number, text: string, at: number): Next => {
  if (model.turn === null) return next({ ...model, dialog: null })
  const label = dialog.free && choice === dialog.options.length - 1 ? text : (dialog.options[choice] ?? "")
  const { request } = dialog
  const granted = choice < dialog.options.length - 1
  const follow = request === null ? answered(dialog.title, label) : granted ? request.then : refused(request.tool)
  const forGood = request !== null && choice === 1 ? [request.tool.name] : []
  return andThen(
    next(
      {
        ...model,
        dialog: null,
        allowedTools: [...model.allowedTools, ...forGood],
        turn: { ...model.turn, steps: [...follow, ...model.turn.steps] }
      },
      { type: "abortHooks" },
      { type: "log", event: "dialog_answered", text: label }
    ),
    (model) => advance(model, at)
  )
}

/** Stops the turn. Prompts that were typed ahead return to the box. */
export const interrupt = (model: Model): Next => {
  if (model.turn === null) return next(model)
  const back = [...model.queued, ...(model.draft.atoms.length === 0 ? [] : [textOf(model.draft)])].join("\n")
  return next(
    {
      ...withEntry(model, "interrupted", "Interrupted"),
      turn: null,
      dialog: null,
      queued: [],
      restStatus: "idle",
      draft: model.queued.length === 0 ? model.draft : draftOf(back)
    },
    { type: "abortHooks" },
    { type: "hook", event: "Interrupt", fields: { last_assistant_message: model.turn.response }, token: null },
    { type: "log", event: "turn_interrupted", text: model.turn.prompt }
  )
}

const hookTask = ({ id, title }: Background) => ({ id, type: "shell", status: "running", description: title })

const close = (model: Model, turn: DemoTurn): Next =>
  awaiting(model, { ...turn, closing: true }, (token) => ({
    type: "hook",
    event: "Stop",
    token,
    fields: {
      stop_hook_active: false,
      last_assistant_message: turn.response,
      background_tasks: model.background.map(hookTask)
    }
  }))

const end = (model: Model, at: number): Next =>
  andThen(
    next(
      { ...model, turn: null, restStatus: "done" },
      { type: "log", event: "turn_ended", text: model.turn?.prompt ?? "" }
    ),
    (model) => takeQueued(model, at)
  )

const takeQueued = (model: Model, at: number): Next => {
  const [prompt, ...queued] = model.queued
  return prompt === undefined ? next(model) : start({ ...model, queued }, prompt, at)
}

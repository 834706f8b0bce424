import { edit, emptyDraft, textOf } from "./draft.ts"
import type { DemoKey } from "./keys.ts"
import {
  andThen,
  type DemoDialog,
  type ModelEvent,
  type Menu,
  type Model,
  next,
  type Next,
  withEntry
} from "./model.ts"
import { directiveHelp } from "./script.ts"
import { advance, choose, interrupt, start } from "./turn.ts"

const quitWindow = 2000
const engines = ["demo-swift", "demo-steady", "demo-slow"]

/** The whole behaviour of the demo CLI: the next model and its commands after one event. */
export const update = (model: Model, event: ModelEvent): Next => {
  if (model.leaving && event.type !== "commandEnded") return next(model)
  switch (event.type) {
    case "resized":
      return next({ ...model, size: event.size })
    case "key":
      return onKey(model, event.key, event.at)
    case "commandEnded":
      if (model.leaving) return event.token === model.lastToken ? next(model, { type: "exit" }) : next(model)
      return model.turn?.token === event.token && model.dialog === null ? advance(model, event.at) : next(model)
    case "decided": {
      const { dialog } = model
      if (dialog?.token !== event.token) return next(model)
      return event.decision === "interrupt"
        ? interrupt(model)
        : choose(
            withEntry(model, "note", `a hook said: ${event.decision}`),
            dialog,
            event.decision === "allow" ? 0 : 2,
            "",
            event.at
          )
    }
    case "waiting":
      return model.dialog?.token === event.token
        ? next(model, {
            type: "hook",
            event: "Notification",
            token: null,
            fields: {
              message: `The demo CLI waits: ${model.dialog.title}`,
              notification_type: `${model.dialog.kind}_prompt`
            }
          })
        : next(model)
    case "backgroundEnded": {
      const ended = model.background.find(({ id }) => id === event.id)
      if (ended === undefined) return next(model)
      const rest = { ...model, background: model.background.filter(({ id }) => id !== event.id) }
      const notice = `<task-notification>${ended.title} has ended</task-notification>`
      // During a turn the notice is only shown; in an idle session it starts a turn.
      return model.turn === null ? start(rest, notice, event.at) : next(withEntry(rest, "note", notice))
    }
  }
}

/** Ends the program after its last hook. `why` is for the log. */
export const leave = (model: Model, why: string): Next =>
  next(
    { ...model, leaving: true, turn: null, dialog: null, picker: null, lastToken: model.lastToken + 1 },
    { type: "log", event: "leaving", text: why },
    { type: "abortHooks" },
    { type: "hook", event: "SessionEnd", fields: { reason: "prompt_input_exit" }, token: model.lastToken + 1 }
  )

const onKey = (model: Model, key: DemoKey, at: number): Next => {
  switch (key.key) {
    case "focus":
    case "blur":
      return next({ ...model, focused: key.key === "focus" })
    case "reply":
      return next(key.to === "status" ? { ...model, terminalShowsStatus: true } : model)
    default: {
      const armed = model.armedAt !== null && at - model.armedAt <= quitWindow
      const disarmed = { ...model, armedAt: null }
      if (model.dialog !== null) {
        const noted = next(disarmed, { type: "log", event: "key_in_dialog", text: "text" in key ? key.text : key.key })
        return andThen(noted, (model) => inDialog(model, key, at))
      }
      if (key.key === "ctrl-c") return onCtrlC(disarmed, armed, at)
      return model.picker === null ? inBox(disarmed, key, at) : inPicker(disarmed, model.picker, key)
    }
  }
}

const onCtrlC = (model: Model, armed: boolean, at: number): Next => {
  if (model.picker !== null) return next({ ...model, picker: null })
  if (model.turn !== null) return interrupt({ ...model, armedAt: at })
  if (model.draft.atoms.length > 0) return next({ ...model, draft: emptyDraft, armedAt: at })
  return armed ? leave(model, "ctrl-c") : next({ ...model, armedAt: at })
}

const inBox = (model: Model, key: DemoKey, at: number): Next => {
  switch (key.key) {
    case "enter":
      return onEnter(model, at)
    case "escape":
      return interrupt(model)
    case "ctrl-d":
      return model.draft.atoms.length === 0 ? leave(model, "ctrl-d") : next(model)
    case "shift-tab":
      return next({ ...model, mode: model.mode === "ask" ? "accept" : "ask" })
    default:
      return next({ ...model, restStatus: "idle", draft: edit(model.draft, key) })
  }
}

const onEnter = (model: Model, at: number): Next => {
  const text = textOf(model.draft)
  const empty = { ...model, draft: emptyDraft }
  switch (text.trim()) {
    case "":
      return next(model)
    case "/exit":
    case "/quit":
      return leave(empty, text.trim())
    case "/help":
      return next(withEntry(empty, "note", directiveHelp))
    case "/model":
      return next({
        ...empty,
        picker: {
          title: "model",
          body: "Which script shall answer?",
          options: engines,
          selected: Math.max(0, engines.indexOf(model.modelName)),
          free: false,
          typed: ""
        }
      })
    default:
      return andThen(
        next(empty, { type: "log", event: "submitted", text }, { type: "saveDraft", draft: model.draft }),
        (model) => (model.turn === null ? start(model, text, at) : next({ ...model, queued: [...model.queued, text] }))
      )
  }
}

const inPicker = (model: Model, picker: Menu, key: DemoKey): Next => {
  if (key.key === "escape") return next({ ...model, picker: null })
  const { menu, chosen } = inMenu(picker, key)
  if (chosen === null) return next({ ...model, picker: menu })
  const engine = picker.options[chosen] ?? model.modelName
  return next({ ...withEntry(model, "note", `the model is ${engine} now`), modelName: engine, picker: null })
}

const inDialog = (model: Model, key: DemoKey, at: number): Next => {
  const dialog = model.dialog
  if (dialog === null) return next(model)
  if (key.key === "escape" || key.key === "ctrl-c") return interrupt(model)
  const { menu, chosen } = inMenu(dialog, key)
  const changed: DemoDialog = { ...dialog, ...menu }
  return chosen === null ? next({ ...model, dialog: changed }) : choose(model, dialog, chosen, menu.typed, at)
}

/** The menu after a key: arrows move, digits and Enter choose; a free row takes text and digits. */
const inMenu = (menu: Menu, key: DemoKey): { readonly menu: Menu; readonly chosen: number | null } => {
  const last = menu.options.length - 1
  const typing = menu.free && menu.selected === last
  const moved = (selected: number) => ({
    menu: { ...menu, selected: Math.min(last, Math.max(0, selected)) },
    chosen: null
  })
  const typed = (text: string) => ({ menu: { ...menu, typed: text }, chosen: null })
  switch (key.key) {
    case "up":
      return moved(menu.selected - 1)
    case "down":
    case "tab":
      return moved(menu.selected + 1)
    case "backspace":
      return typing ? typed([...menu.typed].slice(0, -1).join("")) : { menu, chosen: null }
    case "enter":
      return { menu, chosen: typing && menu.typed.trim() === "" ? null : menu.selected }
    case "text":
    case "paste": {
      if (typing) return typed(menu.typed + key.text.replaceAll("\n", " "))
      const digit = key.key === "text" && /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : -1
      if (digit < 0 || digit > last) return { menu, chosen: null }
      return menu.free && digit === last ? moved(digit) : { menu, chosen: digit }
    }
    default:
      return { menu, chosen: null }
  }
}

import { type Draft, emptyDraft } from "./draft.ts"
import type { Key } from "./keys.ts"
import type { Step, Tool } from "./script.ts"

export interface Size {
  readonly cols: number
  readonly rows: number
}

export interface Entry {
  readonly kind: "user" | "assistant" | "tool" | "interrupted" | "error" | "note"
  readonly text: string
}

/** A list with one selected row. `free`: its last row takes a text of the user's own. */
export interface Menu {
  readonly title: string
  readonly body: string
  readonly options: ReadonlyArray<string>
  readonly selected: number
  readonly free: boolean
  readonly typed: string
}

export interface Dialog extends Menu {
  readonly kind: "permission" | "question"
  /** The tool that waits and what it does when allowed; null for a question. */
  readonly gate: { readonly tool: Tool; readonly then: ReadonlyArray<Step> } | null
  readonly token: number
}

export interface Turn {
  readonly prompt: string
  readonly steps: ReadonlyArray<Step>
  readonly activity: string
  readonly startedAt: number
  /** The one continuation that the turn waits for; any other that arrives is stale. */
  readonly token: number
  readonly response: string
  /** Its Stop hook runs. */
  readonly closing: boolean
}

export interface Background {
  readonly id: string
  readonly title: string
}

/** Everything the demo CLI remembers. */
export interface Model {
  readonly size: Size
  readonly entries: ReadonlyArray<Entry>
  readonly draft: Draft
  /** Prompts typed ahead while a turn runs. */
  readonly queued: ReadonlyArray<string>
  readonly turn: Turn | null
  readonly dialog: Dialog | null
  readonly picker: Menu | null
  readonly background: ReadonlyArray<Background>
  readonly mode: "ask" | "accept"
  readonly engine: string
  /** Tools that the user allowed for good. */
  readonly allowed: ReadonlyArray<string>
  /** What to report while nothing runs. */
  readonly rest: "idle" | "done" | "error"
  readonly focused: boolean
  /** When Ctrl+C was pressed on an empty box, if a second one would quit now. */
  readonly armedAt: number | null
  /** The terminal answered the program-status query. */
  readonly reports: boolean
  /** The newest token given out. */
  readonly tokens: number
  readonly leaving: boolean
}

export type Event =
  | { readonly type: "key"; readonly key: Key; readonly at: number }
  /** What was asked for with this token is over: a wait, a hook, a nested process. */
  | { readonly type: "continued"; readonly token: number; readonly at: number }
  /** A PermissionRequest hook decided. */
  | { readonly type: "decided"; readonly token: number; readonly decision: Decision; readonly at: number }
  /** The dialog with this token has been up for a while. */
  | { readonly type: "waiting"; readonly token: number }
  | { readonly type: "backgroundEnded"; readonly id: string; readonly at: number }
  | { readonly type: "resized"; readonly size: Size }

export type Decision = "allow" | "deny" | "interrupt"

/** What the model asks of the world. */
export type Command =
  | { readonly type: "hook"; readonly event: string; readonly fields: Readonly<Record<string, unknown>>; readonly token: number | null }
  | { readonly type: "decide"; readonly fields: Readonly<Record<string, unknown>>; readonly token: number }
  | { readonly type: "abortHooks" }
  | { readonly type: "wait"; readonly ms: number; readonly token: number }
  | { readonly type: "remind"; readonly ms: number; readonly token: number }
  | { readonly type: "background"; readonly ms: number; readonly id: string }
  | { readonly type: "nested"; readonly prompt: string; readonly token: number }
  | { readonly type: "log"; readonly event: string; readonly text: string }
  | { readonly type: "exit" }

export interface Next {
  readonly model: Model
  readonly commands: ReadonlyArray<Command>
}

export const next = (model: Model, ...commands: ReadonlyArray<Command>): Next => ({ model, commands })

/** One transition behind another. */
export const andThen = (first: Next, f: (model: Model) => Next): Next => {
  const second = f(first.model)
  return { model: second.model, commands: [...first.commands, ...second.commands] }
}

const maxEntries = 500

/** The conversation with one more entry; very old ones are let go. */
export const show = (model: Model, kind: Entry["kind"], text: string): Model => ({
  ...model,
  entries: [...model.entries, { kind, text }].slice(-maxEntries)
})

export const initial = (size: Size): Model => ({
  size, entries: [{ kind: "note", text: "leap demo CLI: a scripted model, no account, no network" }], draft: emptyDraft,
  queued: [], turn: null, dialog: null, picker: null, background: [], mode: "ask", engine: "demo-steady", allowed: [],
  rest: "idle", focused: true, armedAt: null, reports: false, tokens: 0, leaving: false
})

import { type DemoDraft, emptyDraft } from "./draft.ts"
import type { DemoKey } from "./keys.ts"
import type { ScriptStep, Tool } from "./script.ts"

export interface ScreenSize {
  readonly cols: number
  readonly rows: number
}

export interface ConversationEntry {
  readonly kind: "user" | "assistant" | "tool" | "interrupted" | "error" | "note"
  readonly text: string
}

/** A list with one selected row. `free`: its last row takes free text. */
export interface Menu {
  readonly title: string
  readonly body: string
  readonly options: ReadonlyArray<string>
  readonly selected: number
  readonly free: boolean
  readonly typed: string
}

export interface DemoDialog extends Menu {
  readonly kind: "permission" | "question"
  /** The tool that asks for permission, and the steps that follow if it is allowed; null for a question. */
  readonly request: { readonly tool: Tool; readonly then: ReadonlyArray<ScriptStep> } | null
  readonly token: number
}

export interface DemoTurn {
  readonly prompt: string
  readonly steps: ReadonlyArray<ScriptStep>
  readonly activity: string
  readonly startedAt: number
  /** The token of the one event that continues the turn; events with other tokens are stale. */
  readonly token: number
  readonly response: string
  /** The steps are done, and the hook for the end of the turn runs. */
  readonly closing: boolean
}

export interface Background {
  readonly id: string
  readonly title: string
}

export interface Model {
  readonly size: ScreenSize
  readonly entries: ReadonlyArray<ConversationEntry>
  readonly draft: DemoDraft
  readonly queued: ReadonlyArray<string>
  readonly turn: DemoTurn | null
  readonly dialog: DemoDialog | null
  readonly picker: Menu | null
  readonly background: ReadonlyArray<Background>
  readonly mode: "ask" | "accept"
  /** The name of the chosen model. It does not change the answers. */
  readonly modelName: string
  /** The tools that the user has allowed for the whole session. */
  readonly allowedTools: ReadonlyArray<string>
  /** The program status while nothing runs. */
  readonly restStatus: "idle" | "done" | "error"
  readonly focused: boolean
  /** The time of the last Ctrl+C; null after another key. Within two seconds, one on an empty box quits. */
  readonly armedAt: number | null
  /** The terminal has answered the query for program status, so the status is reported to it. */
  readonly terminalShowsStatus: boolean
  /** The newest token. Each command with a later event gets the next one. */
  readonly lastToken: number
  readonly leaving: boolean
}

export type ModelEvent =
  | { readonly type: "key"; readonly key: DemoKey; readonly at: number }
  /** The command with this token has ended: a wait, a hook, or a nested process. */
  | { readonly type: "commandEnded"; readonly token: number; readonly at: number }
  | { readonly type: "decided"; readonly token: number; readonly decision: HookDecision; readonly at: number }
  /** The dialog with this token has been open for a while. */
  | { readonly type: "waiting"; readonly token: number }
  | { readonly type: "backgroundEnded"; readonly id: string; readonly at: number }
  | { readonly type: "resized"; readonly size: ScreenSize }

export type HookDecision = "allow" | "deny" | "interrupt"

/** A side effect. `ms`: a duration in milliseconds. `token`: that of the event at its end; null for no such event. */
export type DemoCommand =
  | {
      readonly type: "hook"
      readonly event: string
      readonly fields: Readonly<Record<string, unknown>>
      readonly token: number | null
    }
  | { readonly type: "decide"; readonly fields: Readonly<Record<string, unknown>>; readonly token: number }
  | { readonly type: "abortHooks" }
  | { readonly type: "wait"; readonly ms: number; readonly token: number }
  | { readonly type: "remind"; readonly ms: number; readonly token: number }
  | { readonly type: "background"; readonly ms: number; readonly id: string }
  /** Redraws the screen until this much output is written. */
  | { readonly type: "flood"; readonly kilobytes: number; readonly token: number }
  | { readonly type: "nested"; readonly prompt: string; readonly token: number }
  | { readonly type: "saveDraft"; readonly draft: DemoDraft }
  | { readonly type: "log"; readonly event: string; readonly text: string }
  | { readonly type: "exit" }

export interface Next {
  readonly model: Model
  readonly commands: ReadonlyArray<DemoCommand>
}

export const next = (model: Model, ...commands: ReadonlyArray<DemoCommand>): Next => ({ model, commands })

export const andThen = (first: Next, f: (model: Model) => Next): Next => {
  const second = f(first.model)
  return { model: second.model, commands: [...first.commands, ...second.commands] }
}

const maxEntries = 500

export const withEntry = (model: Model, kind: ConversationEntry["kind"], text: string): Model => ({
  ...model,
  entries: [...model.entries, { kind, text }].slice(-maxEntries)
})

export const initial = (size: ScreenSize): Model => ({
  size,
  entries: [{ kind: "note", text: "leap demo CLI: a scripted model, no account, no network" }],
  draft: emptyDraft,
  queued: [],
  turn: null,
  dialog: null,
  picker: null,
  background: [],
  mode: "ask",
  modelName: "demo-steady",
  allowedTools: [],
  restStatus: "idle",
  focused: true,
  armedAt: null,
  terminalShowsStatus: false,
  lastToken: 0,
  leaving: false
})

export interface TextPart {
  readonly type: "text"
  readonly text: string
}

export type ToolKind = "read" | "edit" | "execute" | "fetch" | "switch_mode" | "other"

/** leap's own data, in the fields that the protocol reserves for programs. */
export interface Remarks {
  readonly leap: Readonly<Record<string, string>>
}

export type Update =
  | { readonly sessionUpdate: "user_message_chunk" | "agent_message_chunk"; readonly content: TextPart }
  | {
      readonly sessionUpdate: "tool_call"
      readonly toolCallId: string
      readonly title: string
      readonly name?: string
      readonly kind: ToolKind
      readonly status: "pending" | "in_progress"
      readonly locations?: ReadonlyArray<{ readonly path: string }>
      readonly content?: ReadonlyArray<{ readonly type: "content"; readonly content: TextPart }>
      readonly _meta?: Remarks
    }
  | {
      readonly sessionUpdate: "tool_call_update"
      readonly toolCallId: string
      readonly status: "completed" | "failed"
      readonly content?: ReadonlyArray<{ readonly type: "content"; readonly content: TextPart }>
    }
  | { readonly sessionUpdate: "current_mode_update"; readonly currentModeId: string }
  | { readonly sessionUpdate: "usage_update"; readonly used: number; readonly size: number }
  | { readonly sessionUpdate: "notice"; readonly severity: "info" | "warning"; readonly title: string }

export type PromptPart =
  | TextPart
  | { readonly type: "resource_link"; readonly name: string; readonly uri: string }
  | { readonly type: "resource"; readonly resource: { readonly uri: string } }
  | { readonly type: "image" | "audio" }

/** One way to answer a request. Only the plain yes is `allow_once`. */
export interface RequestOption {
  readonly optionId: string
  readonly name: string
  readonly kind: "allow_once" | "allow_always" | "reject_once"
}

export interface EditorRequest {
  readonly toolCallId: string
  readonly title: string
  /** What it is about, as drawn; null if it is not on the screen. */
  readonly subject: string | null
  /** A permission request. If false, it is a choice, for which an editor may have a form. */
  readonly isPermission: boolean
  readonly options: ReadonlyArray<RequestOption>
}

export const textPart = (text: string): TextPart => ({ type: "text", text })
export const contentOf = (text: string) => [{ type: "content", content: textPart(text) }] as const

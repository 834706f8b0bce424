import type { QueuedMessage, TurnOutcome } from "../../words/session/Message.ts"
import type { ExitStatus, Problem, SessionState } from "../../words/session/Session.ts"
import type { AuditEntry } from "../approvals/AuditEntry.ts"
import type { Tokens } from "../../cli/usage/Usage.ts"

/** How much of sessions is recorded: nothing, the events and their times, or these with their texts. */
export type RecordDetail = "off" | "meta" | "full"

/** The life of one host of a session. Its tag and start identify it. */
export interface LifeRow {
  readonly tag: string
  readonly cli: string
  readonly base: string
  readonly cwd: string
  readonly hostPid: number
  readonly version: string
  readonly since: number
}

/** Who answered a dialog: a rule or the mode, a client of leap, or a person at the session's terminal. */
export type AnsweredBy = "rule" | "mode" | "client" | "terminal"

export type TurnEnd = TurnOutcome | "ended"

/** What a text is: a message of the queue, a prompt typed into the CLI itself, or the CLI's answer. */
export type TextKind = "message" | "prompt" | "answer"

/**
 * An event besides states and turns. `ending`: its text is the cause for which leap ends the session. `continues`: its
 * text is the tag of the session whose conversation goes on here.
 */
export type NoteKind = "conversation" | "problem" | "over" | "gap" | "night" | "ending" | "continues"

/** A row of one life. A number is written once, but a later end replaces an earlier. Times: milliseconds since 1970. */
export type RecordRow =
  | {
      readonly _tag: "Interval"
      readonly n: number
      readonly state: SessionState
      readonly since: number
      readonly reason: string | null
      /** The dialog on screen. */
      readonly asked: string | null
    }
  | {
      readonly _tag: "IntervalEnded"
      readonly n: number
      readonly until: number
      readonly answeredBy: AnsweredBy | null
    }
  | { readonly _tag: "Turn"; readonly n: number; readonly since: number; readonly message: string | null }
  | { readonly _tag: "TurnOfMessage"; readonly n: number; readonly message: string }
  | { readonly _tag: "TurnEnded"; readonly n: number; readonly until: number; readonly outcome: TurnEnd }
  | {
      readonly _tag: "Message"
      readonly id: string
      readonly at: number
      readonly length: number
      readonly images: number
      readonly status: QueuedMessage["status"]
    }
  | {
      readonly _tag: "MessageStep"
      readonly id: string
      readonly at: number
      readonly status: QueuedMessage["status"]
      readonly why: string | null
      readonly outcome: TurnOutcome | null
    }
  | { readonly _tag: "MessageEdited"; readonly id: string; readonly length: number }
  | ({ readonly _tag: "Decision"; readonly n: number; readonly at: number } & DecisionFields)
  | {
      readonly _tag: "Usage"
      readonly n: number
      readonly at: number
      readonly session: string
      readonly model: string | null
      /** Of the whole conversation so far. */
      readonly tokens: Tokens | null
      readonly usd: number | null
      readonly estimated: boolean
      /** The cost may be higher: a part of it could not be counted. */
      readonly floor?: boolean
      /** How full the context is, in percent; rows of an earlier leap have none. */
      readonly context?: number | null
      /** The conversation began in this life: all of it counts. */
      readonly fresh: boolean
    }
  | {
      readonly _tag: "Note"
      readonly n: number
      readonly at: number
      readonly kind: NoteKind
      readonly text: string | null
      readonly problem: Problem["kind"] | null
    }
  /** For each `ref`, a message's id or a turn's number, only the last text of each kind is kept. */
  | {
      readonly _tag: "Text"
      readonly kind: TextKind
      readonly ref: string
      readonly at: number
      readonly text: string
    }
  | { readonly _tag: "LifeEnded"; readonly at: number; readonly exit: ExitStatus | null }

/** The stored part of a decision on a permission. `tool` and the fields after it are the audit log's, masked. */
export interface DecisionFields {
  readonly verdict: AuditEntry["verdict"]
  readonly by: AuditEntry["by"]
  readonly told: AuditEntry["told"]
  readonly rule: string | null
  readonly why: string | null
  readonly tool: string | null
  readonly what: string | null
}

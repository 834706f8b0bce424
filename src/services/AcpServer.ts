import { Context, type Effect, Schema, type Scope, type Stdio } from "effect"
import type { EditorRequest, PromptPart, Update } from "../domain/surfaces/acp/Updates.ts"

/** What an editor asked for could not be done; `missing`: there is no such session. */
export class AcpError extends Schema.TaggedError<AcpError>()("AcpError", {
  kind: Schema.Literals(["invalid", "missing", "failed"]),
  why: Schema.String
}) {
  override get message() {
    return this.why
  }
}

/** The editor at the other end. */
export interface Editor {
  /** Tells it something of a session; in order, and never fails: one that is gone is told nothing. */
  readonly update: (sessionId: string, update: Update) => Effect.Effect<void>
  /** Remarks that are no part of a conversation, for editors that have a place for them. */
  readonly takesNotices: () => boolean
  /** The option that its user chose; null for none. Interrupted, the editor is told that it is not asked any more. */
  readonly ask: (sessionId: string, request: EditorRequest) => Effect.Effect<string | null>
}

export interface ModeState {
  readonly currentModeId: string
  readonly availableModes: ReadonlyArray<{ readonly id: string; readonly name: string; readonly description: string }>
}

/** A session that was opened. */
export interface OpenedSession {
  readonly sessionId: string
  readonly modes: ModeState
  /** To be run when the editor knows the session: what it is told before may get lost. */
  readonly then: Effect.Effect<void>
}

export interface PlaceAsked {
  readonly cwd: string
  /** Servers that the session is to work with, which a CLI in a terminal is not given. */
  readonly mcpServers: number
}

/** What an editor may ask of leap. */
export interface AcpAgent {
  readonly newSession: (asked: PlaceAsked) => Effect.Effect<OpenedSession, AcpError>
  /** `replays`: what was said before is told first. */
  readonly openSession: (
    sessionId: string,
    asked: PlaceAsked,
    replays: boolean
  ) => Effect.Effect<OpenedSession, AcpError>
  readonly listSessions: (cwd: string | null) => Effect.Effect<
    ReadonlyArray<{
      readonly sessionId: string
      readonly cwd: string
      readonly title: string
      readonly updatedAt: string
    }>,
    AcpError
  >
  readonly prompt: (
    sessionId: string,
    parts: ReadonlyArray<PromptPart>
  ) => Effect.Effect<"end_turn" | "cancelled", AcpError>
  readonly cancel: (sessionId: string) => Effect.Effect<void>
  readonly setMode: (sessionId: string, modeId: string) => Effect.Effect<void, AcpError>
}

/** The Agent Client Protocol, version 1, over standard input and output. */
export class AcpServer extends Context.Service<
  AcpServer,
  {
    /** Serves one editor until the input ends. Nothing else may write to standard output. */
    readonly serve: (
      stdio: Pick<Stdio.Stdio, "stdin" | "stdout">,
      version: string,
      makeAgent: (editor: Editor) => AcpAgent
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>()("leap/services/AcpServer") {}

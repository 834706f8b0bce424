import { Context, type Effect, Schema, type Scope, type Stdio } from "effect"
import type { EditorRequest, PromptPart, Update } from "../domain/surfaces/acp/Updates.ts"

/** A request of an editor failed. `missing`: the session does not exist. */
export class AcpError extends Schema.TaggedError<AcpError>()("AcpError", {
  kind: Schema.Literals(["invalid", "missing", "failed"]),
  why: Schema.String
}) {
  override get message() {
    return this.why
  }
}

export interface Editor {
  /** Sends an update of a session, in order. It never fails; after the editor has gone, updates are dropped. */
  readonly update: (sessionId: string, update: Update) => Effect.Effect<void>
  /** Whether the editor shows notices, which are not part of a conversation. */
  readonly takesNotices: () => boolean
  /** The option that the user chose; null for none. On interruption it withdraws the request from the editor. */
  readonly ask: (sessionId: string, request: EditorRequest) => Effect.Effect<string | null>
}

export interface ModeState {
  readonly currentModeId: string
  readonly availableModes: ReadonlyArray<{ readonly id: string; readonly name: string; readonly description: string }>
}

export interface OpenedSession {
  readonly sessionId: string
  readonly modes: ModeState
  /** Runs once the editor knows the session; updates that are sent earlier may get lost. */
  readonly then: Effect.Effect<void>
}

export interface PlaceAsked {
  readonly cwd: string
  /** How many MCP servers the editor wants the session to use. A CLI in a terminal does not get them. */
  readonly mcpServers: number
}

/** What an editor can request of leap. */
export interface AcpAgent {
  readonly newSession: (asked: PlaceAsked) => Effect.Effect<OpenedSession, AcpError>
  /** `replays`: send the earlier conversation first. */
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

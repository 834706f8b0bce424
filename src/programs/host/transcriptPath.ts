import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Provider } from "../../services/CLIProvider.ts"

/** The path of a session's transcript; null if unknown. */
export const transcriptPathOf = (
  provider: Provider,
  env: Readonly<Record<string, string>>,
  status: Pick<SessionStatus, "sessionId" | "transcriptPath">
): string | null =>
  status.transcriptPath ??
  (status.sessionId === null || provider.transcript === undefined ? null : provider.transcript(env, status.sessionId))

import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Provider } from "../../services/CLIProvider.ts"

/** Where a session's transcript is, as far as it is known. */
export const transcriptPathOf = (
  provider: Provider,
  env: Readonly<Record<string, string>>,
  status: Pick<SessionStatus, "sessionId" | "transcriptPath">
): string | null =>
  status.transcriptPath ??
  (status.sessionId === null || provider.transcript === undefined ? null : provider.transcript(env, status.sessionId))

import type { HostedProcess, OwnStatusSource } from "../../cli/provider/OwnStatus.ts"
import { placeOf } from "../../words/reading/Fields.ts"
import type { Signal } from "../../words/session/Signal.ts"
import type { ProcessKey } from "../../places/spool/HookOrigin.ts"
import { claudeDirectory } from "./Identity.ts"

/** Translates Claude Code's status file, `sessions/<pid>.json`; null (in recordings "gone"): it was removed. Total. */
export const readOwnStatus = (content: unknown): ReadonlyArray<Signal> => {
  if (content === null || content === "gone")
    return [{ _tag: "OwnStatus", phase: "gone", waitingFor: null, background: false, word: "gone", sessionId: null }]
  if (typeof content !== "object") return []
  const fields = content as Readonly<Record<string, unknown>>
  const status = fields["status"]
  const sessionId = typeof fields["sessionId"] === "string" ? fields["sessionId"] : null
  const directory = placeOf(fields["cwd"])
  const statusSignals = (phase: "work" | "rest" | "wait", background = false): ReadonlyArray<Signal> => [
    {
      _tag: "OwnStatus",
      phase,
      waitingFor: phase === "wait" ? waitingFor(fields["waitingFor"]) : null,
      background,
      word:
        phase === "wait" && typeof fields["waitingFor"] === "string"
          ? `waiting for ${fields["waitingFor"]}`
          : String(status),
      sessionId,
      ...directory
    }
  ]
  switch (status) {
    case "idle":
      return statusSignals("rest")
    case "shell":
      return statusSignals("rest", true)
    case "busy":
      return statusSignals("work")
    case "waiting":
      return statusSignals("wait")
    default:
      // Before its first status the file only names the session.
      return sessionId === null
        ? []
        : [{ _tag: "SessionStarted", sessionId, transcriptPath: null, source: "status file", ...directory }]
  }
}

const waitingFor = (value: unknown): "permission" | "question" | "dialog" => {
  switch (value) {
    case "input needed":
    case "goal proposal":
      return "question"
    case "dialog open":
      return "dialog"
    default:
      return "permission"
  }
}

/** The session and process that a status file names; its birth is the kernel's count, as in `/proc/<pid>/stat`. */
export const runs = (
  file: string,
  content: unknown
): { readonly sessionId: string; readonly process: ProcessKey } | null => {
  if (!/^\d+\.json$/.test(file) || typeof content !== "object" || content === null) return null
  const { pid, procStart, sessionId } = content as Readonly<Record<string, unknown>>
  if (
    typeof pid !== "number" ||
    !Number.isSafeInteger(pid) ||
    pid <= 0 ||
    typeof procStart !== "string" ||
    procStart === ""
  )
    return null
  return typeof sessionId === "string" && sessionId !== "" ? { sessionId, process: { pid, birth: procStart } } : null
}

/**
 * Whether a status file belongs to the hosted process: by its pid, as one behind the hosted launcher, or by the session
 * id, because the CLI may count pids in another namespace. Directory and time of start prove nothing: several may be
 * started together; until a hook has told the session id, such a file waits. The file of a dead process is older than
 * this session.
 */
export const belongs = (file: string, content: unknown, session: HostedProcess, descends: boolean): boolean => {
  if (!/^\d+\.json$/.test(file) || typeof content !== "object" || content === null) return false
  const fields = content as Readonly<Record<string, unknown>>
  const startedAt = fields["startedAt"]
  // A second of slack, because the two clocks are read in different processes.
  if (typeof startedAt === "number" && startedAt < session.startedAt - 1_000) return false
  if (fields["pid"] === session.pid) return true
  if (fields["kind"] !== undefined && fields["kind"] !== "interactive") return false
  return session.sessionId !== null ? fields["sessionId"] === session.sessionId : descends
}

/** Claude Code's live status files. */
export const claudeOwnStatus: OwnStatusSource = {
  directory: (env) => `${claudeDirectory(env)}/sessions`,
  belongs,
  runs
}

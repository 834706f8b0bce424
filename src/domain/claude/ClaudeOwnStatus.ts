import type { ProcessKey } from "../HookOrigin.ts"
import type { Signal } from "../Signal.ts"

/**
 * Translates Claude Code's live status file, `sessions/<pid>.json`; null (in recordings "gone") is a file that went away.
 * Total: what it does not know says nothing.
 */
export const readOwnStatus = (content: unknown): ReadonlyArray<Signal> => {
  if (content === null || content === "gone") return [{ _tag: "OwnStatus", phase: "gone", waitingFor: null, background: false, word: "gone", sessionId: null }]
  if (typeof content !== "object") return []
  const fields = content as Readonly<Record<string, unknown>>
  const word = fields["status"]
  const sessionId = typeof fields["sessionId"] === "string" ? fields["sessionId"] : null
  const says = (phase: "work" | "rest" | "wait", background = false): ReadonlyArray<Signal> => [{
    _tag: "OwnStatus",
    phase,
    waitingFor: phase === "wait" ? waitingFor(fields["waitingFor"]) : null,
    background,
    word: phase === "wait" && typeof fields["waitingFor"] === "string" ? `waiting for ${fields["waitingFor"]}` : String(word),
    sessionId
  }]
  switch (word) {
    case "idle":
      return says("rest")
    case "shell":
      return says("rest", true)
    case "busy":
      return says("work")
    case "waiting":
      return says("wait")
    default:
      // Before its first status the file only names the session.
      return sessionId === null ? [] : [{ _tag: "SessionStarted", sessionId, transcriptPath: null, source: "status file" }]
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

/** Whose file it is: what the file says of its process. */
export interface OwnStatusOwner {
  readonly pid: number
  readonly cwd: string
  readonly startedAt: number
  readonly sessionId: string | null
}

/** Which session the process of a status file has. Its birth is the kernel's count, as `/proc/<pid>/stat` has it. */
export const runs = (file: string, content: unknown): { readonly sessionId: string; readonly process: ProcessKey } | null => {
  if (!/^\d+\.json$/.test(file) || typeof content !== "object" || content === null) return null
  const { pid, procStart, sessionId } = content as Readonly<Record<string, unknown>>
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0 || typeof procStart !== "string" || procStart === "") return null
  return typeof sessionId === "string" && sessionId !== "" ? { sessionId, process: { pid, birth: procStart } } : null
}

/** A CLI takes this long from its start to its file. */
const startLag = 30_000

/**
 * Whether a status file is the hosted process's: by its pid, else (the CLI may count in another pid namespace, or sit behind a
 * launcher) by the session id, else by directory and time of start. A file left by a dead process is older than this session.
 */
export const belongs = (file: string, content: unknown, session: OwnStatusOwner): boolean => {
  if (!/^\d+\.json$/.test(file) || typeof content !== "object" || content === null) return false
  const fields = content as Readonly<Record<string, unknown>>
  const startedAt = fields["startedAt"]
  // A second of slack: the two clocks are read in different processes.
  if (typeof startedAt === "number" && startedAt < session.startedAt - 1_000) return false
  if (fields["pid"] === session.pid) return true
  if (fields["kind"] !== undefined && fields["kind"] !== "interactive") return false
  if (session.sessionId !== null) return fields["sessionId"] === session.sessionId
  return fields["cwd"] === session.cwd && typeof startedAt === "number" && startedAt - session.startedAt <= startLag
}

import type { HostedProcess, OwnStatusSource } from "../../cli/provider/OwnStatus.ts"
import { countOf, type Fields, fieldsOf, nonEmptyOf, placeOf, stringOf } from "../../words/reading/Fields.ts"
import type { Signal } from "../../words/session/Signal.ts"
import type { ProcessKey } from "../../store/hookSpool/HookOrigin.ts"
import { claudeDirectory } from "./Identity.ts"

type OwnStatus = Extract<Signal, { readonly _tag: "OwnStatus" }>

/** The meaning of the status file's words. */
const statuses = new Map<unknown, Pick<OwnStatus, "phase" | "background">>([
  ["idle", { phase: "rest", background: false }],
  ["shell", { phase: "rest", background: true }],
  ["busy", { phase: "work", background: false }],
  ["waiting", { phase: "wait", background: false }]
])

/** The meaning of the words for a wait. Any other word stands for a permission. */
const waits = new Map<unknown, OwnStatus["waitingFor"]>([
  ["input needed", "question"],
  ["goal proposal", "question"],
  ["dialog open", "dialog"]
])

/** Translates Claude Code's status file, `sessions/<pid>.json`; null (in recordings "gone"): it was removed. Total. */
export const readOwnStatus = (content: unknown): ReadonlyArray<Signal> => {
  if (content === null || content === "gone")
    return [{ _tag: "OwnStatus", phase: "gone", waitingFor: null, background: false, word: "gone", sessionId: null }]
  const fields = fieldsOf(content)
  const sessionId = stringOf(fields["sessionId"])
  const directory = placeOf(fields["cwd"])
  const status = statuses.get(fields["status"])
  // Before its first status the file only names the session.
  if (status === undefined)
    return sessionId === null
      ? []
      : [{ _tag: "SessionStarted", sessionId, transcriptPath: null, source: "status file", ...directory }]
  const isWaiting = status.phase === "wait"
  const waited = isWaiting ? stringOf(fields["waitingFor"]) : null
  return [
    {
      _tag: "OwnStatus",
      ...status,
      waitingFor: isWaiting ? (waits.get(waited) ?? "permission") : null,
      word: waited === null ? String(fields["status"]) : `waiting for ${waited}`,
      sessionId,
      ...directory
    }
  ]
}

/** The fields of a status file; null for another file. */
const statusIn = (file: string, content: unknown): Fields | null =>
  /^\d+\.json$/.test(file) && typeof content === "object" && content !== null ? fieldsOf(content) : null

/** The session and the process that a status file names. `birth` is the kernel's count, as in `/proc/<pid>/stat`. */
export const runs = (
  file: string,
  content: unknown
): { readonly sessionId: string; readonly process: ProcessKey } | null => {
  const fields = statusIn(file, content)
  const pid = countOf(fields?.["pid"])
  const birth = nonEmptyOf(fields?.["procStart"])
  const sessionId = nonEmptyOf(fields?.["sessionId"])
  return pid !== fields?.["pid"] || pid === 0 || birth === null || sessionId === null
    ? null
    : { sessionId, process: { pid, birth } }
}

/**
 * Whether a status file belongs to the hosted process: by its pid (also one behind the hosted launcher), or by the
 * session id, because the CLI may count pids in another namespace. Directory and start time prove nothing, since
 * several sessions may start together: a file waits until a hook has reported the session id. The file of a dead
 * process is older than this session.
 */
export const belongs = (file: string, content: unknown, session: HostedProcess, descends: boolean): boolean => {
  const fields = statusIn(file, content)
  if (fields === null) return false
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

import { fieldsOf, nonEmptyOf } from "../../words/reading/Fields.ts"
import type { ProcessRecord } from "./ProcessRecord.ts"

/**
 * Decides which CLI called a hook. A CLI that an agent starts inside the session inherits leap's environment and calls
 * the same script. The calling process tells them apart: a CLI runs its hooks itself or through a shell, so the nearest
 * ancestor that is no such shell is the CLI. It is the session's own if leap started it, or if leap started a launcher
 * that started it. If the caller has ended, the payload's session id decides.
 */

/** The identity of a process: its pid, and its birth if known, because pids are reused. */
export interface ProcessKey {
  readonly pid: number
  readonly birth: string | null
}

export interface OriginMemory {
  /** The process that leap started. */
  readonly hosted: ProcessKey
  /** The process whose hooks are the session's own; null before the first of them. */
  readonly cliProcess: ProcessKey | null
  /** The session id in the last of the session's own hooks. */
  readonly sessionId: string | null
}

export interface OriginEvidence {
  readonly parent: number
  /** That process and its readable ancestors, nearest first. */
  readonly ancestors: ReadonlyArray<ProcessRecord>
  readonly sessionId: string | null
  /** Whether `memory.cliProcess` is still running. */
  readonly cliAlive: boolean
}

export interface Origin {
  readonly nested: boolean
  readonly callerPid: number | null
  readonly why: string
  readonly memory: OriginMemory
}

export const start = (hosted: ProcessKey): OriginMemory => ({ hosted, cliProcess: null, sessionId: null })

const shells: ReadonlySet<string> = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"])

/** More nested shells than this mean a user's shell that runs a CLI, not a CLI that runs a hook. */
const shellsAllowed = 2

const same = (a: ProcessKey, b: ProcessKey): boolean =>
  a.pid === b.pid && (a.birth === null || b.birth === null || a.birth === b.birth)

/** The CLI that called the script: the nearest ancestor that is no shell in between. Null if it has ended. */
export const callerOf = (
  parent: number,
  ancestors: ReadonlyArray<ProcessRecord>,
  hosted: ProcessKey
): ProcessKey | null => {
  let next: ProcessKey = { pid: parent, birth: null }
  for (let level = 0; next.pid > 1; level++) {
    const record = ancestors[level]
    if (record === undefined || record.pid !== next.pid) return next
    if (level >= shellsAllowed || same(record, hosted) || !shells.has(record.name)) return record
    next = { pid: record.parent, birth: null }
  }
  return null
}

/** The session id in a hook's payload, under any of the names that CLIs use. */
export const sessionIdIn = (payload: unknown): string | null => {
  const fields = fieldsOf(payload)
  return nonEmptyOf(fields["session_id"]) ?? nonEmptyOf(fields["sessionId"]) ?? nonEmptyOf(fields["conversation_id"])
}

/**
 * The hosted process has only launched the caller (`node` that starts a native program, a version manager's shim): all
 * processes in between share its terminal, and the caller is in the foreground. CLIs run tools without the terminal.
 */
const isLaunched = (line: ReadonlyArray<ProcessRecord>): boolean => {
  const hosted = line.at(-1)
  const caller = line[0]
  if (hosted === undefined || caller === undefined) return false
  return (
    line.every((it) => it.session === hosted.session && it.terminal === hosted.terminal) &&
    (caller.terminal === null || caller.foreground === null || caller.foreground === caller.group)
  )
}

export const decide = (memory: OriginMemory, evidence: OriginEvidence): Origin => {
  const { ancestors, cliAlive, parent, sessionId } = evidence
  const { hosted, cliProcess } = memory
  const caller = callerOf(parent, ancestors, hosted)
  const callerPid = caller?.pid ?? null
  const ours = (why: string, owner: ProcessKey | null = cliProcess): Origin => ({
    nested: false,
    callerPid,
    why,
    memory: { hosted, cliProcess: owner, sessionId: sessionId ?? memory.sessionId }
  })
  const theirs = (why: string): Origin => ({ nested: true, callerPid, why, memory })

  if (caller !== null && same(caller, hosted)) return ours("called by the CLI that leap started", hosted)
  if (caller !== null && cliProcess !== null && same(caller, cliProcess))
    return ours("called by the process that the CLI launched")
  if (caller !== null && cliProcess !== null && cliAlive)
    return theirs(`called by process ${caller.pid}, which is not the CLI`)

  const from = ancestors.findIndex((it) => caller !== null && same(it, caller))
  const to = ancestors.findIndex((it) => same(it, hosted))
  if (from >= 0 && to > from) {
    return isLaunched(ancestors.slice(from, to + 1))
      ? ours("called by a process that the CLI launched", ancestors[from])
      : theirs(`called by process ${callerPid}, which was started inside the session`)
  }
  // The caller has ended, or its ancestors cannot be read.
  if (sessionId !== null && memory.sessionId !== null) {
    return sessionId === memory.sessionId ? ours("it names the session's own id") : theirs("it names another session")
  }
  return cliProcess === null ? ours("nothing says otherwise") : theirs("its caller is gone and it names no session")
}

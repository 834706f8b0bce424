import type { ProcessRecord } from "./ProcessRecord.ts"

/**
 * Whose hook was it? A CLI that an agent starts inside the session inherits leap's environment and calls the same
 * script. What tells them apart is the process that called: a CLI runs its hooks itself or through a shell, so the
 * nearest ancestor that is no such shell is the CLI. It is the session's own when it is the process that leap started,
 * or, where that is only a launcher, the one it launched. The payload's session id decides when the caller is gone.
 */

/** One process for certain: the pid, and its birth where it is known. */
export interface ProcessKey {
  readonly pid: number
  readonly birth: string | null
}

/** What earlier hooks have settled. */
export interface OriginMemory {
  /** The process that leap started. */
  readonly hosted: ProcessKey
  /** The process whose hooks are the session's own; null before its first. */
  readonly own: ProcessKey | null
  /** The id of the session that the last own hook named. */
  readonly sessionId: string | null
}

export interface OriginEvidence {
  /** The pid that called the script. */
  readonly parent: number
  /** That process and its ancestors, nearest first, as far as they are known. */
  readonly ancestors: ReadonlyArray<ProcessRecord>
  readonly sessionId: string | null
  /** Whether `memory.own` still lives. */
  readonly ownAlive: boolean
}

export interface Origin {
  readonly nested: boolean
  /** The CLI that called, as far as it is known. */
  readonly callerPid: number | null
  readonly why: string
  readonly memory: OriginMemory
}

/** The memory of a session whose CLI has just been started. */
export const start = (hosted: ProcessKey): OriginMemory => ({ hosted, own: null, sessionId: null })

const shells: ReadonlySet<string> = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"])

/** More shells in a row than this are a shell that runs a CLI, not a CLI that runs a hook. */
const shellsAllowed = 2

const same = (a: ProcessKey, b: ProcessKey): boolean =>
  a.pid === b.pid && (a.birth === null || b.birth === null || a.birth === b.birth)

/** The CLI that called the script: the nearest process that is no shell in between. Null when it is gone. */
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

/** The session id in a hook's payload, by the names that CLIs use. */
export const sessionIdIn = (payload: unknown): string | null => {
  if (typeof payload !== "object" || payload === null) return null
  for (const name of ["session_id", "sessionId", "conversation_id"]) {
    const value = (payload as Readonly<Record<string, unknown>>)[name]
    if (typeof value === "string" && value !== "") return value
  }
  return null
}

/**
 * True when the hosted process has merely launched the caller (`node` starting a native program, a version manager's
 * shim): all in between share its terminal, and the caller has it to itself. Tools are run without the terminal.
 */
const isLaunched = (line: ReadonlyArray<ProcessRecord>): boolean => {
  const hosted = line.at(-1)
  const caller = line[0]
  if (hosted === undefined || caller === undefined) return false
  return line.every((it) => it.session === hosted.session && it.terminal === hosted.terminal)
    && (caller.terminal === null || caller.foreground === null || caller.foreground === caller.group)
}

/** Decides whose hook it was, and what is known from now on. */
export const decide = (memory: OriginMemory, evidence: OriginEvidence): Origin => {
  const { ancestors, ownAlive, parent, sessionId } = evidence
  const { hosted, own } = memory
  const caller = callerOf(parent, ancestors, hosted)
  const callerPid = caller?.pid ?? null
  const ours = (why: string, owner: ProcessKey | null = own): Origin => ({
    nested: false,
    callerPid,
    why,
    memory: { hosted, own: owner, sessionId: sessionId ?? memory.sessionId }
  })
  const theirs = (why: string): Origin => ({ nested: true, callerPid, why, memory })

  if (caller !== null && same(caller, hosted)) return ours("called by the CLI that leap started", hosted)
  if (caller !== null && own !== null && same(caller, own)) return ours("called by the process that the CLI launched")
  if (caller !== null && own !== null && ownAlive) return theirs(`called by process ${caller.pid}, which is not the CLI`)

  const from = ancestors.findIndex((it) => caller !== null && same(it, caller))
  const to = ancestors.findIndex((it) => same(it, hosted))
  if (from >= 0 && to > from) {
    return isLaunched(ancestors.slice(from, to + 1))
      ? ours("called by a process that the CLI launched", ancestors[from])
      : theirs(`called by process ${callerPid}, which was started inside the session`)
  }
  // The caller is gone, or lives where its ancestors cannot be seen.
  if (sessionId !== null && memory.sessionId !== null) {
    return sessionId === memory.sessionId
      ? ours("it names the session's own id")
      : theirs("it names another session")
  }
  return own === null ? ours("nothing says otherwise") : theirs("its caller is gone and it names no session")
}

import type { ProcessKey } from "../../places/spool/HookOrigin.ts"

/** A CLI's process that leap hosts. */
export interface HostedProcess {
  readonly pid: number
  readonly cwd: string
  /** When the process was started, in milliseconds since the epoch. */
  readonly startedAt: number
  readonly sessionId: string | null
}

/** Where a CLI keeps a live status file of its own, and which file belongs to the hosted process. */
export interface OwnStatusSource {
  /** The directory, from the CLI's environment. */
  readonly directory: (env: Readonly<Record<string, string>>) => string
  /**
   * Whether this file (name and parsed content) certainly belongs to the CLI that leap hosts. Others of that CLI may
   * have been started in the same directory at the same moment. `descends`: the process that it names is a descendant
   * of the hosted one (a launcher).
   */
  readonly belongs: (file: string, content: unknown, session: HostedProcess, descends: boolean) => boolean
  /** The session that this file names for its process; null where it names none. The process may be dead. */
  readonly runs: (file: string, content: unknown) => { readonly sessionId: string; readonly process: ProcessKey } | null
}

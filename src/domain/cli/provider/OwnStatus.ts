import type { ProcessKey } from "../../store/hookSpool/HookOrigin.ts"

/** A CLI process that leap hosts. */
export interface HostedProcess {
  readonly pid: number
  readonly cwd: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly sessionId: string | null
}

/** Where a CLI keeps a live status file of its own, and which file belongs to the hosted process. */
export interface OwnStatusSource {
  readonly directory: (env: Readonly<Record<string, string>>) => string
  /**
   * Whether this file certainly belongs to the hosted CLI. Another process of that CLI may have been started in the
   * same directory at the same moment. `descends`: the file's process is a descendant of the hosted one (a launcher).
   */
  readonly belongs: (file: string, content: unknown, session: HostedProcess, descends: boolean) => boolean
  /** The session that this file names for its process; null: none. The process may be dead. */
  readonly runs: (file: string, content: unknown) => { readonly sessionId: string; readonly process: ProcessKey } | null
}

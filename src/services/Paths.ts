import { Context, type Effect } from "effect"
import type { Tag } from "../domain/words/session/Tag.ts"
import type { StoreError } from "./StoreError.ts"

/** Files of one session. `socket` is short enough for a Unix socket address. */
export interface SessionPaths {
  readonly dir: string
  readonly socket: string
  readonly lock: string
  readonly queue: string
  readonly modes: string
  /** The last status the host wrote, read when no host answers. */
  readonly status: string
  /** The CLI's last screen as text. */
  readonly screen: string
  /** Hook spool: `LEAP_SIGNAL_DIR` of the CLI. */
  readonly spool: string
  readonly log: string
  /** What its work tree was at moments of the session. */
  readonly snapshots: string
}

/** Leap's files of one kind. */
export interface KeptFiles {
  readonly what: string
  readonly paths: ReadonlyArray<string>
}

/** Where leap keeps its files: LEAP_HOME, else XDG. Directories are 0700 and the user's, files are 0600. */
export class Paths extends Context.Service<
  Paths,
  {
    readonly state: string
    readonly config: string
    /** Holds the sessions' directories, each named by its tag. */
    readonly sessions: string
    /** The installed copy of `leap-hook.sh`, which CLIs' settings name. */
    readonly hookScript: string
    /** Creates (0700) or checks the directories that all sessions share. */
    readonly ensureBase: Effect.Effect<void, StoreError>
    readonly session: (tag: Tag) => SessionPaths
    /** Creates (0700) or checks the session's directories. */
    readonly ensureSession: (tag: Tag) => Effect.Effect<SessionPaths, StoreError>
    /** Deletes all files of a session. The caller holds its lock. */
    readonly removeSession: (tag: Tag) => Effect.Effect<void, StoreError>
    /** Fails if sessions cannot be listed, so that an unreadable directory does not look empty. */
    readonly readable: Effect.Effect<void, StoreError>
    /** Fails if the disk is full or read-only. It leaves no file behind. */
    readonly writable: Effect.Effect<void, StoreError>
    /** Tags that have a session directory; empty if they cannot be read. */
    readonly tags: Effect.Effect<ReadonlyArray<Tag>>
    /** All existing files of leap, found by their names, without other files beside them. */
    readonly kept: Effect.Effect<ReadonlyArray<KeptFiles>>
    /** Files in leap's directories that are not leap's. */
    readonly others: Effect.Effect<ReadonlyArray<string>>
  }
>()("leap/services/Paths") {}

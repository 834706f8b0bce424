import { Context, type Effect, Schema } from "effect"
import type { Tag } from "../domain/Tag.ts"

/** A directory that leap must trust is not the user's own, or others may write in it. */
export class UnsafeDirectoryError extends Schema.TaggedError<UnsafeDirectoryError>()("UnsafeDirectoryError", {
  path: Schema.String,
  why: Schema.String
}) {
  override get message() {
    return `refusing to use ${this.path}: ${this.why}`
  }
}

/** Files of one session. `socket` is short enough for a Unix socket address. */
export interface SessionPaths {
  readonly dir: string
  readonly socket: string
  readonly lock: string
  readonly queue: string
  /** The session's own modes. */
  readonly modes: string
  /** The last status the host wrote, read when no host answers. */
  readonly status: string
  /** The CLI's last screen as text. */
  readonly screen: string
  /** Hook spool: `LEAP_SIGNAL_DIR` of the CLI. */
  readonly spool: string
  readonly log: string
}

/** Where leap keeps things: LEAP_HOME, else XDG. All directories are 0700 and the user's own, all files 0600. */
export class Paths extends Context.Service<Paths, {
  readonly state: string
  readonly config: string
  /** The installed copy of `leap-hook.sh`, which CLIs' settings name. */
  readonly hookScript: string
  /** Creates (0700) or checks the directories all sessions share. */
  readonly ensureBase: Effect.Effect<void, UnsafeDirectoryError>
  readonly session: (tag: Tag) => SessionPaths
  /** Creates (0700) or checks the session's directories. */
  readonly ensureSession: (tag: Tag) => Effect.Effect<SessionPaths, UnsafeDirectoryError>
  /** Deletes all that is kept of a session. The caller holds its lock. */
  readonly removeSession: (tag: Tag) => Effect.Effect<void, UnsafeDirectoryError>
  /** Tags that have a session directory. */
  readonly tags: Effect.Effect<ReadonlyArray<Tag>>
}>()("leap/services/Paths") {}

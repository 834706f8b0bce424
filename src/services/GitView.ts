import { Context, type Effect } from "effect"

/** What a directory's git has checked out, read from disk without running git. */
export class GitView extends Context.Service<
  GitView,
  {
    /** The branch, or the abbreviated commit of a detached HEAD; null outside a work tree, or if it cannot be read. */
    readonly branch: (directory: string) => Effect.Effect<string | null>
  }
>()("leap/services/GitView") {}

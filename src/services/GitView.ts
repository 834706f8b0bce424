import { Context, type Effect } from "effect"

/** What a directory's git has checked out, as the disk tells without git. */
export class GitView extends Context.Service<
  GitView,
  {
    /**
     * The branch, or the beginning of the commit where none is checked out; null where the directory is in no work
     * tree, or cannot be read.
     */
    readonly branch: (directory: string) => Effect.Effect<string | null>
  }
>()("leap/services/GitView") {}

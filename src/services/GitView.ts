import { Context, type Effect } from "effect"

/** A directory's git, as the disk tells without git. */
export interface GitSight {
  /** The branch, or the beginning of the commit where none is checked out. */
  readonly branch: string
  /** How many tracked files differ from what git saw last; null where they are too many to look at. */
  readonly changed: number | null
}

/** Looks at work trees. Runs nothing, and reads a bounded part of the disk. */
export class GitView extends Context.Service<
  GitView,
  {
    /** Null where the directory is in no work tree, or cannot be read. */
    readonly look: (directory: string) => Effect.Effect<GitSight | null>
    /** The branch alone, which takes no look at the work tree's files. */
    readonly branch: (directory: string) => Effect.Effect<string | null>
  }
>()("leap/services/GitView") {}

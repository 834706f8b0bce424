import { Context, type Effect, type Result } from "effect"
import type { StoreError } from "./StoreError.ts"

/** Files that several processes change. No change is lost, and a reader sees no partial change. */
export class SharedFile extends Context.Service<
  SharedFile,
  {
    /** The content; null when there is no such file. Links are followed. */
    readonly read: (file: string) => Effect.Effect<Uint8Array | null, StoreError>
    /**
     * Replaces the content by the result of `edit`, under the file's lock (`<file>.lock`), and returns it. Links stay
     * links, and the file keeps its mode; a new file is readable by the user only. `edit` may run again if a program
     * that ignores the lock writes meanwhile. The directory must exist.
     */
    readonly change: <E>(
      file: string,
      edit: (content: Uint8Array | null) => Result.Result<Uint8Array, E>
    ) => Effect.Effect<Uint8Array, E | StoreError>
  }
>()("leap/services/SharedFile") {}

import { Context, type Effect } from "effect"

/**
 * What is at a place that a login named. `Foreign`: it is not the user's own, or others could put something else there;
 * `isSafe`: nobody else can put anything there.
 */
export type FoundPlace =
  | { readonly _tag: "Lives"; readonly path: string }
  | { readonly _tag: "Gone"; readonly isSafe: boolean }
  | { readonly _tag: "Foreign" }

/** Links of a session to sockets and files of its user's logins. */
export class LoginLinks extends Context.Service<
  LoginLinks,
  {
    /**
     * What is there, by its path without links. `knock`: a socket counts only where somebody listens on it, which those
     * at its other end may notice.
     */
    readonly find: (path: string, kind: "socket" | "file", knock: boolean) => Effect.Effect<FoundPlace>
    /** Makes a link lead there, in one step; false where it cannot be made. */
    readonly point: (link: string, path: string) => Effect.Effect<boolean>
    /** Completes when one of these places has come or gone, as the system tells: nothing is done by the clock. */
    readonly changed: (paths: ReadonlyArray<string>) => Effect.Effect<void>
    /** Takes a link away. */
    readonly remove: (link: string) => Effect.Effect<void>
  }
>()("leap/services/LoginLinks") {}

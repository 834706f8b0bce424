import { Context, type Effect } from "effect"

/** `Foreign`: it has another kind, or another user owns or could replace it. `isSafe`: no other user can create it. */
export type FoundPlace =
  | { readonly _tag: "Lives"; readonly path: string }
  | { readonly _tag: "Gone"; readonly isSafe: boolean }
  | { readonly _tag: "Foreign" }

/** Links in a session's directory to sockets and files of the user's logins. */
export class LoginLinks extends Context.Service<
  LoginLinks,
  {
    /** Finds the real path. `connects`: a socket counts only if it accepts a connection, which its owner may notice. */
    readonly find: (path: string, kind: "socket" | "file", connects: boolean) => Effect.Effect<FoundPlace>
    /** Makes a link point to the path, atomically; false if it cannot be made. */
    readonly point: (link: string, path: string) => Effect.Effect<boolean>
    /** Completes when one of these paths appears or disappears, by notifications of the system, without polling. */
    readonly changed: (paths: ReadonlyArray<string>) => Effect.Effect<void>
    readonly remove: (link: string) => Effect.Effect<void>
  }
>()("leap/services/LoginLinks") {}

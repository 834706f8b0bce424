import { Struct } from "effect"
import { combined } from "./combined.ts"
import type { Tokens } from "./Usage.ts"

/** Tokens as priced: `cacheWriteLong` of `cacheWrite` is kept for an hour, `reasoning` of `output` was thought. */
export interface Billed extends Tokens {
  readonly cacheWriteLong: number
  readonly reasoning: number
}

/** One statement of a CLI about what a session uses. */
export type UsageFact = (
  | { readonly _tag: "Model"; readonly model: string; readonly cwd?: string }
  /**
   * One request was billed. The same `id` is the same request: the larger count is taken. `at` is its time; a fact with
   * `again` (from a list of the whole conversation) counts only if it is younger than all that were counted.
   */
  | {
      readonly _tag: "Billed"
      readonly id: string | null
      readonly model: string | null
      readonly tokens: Billed
      readonly at: number | null
      readonly again?: boolean
      /** A part of the session's has made it (a subagent): it is no request of the conversation itself. */
      readonly aside?: boolean
    }
  /** All that was billed in the session, as the CLI counts it, and its last request if the CLI reports it. */
  | { readonly _tag: "Totals"; readonly tokens: Billed; readonly last: Billed | null; readonly at?: number | null }
  /** The last request alone, if the totals come from another source. */
  | { readonly _tag: "Last"; readonly tokens: Billed }
  /** The conversation's size and its window; null leaves what was known. */
  | { readonly _tag: "Context"; readonly tokens: number | null; readonly window: number | null }
  /**
   * What the session has cost so far in US dollars, as reported by the CLI, with all its parts (subagents), or its
   * `own` alone. `at`: until when.
   */
  | { readonly _tag: "Cost"; readonly usd: number; readonly own?: boolean; readonly at?: number | null }
  /** Something was billed that is told nowhere (in words): the sums fall short until the CLI reports it. */
  | { readonly _tag: "Uncounted"; readonly why: string }
  | { readonly _tag: "Prompt"; readonly text: string; readonly at: number | null }
  | { readonly _tag: "Response"; readonly text: string; readonly at: number | null }
  /** The session has a part (a subagent) that is known by this: in its own first record, or its transcript's name. */
  | { readonly _tag: "Part"; readonly id: string }
  /** This session is a subagent's: its use counts for the other session too, and for nothing else. */
  | { readonly _tag: "Child" }
) & {
  /** Whose it is, for a CLI that runs several sessions in one process. */
  readonly session?: string
}

/** What a window is derived from: the model and the context as far as they are known, and the price table's entry. */
export interface WindowQuery {
  readonly model: string | null
  readonly used: number | null
  readonly cwd: string | null
  readonly listed: number | null
  /** The content of the reader's `aside`; null where there is none. */
  readonly aside: unknown
}

/** Where the transcripts of a session's parts (subagents) are. */
export interface SessionParts {
  /** The directories that hold them, at this time (milliseconds since the epoch). */
  readonly directories: (now: number) => ReadonlyArray<string>
  /** Where they hold others, too: whether a file may be one, by its path. */
  readonly mayBe?: (path: string) => boolean
  /** The same by its first record: by what the session's transcript knows it (a `Part`'s `id`); null for another's. */
  readonly idOf?: (first: unknown) => string | null
}

/** How a CLI's usage is read: total pure functions, which give no facts for what they do not understand. */
export interface UsageReader {
  /** A lifecycle hook; the payload of the CLI's status line comes as the event `StatusLine`. */
  readonly hook: (event: string, payload: unknown) => ReadonlyArray<UsageFact>
  readonly record: (record: unknown) => ReadonlyArray<UsageFact>
  /** Where subagents' transcripts are, by the session's path and first record; absent where it has them itself. */
  readonly parts?: (path: string, first: unknown) => SessionParts | null
  /** The window of a model, if the CLI itself does not report it. */
  readonly window: (question: WindowQuery) => number | null
  /** A JSON file of the CLI's that helps to determine the window. */
  readonly aside: ((env: Readonly<Record<string, string>>) => string) | null
}

/** For a CLI that reports no usage. */
export const noUsage: UsageReader = { hook: () => [], record: () => [], window: ({ listed }) => listed, aside: null }

/** None of any kind. */
export const noTokens: Billed = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, cacheWriteLong: 0, reasoning: 0 }

/** The whole of a prompt as the model got it: what was new, and what came from or went to a cache. */
export const promptOf = ({ cacheRead, cacheWrite, input }: Tokens): number => input + cacheRead + cacheWrite

/** All tokens of a request. */
export const sizeOf = (tokens: Tokens): number => promptOf(tokens) + tokens.output

/** Both together. */
export const plus: (a: Billed, b: Billed) => Billed = combined(1, Struct.keys(noTokens))
/** What the first has more of than the second. */
export const minus: (a: Billed, b: Billed) => Billed = combined(-1, Struct.keys(noTokens))

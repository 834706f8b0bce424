import { Struct } from "effect"
import { combined } from "./combined.ts"
import type { Tokens } from "./Usage.ts"

/** Tokens as priced. `cacheWriteLong` is the part of `cacheWrite` kept for an hour, `reasoning` a part of `output`. */
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
      /** A subagent made the request, so it is not the conversation's last one. */
      readonly aside?: boolean
    }
  /** All that was billed in the session, as the CLI counts it, and its last request if the CLI reports it. */
  | { readonly _tag: "Totals"; readonly tokens: Billed; readonly last: Billed | null; readonly at?: number | null }
  /** The last request alone, if the totals come from another source. */
  | { readonly _tag: "Last"; readonly tokens: Billed }
  /** The conversation's size and its window; null leaves what was known. */
  | { readonly _tag: "Context"; readonly tokens: number | null; readonly window: number | null }
  /**
   * What the session has cost so far in US dollars, as reported by the CLI. `own`: without its subagents. `at`: the end
   * of the period that the cost covers.
   */
  | { readonly _tag: "Cost"; readonly usd: number; readonly own?: boolean; readonly at?: number | null }
  /** Something billed cannot be counted (`why`, in words), so the sums fall short until the CLI reports a cost. */
  | { readonly _tag: "Uncounted"; readonly why: string }
  | { readonly _tag: "Prompt"; readonly text: string; readonly at: number | null }
  | { readonly _tag: "Response"; readonly text: string; readonly at: number | null }
  /** The session has a subagent with this id, which is in its transcript's first record or file name. */
  | { readonly _tag: "Part"; readonly id: string }
  /** The fact's `session` is a subagent's: only its usage counts, as a part of the main session's. */
  | { readonly _tag: "Child" }
) & {
  /** The session of the fact, for a CLI that runs several in one process. */
  readonly session?: string
}

/** What a window is derived from: the model and the context as far as they are known, and the price table's entry. */
export interface WindowQuery {
  readonly model: string | null
  readonly used: number | null
  readonly cwd: string | null
  readonly listed: number | null
  /** The content of the file that the reader's `aside` names; null if there is none. */
  readonly aside: unknown
}

/** Where the transcripts of a session's parts (subagents) are. */
export interface SessionParts {
  /** The directories that hold them, at this time (milliseconds since the epoch). */
  readonly directories: (now: number) => ReadonlyArray<string>
  /** Whether the file may be one of them, by its path; absent if the directories hold no others. */
  readonly mayBe?: (path: string) => boolean
  /** The `id` of the `Part` fact for a file, by its first record; null if it is none of this session's. */
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
  /** The path of a JSON file of the CLI that helps to determine the window. */
  readonly aside: ((env: Readonly<Record<string, string>>) => string) | null
}

/** For a CLI that reports no usage. */
export const noUsage: UsageReader = { hook: () => [], record: () => [], window: ({ listed }) => listed, aside: null }

/** No tokens of any kind. */
export const nothingBilled: Billed = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  cacheWriteLong: 0,
  reasoning: 0
}

/** The whole of a prompt as the model got it: what was new, and what came from or went to a cache. */
export const promptOf = ({ cacheRead, cacheWrite, input }: Tokens): number => input + cacheRead + cacheWrite

/** All tokens of a request. */
export const sizeOf = (tokens: Tokens): number => promptOf(tokens) + tokens.output

/** Adds each kind. */
export const plus: (a: Billed, b: Billed) => Billed = combined(1, Struct.keys(nothingBilled))
/** Subtracts each kind of the second from the first's. */
export const minus: (a: Billed, b: Billed) => Billed = combined(-1, Struct.keys(nothingBilled))

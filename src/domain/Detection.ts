import type { ScreenFacts, ScreenView } from "./Screen.ts"
import type { Signal } from "./Signal.ts"

/** A screen reader that reads each view once: two looks with no output between them cost one. */
export const readOnce = (read: Detection["readScreen"]): Detection["readScreen"] => {
  let last: { readonly view: ScreenView; readonly facts: ScreenFacts } | null = null
  return (view) => {
    if (last?.view !== view) last = { view, facts: read(view) }
    return last.facts
  }
}

/** What tells the truth about one CLI: pure readers of what it shows and says. All are total: they never throw. */
export interface Detection {
  /** Reads structure off a whole screen. */
  readonly readScreen: (view: ScreenView) => ScreenFacts
  /** Translates a lifecycle hook. `payload` is the parsed JSON, or null where there was none. */
  readonly readHook: (event: string, payload: unknown) => ReadonlyArray<Signal>
  /** Translates the CLI's own status file (already parsed); [] where the CLI has none. */
  readonly readOwnStatus: (content: unknown) => ReadonlyArray<Signal>
  /** Translates one record of the CLI's transcript (already parsed); [] where it says nothing, or the CLI keeps none. */
  readonly readTranscript: (record: unknown) => ReadonlyArray<Signal>
  /** What this CLI is able to tell, so that the rules know which silence means something. */
  readonly tells: {
    readonly programStatus: boolean
    readonly ownStatus: boolean
    readonly turnHooks: boolean
    /** How long (milliseconds) it may load before the first turn of its process shows or tells of work; absent where it is ready to work once it has drawn its prompt. */
    readonly firstTurn?: number
    /** A command that starts no turn never shows or tells of work; elsewhere one may for a moment. */
    readonly idleCommands?: boolean
  }
}

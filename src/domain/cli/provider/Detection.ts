import type { ScreenFacts, ScreenView } from "../../words/session/Screen.ts"
import type { Signal } from "../../words/session/Signal.ts"

/** When a process calls its first hook, where all is as leap wired it: as it starts, or with its first turn. */
export type FirstHook = "start" | "turn"

/** How one CLI's state is detected: pure readers of its screen, hooks, status file and transcript. All are total. */
export interface Detection {
  readonly readScreen: (view: ScreenView) => ScreenFacts
  /** The row in which the CLI says that a hook of the user's has refused a prompt; absent where it says it in none. */
  readonly refusedPrompt?: RegExp
  /** Translates a lifecycle hook. `payload` is the parsed JSON, or null where there was none. */
  readonly readHook: (event: string, payload: unknown) => ReadonlyArray<Signal>
  /** Translates the CLI's own status file (already parsed); [] where the CLI has none. */
  readonly readOwnStatus: (content: unknown) => ReadonlyArray<Signal>
  /** Translates one parsed record of the CLI's transcript; [] where it is no evidence of the state. */
  readonly readTranscript: (record: unknown) => ReadonlyArray<Signal>
  /** The sources that this CLI has. The rules use them to decide whether the absence of a signal is evidence. */
  readonly capabilities: {
    readonly programStatus: boolean
    readonly ownStatus: boolean
    readonly turnHooks: boolean
    /** Absent where no hook is sure to be called. */
    readonly firstHook?: FirstHook
    /** Milliseconds that the CLI may load before its first turn shows; absent where it can work at once. */
    readonly firstTurn?: number
    /** A command that starts no turn never shows or reports work; with other CLIs it may do so for a moment. */
    readonly idleCommands?: boolean
  }
}

import type { ScreenFacts, ScreenView } from "../../words/session/Screen.ts"
import type { Signal } from "../../words/session/Signal.ts"

/** When a correctly wired process calls its first hook: at its start, or with its first turn. */
export type FirstHook = "start" | "turn"

/** How one CLI's state is detected: pure, total readers of its screen, hooks, status file and transcript. */
export interface Detection {
  readonly readScreen: (view: ScreenView) => ScreenFacts
  /** The row that shows that a user's hook has refused a prompt; absent if there is none. */
  readonly refusedPrompt?: RegExp
  /** Translates a lifecycle hook. `payload`: the parsed JSON; null: none. */
  readonly readHook: (event: string, payload: unknown) => ReadonlyArray<Signal>
  /** Translates the CLI's own parsed status file; [] if the CLI has none. */
  readonly readOwnStatus: (content: unknown) => ReadonlyArray<Signal>
  /** Translates one parsed record of the CLI's transcript; [] if it is no evidence of the state. */
  readonly readTranscript: (record: unknown) => ReadonlyArray<Signal>
  /** Its sources. The rules use `turnHooks` and those below to decide whether the absence of a signal is evidence. */
  readonly capabilities: {
    readonly programStatus: boolean
    readonly ownStatus: boolean
    readonly turnHooks: boolean
    /** Absent if no hook is sure to be called. */
    readonly firstHook?: FirstHook
    /** Milliseconds that the CLI may load before its first turn shows; absent if it can work at once. */
    readonly firstTurn?: number
    /** A command that starts no turn never shows work; with other CLIs it may do so for a moment. */
    readonly idleCommands?: boolean
  }
}

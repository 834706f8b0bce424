import { asks } from "../../words/session/states.ts"
import type { ScreenFacts } from "../../words/session/Screen.ts"
import type { SessionState } from "../../words/session/Session.ts"

export const screenShowsSelectionDialog = ({ dialog, picker }: ScreenFacts): boolean => dialog !== null || picker

export const isIdlePromptVisible = (screen: ScreenFacts): boolean =>
  screen.box !== null && !screenShowsSelectionDialog(screen)

/**
 * The arrow gate decides whether arrow keys go to what the CLI shows, or to its history of prompts. They go to the CLI
 * while it asks, shows a choice, or has replaced its box. `boxSeen`: the CLI has shown its box before; a starting CLI
 * draws other things. A blank screen does not count as one without its box.
 */
export const arrowsBelongToCLI = (state: SessionState, screen: ScreenFacts, boxSeen: boolean): boolean =>
  state !== "exited" &&
  (asks(state) || screenShowsSelectionDialog(screen) || (boxSeen && screen.box === null && !screen.blank))

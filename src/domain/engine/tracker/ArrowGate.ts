import { asks } from "../../words/session/states.ts"
import type { ScreenFacts } from "../../words/session/Screen.ts"
import type { SessionState } from "../../words/session/Session.ts"

/** The CLI shows something to choose from: a dialog, or a picker. */
export const screenShowsSelectionDialog = ({ dialog, picker }: ScreenFacts): boolean => dialog !== null || picker

/** The input box is drawn, with no dialog and no picker over it. */
export const isIdlePromptVisible = (screen: ScreenFacts): boolean =>
  screen.box !== null && !screenShowsSelectionDialog(screen)

/**
 * The arrow gate: whether arrow keys go to what the CLI shows, and not to its history of prompts. They do while it
 * asks, while it shows a choice, and while something replaces its box. `boxSeen`: it has shown its box before; a CLI
 * that is starting draws other things. A blank screen decides nothing.
 */
export const arrowsBelongToCLI = (state: SessionState, screen: ScreenFacts, boxSeen: boolean): boolean =>
  state !== "exited" &&
  (asks(state) || screenShowsSelectionDialog(screen) || (boxSeen && screen.box === null && !screen.blank))

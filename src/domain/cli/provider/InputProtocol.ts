import type { Dialog } from "../../words/session/Screen.ts"

/** Keys for one answer, one write each; or the reason why there are none. */
export type AnswerKeys =
  | { readonly _tag: "Keys"; readonly writes: ReadonlyArray<string> }
  | { readonly _tag: "Refused"; readonly why: string }

/** The keys of most CLIs. */
export const usualKeys = { bracketedPaste: true, submit: "\r", interrupt: "\u001b" } as const

/** How leap types into one CLI. Strings are bytes for the pseudo-terminal. */
export interface InputProtocol {
  /** The CLI supports bracketed paste (DEC 2004). */
  readonly bracketedPaste: boolean
  /** Whether the CLI takes this text as a command of its own only where it is typed; a pasted one goes to the model. */
  readonly typed?: (text: string) => boolean
  readonly submit: string
  readonly interrupt: string
  /** Empties the input box, whatever its content. */
  readonly clear: string
  /** Keys that end the CLI cleanly when nothing runs, one write each. */
  readonly quit: ReadonlyArray<string>
  /**
   * How an image file is attached. `mention`: text in the message that refers to it. `pasted`: a separate paste that
   * attaches it, for a CLI that attaches nothing for a mention. By default a mention is `@path`, quoted if the path has
   * blanks.
   */
  readonly picture?: { readonly mention: (path: string) => string } | { readonly pasted: (path: string) => string }
  /** Whether the box's draft stands for this pasted text: some CLIs fold long pastes to a placeholder. */
  readonly showsPasted: (draft: string, text: string) => boolean
  /** Keys for option `answer` (a number) or a text, one PTY write each; the screen changes between two writes. */
  readonly answer: (dialog: Dialog, answer: string) => AnswerKeys
}

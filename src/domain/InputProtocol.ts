import type { Dialog } from "./Screen.ts"

/** Keys for one answer, written in one go; or why there are none. */
export type AnswerKeys =
  | { readonly _tag: "Keys"; readonly writes: ReadonlyArray<string> }
  | { readonly _tag: "Refused"; readonly why: string }

/** How leap types into one CLI. Strings are bytes for the pseudo-terminal. */
export interface InputProtocol {
  /** The CLI understands bracketed paste (DEC 2004). */
  readonly bracketedPaste: boolean
  readonly submit: string
  readonly interrupt: string
  /** Empties the input box, whatever is in it. */
  readonly clear: string
  /** Keys that end the CLI politely when nothing runs, one by one. */
  readonly quit: ReadonlyArray<string>
  /**
   * How a picture's file is attached. `mention`: the words of the text that stand for it. Where those attach nothing, `pasted`
   * is what attaches it: a paste of its own. Without this a mention is `@path`, in quotes where the path has blanks.
   */
  readonly picture?: { readonly mention: (path: string) => string } | { readonly pasted: (path: string) => string }
  /** The text that the box shows for a text that was pasted: some CLIs fold long pastes to a placeholder. */
  readonly showsPasted: (draft: string, text: string) => boolean
  /** Keys that answer the dialog on screen with option `answer` (a number) or a text. Each write is one PTY write; a screen change is awaited between two. */
  readonly answer: (dialog: Dialog, answer: string) => AnswerKeys
}

import { isSameAgain } from "../../engine/delivery/Box.ts"

/** A walk through earlier prompts: from the text of the box into the past, and back. */
export interface Recall {
  readonly entries: ReadonlyArray<string>
  /** The index of the shown entry; after the last entry comes the text of the box. */
  readonly at: number
  /** The text of the box when the walk began. */
  readonly before: string
}

/** A walk, and the prompt after its last entry had come into the box. */
export interface Recalled {
  readonly recall: Recall
  /** The box's text for it, which may be a placeholder. */
  readonly draft: string
  readonly keys: number
}

export interface Prompt {
  /** The text of the box; null if the CLI is not at its prompt, or if the text is uncertain. */
  readonly draft: string | null
  readonly keys: number
}

export type RecallPlan =
  | { readonly _tag: "Pass" }
  /** There is nothing older, so the text stays. */
  | { readonly _tag: "Stay" }
  /** Read the history, and begin a walk from this text. */
  | { readonly _tag: "Begin"; readonly before: string }
  | { readonly _tag: "Show"; readonly recall: Recall }

/** Whether the box still shows the walk's text, and the user has pressed no other key since. */
const goesOn = (recalled: Recalled, { draft, keys }: Prompt): boolean =>
  recalled.keys === keys && recalled.draft === draft

/** The effect of an arrow at a prompt. It recalls only if nothing else can take the key. */
export const planFor = (recalled: Recalled | null, prompt: Prompt, older: boolean): RecallPlan => {
  const { draft } = prompt
  if (draft === null) return { _tag: "Pass" }
  if (recalled !== null && goesOn(recalled, prompt)) {
    const recall = step(recalled.recall, older)
    return recall === null ? { _tag: "Stay" } : { _tag: "Show", recall }
  }
  return older && isSameAgain(draft) ? { _tag: "Begin", before: draft } : { _tag: "Pass" }
}

/** Repeated entries in a row count as one. */
export const begin = (entries: ReadonlyArray<string>, before: string): Recall => {
  const different = entries.filter((entry, i) => entry !== entries[i - 1])
  return { entries: different, at: different.length, before }
}

/** One entry further; null at either end. */
export const step = (recall: Recall, older: boolean): Recall | null => {
  const at = recall.at + (older ? -1 : 1)
  return at < 0 || at > recall.entries.length ? null : { ...recall, at }
}

export const textOf = ({ at, before, entries }: Recall): string => entries[at] ?? before

export const isOver = ({ at, entries }: Recall): boolean => at >= entries.length

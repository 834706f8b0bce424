import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Detection } from "../../../src/domain/cli/provider/Detection.ts"
import type { DialogKind, ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { screenAt } from "./castScreen.ts"

/** What a reader is to find on a screen: only what is named here is looked at. */
export type Expected = Partial<Omit<ScreenFacts, "box" | "dialog">> & {
  /** The draft, or null for no box. */
  readonly draft?: string | null
  /** The label under the pointer and how many options there are; the title where it is given. */
  readonly dialog?: readonly [kind: DialogKind, selected: string | null, options: number, title?: string] | null
}
export type RecordedScreen = readonly [recording: string, seconds: number, expected: Expected]

export const rest: Expected = {
  draft: "",
  dialog: null,
  picker: false,
  working: false,
  interrupted: false,
  activity: null
}
export const overlaid: Expected = { draft: null, dialog: null, picker: true, working: false }
export const asks = (...dialog: NonNullable<Expected["dialog"]>): Expected => ({
  draft: null,
  dialog,
  picker: false,
  working: false
})

const shown = ({ box, dialog, ...flat }: ScreenFacts, expected: Expected): Expected => {
  const selected = dialog?.options.find((option) => option.selected)?.label ?? null
  const all: Expected = {
    ...flat,
    draft: box === null ? null : box.draft,
    dialog:
      dialog === null
        ? null
        : expected.dialog?.[3] === undefined
          ? [dialog.kind, selected, dialog.options.length]
          : [dialog.kind, selected, dialog.options.length, dialog.title]
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => name in expected))
}

/** Tests that a CLI's screens, as they were recorded, are read as they should be. */
export const recordedScreens = (
  cli: string,
  readScreen: Detection["readScreen"],
  screens: ReadonlyArray<RecordedScreen>
): void => {
  describe(`recorded screens of ${cli}`, () => {
    it.effect.each(screens)("%s at %s s", ([recording, seconds, expected]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(shown(readScreen(yield* screenAt(recording, seconds)), expected), expected)
      }).pipe(Effect.provide(ScreenXterm.layer))
    )
  })
}

import type { ScreenView } from "../../../src/domain/words/session/Screen.ts"

/** A screen of these rows: 80 columns, all of one colour, with nothing faint and no cursor to be seen. */
export const screenView = (lines: ReadonlyArray<string>, more: Partial<ScreenView> = {}): ScreenView => ({
  cols: 80,
  rows: 24,
  lines,
  faint: () => "",
  runs: () => [],
  cursor: { x: 0, y: 0, visible: false },
  alternate: true,
  title: "",
  whole: true,
  ...more
})

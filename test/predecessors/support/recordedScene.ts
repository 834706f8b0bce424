import { Effect } from "effect"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { screenAt } from "../../support/recordings/castScreen.ts"
import { isLabel, read } from "../../support/recordings/recordings.ts"
import { type Beat, play, type Scene } from "./replayScene.ts"

/** What a recording's screen shows at a moment. */
export const recordedView = (recording: string, seconds: number) =>
  Effect.scoped(screenAt(recording, seconds)).pipe(Effect.provide(ScreenXterm.layer))

/** Draws a recorded screen again with its rows changed; faint text stays faint. */
export const redraw = (
  recording: string,
  seconds: number,
  change: (rows: ReadonlyArray<string>) => ReadonlyArray<string>
) =>
  Effect.map(recordedView(recording, seconds), (view): Beat => {
    const faint = new Map(view.lines.map((line, y) => [line, view.faint(y)]))
    const drawn = change(view.lines).map((line) =>
      [...line]
        .map((letter, x) =>
          letter !== " " && [...(faint.get(line) ?? "")][x] === letter ? `\u001b[2m${letter}\u001b[22m` : letter
        )
        .join("")
    )
    return ["o", `\u001b[2J\u001b[H${drawn.join("\r\n")}\u001b[${view.cursor.y + 1};${view.cursor.x + 1}H`]
  })

/**
 * Goes on from a moment of a real session: its lines up to then, labels left out, and then this; seconds count from
 * there.
 */
export const playOn = (recording: string, until: number, scene: Scene): Effect.Effect<void, unknown> =>
  Effect.suspend(() => {
    const { header, lines } = read(recording)
    const before = lines
      .filter((line) => line[0] <= until && !isLabel(line))
      .map(([second, code, data]) => [second, [code, data] as Beat] as const)
    return play(
      header.leap?.cli ?? "unknown",
      [...before, ...scene.map(([second, ...beats]) => [until + second, ...beats] as const)],
      { cols: header.width, rows: header.height }
    )
  })

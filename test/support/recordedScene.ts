import { Effect } from "effect"
import * as fs from "node:fs"
import * as ScreenXterm from "../../src/layers/ScreenXterm.ts"
import { screenAt } from "./castScreen.ts"
import { type Beat, play, type Scene } from "./replayScene.ts"

const path = (recording: string) => `test/recordings/${recording}.cast`

/** What a recording's screen shows at a moment. */
export const recordedView = (recording: string, seconds: number) =>
  Effect.scoped(screenAt(path(recording), seconds)).pipe(Effect.provide(ScreenXterm.layer))

/** Draws a recorded screen again with its rows changed; faint text stays faint. */
export const redraw = (recording: string, seconds: number, change: (rows: ReadonlyArray<string>) => ReadonlyArray<string>) =>
  Effect.map(recordedView(recording, seconds), (view): Beat => {
    const faint = new Map(view.lines.map((line, y) => [line, view.faint(y)]))
    const drawn = change(view.lines).map((line) =>
      [...line].map((letter, x) => letter !== " " && [...faint.get(line) ?? ""][x] === letter ? `\u001b[2m${letter}\u001b[22m` : letter).join("")
    )
    return ["o", `\u001b[2J\u001b[H${drawn.join("\r\n")}\u001b[${view.cursor.y + 1};${view.cursor.x + 1}H`]
  })

/** Goes on from a moment of a real session: its lines up to then, labels left out, and then this; seconds count from there. */
export const playOn = (recording: string, until: number, scene: Scene): Effect.Effect<void, unknown> =>
  Effect.suspend(() => {
    const [first = "", ...rest] = fs.readFileSync(path(recording), "utf8").trimEnd().split("\n")
    const header: { readonly width: number; readonly height: number; readonly leap: { readonly cli: string } } = JSON.parse(first)
    const before = rest.map((line): readonly [number, string, string] => JSON.parse(line))
      .filter(([second, code, data]) => second <= until && !(code === "m" && /^(?:truth|note|model):/.test(data)))
      .map(([second, code, data]) => [second, [code, data] as Beat] as const)
    return play(header.leap.cli, [...before, ...scene.map(([second, ...beats]) => [until + second, ...beats] as const)], { cols: header.width, rows: header.height })
  })

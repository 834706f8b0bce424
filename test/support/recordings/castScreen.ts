import { Effect } from "effect"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import { parseSize } from "../../../src/domain/terminal/recording/Cast.ts"
import type { ScreenView } from "../../../src/domain/words/session/Screen.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { read } from "./recordings.ts"

/** What the screen of a recording, given by name, showed at a moment. */
export const screenAt = Effect.fn("screenAt")(function* (name: string, seconds: number) {
  const { header, lines } = read(name)
  const screen = yield* (yield* Screen).make({ cols: header.width, rows: header.height, scrollback: 0 })
  for (const [at, code, data] of lines) {
    if (at > seconds) break
    if (code === "o") screen.feed(fromLatin1(utf8ToLatin1(data)))
    const size = code === "r" ? parseSize(data) : null
    if (size !== null) screen.resize(size.cols, size.rows)
  }
  return screen.view() satisfies ScreenView
})

/** The rows that a recording's screen showed at so many moments, spread over its output. */
export const momentsOf = Effect.fn("momentsOf")(function* (name: string, count: number) {
  const { header, lines } = read(name)
  const screen = yield* (yield* Screen).make({ cols: header.width, rows: header.height, scrollback: 0 })
  const outputs = lines.flatMap(([, code, data]) => (code === "o" ? [data] : []))
  const moments: Array<ReadonlyArray<string>> = []
  for (const [n, data] of outputs.entries()) {
    screen.feed(fromLatin1(utf8ToLatin1(data)))
    if ((n + 1) % Math.max(1, Math.floor(outputs.length / count)) === 0) moments.push(screen.view().lines)
  }
  return moments
})

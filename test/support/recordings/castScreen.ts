import { Effect, type Scope } from "effect"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import { parseSize } from "../../../src/domain/terminal/recording/Cast.ts"
import type { ScreenView } from "../../../src/domain/words/session/Screen.ts"
import { Screen, type ScreenHandle } from "../../../src/services/Screen.ts"
import { read } from "./recordings.ts"

/** Where the replay of a recording stands, for as long as its screen lives. */
interface Replay {
  readonly name: string
  readonly screen: ScreenHandle
  readonly at: number
  readonly next: number
}
const replays = new WeakMap<Scope.Scope, Replay>()

/**
 * What the screen of a recording, given by name, showed at a moment. Later moments of the same recording go on from
 * there within one scope, so that what looks at many of them replays it once: a view is to be read before the next.
 */
export const screenAt = Effect.fn("screenAt")(function* (name: string, seconds: number) {
  const scope = yield* Effect.scope
  const { header, lines } = read(name)
  const begun = replays.get(scope)
  const isAhead = begun !== undefined && begun.name === name && begun.at <= seconds
  const screen = isAhead
    ? begun.screen
    : yield* (yield* Screen).make({ cols: header.width, rows: header.height, scrollback: 0 })
  let next = isAhead ? begun.next : 0
  for (; next < lines.length && (lines[next]?.[0] ?? 0) <= seconds; next++) {
    const [, code, data] = lines[next] ?? [0, "", ""]
    if (code === "o") screen.feed(fromLatin1(utf8ToLatin1(data)))
    const size = code === "r" ? parseSize(data) : null
    if (size !== null) screen.resize(size.cols, size.rows)
  }
  replays.set(scope, { name, screen, at: seconds, next })
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

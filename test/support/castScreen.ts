import { Effect } from "effect"
import * as fs from "node:fs"
import { fromLatin1, utf8ToLatin1 } from "../../src/domain/Bytes.ts"
import { parseHeader, parseLine, parseSize } from "../../src/domain/Cast.ts"
import type { ScreenView } from "../../src/domain/Screen.ts"
import { Screen } from "../../src/services/Screen.ts"

/** What a recording's screen showed at a moment. */
export const screenAt = Effect.fn("screenAt")(function*(file: string, seconds: number) {
  const [first = "", ...rest] = fs.readFileSync(file, "utf8").split("\n")
  const header = parseHeader(first)
  if (header._tag !== "Parsed") return yield* Effect.die(new Error(`${file} has no header`))
  const screen = yield* (yield* Screen).make({ cols: header.value.width, rows: header.value.height, scrollback: 0 })
  for (const line of rest) {
    const parsed = parseLine(line)
    if (parsed._tag !== "Parsed") continue
    const [at, code, data] = parsed.value
    if (at > seconds) break
    if (code === "o") screen.feed(fromLatin1(utf8ToLatin1(data)))
    const size = code === "r" ? parseSize(data) : null
    if (size !== null) screen.resize(size.cols, size.rows)
  }
  return screen.view() satisfies ScreenView
})

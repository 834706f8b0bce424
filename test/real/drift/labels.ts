import { Effect } from "effect"
import { parseSize } from "../../../src/domain/terminal/recording/Cast.ts"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { decode, type Truth } from "../../support/recordings/recordings.ts"
import type { Exchange } from "../model/FakeModel.ts"

/** What the driver of a session knows besides what the endpoint saw. Times in milliseconds since the epoch. */
export interface Driven {
  /** The CLI stood at its first prompt. */
  readonly upAt: number
  /** The session is of no more interest. */
  readonly endAt: number
  /** When the driver interrupted a turn; null where it did not. */
  readonly interruptedAt: number | null
  /** What the CLI shows of the command that it asks leave for. */
  readonly asks: RegExp
  /** Whether the reply to each request called a tool that is asked for. */
  readonly calls: (exchange: Exchange) => boolean
}

/**
 * When a CLI has taken in the end of a reply, or a key that ends it: it runs its hooks and draws its box. A second
 * later, or, on a slow machine, when it has drawn nothing for a moment; three seconds later at most.
 */
const restAt = (lines: Lines, from: number): number => {
  let quiet = from
  for (const [t, code] of lines) {
    if (code !== "o" || t < quiet) continue
    if (t - quiet > 0.4) break
    quiet = t
  }
  return Math.min(from + 3, Math.max(from + 1, quiet))
}

/** By how much the clocks of host and endpoint may differ. */
const mostSkew = 0.6

type Lines = ReturnType<typeof decode>["lines"]

/** When a dialog with this text was first on screen after a moment, in seconds; null for never. */
const dialogAt = Effect.fnUntraced(function* (
  lines: Lines,
  size: { readonly cols: number; readonly rows: number },
  after: number,
  asks: RegExp
) {
  const screen = yield* (yield* Screen).make({ ...size, scrollback: 0 })
  for (const [t, code, data] of lines) {
    const changed = code === "r" ? parseSize(data) : null
    if (changed !== null) screen.resize(changed.cols, changed.rows)
    if (code !== "o") continue
    screen.feed(fromLatin1(utf8ToLatin1(data)))
    // an option beside the command: what the CLI only quotes has none
    const text = t < after ? "" : screen.text()
    if (asks.test(text) && /\b(?:yes|allow|approve|proceed)\b/i.test(text)) return t
  }
  return null
})

/**
 * A recording with the truth in it: a turn runs from the Enter before its first request to the end of its last reply
 * (until the CLI has taken that in, nothing is judged), the dialog stands from when its command is on screen to the next key, and no detector is asked.
 */
export const label = Effect.fn("label")(function* (text: string, exchanges: ReadonlyArray<Exchange>, driven: Driven) {
  const { first, header, lines } = decode(text)
  const base = (header.timestamp ?? 0) * 1000
  const seconds = (at: number): number => (at - base) / 1000
  const keys = lines.filter(([, code]) => code === "i")
  const truth: Array<Truth> = [
    { t: 0, state: "starting" },
    { t: seconds(driven.upAt), state: "idle" }
  ]
  const last = (): number => truth.at(-1)?.t ?? 0
  const add = (t: number, state: string): void => void truth.push({ t: Math.max(t, last()), state })
  const enters = keys.filter(([, , data]) => /\r|\u001b\[13u/.test(data)).map(([t]) => t)
  let entered = 0
  /** A request comes after its Enter; where it does not, the clocks of host and endpoint differ. */
  let skew = 0
  for (const exchange of exchanges.filter(({ kind }) => kind === "main")) {
    const arrived = seconds(exchange.arrivedAt)
    if (truth.at(-1)?.state !== "running" && exchange.toolResults.length === 0) {
      entered = enters.findLast((t) => t <= arrived + mostSkew && t > entered) ?? arrived
      skew = Math.max(skew, entered - arrived)
      // the prompt came before the second was over
      if (truth.at(-2)?.state === "settling" && last() > entered) truth.pop()
      add(entered, "running")
    }
    if (exchange.endedAt === null) continue
    const ended = seconds(exchange.endedAt) + skew
    const { interruptedAt } = driven
    if (interruptedAt !== null && exchange.arrivedAt < interruptedAt && exchange.endedAt >= interruptedAt) {
      const key = keys.find(([t]) => t >= seconds(interruptedAt) - 0.05)?.[0] ?? ended
      add(key, "settling")
      add(restAt(lines, key), "interrupted")
    } else if (driven.calls(exchange)) {
      const size = { cols: header.width, rows: header.height }
      const asked = yield* dialogAt(lines, size, ended - 0.5, driven.asks)
      if (asked === null) continue
      add(asked, "needs_permission")
      const answer = keys.find(([t]) => t > asked)
      if (answer !== undefined) add(answer[0], "running")
    } else {
      add(ended, "settling")
      add(restAt(lines, ended), "idle")
    }
  }
  add(seconds(driven.endAt), "exited")
  const labels = truth.map(({ state, t }) => [t, "m", `truth:${state}`] as const)
  return [first, ...[...lines, ...labels].toSorted((a, b) => a[0] - b[0]).map((line) => JSON.stringify(line))].join(
    "\n"
  )
})

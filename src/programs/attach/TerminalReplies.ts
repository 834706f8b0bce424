import { Clock, Effect, Queue } from "effect"
import * as AwaitedReplies from "../../domain/terminal/sequences/AwaitedReplies.ts"
import * as OutputScanner from "../../domain/terminal/sequences/OutputScanner.ts"
import type { UserTerminal } from "../../services/UserTerminal.ts"

/** The answers of the user's terminal to leap, to the CLI that it shows, and to those that it showed before. */
export interface TerminalReplies {
  /** Asks this, and then what every terminal answers: its answers are leap's, whenever they come. */
  readonly ask: (queries: string) => Effect.Effect<void>
  /** From now on another CLI's output is shown. */
  readonly handOver: () => void
  /** Output (latin1) that the terminal gets: the CLI may ask something in it. */
  readonly shown: (output: string) => void
  /** Takes a reply (latin1) that is not the CLI's; false: it is. */
  readonly take: (reply: string) => boolean
  /** Some reply that is counted is to come, to leap or to a CLI: it must be taken. */
  readonly isCounted: () => boolean
  /** One that is not the CLI's may come any moment: its bytes are no keys. */
  readonly isDue: () => boolean
  /** Waits until no answer is to come any more, with a bound: the terminal can be given to another program. */
  readonly settled: Effect.Effect<void>
}

const attributesQuery = "\x1b[c"

/** What may be a query, or the beginning of one: most output is neither. */
const mayAsk = /\x1b(?:\[[<-?]?[\d;:]*[ -/]*(?:[cnpqtu]|$)|[Z\]P_]|$)/

/** See {@link TerminalReplies}. For all that is shown in the terminal, one after another. */
export const makeTerminalReplies = Effect.fnUntraced(function* (terminal: Pick<UserTerminal["Service"], "write">) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  let state = AwaitedReplies.start
  let scan = OutputScanner.start
  const answered = yield* Queue.sliding<null>(1)

  const ask = (queries: string) =>
    Effect.suspend(() => {
      state = AwaitedReplies.fence(state, now())
      return terminal.write(queries + attributesQuery)
    })
  const settled: Effect.Effect<void> = Effect.gen(function* () {
    for (;;) {
      const parting = AwaitedReplies.parting(state, now())
      if (parting._tag === "Nothing") return
      if (parting._tag === "Ask") yield* ask("")
      else yield* Effect.timeoutOption(Queue.take(answered), Math.max(1, parting.until - now()))
    }
  })
  return {
    ask,
    handOver: () => {
      state = AwaitedReplies.handOver(state)
      scan = OutputScanner.start
    },
    shown: (output) => {
      if (scan === OutputScanner.start && !mayAsk.test(output)) return
      const scanned = OutputScanner.scan(scan, output)
      scan = scanned.state.vt.phase === "Ground" ? OutputScanner.start : scanned.state
      for (const segment of scanned.segments)
        if (segment._tag === "Query") state = AwaitedReplies.askedByCli(state, segment.query, now())
    },
    take: (reply) => {
      const { isCli, state: next } = AwaitedReplies.answer(state, reply, now())
      state = next
      Queue.offerUnsafe(answered, null)
      return !isCli
    },
    isCounted: () => AwaitedReplies.isCounted(state),
    isDue: () => AwaitedReplies.isDue(state, now()),
    settled
  } satisfies TerminalReplies
})

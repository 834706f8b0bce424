import { Clock, Deferred, Effect, Queue } from "effect"
import * as AwaitedReplies from "../../domain/terminal/relay/AwaitedReplies.ts"
import * as OutputScanner from "../../domain/terminal/sequences/OutputScanner.ts"
import type { UserTerminal } from "../../services/UserTerminal.ts"

const attributesQuery = "\x1b[c"

/** Output that may contain a query, or the beginning of one; most output does not. */
const mayAsk = /\x1b(?:\[[<-?]?[\d;:]*[ -/]*(?:[cnpqtu]|$)|[Z\]P_]|$)/

/**
 * Assigns the terminal's replies to leap, to the CLI that it shows, or to a CLI that it showed before. One instance
 * serves all that is shown in the terminal.
 */
export const makeTerminalReplies = Effect.fnUntraced(function* (terminal: Pick<UserTerminal["Service"], "write">) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  let state = AwaitedReplies.start
  let scan = OutputScanner.start
  const answered = yield* Queue.sliding<null>(1)
  const readsStatus = yield* Deferred.make<void>()

  /** Sends queries, followed by one that every terminal answers. The answers are leap's, however late they arrive. */
  const ask = (queries: string) =>
    Effect.suspend(() => {
      state = AwaitedReplies.fence(state, now())
      return terminal.write(queries + attributesQuery)
    })
  /** Waits, with a bound, until no reply is expected, so that another program can have the terminal. */
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
    handOver: (): void => {
      state = AwaitedReplies.handOver(state)
      scan = OutputScanner.start
    },
    /** Takes the output (latin1) for the terminal, which may contain queries of the CLI. */
    shown: (output: string): void => {
      if (scan === OutputScanner.start && !mayAsk.test(output)) return
      const scanned = OutputScanner.scan(scan, output)
      scan = scanned.state.vt.phase === "Ground" ? OutputScanner.start : scanned.state
      for (const segment of scanned.segments)
        if (segment._tag === "Query") state = AwaitedReplies.askedByCli(state, segment.query, now())
    },
    /** Takes a reply (latin1) that is not the CLI's; false if it is. */
    take: (reply: string): boolean => {
      const { isCli, state: next } = AwaitedReplies.answer(state, reply, now())
      state = next
      if (!isCli && AwaitedReplies.isProgramStatus(reply)) Deferred.doneUnsafe(readsStatus, Effect.void)
      Queue.offerUnsafe(answered, null)
      return !isCli
    },
    /** Whether a reply, to leap or to a CLI, is expected; input must then pass through `take`. */
    isCounted: (): boolean => AwaitedReplies.isCounted(state),
    /** Whether a reply that is not the CLI's may arrive at any moment, so that its bytes are no keys. */
    isDue: (): boolean => AwaitedReplies.isDue(state, now()),
    /** Ends when the terminal has shown that it reads program status. */
    readsStatus: Deferred.await(readsStatus),
    settled
  }
})

export type TerminalReplies = Effect.Success<ReturnType<typeof makeTerminalReplies>>

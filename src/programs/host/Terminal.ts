import { Clock, Context, Effect, Layer } from "effect"
import { type StatusReport, supportQuery } from "../../domain/words/session/ProgramStatus.ts"
import { type QueryFacts, reply } from "../../domain/terminal/relay/QueryReplies.ts"
import type { TerminalQuery } from "../../domain/terminal/sequences/TerminalQuery.ts"
import { fromLatin1, toLatin1 } from "../../domain/words/text/Bytes.ts"
import type { ScreenHandle } from "../../services/Screen.ts"
import { CliOutput } from "./CliOutput.ts"
import { Outbox } from "./Outbox.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { SessionScreen } from "./SessionScreen.ts"
import { type AttachedViewers, Viewers } from "./Viewers.ts"

/**
 * The terminal that the CLI writes to. Every byte reaches the emulator in order, so that a cursor query is answered
 * from the screen of that moment. The program-status query is always answered here, and first, because programs send a
 * device-attributes query after it. Other queries are answered here while no viewer's terminal can.
 */
export class Terminal extends Context.Service<
  Terminal,
  {
    readonly output: (chunk: Uint8Array) => void
    /** The CLI has ended: passes on a buffered incomplete sequence. */
    readonly end: () => void
  }
>()("leap/programs/host/Terminal") {}

export interface TerminalOptions {
  readonly screen: Pick<ScreenHandle, "feed"> & {
    readonly size: () => { readonly cols: number; readonly rows: number }
  }
  readonly scanner: Pick<CliOutput["Service"], "flush" | "isText" | "scan">
  readonly viewers: Pick<AttachedViewers, "hasPrimary" | "output" | "text">
  readonly write: (data: string) => void
  readonly answer: (query: TerminalQuery) => string
  readonly report: (report: StatusReport) => void
}

export const makeTerminal = (options: TerminalOptions): Terminal["Service"] => ({
  // Viewers come first, because people wait for them.
  output: (chunk) => {
    if (options.scanner.isText(chunk)) {
      options.viewers.text(chunk)
      options.screen.feed(chunk)
      return
    }
    const bytes = toLatin1(chunk)
    const segments = options.scanner.scan(bytes, options.screen.size())
    // The common chunk is only text and drawing, and is passed on unchanged.
    if (segments.length === 1 && segments[0]!._tag === "Text" && segments[0]!.data === bytes) {
      options.viewers.output(segments, chunk)
      options.screen.feed(chunk)
      return
    }
    const answers = !options.viewers.hasPrimary()
    options.viewers.output(segments)
    for (const segment of segments) {
      options.screen.feed(fromLatin1(segment.data))
      if (segment._tag === "ReportQuery") options.write(supportQuery)
      if (segment._tag === "Report" && segment.report !== null) options.report(segment.report)
      if (segment._tag === "Query" && answers) options.write(options.answer(segment.query))
    }
  },
  end: () => {
    const segments = options.scanner.flush()
    for (const segment of segments) options.screen.feed(fromLatin1(segment.data))
    options.viewers.output(segments)
  }
})

const make = Effect.gen(function* () {
  const { version } = yield* SessionContext
  const screen = yield* SessionScreen
  const runtime = yield* SessionRuntime
  const outbox = yield* Outbox
  const clock = yield* Clock.Clock
  // computed on demand, because reading them draws the screen
  const facts = (): QueryFacts => ({
    ...screen.size(),
    get cursor() {
      return screen.view().cursor
    },
    get modes() {
      return screen.modes()
    },
    version
  })
  return Terminal.of(
    makeTerminal({
      screen,
      scanner: yield* CliOutput,
      viewers: yield* Viewers,
      write: (data) => outbox.write(data, "leap"),
      answer: (query) => reply(query, facts()),
      report: (report) => runtime.offer({ _tag: "Reported", at: clock.currentTimeMillisUnsafe(), report })
    })
  )
})

export const layer = Layer.effect(Terminal, make)

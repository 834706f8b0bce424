import { Effect, FiberSet } from "effect"
import * as OutputScanner from "../../../src/domain/terminal/sequences/OutputScanner.ts"
import * as QueryReplies from "../../../src/domain/terminal/relay/QueryReplies.ts"
import { toLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import { Pty } from "../../../src/services/Pty.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { lookingAgain } from "../run/patience.ts"

/** What a shell types when a program in it is over. */
const prompt = "[the shell's]"

/**
 * A terminal at the far end of a slow link: it answers every query, `delay` milliseconds later, cut in pieces. In it a
 * shell runs one command, and then takes what comes.
 */
export const openSlowTerminal = Effect.fnUntraced(function* (
  words: ReadonlyArray<string>,
  options: {
    readonly cwd: string
    readonly env: Readonly<Record<string, string>>
    readonly delay: number
    readonly pieces?: number
  },
  size: { readonly cols: number; readonly rows: number } = { cols: 90, rows: 24 }
) {
  const { cwd, delay, env, pieces = 1 } = options
  const screen = yield* (yield* Screen).make({ ...size, scrollback: 0 })
  const pty = yield* (yield* Pty).spawn({
    command: "/bin/sh",
    // before leap has the terminal, its key for leaving is the terminal's own for a signal, which is for leap alone
    args: ["-c", `trap : QUIT; "$@"; printf "${prompt}"; exec cat >/dev/null`, "sh", ...words],
    cwd,
    env: { ...env, TERM: "xterm-256color" },
    size
  })
  const type = (text: string) => pty.write(Buffer.from(text, "latin1"))
  const run = yield* FiberSet.makeRuntime<never>()
  let bytes = ""
  let leftAt = 0
  let scan = OutputScanner.start
  const asked: Array<string> = []
  yield* pty
    .follow((chunk) => {
      const output = toLatin1(chunk)
      bytes += output
      if (leftAt === 0 && bytes.includes(prompt)) leftAt = performance.now()
      screen.feed(chunk)
      const scanned = OutputScanner.scan(scan, output)
      scan = scanned.state
      for (const segment of scanned.segments) {
        if (segment._tag !== "Query") continue
        asked.push(segment.data)
        const { cursor } = screen.view()
        const reply = QueryReplies.reply(segment.query, { ...size, cursor: { x: cursor.x, y: cursor.y } })
        const length = Math.max(1, Math.ceil(reply.length / pieces))
        // pieces keep their order: none is as long as the pause between two
        run(
          Effect.sleep(delay).pipe(
            Effect.andThen(
              Effect.forEach(
                Array.from({ length: pieces }, (_, i) => reply.slice(i * length, (i + 1) * length)),
                (piece) => Effect.andThen(type(piece), pieces > 1 ? Effect.sleep(5) : Effect.void)
              )
            )
          )
        )
      }
    })
    .pipe(Effect.forkScoped)
  const eventually = (holds: () => boolean, what: string) =>
    Effect.suspend(() => (holds() ? Effect.void : Effect.fail("not yet"))).pipe(
      Effect.retry(lookingAgain(20)),
      Effect.catch(() => Effect.die(new Error(`${what}:\n${screen.text()}`)))
    )
  return {
    type,
    screen: screen.text,
    view: screen.view,
    /** All bytes that came, as latin1. */
    bytes: () => bytes,
    /** The queries that came. */
    asked: () => asked,
    shows: (text: string) => eventually(() => screen.text().includes(text), `it never showed ${JSON.stringify(text)}`),
    eventually,
    /** The terminal is the shell's. */
    left: eventually(() => bytes.includes(prompt), "it was never left"),
    /** When it became that, by `performance.now()`. */
    leftAt: () => leftAt,
    /** What was typed into the shell, as the line shows it. */
    stray: () => bytes.slice(bytes.lastIndexOf(prompt) + prompt.length)
  }
})

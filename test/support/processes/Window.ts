import { Effect, Fiber, FiberSet, Layer } from "effect"
import * as PtyNode from "../ptyNode.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { Pty } from "../../../src/services/Pty.ts"
import { Screen } from "../../../src/services/Screen.ts"
import type { Room } from "./Room.ts"
import { liveWith } from "../run/effects.ts"
import { lookingAgain } from "../run/patience.ts"

/** A terminal window in which one leap command runs: what it shows, what is typed, how it ends. */
export const openWindow = Effect.fn("openWindow")(function* (
  room: Pick<Room, "command" | "dir" | "env">,
  args: ReadonlyArray<string>,
  size: { readonly cols: number; readonly rows: number } = { cols: 90, rows: 28 },
  env: Readonly<Record<string, string>> = {},
  /** What it answers to a stretch of output, if not what every terminal does to the query for its attributes. */
  answer: (output: string) => Effect.Effect<string> = (output) =>
    Effect.succeed(output.includes("\x1b[c") ? "\x1b[?62;22c" : "")
) {
  const screen = yield* (yield* Screen).make({ ...size, scrollback: 1000 })
  const pty = yield* (yield* Pty).spawn({
    command: room.command[0],
    args: [room.command[1], ...args],
    cwd: room.dir,
    env: { ...room.env, TERM: "xterm-256color", ...env },
    size
  })
  let bytes = ""
  const encoder = new TextEncoder()
  const type = (text: string) => pty.write(encoder.encode(text))
  const run = yield* FiberSet.makeRuntime<never>()
  const reading = yield* pty
    .follow((chunk) => {
      const output = Buffer.from(chunk).toString("latin1")
      bytes += output
      screen.feed(chunk)
      run(Effect.flatMap(answer(output), (text) => (text === "" ? Effect.void : type(text))))
    })
    .pipe(Effect.forkScoped)
  return {
    pid: pty.pid,
    type,
    screen: screen.text,
    /** All bytes that came, as latin1. */
    bytes: () => bytes,
    view: screen.view,
    resize: (cols: number, rows: number) =>
      Effect.andThen(
        Effect.sync(() => screen.resize(cols, rows)),
        pty.resize({ cols, rows })
      ),
    hangUp: pty.signal("SIGHUP"),
    exit: Effect.andThen(Fiber.join(reading), pty.exit),
    shows: (test: string | ((screen: string) => boolean)) =>
      Effect.suspend(() =>
        (typeof test === "string" ? screen.text().includes(test) : test(screen.text()))
          ? Effect.void
          : Effect.fail("no")
      ).pipe(
        Effect.retry(lookingAgain(20)),
        Effect.catch(() => Effect.die(new Error(`the window never showed ${String(test)}:\n${screen.text()}`)))
      )
  }
})

export const windows = [PtyNode.layer, ScreenXterm.layer] as const

/** A test in real time that opens windows. */
export const inWindows = liveWith(Layer.mergeAll(...windows))

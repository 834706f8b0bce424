import { Effect, Option, Schedule, Schema, Stream } from "effect"
import { Command } from "effect/cli"
import { latin1ToText, toLatin1 } from "../../domain/Bytes.ts"
import { screenSize } from "../../domain/demo/DemoShow.ts"
import { Tag } from "../../domain/Tag.ts"
import { HookInstaller } from "../../services/HookInstaller.ts"
import { Machine } from "../../services/Machine.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { connectTo } from "../client.ts"
import { playDemo } from "../demo.ts"
import { CommandError } from "../exit.ts"
import { startSession } from "../start.ts"

const tag = Schema.decodeUnknownSync(Tag)("demonstration")

/**
 * `leap demo`: the bundled CLI, wired, hosted and queued for exactly as a real one is. Whoever runs this command gives
 * it a LEAP_HOME of its own, so that it touches nothing of the user's.
 */
export const demo = Command.make("demo", {}, Effect.fn(function*() {
  const output = yield* Output
  const machine = yield* Machine
  const terminal = yield* UserTerminal
  const provider = yield* (yield* Providers).get("demo")
  yield* (yield* HookInstaller).install(provider)
  const size = terminal.isTerminal ? yield* terminal.size : { cols: 100, rows: 40 }
  yield* startSession({
    tag,
    cli: Option.some("demo"),
    cwd: Option.none(),
    args: [],
    size: terminal.isTerminal ? screenSize(size) : size,
    waitForViewer: false,
    resumes: null
  })
  const client = yield* connectTo(tag)
  // the session's directory goes with the show, so its host must be gone before
  const gone = yield* Effect.context<Effect.Services<ReturnType<typeof connectTo>>>().pipe(
    Effect.map((context) =>
      connectTo(tag).pipe(
        Effect.scoped,
        Effect.andThen(Effect.fail("still there")),
        Effect.catchTag("NoSessionError", () => Effect.void),
        Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(60)])),
        Effect.ignore,
        Effect.provideContext(context)
      )
    )
  )
  const host = {
    tag,
    leap: `LEAP_HOME=${machine.env["LEAP_HOME"] ?? ""} leap`,
    send: (text: string) => Effect.map(client.Send({ text, images: [], front: false, force: false }), ({ id }) => id),
    answer: (answer: string) => client.Answer({ answer }),
    watch: client.Watch(),
    screen: Effect.map(client.Screen(), ({ text }) => text),
    stop: Effect.andThen(client.Stop({ force: false }), gone)
  }
  const pace = Number(machine.env["LEAP_DEMO_PACE"] ?? "1")
  const code = yield* Effect.gen(function*() {
    if (!terminal.isTerminal || !output.isTerminal) return yield* playDemo(host, { terminal: Option.none(), pace })
    yield* terminal.raw
    const keys = terminal.input.pipe(Stream.map((bytes) => latin1ToText(toLatin1(bytes))))
    return yield* playDemo(host, { terminal: Option.some({ size: terminal.size, keys }), pace })
  }).pipe(Effect.scoped)
  if (code !== 0) return yield* new CommandError({ message: "", exitCode: code })
}, Effect.scoped)).pipe(Command.withDescription("See leap at work with a bundled scripted CLI: no account, no network"))

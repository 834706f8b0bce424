import { Effect, Option, Schedule, Schema, Stream } from "effect"
import { Command } from "effect/cli"
import { latin1ToText, toLatin1 } from "../../domain/words/text/Bytes.ts"
import { screenSize } from "../../domain/providers/demo/Show.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { placesCursor } from "../../domain/surfaces/tui/placesCursor.ts"
import { wrapWords } from "../../domain/words/text/wrapWords.ts"
import { shellWord, shellWords } from "../../domain/words/text/shellWord.ts"
import { HookInstaller } from "../../services/HookInstaller.ts"
import { System } from "../../services/System.ts"
import { Output } from "../../services/Output.ts"
import { ProcessTable } from "../../services/ProcessTable.ts"
import { Providers } from "../../services/Providers.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { connectTo, withHost } from "../client/client.ts"
import { installed } from "../starting/locateCli.ts"
import { playDemo } from "../demo/demo.ts"
import { CommandError } from "../exit.ts"
import { startSession } from "../starting/start.ts"

const tag = Schema.decodeUnknownSync(Tag)("demonstration")

/** `leap demo`: the bundled CLI, hosted like a real one, under a LEAP_HOME of its own that spares the user's files. */
export const demo = Command.make(
  "demo",
  {},
  Effect.fn(function* () {
    const output = yield* Output
    const system = yield* System
    const terminal = yield* UserTerminal
    const provider = yield* (yield* Providers).get("demo")
    yield* (yield* HookInstaller).install(provider)
    const size = terminal.isTerminal ? yield* terminal.size : { cols: 100, rows: 40 }
    const processes = yield* ProcessTable
    const gone = ({ hostPid }: { readonly hostPid: number }) =>
      processes.ancestry(hostPid).pipe(
        Effect.flatMap((alive) => (alive.length === 0 ? Effect.void : Effect.fail("it lives"))),
        Effect.retry(Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(250)]))
      )
    const started = Effect.gen(function* () {
      yield* startSession({
        tag,
        cli: Option.some("demo"),
        cwd: Option.none(),
        args: [],
        size: terminal.isTerminal ? screenSize(size) : size
      })
      const client = yield* connectTo(tag)
      return { client, hello: yield* client.Hello() }
    })
    // The session's directory is deleted at the end, so its host must be gone before that, whatever it answers.
    const { client } = yield* Effect.acquireRelease(started, ({ hello }) =>
      // a client makes no calls any more when its scope closes, which is this one
      withHost(tag, (client) => client.Stop({ force: false })).pipe(
        Effect.timeout("5 seconds"),
        Effect.ignore,
        Effect.andThen(gone(hello)),
        Effect.ignore
      )
    )
    // in a clone the command is not on PATH: use its path, or the command line of this leap
    const inClone = yield* system.file((system.self.at(-1) ?? "").replace(/dist\/leap\.js$/, "bin/leap"))
    const leap = yield* Effect.match(system.which("leap", system.env), {
      onSuccess: () => "leap",
      onFailure: () => Option.match(inClone, { onSome: shellWord, onNone: () => shellWords(system.self) })
    })
    const host = {
      tag,
      leap: `LEAP_HOME=${shellWord(system.env["LEAP_HOME"] ?? "")} ${leap}`,
      send: (text: string) => Effect.map(client.Send({ text, images: [], front: false, force: false }), ({ id }) => id),
      answer: (answer: string) => client.Answer({ answer }),
      watch: client.Watch(),
      screen: Effect.map(client.Screen(), ({ text }) => text)
    }
    const pace = Number(system.env["LEAP_DEMO_PACE"] ?? "1")
    const show = Effect.gen(function* () {
      const canPlaceCursor = terminal.isTerminal && output.isTerminal && placesCursor(system.env)
      if (!canPlaceCursor) return yield* playDemo(host, { terminal: Option.none(), pace })
      yield* terminal.raw
      const keys = terminal.input.pipe(Stream.map((bytes) => latin1ToText(toLatin1(bytes))))
      return yield* playDemo(host, { terminal: Option.some({ size: terminal.size, keys }), pace })
    }).pipe(Effect.scoped)
    // `leap demo | head`: a closed pipe ends the show and its session
    const code = yield* Effect.raceFirst(output.outputClosed, show)
    if (code !== 0) return yield* new CommandError({ message: "", exitCode: code })
    const [first] = yield* installed
    const start = `in a project of yours: ${leap} my-feature`
    yield* output.line("")
    const next =
      first === undefined
        ? `Next: install a CLI that leap knows ('${leap} clis list' names them); then, ${start}`
        : `Next, ${start} (runs ${first.displayName} there; ${leap} alone shows all sessions)`
    for (const row of output.isTerminal ? wrapWords(next, yield* output.columns) : [next]) yield* output.line(row)
  }, Effect.scoped)
).pipe(Command.withDescription("See leap at work with a bundled scripted CLI: no account, no network"))

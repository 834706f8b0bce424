/** A program for the user-terminal test: takes the terminal, does as its argument says, and ends in that way. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Logger, Stream } from "effect"
import * as UserTerminalNode from "../../../src/layers/terminal/UserTerminalNode.ts"
import { UserTerminal } from "../../../src/services/UserTerminal.ts"

const program = (how: string) =>
  Effect.gen(function* () {
    const terminal = yield* UserTerminal
    if (how === "facts") {
      const { cols, rows } = yield* terminal.size
      return yield* terminal.write(`${terminal.isTerminal} ${cols}x${rows}\n`)
    }
    yield* terminal.raw
    yield* terminal.write("\x1b[?2004h")
    yield* terminal.restoreOnExit("LAST-WORDS")
    yield* terminal.write(`READY ${process.pid} `)
    switch (how) {
      case "end":
        return
      case "fail":
        return yield* Effect.fail(new Error("a failure"))
      case "defect":
        return yield* Effect.die(new Error("a defect"))
      case "throw":
        setImmediate(() => {
          throw new Error("uncaught")
        })
        return yield* Effect.never
      case "exit":
        process.exit(3)
        break
      case "echo":
        // each key comes by itself and untouched; "q" ends
        return yield* terminal.input.pipe(
          Stream.tap((chunk) => terminal.write(`<${Buffer.from(chunk).toString("hex")}>`)),
          Stream.takeUntil((chunk) => chunk.includes(0x71)),
          Stream.runDrain
        )
      case "sizes":
        return yield* terminal.sizes.pipe(
          Stream.tap(({ cols, rows }) => terminal.write(`<${cols}x${rows}>`)),
          Stream.take(1),
          Stream.runDrain
        )
      case "flood":
        // the writes are awaited: the last word is printed after all of it was taken
        for (let i = 0; i < 64; i++) yield* terminal.write(new Uint8Array(16_384).fill(0x2e))
        return yield* terminal.write("FLOODED")
      case "leave":
        // more than a terminal takes that nobody reads
        yield* Effect.addFinalizer(() => terminal.leave("LEFT"))
        yield* Effect.forever(terminal.write(new Uint8Array(16_384).fill(0x2e)))
        break
      default:
        return yield* Effect.never
    }
  }).pipe(Effect.scoped, Effect.provide(Layer.merge(UserTerminalNode.layer, Layer.succeed(Logger.LogToStderr, true))))

const how = process.argv[2] ?? ""
// "bare": nobody listens to signals but the terminal itself
if (how === "bare") {
  Effect.runFork(program(how))
  setInterval(() => {}, 1000)
} else NodeRuntime.runMain(program(how))

// What leap would have said of a recorded session: `node replay.ts FILE.cast` (made by `leap record TAG FILE.cast`).
import { Console, Effect, Option, Stream } from "effect"
import * as fs from "node:fs"
import { replay } from "leap"
import { layer } from "leap/host"

const text = Stream.sync(() => fs.readFileSync(process.argv[2] ?? "session.cast", "utf8"))
const lines = replay.replayText({ provider: Option.none(), noHooks: false }, text)
await Effect.runPromise(lines.pipe(Stream.runForEach(Console.log), Effect.provide(layer())))

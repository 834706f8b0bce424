import { Clock, DateTime, Effect, FileSystem, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { eventLine, headerLine, type RecordingHeader } from "../../domain/terminal/recording/Recording.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { RecordFrame } from "../../services/HostRpc.ts"
import { Output } from "../../services/Output.ts"
import { connectTo } from "../client/client.ts"
import { fail } from "../exit.ts"
import { fileProblem } from "../client/fileProblem.ts"
import { aboveZero, tagArgument, toggle, wordArgument } from "./shared/common.ts"

const castLines = <E>(tag: Tag, frames: Stream.Stream<RecordFrame, E>): Stream.Stream<string, E> => {
  let header: RecordingHeader | null = null
  return Stream.flattenIterable(
    Stream.map(frames, (frame) => {
      if (frame._tag === "Begun") {
        header = { tag, cli: frame.cli, cols: frame.cols, rows: frame.rows, version: frame.version, at: frame.at }
        return [headerLine(header)]
      }
      return header === null ? [] : frame.lines.map(eventLine(header))
    })
  )
}

/** `my-feature-20261121-083000.cast` */
const fileName = (tag: Tag, now: number): string =>
  `${tag}-${DateTime.formatIso(DateTime.makeUnsafe(now)).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}.cast`

/** Creates a file and returns its writer; an existing file is never overwritten. */
const newFile = Effect.fn("newFile")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const handle = yield* fs
    .open(file, { flag: "wx", mode: 0o600 })
    .pipe(
      Effect.mapError((error) =>
        error.reason._tag === "AlreadyExists"
          ? fail("refused", `${file} exists already: give another name, or remove it`)
          : fail(
              "failed",
              `cannot write the recording ${file}: ` +
                (error.reason._tag === "NotFound" ? "there is no such directory" : fileProblem(error))
            )
      )
    )
  const encoder = new TextEncoder()
  return (text: string) =>
    handle
      .writeAll(encoder.encode(text))
      .pipe(Effect.mapError((error) => fail("failed", `the recording ${file} ends early: ${fileProblem(error)}`)))
})

export const record = Command.make(
  "record",
  {
    tag: tagArgument,
    file: wordArgument("file", "Where to (default: TAG-DATE-TIME.cast here; - for standard output)").pipe(
      Argument.optional
    ),
    past: toggle("past", "Only what has happened until now, as far back as the host remembers"),
    fresh: toggle("new", "Only what happens from now on"),
    seconds: Flag.Finite("for").pipe(
      Flag.withDescription("Stop after this many seconds (default: Ctrl+C, or the session's end)"),
      aboveZero("a number of seconds"),
      Flag.optional
    )
  },
  Effect.fn(function* ({ file, fresh, past, seconds, tag }) {
    if (past && fresh)
      return yield* fail("usage", "--past and --new exclude each other; without either, a recording has both")
    const output = yield* Output
    const name = Option.getOrElse(file, () => "")
    yield* Effect.scoped(
      Effect.gen(function* () {
        const client = yield* connectTo(tag, { patient: true })
        const target = name === "" ? fileName(tag, yield* Clock.currentTimeMillis) : name
        const write = target === "-" ? output.raw : yield* newFile(target)
        if (target !== "-") {
          yield* output.note(
            `recording session '${tag}' to ${target}${past ? "" : "; Ctrl+C ends it"}. ` +
              "It holds all that was shown and typed: read it before you pass it on"
          )
        }
        const lines = castLines(tag, client.Record({ past: !fresh, follow: !past }))
        yield* lines.pipe(
          Stream.runForEachArray((batch) => write(batch.map((line) => `${line}\n`).join(""))),
          Option.isSome(seconds) ? Effect.timeoutOption(seconds.value * 1000) : Effect.asSome
        )
      })
    )
  })
).pipe(
  Command.withDescription(
    "Record a session as asciicast: what it showed, what was typed, its hooks, and what leap said of it.\n" +
      "The recording begins with the past that the host remembers, so that something odd just seen is in it."
  )
)

import { Deferred, Effect, FileSystem, Result, Schedule, Schema, Stream } from "effect"
import type { AgentCli } from "../../../domain/cli/headless/AgentCli.ts"
import type { AgentEvent } from "../../../domain/cli/headless/AgentEvent.ts"
import { tokensSince } from "../../../domain/cli/headless/tokens.ts"
import { nothingBilled, sizeOf } from "../../../domain/cli/usage/UsageReader.ts"
import * as UsageState from "../../../domain/cli/usage/UsageState.ts"

const pace = "100 millis"
/** Reads less and less often: a CLI keeps thousands of sessions in its directory, and may have no file for this one. */
const seldomer = Schedule.min([Schedule.exponential(pace, 1.5), Schedule.spaced("2 seconds")])
/** The most bytes of one read. A longer line contains no count. */
const most = 4 << 20

const decodeLine = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))

/** The complete lines of a file from a byte on, and the position after them. */
const linesFrom = Effect.fnUntraced(function* (path: string, from: number) {
  const files = yield* FileSystem.FileSystem
  const bytes = Buffer.concat(yield* Stream.runCollect(files.stream(path, { offset: from, bytesToRead: most })))
  const end = bytes.lastIndexOf(10) + 1
  const isTooLong = end === 0 && bytes.length === most
  return { lines: bytes.toString("utf8", 0, end).split("\n"), next: from + (isTooLong ? most : end) }
})

/**
 * The run of a CLI that reports its usage only at the end, with the counts that the CLI writes to a file after each
 * request. `isResumed`: the file's first content belongs to earlier runs. An unreadable file adds nothing.
 */
export const withRequestCounts = <A extends { readonly _tag: string }, E, R>(
  run: Stream.Stream<AgentEvent | A, E, R>,
  { file, usage }: NonNullable<AgentCli["requests"]>,
  env: Readonly<Record<string, string>>,
  isResumed: boolean
): Stream.Stream<AgentEvent | A, E, R | FileSystem.FileSystem> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const session = yield* Deferred.make<string>()
      const find = Effect.gen(function* () {
        const { directory, ending } = file(env, yield* Deferred.await(session))
        const names = yield* files.readDirectory(directory, { recursive: true })
        const name = names.find((one) => one.endsWith(ending))
        return name === undefined ? yield* Effect.fail("not there yet") : `${directory}/${name}`
      }).pipe(Effect.retry(seldomer))
      const counts = Stream.unwrap(
        Effect.map(find, (path) => {
          let state = UsageState.start
          let before = isResumed ? null : nothingBilled
          let from = 0
          const look = Effect.gen(function* () {
            const { lines, next } = yield* linesFrom(path, from)
            from = next
            const earlier = before
            // each count is told: of a fast model, several requests are counted between two looks
            const used = lines.flatMap((line) => {
              const record = decodeLine(line)
              if (Result.isSuccess(record)) state = usage(record.success).reduce(UsageState.fold, state)
              const tokens = state.total === null || earlier === null ? null : tokensSince(state.total, earlier)
              return tokens === null || sizeOf(tokens) === 0 ? [] : [{ _tag: "Used", tokens, reasoning: null } as const]
            })
            before ??= state.total ?? nothingBilled
            return used
          }).pipe(Effect.orElseSucceed(() => []))
          return Stream.fromIterableEffect(look).pipe(Stream.repeat(Schedule.spaced(pace)))
        }).pipe(Effect.orDie)
      ).pipe(Stream.changesWith((a, b) => sizeOf(a.tokens) === sizeOf(b.tokens)))
      return run.pipe(
        Stream.tap((item) =>
          item._tag === "Started" && "sessionId" in item && typeof item.sessionId === "string"
            ? Deferred.succeed(session, item.sessionId)
            : Effect.void
        ),
        Stream.merge(counts, { haltStrategy: "left" })
      )
    })
  )

import { Clock, Effect, FileSystem, Option, Schedule, Schema, Stream } from "effect"
import { withCounts } from "./withCounts.ts"
import type { AgentCli } from "../../../domain/cli/headless/AgentCli.ts"
import type { AgentEvent, EventOf } from "../../../domain/cli/headless/AgentEvent.ts"
import { addTokens, noTokens, tokensSince } from "../../../domain/cli/headless/tokens.ts"
import { partIdOf, seeksParts } from "../../../domain/cli/usage/sessionParts.ts"
import { type Billed, nothingBilled, type SessionParts, sizeOf } from "../../../domain/cli/usage/UsageReader.ts"
import * as UsageState from "../../../domain/cli/usage/UsageState.ts"

/** A fast model is asked again at once: a limit that is seen this much later may be one request too late. */
const pace = "25 millis"
/** Looks less and less often: a CLI keeps thousands of sessions in its directory, and may have no file for this one. */
const seldomer = Schedule.min([Schedule.exponential("100 millis", 1.5), Schedule.spaced("2 seconds")])
/** The most bytes of one read. A longer line contains no count. */
const most = 4 << 20

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** The complete lines of a file from a byte on, and the position after them. */
const linesFrom = Effect.fnUntraced(function* (files: FileSystem.FileSystem, path: string, from: number) {
  const bytes = Buffer.concat(yield* Stream.runCollect(files.stream(path, { offset: from, bytesToRead: most })))
  const end = bytes.lastIndexOf(10) + 1
  const isTooLong = end === 0 && bytes.length === most
  return { lines: bytes.toString("utf8", 0, end).split("\n"), next: from + (isTooLong ? most : end) }
})

/** A transcript of the session, or of a subagent of it. `before`: what earlier runs have used; null: not known yet. */
interface Transcript {
  readonly path: string
  /** Null: the session's own; undefined: whose it is, is not known yet. */
  agent: string | null | undefined
  state: UsageState.UsageState
  before: Billed | null
  from: number
}

/**
 * The run of a CLI that reports its usage only at the end, with the counts that the CLI writes to a file after each
 * request, and its subagents to files of their own. `isResumed`: the files' first content belongs to earlier runs. An
 * unreadable file adds nothing.
 */
export const withRequestCounts = <A extends { readonly _tag: string }, E, R>(
  run: Stream.Stream<AgentEvent | A, E, R>,
  { file, parts, usage }: NonNullable<AgentCli["requests"]>,
  env: Readonly<Record<string, string>>,
  isResumed: boolean
): Stream.Stream<AgentEvent | A, E, R | FileSystem.FileSystem> =>
  withCounts(
    run,
    pace,
    Effect.fnUntraced(function* (session) {
      const files = yield* FileSystem.FileSystem
      const { directory, ending } = file(env, session)
      const path = yield* files.readDirectory(directory, { recursive: true }).pipe(
        Effect.flatMap((names) => Effect.fromNullishOr(names.find((one) => one.endsWith(ending)))),
        Effect.map((name) => `${directory}/${name}`),
        Effect.retry(seldomer),
        Effect.orDie
      )
      const transcript = (path: string, agent: Transcript["agent"], isEarlier: boolean): Transcript => ({
        path,
        agent,
        state: UsageState.start,
        before: isEarlier ? null : nothingBilled,
        from: 0
      })
      const own = transcript(path, null, isResumed)
      let all: ReadonlyArray<Transcript> = [own]
      const seen = new Set<string>()
      let reported = 0
      let agents: SessionParts | null | undefined
      /** The files that were there before the run. */
      let earlier: ReadonlySet<string> | null = null

      const usedSoFar = () =>
        all.reduce(
          (sum, { before, state }) =>
            addTokens(sum, (state.total !== null && before !== null && tokensSince(state.total, before)) || noTokens),
          noTokens
        )
      /** Reads what was added, and reports each count: of a fast model, several are there between two looks. */
      const readOn = Effect.fnUntraced(
        function* (one: Transcript) {
          const { lines, next } = yield* linesFrom(files, one.path, one.from)
          one.from = next
          const used: Array<EventOf<"Used">> = []
          for (const line of lines) {
            const record = decodeLine(line)
            if (Option.isNone(record)) continue
            if (one === own) agents ??= parts?.(path, record.value) ?? null
            else if (one.agent === undefined && agents) {
              const id = partIdOf(agents, record.value)
              if (id === null || id === undefined) {
                all = all.filter((other) => other !== one)
                return []
              }
              one.agent = id === "" ? one.path.slice(one.path.lastIndexOf("/") + 1) : id
            }
            const before = one.state.total
            one.state = usage(record.value).reduce(UsageState.fold, one.state)
            if (one.before === null || one.state.total === before) continue
            const tokens = usedSoFar()
            if (sizeOf(tokens) === 0 || sizeOf(tokens) === reported) continue
            reported = sizeOf(tokens)
            used.push({ _tag: "Used", tokens, reasoning: null, agent: one.agent ?? null })
          }
          one.before ??= one.state.total ?? nothingBilled
          return used
        },
        Effect.orElseSucceed(() => [])
      )
      const filesOf = Effect.fnUntraced(function* ({ directories, mayBe }: SessionParts) {
        const found: Array<string> = []
        for (const directory of directories(yield* Clock.currentTimeMillis)) {
          const names = yield* Effect.orElseSucceed(files.readDirectory(directory, { recursive: true }), () => [])
          found.push(...names.map((name) => `${directory}/${name}`))
        }
        return found.filter((one) => one.endsWith(".jsonl") && one !== path && mayBe?.(one) !== false)
      })
      const lookForAgents = Effect.gen(function* () {
        if (!agents) return
        earlier ??= new Set(isResumed ? yield* filesOf(agents) : [])
        const states = all.map(({ state }) => state)
        const found = new Set(all.flatMap(({ agent }) => agent ?? []))
        if (!seeksParts(agents, states, found)) return
        const fresh = (yield* filesOf(agents)).filter((one) => !seen.has(one))
        for (const one of fresh) seen.add(one)
        all = [...all, ...fresh.map((one) => transcript(one, undefined, earlier?.has(one) === true))]
      })
      return Effect.gen(function* () {
        const first = yield* readOn(own)
        yield* lookForAgents
        const [, ...others] = all
        return [...first, ...(yield* Effect.forEach(others, readOn)).flat()]
      })
    })
  )

import { Clock, Effect, FileSystem, Option, Schema, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { type PatternProposal, proposePatterns } from "../../domain/cli/provider/proposePatterns.ts"
import * as Cast from "../../domain/terminal/recording/Cast.ts"
import { type PatternKind, patternKinds } from "../../domain/store/settings/screenPatterns.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { shellWord, shellWords } from "../../domain/words/text/shellWord.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { Providers } from "../../services/Providers.ts"
import { Screen } from "../../services/Screen.ts"
import { System } from "../../services/System.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { attach } from "../attach/attach.ts"
import { connectTo } from "../client/client.ts"
import { fileProblem } from "../client/fileProblem.ts"
import { startSession } from "../starting/start.ts"
import { fail } from "../exit.ts"
import { makeReplay } from "../replay/replaySession.ts"
import { watchCast } from "../replay/watchCast.ts"
import { addClis } from "../cliSetup/clis.ts"
import { jsonFlag, print, textFlag, wordArgument } from "./shared/common.ts"

interface Watched {
  readonly cols: number
  readonly rows: number
  readonly lines: ReadonlyArray<Cast.CastLine>
}

const anyProgram = Effect.gen(function* () {
  const providers = yield* Providers
  const [provider] = yield* providers.load(({ takesCommand }) => takesCommand)
  return provider ?? (yield* fail("failed", "there is no CLI that takes a command"))
})

/** Runs the program in this terminal until its user leaves, and returns what it showed and what was typed. */
const watchLive = Effect.fn("clisProbe.watchLive")(function* (provider: Provider, command: ReadonlyArray<string>) {
  const output = yield* Output
  const terminal = yield* UserTerminal
  const paths = yield* Paths
  if (!output.isTerminal || !output.inputIsTerminal)
    return yield* fail("usage", "watching a program needs a terminal; --from FILE reads a recording")
  const id = (yield* (yield* System).newId).toLowerCase()
  const tag = yield* Effect.orDie(Schema.decodeUnknownEffect(Tag)(`probe-${id}`))
  const size = yield* terminal.size
  yield* output.note(
    "leap watches: type a prompt, wait until it is answered, once or twice; then leave it by its own way, or detach"
  )
  yield* startSession({
    tag,
    cli: Option.some(provider.id),
    cwd: Option.none(),
    args: command,
    size,
    waitForViewer: true
  })
  const watched: { begun: { cols: number; rows: number; at: number } | null; lines: Array<Cast.CastLine> } = {
    begun: null,
    lines: []
  }
  yield* Effect.scoped(
    Effect.gen(function* () {
      const client = yield* connectTo(tag, { patient: true })
      yield* client.Record({ past: true, follow: true }).pipe(
        Stream.runForEach((frame) =>
          Effect.sync(() => {
            if (frame._tag === "Begun") watched.begun = frame
            else
              for (const { at, code, data } of frame.lines)
                watched.lines.push([(at - (watched.begun?.at ?? at)) / 1000, code, data])
          })
        ),
        Effect.ignore,
        Effect.forkScoped
      )
      // The program's exit code does not matter.
      yield* attach({ tag, readOnly: false }).pipe(Effect.ignore)
      yield* client.Stop({ force: false }).pipe(Effect.timeout("20 seconds"), Effect.ignore)
    })
  )
  yield* paths.removeSession(tag).pipe(Effect.ignore)
  return { ...(watched.begun ?? size), lines: watched.lines }
})

const watchFile = Effect.fn("clisProbe.watchFile")(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs
    .readFileString(file)
    .pipe(Effect.mapError((error) => fail("failed", `cannot read the recording ${file}: ${fileProblem(error)}`)))
  const [first = "", ...rest] = text.split("\n")
  const header = Cast.parseHeader(first)
  if (header._tag !== "Parsed") return yield* fail("failed", `${file} is no recording in asciicast v2`)
  const lines = rest.flatMap((line) => {
    const parsed = Cast.parseLine(line)
    return parsed._tag === "Parsed" ? [parsed.value] : []
  })
  return { cols: header.value.width, rows: header.value.height, lines } satisfies Watched
})

const State = Schema.fromJsonString(
  Schema.Struct({ t: Schema.Finite, state: Schema.String, ready: Schema.Boolean, reason: Schema.String })
)

/** The states that leap would have seen with these patterns, one line for each change. */
const said = Effect.fn("clisProbe.said")(function* (provider: Provider, watched: Watched, { screen }: PatternProposal) {
  const emulator = yield* (yield* Screen).make({ cols: watched.cols, rows: watched.rows, scrollback: 0 })
  const reader = provider.forProgram?.("", { screen }) ?? provider
  const replay = makeReplay({
    provider: { ...provider, ...reader },
    screen: emulator,
    noHooks: false,
    base: yield* Clock.currentTimeMillis
  })
  const states = [...replay.first(), ...watched.lines.flatMap((line) => replay.take(line))]
  return yield* Effect.forEach(states, (line) => Effect.option(Schema.decodeUnknownEffect(State)(line))).pipe(
    Effect.map((read) => read.flatMap(Option.toArray))
  )
})

const flagsOf = ({ screen }: PatternProposal): string =>
  patternKinds.flatMap((kind) => (screen[kind] ?? []).map((source) => `--${kind} ${shellWord(source)}`)).join(" ")

export const clisProbe = (rest: ReadonlyArray<string>) =>
  Command.make(
    "probe",
    {
      command: wordArgument(
        "command",
        "The program and its arguments; those that look like flags behind a lone --"
      ).pipe(Argument.variadic()),
      from: textFlag("from", "Go by this recording ('leap record') instead of running the program"),
      save: textFlag("save", "Add it under this id as a CLI of yours (default: nothing is written)"),
      json: jsonFlag
    },
    Effect.fn(function* ({ command: words, from, json, save }) {
      const output = yield* Output
      const command = [...words, ...rest]
      const [program] = command
      if (program === undefined && (Option.isNone(from) || Option.isSome(save)))
        return yield* fail("usage", "which program? leap clis probe COMMAND…")
      const provider = yield* anyProgram
      const watched = Option.isSome(from) ? yield* watchFile(from.value) : yield* watchLive(provider, command)
      const seen = yield* Effect.scoped(
        Effect.gen(function* () {
          const emulator = yield* (yield* Screen).make({ cols: watched.cols, rows: watched.rows, scrollback: 0 })
          const { prompts, samples } = watchCast(watched.lines, emulator)
          const proposal = proposePatterns(samples, prompts)
          return { proposal, states: yield* said(provider, watched, proposal) }
        })
      )
      const { proposal, states } = seen
      const saved =
        Option.isSome(save) && program !== undefined ? yield* keep(provider, save.value, command, proposal) : null
      yield* print(json, { schema: 1, command, ...proposal, states, saved }, () =>
        [
          "what leap would have said:",
          table(
            states.map(({ ready, reason, state, t }) => [
              t.toFixed(1),
              state,
              ready ? "ready" : "",
              oneLine(reason, 70)
            ])
          ),
          "",
          "patterns of its screen:",
          ...patternKinds.flatMap((kind) =>
            (proposal.screen[kind] ?? []).map((source) => `  ${kind.padEnd(7)} ${source}`)
          ),
          ...(saved === null && program !== undefined
            ? ["", `leap clis add NAME --base ${provider.id} --command ${shellWord(program)} ${flagsOf(proposal)}`]
            : []),
          ...(saved === null ? [] : ["", `added: leap <tag> --cli ${saved}`])
        ].join("\n")
      )
      if (!json) for (const note of proposal.notes) yield* output.note(`leap: ${note}`)
    })
  ).pipe(
    Command.withDescription(
      "Run a program that leap has no rules for, watch a turn, and propose patterns of its screen.\n" +
        "Nothing is written without --save."
    )
  )

const keep = Effect.fn("clisProbe.keep")(function* (
  provider: Provider,
  id: string,
  [program = "", ...args]: ReadonlyArray<string>,
  { screen }: PatternProposal
) {
  const given = (kind: PatternKind) => screen[kind] ?? []
  return yield* addClis(Option.some(id), provider.id, {
    name: Option.none(),
    command: Option.some(program),
    flags: args.length === 0 ? Option.none() : Option.some(shellWords(args)),
    env: [],
    screen: { box: given("box"), busy: given("busy"), done: given("done"), dialog: given("dialog") }
  })
})

import { Effect, FileSystem, Stream } from "effect"
import { Command } from "effect/cli"
import { table } from "../../domain/words/wording/StateLine.ts"
import { absolutePath } from "../../domain/words/text/paths.ts"
import { Output } from "../../services/Output.ts"
import { System } from "../../services/System.ts"
import { fail } from "../exit.ts"
import { fileProblem } from "../client/fileProblem.ts"
import { hooksInstall, hooksRemove, hooksStatus, hooksWanted } from "../cliSetup/hooks.ts"
import { replayText } from "../replay/replay.ts"
import { jsonFlag, print, textFlag, toggle, wordArgument } from "./shared/common.ts"

const cliFlag = textFlag("cli", "Only this CLI (default: every one that is installed)")

type Rows = Effect.Success<ReturnType<typeof hooksStatus>>

/** A CLI's wiring in words. After a removal, missing wiring is as wanted. */
const stateWords = ({ changed, state }: Rows[number], removing: boolean): string =>
  removing && state === "missing" ? (changed ? "removed" : "not wired") : state

const showRows = Effect.fnUntraced(function* (json: boolean, rows: Rows, removing = false) {
  yield* print(json, { schema: 1, hooks: rows }, () =>
    rows.length === 0
      ? "no CLI that leap can wire is installed"
      : table(
          rows.map((row) => [
            row.cli,
            stateWords(row, removing),
            row.file,
            removing && row.state === "missing" ? "" : row.detail
          ])
        )
  )
  const failed = rows.find((row) => row.problem !== null)
  if (failed !== undefined) return yield* fail("failed", failed.problem ?? "")
})

const install = Command.make(
  "install",
  {
    cli: cliFlag,
    json: jsonFlag,
    statusLine: toggle("status-line", "Listen to the CLI's status line also where that takes a row of its screen"),
    print: toggle("print", "Write no settings: print what is to be in which file, for those who write them otherwise")
  },
  Effect.fn(function* ({ cli, json, print: prints, statusLine }) {
    if (prints) {
      const clis = yield* hooksWanted(cli, { statusLine })
      return yield* print(json, { schema: 1, clis }, () =>
        clis
          .flatMap(({ displayName, files }) =>
            files.map(({ changed, content, file }) =>
              [`# ${displayName}: ${file}${changed ? "" : " (has it already)"}`, content.trimEnd()].join("\n")
            )
          )
          .join("\n\n")
      )
    }
    yield* showRows(json, yield* hooksInstall(cli, { statusLine }))
  })
).pipe(Command.withDescription("Wire leap into the CLIs' own settings"))

const remove = Command.make(
  "remove",
  { cli: cliFlag, json: jsonFlag },
  Effect.fn(function* ({ cli, json }) {
    yield* showRows(json, yield* hooksRemove(cli), true)
  })
).pipe(Command.withDescription("Take leap out of the CLIs' settings again"))

const status = Command.make(
  "status",
  { cli: cliFlag, json: jsonFlag },
  Effect.fn(function* ({ cli, json }) {
    yield* showRows(json, yield* hooksStatus(cli))
  })
).pipe(Command.withDescription("How each CLI is wired"))

export const hooks = Command.make("hooks").pipe(
  Command.withDescription("Wire leap into the CLIs' own settings, and take it out again"),
  Command.withShortDescription("Wire leap into the CLIs' own settings"),
  Command.withSubcommands([install, remove, status])
)

export const replay = Command.make(
  "replay",
  {
    file: wordArgument(
      "file",
      "An asciicast v2 recording, or - for standard input; a line may have up to 16777216 characters"
    ),
    provider: textFlag("provider", "The CLI that was recorded (default: as the recording says)"),
    noHooks: toggle("no-hooks", "Leave out hooks, status files and program-status reports"),
    json: toggle("json", "Print one JSON document at the end (default: a line of JSON whenever something changes)")
  },
  Effect.fn(function* ({ file, json, noHooks, provider }) {
    const output = yield* Output
    const fs = yield* FileSystem.FileSystem
    const { cwd } = yield* System
    const recorded = fs.stream(absolutePath(cwd, file)).pipe(
      Stream.decodeText(),
      Stream.mapError((error) => fail("failed", `cannot read the recording ${file}: ${fileProblem(error)}`))
    )
    const answers = replayText({ provider, noHooks }, file === "-" ? output.stdinText : recorded)
    if (!json)
      return yield* Stream.runForEachArray(answers, (batch) => output.raw(batch.map((line) => `${line}\n`).join("")))
    const states = yield* Stream.runCollect(answers)
    yield* output.line(`{"schema":1,"states":[${states.join(",")}]}`)
  })
).pipe(Command.withDescription("Run the state machine over a recording"))

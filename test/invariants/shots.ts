import { Effect, Schema } from "effect"
import { footageOf } from "../support/recordings/footage.ts"
import { type RecordedCli, setsOf } from "../support/recordings/recordings.ts"
import { chosenRecordings } from "../support/recordings/scenes.ts"

const clis = Object.keys(setsOf) as ReadonlyArray<RecordedCli>

/** A CLI that there are recordings of. */
export const Cli = Schema.Literals(clis)

const cutOnce = (cli: RecordedCli) =>
  Effect.runSync(
    Effect.cached(
      footageOf(
        cli,
        chosenRecordings(cli).filter((_, i) => i % 4 === 0)
      )
    )
  )

/** A few recordings of each CLI, cut once. */
export const shots: Readonly<Record<RecordedCli, ReturnType<typeof cutOnce>>> = {
  claude: cutOnce("claude"),
  codex: cutOnce("codex"),
  copilot: cutOnce("copilot"),
  gemini: cutOnce("gemini"),
  opencode: cutOnce("opencode")
}

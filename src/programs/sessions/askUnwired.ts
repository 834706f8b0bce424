import { Effect, Option, Result } from "effect"
import { changeCli } from "../../domain/store/settings/editSettings.ts"
import { tilde } from "../../domain/surfaces/picker/Rows.ts"
import { wrap } from "../../domain/surfaces/tui/Cells.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { HookInstaller } from "../../services/HookInstaller.ts"
import { Output } from "../../services/Output.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import type { UnwiredStart } from "../starting/start.ts"
import { CommandError, describe, fail } from "../exit.ts"
import { askChoice } from "../prompts/ask.ts"
import { hooksInstall } from "../cliSetup/hooks.ts"

/** The changes that installing the hooks would make, one line for each file. */
const changesOf = Effect.fnUntraced(function* ({ provider, version }: UnwiredStart) {
  const home = (yield* System).env["HOME"] ?? ""
  const files = yield* (yield* HookInstaller).wanted(provider, { version })
  return files
    .filter(({ changed }) => changed)
    .map(({ content, file }) => {
      const hooks = content.split("leap-hook.sh").length - 1
      const written = hooks === 0 ? "" : `  (${hooks} ${hooks === 1 ? "hook" : "hooks"} of leap's)`
      return `  ${oneLine(tilde(file, home), 200)}${written}`
    })
})

const ask = Effect.fn("askUnwired")(function* (start: UnwiredStart) {
  const { provider, refusal, unwired } = start
  const { displayName, id } = provider
  const output = yield* Output
  const changes = unwired.addable ? yield* Effect.result(changesOf(start)) : null
  const adds = changes === null ? null : Result.getOrNull(changes)
  const trouble = changes === null || Result.isSuccess(changes) ? unwired.remedy : changes.failure.message
  // neither choice is possible, so there is no question
  if (adds === null && refusal !== null) return "without" as const
  const columns = yield* output.columns
  yield* output.note(
    [
      `${displayName} does not call leap yet (${unwired.why}).`,
      "With them leap knows its cost, context and last message, and your deny and ask rules hold. " +
        "Without them leap reads its screen; queued messages are sent nevertheless.",
      ...(adds === null
        ? [`They cannot be added now: ${oneLine(trouble, 300)}.`]
        : ["", "Adding them changes:", ...adds, `To undo: leap hooks remove --cli ${id}`]),
      ""
    ]
      .flatMap((line) => (line === "" ? [line] : wrap(line, Math.max(20, columns - 1), 20)))
      .join("\n")
  )
  const choice = yield* askChoice<"add" | "without" | "never" | "not">(`How is ${displayName} to start?`, [
    ...(adds === null ? [] : [{ title: "add the hooks and start", value: "add" as const }]),
    ...(refusal === null
      ? [
          { title: "start without them", value: "without" as const },
          { title: `start without them, and do not ask again for ${id}`, value: "never" as const }
        ]
      : [{ title: "do not start", value: "not" as const }])
  ])
  switch (choice) {
    case "not":
      return yield* fail("notWired", refusal ?? "")
    case "without":
      return "without" as const
    case "never":
      yield* (yield* UserSettings).change(changeCli(id, { unwired: "start" }))
      return "without" as const
    case "add": {
      const rows = yield* hooksInstall(Option.some(id))
      const failed = rows.find(({ problem }) => problem !== null)
      return failed === undefined ? ("added" as const) : yield* fail("failed", failed.problem ?? "")
    }
  }
})

/** A function that asks the user how to start a CLI without leap's hooks. */
export const askUnwired = Effect.map(
  Effect.context<Effect.Services<ReturnType<typeof ask>>>(),
  (context) => (start: UnwiredStart) =>
    ask(start).pipe(
      Effect.provideContext(context),
      Effect.mapError((error) => (error instanceof CommandError ? error : new CommandError(describe(error))))
    )
)

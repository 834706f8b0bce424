import { Effect } from "effect"
import { Command } from "effect/cli"
import { Output } from "../../services/Output.ts"
import { requireStatus } from "../client/statuses.ts"
import { openEditor } from "../sessions/openEditor.ts"
import { tagArgument } from "./shared/common.ts"

export const edit = Command.make(
  "edit",
  { tag: tagArgument },
  Effect.fn(function* ({ tag }) {
    const { inputIsTerminal, isTerminal } = yield* Output
    const { cwd } = yield* requireStatus(tag)
    yield* openEditor(cwd, isTerminal && inputIsTerminal)
  })
).pipe(
  Command.withDescription(
    "Open a session's directory in your editor: the setting 'editor', else VISUAL, EDITOR, or the desktop's own"
  ),
  Command.withShortDescription("Open a session's directory in your editor")
)

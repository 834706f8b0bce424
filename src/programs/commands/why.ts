import { Effect } from "effect"
import { Command } from "effect/cli"
import { whyDocument, whyText } from "../../domain/surfaces/operations/whyText.ts"
import { Output } from "../../services/Output.ts"
import { askHost } from "../client/statuses.ts"
import { jsonFlag, print, tagArgument } from "./shared/common.ts"

export const why = Command.make(
  "why",
  { tag: tagArgument, json: jsonFlag },
  Effect.fn(function* ({ json, tag }) {
    const { reply, status } = yield* askHost(tag, (client) =>
      Effect.all({ reply: client.Why(), status: client.Status() }, { concurrency: 2 })
    )
    const { columns: width, isTerminal } = yield* Output
    const columns = isTerminal ? yield* width : null
    yield* print(json, whyDocument(tag, reply), () => whyText(reply, status, columns))
  })
).pipe(
  Command.withDescription("Why a session is in its state: the rule that decided, and what is known"),
  Command.withShortDescription("Why a session is in its state")
)

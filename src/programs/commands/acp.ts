import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { serveAcp } from "../acp/server.ts"
import { optionalTag, textFlag } from "./shared/common.ts"

export const acp = (rest: ReadonlyArray<string> | null) =>
  Command.make(
    "acp",
    {
      tag: optionalTag("The session to serve, started where it does not run (default: all, and new ones)"),
      cli: textFlag("cli", "The CLI of new sessions ('leap clis' lists them)")
    },
    Effect.fn(function* ({ cli, tag }) {
      // checked now, because an editor would see the error only with its first session
      if (Option.isSome(cli)) yield* (yield* Providers).get(cli.value)
      const output = yield* Output
      if (output.inputIsTerminal)
        yield* output.note(
          "leap: this speaks ACP on its input and output, for an editor that starts it (Ctrl+D ends it)"
        )
      yield* Effect.scoped(serveAcp({ tag: Option.getOrNull(tag), cli, args: rest }))
    })
  ).pipe(
    Command.withDescription(
      "Serve sessions to an editor (ACP on standard input and output); what follows a lone -- goes to the CLI"
    )
  )

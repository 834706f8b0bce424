import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { completionShells } from "../../domain/words/arguments/completionShells.ts"
import { completionScript } from "../../domain/words/arguments/completionScript.ts"
import { Output } from "../../services/Output.ts"

export const completions = Command.make(
  "completions",
  {
    shell: Argument.Literals("shell", completionShells).pipe(
      Argument.withDescription("Whose: each script begins with where it is to be put")
    )
  },
  ({ shell }) => Effect.flatMap(Output, (output) => output.raw(completionScript(shell)))
).pipe(Command.withDescription("What a shell loads to complete leap's command lines, sessions and messages with Tab"))

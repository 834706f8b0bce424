import { Effect } from "effect"
import { Prompt } from "effect/cli"
import { Output } from "../../services/Output.ts"
import { fail } from "../exit.ts"

/**
 * The prompts' library resets the terminal to line mode some 10 ms after an answer: raw mode must be set later than
 * that.
 */
const promptRestore = "30 millis"

/** Asks the user; when the user gives up, the exit code is 130. */
export const askUser = <A>(prompt: Prompt.Prompt<A>) =>
  Prompt.run(prompt).pipe(
    // the library leaves the cursor behind the last choice
    Effect.catchTag("QuitError", () =>
      Effect.andThen(
        Effect.flatMap(Output, (output) => output.note("")),
        fail("cancelled", "")
      )
    ),
    Effect.tap(Effect.sleep(promptRestore))
  )

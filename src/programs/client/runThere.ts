import { Effect } from "effect"
import { type HostWords, readsInput } from "../../domain/words/arguments/hostWords.ts"
import { Output } from "../../services/Output.ts"
import { RemoteHosts } from "../../services/RemoteHosts.ts"
import { fail } from "../exit.ts"
import { hostNamed } from "./hostNamed.ts"

/** Runs a command line with another machine's leap; returns its exit code. */
export const runThere = Effect.fn("runThere")(function* ({ host, words }: HostWords) {
  if (host === null)
    return yield* fail(
      "usage",
      "--host needs a machine's name, and then the words for its leap; 'leap hosts' lists them"
    )
  const { inputIsTerminal, isTerminal } = yield* Output
  const use = isTerminal && inputIsTerminal ? "terminal" : readsInput(words) ? "pipe" : "output"
  return yield* (yield* RemoteHosts).run(yield* hostNamed(host), words, use)
})

// One turn without a terminal: `node headless.ts PROVIDER PROMPT`. `openai_compatible` needs OPENAI_BASE_URL and
// OPENAI_MODEL; the CLIs need themselves. What happens comes as a stream of typed events, which ends with the result.
import { Console, Effect, Stream } from "effect"
import { AgentProvider } from "leap"
import { headless } from "leap/host"

const [name = "openai_compatible", prompt = "say hello"] = process.argv.slice(2)

const program = Effect.gen(function* () {
  const provider = yield* (yield* AgentProvider.AgentProviders).get(name)
  yield* provider
    .execute(prompt, { timeout: 60_000 })
    .pipe(Stream.runForEach((event) => (event._tag === "Result" ? Console.log(event.result.text) : Effect.void)))
}).pipe(Effect.catchTag("AgentReportedError", ({ problem }) => Console.error(problem.kind, problem.message)))

await Effect.runPromise(program.pipe(Effect.provide(headless())))

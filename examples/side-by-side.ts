// Three agents headless, side by side: `node side-by-side.ts PROMPT [PROVIDER…]`. Each has a minute; one
// that fails costs the others nothing. Each answer comes when it is there, and a table at the end.
import { Clock, Console, Effect, Option, Stream } from "effect"
import { AgentProvider } from "leap"
import { headless } from "leap/host"

const [prompt = "say hello", ...named] = process.argv.slice(2)
const names = named.length > 0 ? named : ["claude", "codex", "gemini"]

const ask = (name: string) =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const provider = yield* (yield* AgentProvider.AgentProviders).get(name)
    const last = yield* Stream.runLast(provider.execute(prompt, { timeout: 60_000 }))
    const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1000
    // a run that does not fail ends with its result
    const result = Option.isSome(last) && last.value._tag === "Result" ? last.value.result : null
    yield* Console.log(`${name}: ${result?.text ?? ""}`)
    return { name, seconds, tokens: result?.tokens.total ?? null, ended: result?.stopReason ?? "ended" }
  }).pipe(
    Effect.catch((error) =>
      Effect.as(Console.log(`${name}: ${error.message}`), { name, seconds: null, tokens: null, ended: error._tag })
    )
  )

const program = Effect.gen(function* () {
  const rows = yield* Effect.forEach(names, ask, { concurrency: names.length })
  for (const { ended, name, seconds, tokens } of rows)
    yield* Console.log(
      [name.padEnd(12), ended.padEnd(20), seconds?.toFixed(1).padStart(6) ?? "-", tokens ?? "-"].join("  ")
    )
})

await Effect.runPromise(program.pipe(Effect.provide(headless())))

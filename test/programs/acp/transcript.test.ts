import { assert, describe } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { codexUsage } from "../../../src/domain/providers/codex/Usage.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import { transcript } from "../../../src/programs/acp/followed.ts"
import { FileTail, type TailChunk } from "../../../src/services/FileTail.ts"
import { effect } from "../../support/run/effects.ts"

const line = (type: "user_message" | "agent_message", message: string, second: number | null) =>
  JSON.stringify({
    type: "event_msg",
    ...(second === null ? {} : { timestamp: new Date(second * 1000).toISOString() }),
    payload: { type, message }
  })
const chunk = (lines: ReadonlyArray<string>, more: Partial<TailChunk> = {}): TailChunk => ({
  restarted: false,
  lines,
  atEnd: true,
  ...more
})

/** What is told of a file that is read in these chunks. */
const told = (chunks: ReadonlyArray<TailChunk>, since: number | null) => {
  const files = FileTail.of({
    follow: () => Effect.succeed(Stream.empty),
    read: () => Stream.fromIterable(chunks),
    last: () => Effect.succeed([]),
    within: () => Effect.succeed([]),
    document: () => Effect.succeed(null)
  })
  return transcript(files, { ...demo, usage: codexUsage }, "/x", since).pipe(
    Stream.runCollect,
    Effect.map((pieces) => pieces.flatMap(({ heard }) => heard.map((one) => ("text" in one ? one.text : one._tag))))
  )
}

const first = chunk([line("user_message", "one?", 10), line("agent_message", "One.", 11)], { restarted: true })
const second = chunk([line("user_message", "two?", 20), line("agent_message", "Two.", 21)])

describe("a transcript that is told", () => {
  effect("is all of it, or what is younger", function* () {
    assert.deepStrictEqual(yield* told([first, second], null), ["one?", "One.", "two?", "Two."])
    assert.deepStrictEqual(yield* told([first, second], 15_000), ["two?", "Two."])
    assert.deepStrictEqual(yield* told([chunk([...first.lines, ...second.lines], { restarted: true })], 15_000), [
      "two?",
      "Two."
    ])
  })

  effect("is not told again where the file is written anew", function* () {
    const anew = chunk([...first.lines, ...second.lines, line("agent_message", "More.", 22)], { restarted: true })
    assert.deepStrictEqual(yield* told([first, second, anew], null), ["one?", "One.", "two?", "Two.", "More."])
  })

  effect("without times is what comes behind the end", function* () {
    const old = chunk([line("agent_message", "Old.", null), "no JSON", "{}"], { restarted: true })
    const next = chunk([line("agent_message", "New.", null)])
    assert.deepStrictEqual(yield* told([old, next], 15_000), ["New."])
    assert.deepStrictEqual(yield* told([old, next], null), ["Old.", "New."])
  })
})

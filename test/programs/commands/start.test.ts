import { assert } from "@effect/vitest"
import { Effect, Layer, Ref, Stream } from "effect"
import type { QueuedMessage } from "../../../src/domain/words/session/Message.ts"
import { because } from "../../../src/domain/words/wording/causeWords.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import { reportStart } from "../../../src/programs/commands/start.ts"
import { Output } from "../../../src/services/Output.ts"
import { effect } from "../../support/run/effects.ts"

const held = (text: string, told: Pick<QueuedMessage, "cause" | "why">): QueuedMessage => ({
  id: `01M8000000000000000000${text}`,
  text,
  images: [],
  queuedAt: "2026-01-01T00:00:00.000Z",
  status: "held",
  force: false,
  ...told
})

effect("a start tells which of the held messages may have been sent already", function* () {
  const notes = yield* Ref.make<ReadonlyArray<string>>([])
  const output = Layer.succeed(Output, {
    sharedWith: Effect.succeed(null),
    isTerminal: false,
    inputIsTerminal: false,
    errorIsTerminal: false,
    outputClosed: Effect.never,
    colour: false,
    columns: Effect.succeed(80),
    line: () => Effect.void,
    raw: () => Effect.void,
    note: (text) => Ref.update(notes, (all) => [...all, ...text.split("\n")]),
    stdin: Effect.succeed(""),
    piped: Effect.succeed(""),
    stdinText: Stream.empty
  })
  const doubt = "leap ended while it was being typed; it may have been sent"
  yield* reportStart(Tag.make("s"), {
    displayName: "One",
    chosen: null,
    warnings: [],
    note: null,
    held: [held("first", { why: doubt }), held("second", because({ _tag: "LeftOver" }))],
    queueProblem: null,
    leaves: false,
    movedFrom: null,
    directory: "/"
  }).pipe(Effect.provide(output))
  assert.deepStrictEqual((yield* Ref.get(notes)).slice(1), [`  first (${doubt})`, "  second"])
})

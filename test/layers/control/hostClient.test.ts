import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { Rpc, RpcSchema, RpcSerialization } from "effect/rpc"
import forms from "#generated/hostForms.mts"
import { readExit, streams } from "../../../src/layers/control/hostClient.ts"
import { RefusedError } from "../../../src/services/HostProtocol.ts"
import { HostRpc } from "../../../src/services/HostRpc.ts"
import { effect } from "../../support/run/effects.ts"

const { codecFor } = RpcSerialization.ndjson
const calls = Object.keys(forms) as Array<keyof typeof forms>
const rpcOf = (name: string) => HostRpc.requests.get(name) as Rpc.AnyWithProps

/** As it comes over the wire. */
const overWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
const plainSchema = (schema: Schema.Top) => schema as unknown as Schema.Codec<unknown>

/** An exit as a host writes it, and what the schemas read of that. */
const written = (name: string, exit: Exit.Exit<unknown, unknown>) => {
  const codec = plainSchema(codecFor(Rpc.exitSchema(rpcOf(name) as Rpc.Any)))
  const wire = overWire(Schema.encodeSync(codec)(exit))
  return { wire, read: Schema.decodeUnknownSync(codec)(wire) as Exit.Exit<unknown, unknown> }
}

describe("the calls of a host's client", () => {
  it("are all of the host's: those of a single answer, and those that stream", () => {
    assert.sameMembers([...calls, ...streams], [...HostRpc.requests.keys()])
    for (const name of streams) assert.isTrue(RpcSchema.isStreamSchema(rpcOf(name).successSchema), name)
  })

  describe.each(calls)("%s", (name) => {
    it.effect.prop(
      "is answered with what its schema reads",
      [plainSchema(rpcOf(name).successSchema)],
      Effect.fnUntraced(function* ([value]) {
        const { read, wire } = written(name, Exit.succeed(value))
        assert.deepStrictEqual(yield* Effect.exit(readExit(name, wire)), read)
      }),
      { arbitrary: { runs: 20 } }
    )

    it.prop(
      "is asked with what its schema writes",
      [plainSchema(rpcOf(name).payloadSchema)],
      ([payload]) => {
        const codec = plainSchema(codecFor(rpcOf(name).payloadSchema))
        assert.deepStrictEqual(overWire(Schema.encodeSync(codec)(payload)), overWire(payload))
      },
      { arbitrary: { runs: 20 } }
    )

    effect("dies of an answer in no form that is known, and of a host's own fault", function* () {
      for (const exit of [
        { _tag: "Success", value: { no: "such answer" } },
        { _tag: "Failure", cause: [{ _tag: "Die", defect: "it broke" }] },
        null
      ]) {
        const read = yield* Effect.exit(readExit(name, exit))
        assert.isTrue(Exit.isFailure(read) && read.cause.reasons.every(({ _tag }) => _tag === "Die"), name)
      }
    })
  })

  effect("fail with the host's refusal, and are interrupted where it was", function* () {
    for (const exit of [Exit.fail(RefusedError.because("not-found", "there is none")), Exit.interrupt(7)]) {
      const { read, wire } = written("QueueForce", exit)
      const found = yield* Effect.exit(readExit("QueueForce", wire))
      assert.deepStrictEqual(found, read)
      assert.deepStrictEqual(found, exit)
    }
  })

  effect("of a later host have fields that are not known here taken away", function* () {
    const value = { dialog: "Allow?", answer: "Yes", more: 1 }
    const read = yield* readExit("Answer", { _tag: "Success", value })
    assert.deepStrictEqual(read, { dialog: "Allow?", answer: "Yes" })
  })
})

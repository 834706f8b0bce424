import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { describe as meaning, exitCode } from "../../src/programs/exit.ts"
import { RefusedError } from "../../src/services/HostProtocol.ts"

describe("what a host's refusal means to a command", () => {
  it.each([
    { reason: "invalid", code: exitCode.usage },
    { reason: "not-found", code: exitCode.notFound },
    { reason: "refused", code: exitCode.refused },
    { reason: "failed", code: exitCode.failed }
  ] as const)("$reason ends it with $code, which is on the wire", ({ code, reason }) => {
    const error = RefusedError.because(reason, "it will not")
    assert.deepStrictEqual(meaning(error), { message: "it will not", exitCode: code })
    const wire = Schema.encodeUnknownSync(Schema.toCodecJson(RefusedError))(error)
    assert.deepStrictEqual(wire, { _tag: "RefusedError", why: "it will not", exitCode: code })
    assert.deepStrictEqual(Schema.decodeUnknownSync(Schema.toCodecJson(RefusedError))(wire), error)
  })
})

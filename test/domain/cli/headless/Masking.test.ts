import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { maskPiece, maskReport, secretsInAnswers, secretValues } from "../../../../src/domain/cli/headless/Masking.ts"

describe("masking by value", () => {
  it("knows a secret within JSON and within a URL too", () => {
    assert.strictEqual(maskReport("a cat", ["cat"]), "a cat")
  })
  it("knows what is secret by the names of variables and options, the longest first", () => {
    const env = {
      OPENAI_API_KEY: "sesame-open-1",
      PATH: "/usr/bin/and-more",
      GITHUB_TOKEN: "short",
      AUTH_PORT: "12345678"
    }
    assert.deepStrictEqual(secretValues(env, { apiKey: "another-key-22" }), ["another-key-22", "sesame-open-1"])
  })
  it("leaves words that are keys of no one in answers", () => {
    assert.deepStrictEqual(secretsInAnswers(["ollama", "lm-studio", "not-needed", "short1"]), [])
    assert.deepStrictEqual(secretsInAnswers(["a-long-passphrase-of-words"]), ["a-long-passphrase-of-words"])
    assert.deepStrictEqual(secretsInAnswers(["abc12345"]), ["abc12345"])
  })
  const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })))
  it.prop(
    "gives the same in pieces as in one, and loses nothing",
    { text: Schema.Array(Schema.Literals(["aab1", "aab", "a", "b", "1", "🎉", "aab1aab1"])), cuts: Cuts },
    ({ cuts, text }) => {
      const secret = "aab1aab1"
      const whole = text.join("")
      let held = ""
      let out = ""
      let rest = whole
      for (const size of [...cuts, whole.length]) {
        const [next, told] = maskPiece(held, rest.slice(0, size), [secret])
        held = next
        out += told
        rest = rest.slice(size)
        assert.isFalse(/[\ud800-\udbff]$/.test(told))
      }
      assert.strictEqual(out + held, whole.replaceAll(secret, "***"))
    }
  )
})

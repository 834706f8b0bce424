import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { answerOf, editorRequest } from "../../../../src/domain/surfaces/acp/DialogRequest.ts"
import { newTag } from "../../../../src/domain/words/session/newTag.ts"
import { promptText } from "../../../../src/domain/surfaces/acp/promptText.ts"
import { commandNames, Tag } from "../../../../src/domain/words/session/Tag.ts"

const question = (...labels: ReadonlyArray<string>) => ({
  title: "Run it?",
  subject: "rm -rf build",
  options: labels.map((label, index) => ({ number: index + 1, label }))
})
const kinds = (labels: ReadonlyArray<string>, permission: { readonly plainYes: string | null } | null) =>
  editorRequest("d", question(...labels), permission).options.map(({ kind }) => kind)

describe("a dialog as an editor is asked it", () => {
  const labels = ["Yes", "Yes, and don't ask again", "No, and tell it what to do"]

  it("allows once by its plain yes alone", () => {
    assert.deepStrictEqual(kinds(labels, { plainYes: "1" }), ["allow_once", "allow_always", "reject_once"])
    assert.deepStrictEqual(kinds(labels, { plainYes: "Yes" }), ["allow_once", "allow_always", "reject_once"])
    assert.deepStrictEqual(kinds(labels, { plainYes: null }), ["allow_always", "allow_always", "reject_once"])
  })

  it("allows nothing where it is no permission", () => {
    assert.deepStrictEqual(kinds(labels, null), ["reject_once", "reject_once", "reject_once"])
  })

  it("is answered by the option that was chosen, and by no other", () => {
    const unnumbered = {
      ...question("a", "b"),
      options: [
        { number: null, label: "a" },
        { number: 7, label: "b" }
      ]
    }
    assert.deepStrictEqual(
      editorRequest("d", unnumbered, null).options.map(({ optionId }) => answerOf(unnumbered, optionId)),
      ["a", "7"]
    )
    assert.isNull(answerOf(unnumbered, "3"))
    assert.isNull(answerOf(unnumbered, "constructor"))
  })
})

describe("a message of an editor's", () => {
  const link = (uri: string) => ({ type: "resource_link" as const, name: "x", uri })

  it("names files by their paths", () => {
    assert.deepStrictEqual(
      promptText([{ type: "text", text: "see " }, link("file:///a%20b/c.ts?x#L3"), link("https://x.example/")]),
      Result.succeed("see /a b/c.tshttps://x.example/")
    )
    assert.deepStrictEqual(promptText([link("file:///a%zz")]), Result.succeed("/a%zz"))
  })

  it("has neither pictures nor sounds, and is not empty", () => {
    for (const type of ["image", "audio"] as const) assert.isTrue(Result.isFailure(promptText([{ type }])))
    assert.isTrue(Result.isFailure(promptText([{ type: "text", text: " \n" }])))
    assert.isTrue(Result.isFailure(promptText([])))
  })
})

describe("the name of a new session", () => {
  it("is its directory's, free, and one that a session may have", () => {
    assert.strictEqual(newTag("/home/me/web app/", new Set()), "web-app")
    assert.strictEqual(newTag("/home/me/app", new Set(["app", "app-2"])), "app-3")
    assert.strictEqual(newTag("/home/me/status", new Set()), "status-2")
    assert.strictEqual(newTag("/", new Set()), "session")
  })

  it.effect.prop(
    "is one whatever the directory is called",
    {
      directory: Arbitrary.schema(Schema.String),
      taken: Arbitrary.schema(Schema.Array(Schema.Literals(["a", "a-2", ...commandNames])))
    },
    ({ directory, taken }) =>
      Effect.sync(() => {
        const tag = newTag(`/x/${directory}`, new Set(taken))
        assert.isTrue(Schema.is(Tag)(tag), tag)
        assert.notInclude(taken, tag)
      })
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { hostWords, readsInput } from "../../../../src/domain/words/arguments/hostWords.ts"
import { sshArguments } from "../../../../src/domain/words/arguments/sshArguments.ts"
import { splitWords } from "../../../../src/domain/words/text/splitWords.ts"
import { remoteTrouble } from "../../../../src/domain/words/wording/remoteTrouble.ts"

const box = { name: "box", destination: "me@box", leap: "leap" }
const lineOf = (words: ReadonlyArray<string>, leap = "leap") => sshArguments({ ...box, leap }, words, "output").at(-1)

describe("leap on another machine", () => {
  it.prop(
    "a shell there reads the words that were given here",
    [Arbitrary.schema(Schema.Array(Schema.String))],
    ([words]) => {
      assert.deepStrictEqual(Result.getOrThrow(splitWords(lineOf(words) ?? "")), ["leap", ...words])
    }
  )

  it.each([
    [["send", "a", "it's"], `leap send a 'it'\\''s'`],
    // fish takes a backslash in quotes for an escape
    [["send", "a", "a\\\\b"], `leap send a 'a'\\\\''\\\\'b'`],
    // zsh takes =ls for the path of ls
    [["send", "a", "=ls"], "leap send a '=ls'"],
    [["send", "a", "$(pwn) `pwn` !x"], "leap send a '$(pwn) `pwn` !x'"],
    [[], "leap"]
  ])("%j is the line %s", (words, line) => assert.strictEqual(lineOf(words), line))

  it("a path from the home directory there is left to its shell, and no more of it", () => {
    assert.strictEqual(lineOf(["status"], "~/my bin/leap"), "~/'my bin/leap' status")
    assert.strictEqual(lineOf(["status"], "/opt/le$ap"), "'/opt/le$ap' status")
  })

  it("nobody is asked anything by a connection in the background, which does not take the user's forwarded ports", () => {
    const given = sshArguments(box, ["hosts", "serve"], "background").join(" ")
    for (const one of ["BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=15", "ClearAllForwardings=yes"])
      assert.include(given, `-o ${one}`)
    assert.match(given, / -- me@box leap hosts serve$/)
  })

  it.each([
    [["--host", "box", "status", "--json"], { host: "box", words: ["status", "--json"] }],
    [["--host=box", "status"], { host: "box", words: ["status"] }],
    [["--host", "box"], { host: "box", words: [] }],
    [["--host"], { host: null, words: [] }],
    [["--host="], { host: null, words: [] }],
    [["--host", "--json"], { host: null, words: [] }],
    [["status", "--host", "box"], null],
    [[], null]
  ])("%j is for %j", (argv, meant) => assert.deepStrictEqual(hostWords(argv), meant))

  it.each([
    [["status"], false],
    [["send", "a", "text"], false],
    [["send", "a", "-"], true],
    [["exec", "--provider", "x", "p"], true],
    [["mcp"], true]
  ])("%j reads its input: %s", (words, reads) => assert.strictEqual(readsInput(words), reads))

  it.each([
    [255, "Warning: x\r\nssh: connect to host box port 22: Connection refused\r\n", /not reached.*Connection refused$/],
    [255, "", /not reached, or was lost$/],
    [127, "sh: 1: leap: not found\n", /no 'leap'.*not found.*leap hosts add box me@box --leap PATH/],
    [126, "", /no 'leap'/]
  ])("exit code %d of ssh with %j", (code, errors, said) => assert.match(remoteTrouble(box, code, errors) ?? "", said))

  it("leap's own exit codes are no trouble of ssh's", () => {
    for (const code of [0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 143])
      assert.isNull(remoteTrouble(box, code, "leap: no session"))
  })
})

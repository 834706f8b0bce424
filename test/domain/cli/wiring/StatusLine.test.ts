import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as jsonc from "jsonc-parser"
import { settingsFile } from "../../../../src/domain/cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../../../src/domain/cli/wiring/HookShapes.ts"
import type { WiredEvent } from "../../../../src/domain/cli/wiring/HookWiring.ts"
import * as StatusLine from "../../../../src/domain/cli/wiring/StatusLine.ts"

const script = "/home/me/.local/state/leap/hooks/leap-statusline.sh"
const wanted = (more: Partial<StatusLine.WantedStatusLine> = {}): StatusLine.WantedStatusLine => ({
  script,
  use: "existing-or-requested",
  requested: false,
  ...more
})
const asked = wanted({ requested: true })

const done = (result: Result.Result<string | null, { readonly why: string }>): string | null => {
  if (Result.isFailure(result)) throw new Error(result.failure.why)
  return result.success
}
const installed = (text: string | null, want = wanted()) => done(StatusLine.install(text, want))
const removed = (text: string | null) => done(StatusLine.remove(text))
const lineOf = (text: string | null) =>
  (jsonc.parse(text ?? "{}") as { statusLine?: Record<string, unknown> }).statusLine

const users = `{
  // mine
  "statusLine": {
    "type": "command", /* one */
    "padding": 2,
    "command": "node ~/.claude/line.js --it's",
    "refreshInterval": 5,
  }
}
`

describe("a status line of the user's", () => {
  it("is led through it once, and never through itself", () => {
    const once = installed(users)
    assert.strictEqual(installed(once), once)
    assert.strictEqual(installed(once, asked), once)
    const moved = installed(once, wanted({ script: "/my home/leap-statusline.sh" }))
    assert.include(String(lineOf(moved)?.["command"]), "'/my home/leap-statusline.sh' 'node ")
    assert.notInclude(String(moved), script)
    assert.strictEqual(removed(moved), users)
  })

  it("comes back byte for byte, however its command was written", () => {
    const odd = '{"statusLine":{"command":"\\u0065cho \\/ \\u00e9\\t\\"\'","type":"command"}}'
    const text = installed(odd)
    assert.include(String(lineOf(text)?.["command"]), "'echo / é\t\"'\\'''")
    assert.strictEqual(installed(text), text)
    assert.strictEqual(removed(text), odd)
    assert.strictEqual(removed(installed(text, wanted({ script: "/x/leap-statusline.sh" }))), odd)
  })

  it("keeps what the user changes beside it meanwhile", () => {
    const changed = String(installed(users)).replace('"padding": 2', '"padding": 0').replace("--it", "--its")
    const text = removed(changed)
    assert.strictEqual(text, users.replace('"padding": 2', '"padding": 0').replace("--it", "--its"))
  })

  it("that the user has set since is left alone on removal, told of, and led through leap by the next installation", () => {
    const own = users.replace("line.js", "other.js")
    assert.strictEqual(removed(own), own)
    assert.deepStrictEqual(StatusLine.details(own, wanted()), ["your status line does not run through leap"])
    assert.deepStrictEqual(StatusLine.details(installed(own), wanted()), [])
    assert.deepStrictEqual(StatusLine.details(installed(own), wanted({ script: "/x/leap-statusline.sh" })), [
      "the status line runs through another installation of leap"
    ])
    assert.strictEqual(removed(installed(own)), own)
  })

  it("is left alone where it was not asked for", () => {
    assert.strictEqual(installed(users, wanted({ use: "requested" })), users)
    assert.deepStrictEqual(StatusLine.details(users, wanted({ use: "requested" })), [])
    assert.strictEqual(installed(users, wanted({ use: "requested", requested: true })), installed(users))
  })

  it.each([
    "null",
    "1",
    '"x"',
    "[]",
    "{}",
    '{"type":"command"}',
    '{"type":"command","command":7}',
    '{"type":"command","command":" "}',
    '{"type":"text","command":"x"}',
    '{"command":"x"}',
    '{"type":"command","command":"cat | leap-statusline.sh | x"}'
  ])("that leap cannot make out is left as it is: %s", (value) => {
    const text = `{"statusLine": ${value}}`
    assert.strictEqual(installed(text, asked), text)
    assert.strictEqual(removed(text), text)
    assert.deepStrictEqual(
      StatusLine.details(text, wanted()),
      value.includes("leap-") ? ["its statusLine names leap-statusline.sh in a way that is not leap's"] : []
    )
  })

  it("in a file that cannot be read is kept: neither installed nor removed", () => {
    const broken = `${String(installed(users)).trimEnd()},`
    for (const act of [StatusLine.install(broken, asked), StatusLine.remove(broken)])
      assert.isTrue(Result.isFailure(act))
    assert.strictEqual(removed("{ not leap's"), "{ not leap's")
    assert.strictEqual(installed("[1]", asked), "[1]")
  })
})

describe("a status line of leap's alone", () => {
  it("is put in where it is wanted, and nowhere else", () => {
    assert.strictEqual(installed('{"a":1}'), '{"a":1}')
    assert.strictEqual(installed('{"a":1}', wanted({ use: "requested" })), '{"a":1}')
    for (const want of [asked, wanted({ use: "always" }), wanted({ use: "requested", requested: true })]) {
      const text = installed('{"a":1}', want)
      assert.deepStrictEqual(JSON.parse(text ?? ""), { a: 1, statusLine: { type: "command", command: script } })
      assert.strictEqual(installed(text, want), text)
      assert.strictEqual(removed(text), '{"a":1}')
      assert.deepStrictEqual(StatusLine.details(text, wanted()), [])
    }
  })

  it("makes no file of settings unless it is asked for", () => {
    assert.isNull(installed(null, wanted({ use: "always" })))
    const made = installed(null, asked)
    assert.isTrue(made?.endsWith("}\n"))
    assert.isNull(removed(made))
  })

  it.each([
    "",
    " \n",
    "\uFEFF",
    "{}",
    "{ }",
    "{\n}\n",
    "{ // mine\n}",
    '\uFEFF{\n\t"a": [1], // x\n}',
    '{\r\n  "a": 1\r\n}\r\n'
  ])("goes without a trace: %j", (text) => {
    const after = installed(text, asked)
    assert.include(after, "leap-statusline.sh")
    assert.strictEqual(removed(after), text)
  })
})

describe("any command", () => {
  const json = (text: string, escape: boolean) =>
    escape
      ? `"${[...text].map((c) => (c.length > 1 ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)).join("")}"`
      : JSON.stringify(text)

  it.prop(
    "is put in once and comes back",
    [Schema.String, Schema.String, Schema.Boolean],
    ([command, more, escape]) => {
      const text = `{ "statusLine" : { "x": ${json(more, false)}, "type" : "command", "command":${json(command, escape)} } , "b": [ ] }`
      const there = installed(text)
      if (command.trim() === "" || command.includes("leap-statusline.sh")) return assert.strictEqual(there, text)
      assert.notStrictEqual(there, text)
      assert.strictEqual(installed(there), there)
      assert.strictEqual(removed(there), text)
      assert.strictEqual(removed(installed(there, wanted({ script: "/new place/leap-statusline.sh" }))), text)
    },
    { arbitrary: { runs: 300 } }
  )
})

describe("a file of hooks with a status line", () => {
  const events: ReadonlyArray<WiredEvent> = ["Stop", "SessionStart"].map((event) => ({
    event,
    canAnswer: false,
    timeout: 5,
    matcher: null
  }))
  const file = (want: StatusLine.WantedStatusLine, hook = "/home/me/leap-hook.sh") =>
    StatusLine.withStatusLine(settingsFile("/s.json", { events, script: hook, shape: groupedHooks }), want)
  const none = () => null
  const line = '"statusLine": { "type": "command", "command": "x" }'
  const texts: ReadonlyArray<string | null> = [
    null,
    "",
    "\n",
    "{}",
    "{ }",
    "{\n}\n",
    "{ // mine\n}",
    '{"a":1}',
    `{${line}}`,
    `{ ${line}, }`,
    `{\n  ${line}\n}\n`,
    `{\n  ${line},\n  "hooks": {}\n}`,
    `{"hooks": {"Stop": []}, ${line}}`,
    `{\r\n\t"a": 1, // x\r\n\t${line} // y\r\n}\r\n`
  ]

  it.each(texts.flatMap((text) => [true, false].map((asked) => [text, asked] as const)))(
    "goes in and out without a trace, in any order: %j, asked %s",
    (text, asked) => {
      const wired = file(wanted({ requested: asked }))
      const there = done(wired.install(text, none))
      assert.strictEqual(wired.status(there, none).state, "installed")
      assert.strictEqual((there ?? "").includes("leap-statusline.sh"), asked || (text ?? "").includes("statusLine"))
      assert.strictEqual(done(wired.install(there, none)), there)
      assert.strictEqual(done(wired.remove(there, none)), text)
      // Moved, then asked for: leap's parts are written again, and in another order.
      const older = done(file(wanted({ script: "/old/leap-statusline.sh" }), "/old/leap-hook.sh").install(text, none))
      const moved = done(file(asked ? wanted({ requested: asked }) : wanted()).install(older, none))
      assert.strictEqual(wired.status(moved, none).state, "installed")
      assert.deepStrictEqual(wired.status(moved, none).details, [])
      assert.strictEqual(done(wired.remove(moved, none)), text)
    }
  )

  it("tells of a status line beside the hooks only where there are hooks", () => {
    const text = done(file(wanted()).install("{}", none)) ?? ""
    const own = text.replace("{", '{ "statusLine": {"type":"command","command":"mine"},')
    assert.deepStrictEqual(file(wanted()).status(own, none), {
      state: "installed",
      details: ["your status line does not run through leap"]
    })
    assert.deepStrictEqual(file(wanted()).status(`{${line}}`, none), {
      state: "missing",
      details: ["leap's hooks are not in it"]
    })
    assert.strictEqual(file(wanted()).status("{", none).state, "unreadable")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as jsonc from "jsonc-parser"
import { commandFor, isLeapCommand } from "../../../../src/domain/cli/wiring/HookEntries.ts"
import * as HookSettings from "../../../../src/domain/cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../../../src/domain/cli/wiring/HookShapes.ts"
import type { WiredEvent } from "../../../../src/domain/cli/wiring/HookWiring.ts"

const script = "/home/me/.local/state/leap/hooks/leap-hook.sh"
interface Wiring {
  readonly events: ReadonlyArray<WiredEvent>
  readonly shape?: HookSettings.HookShape
}
const wiring: Wiring = {
  events: [
    { event: "SessionStart", canAnswer: false, timeout: 5, matcher: null },
    { event: "PermissionRequest", canAnswer: true, timeout: 10, matcher: "^(?!AskUserQuestion$).*" },
    { event: "Stop", canAnswer: false, timeout: 5, matcher: null }
  ]
}
const install = (text: string | null, { events, shape = groupedHooks }: Wiring, path: string) =>
  HookSettings.install(text, { events, script: path, shape })
const status = (text: string | null, { events, shape = groupedHooks }: Wiring, path: string) =>
  HookSettings.status(text, { events, script: path, shape })
const remove = (text: string | null, shape = groupedHooks) => HookSettings.remove(text, shape)

const installed = (text: string | null, by: Wiring = wiring, path = script): string => {
  const result = install(text, by, path)
  if (Result.isFailure(result)) throw new Error(`line ${result.failure.line}: ${result.failure.why}`)
  return result.success
}
const removed = (text: string | null, by: Wiring = wiring): string | null => {
  const result = remove(text, by.shape)
  if (Result.isFailure(result)) throw new Error(`line ${result.failure.line}: ${result.failure.why}`)
  return result.success
}
const read = (text: string): unknown => jsonc.parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true })

describe("install", () => {
  it("makes a file where there is none, and takes it away again", () => {
    const text = installed(null)
    assert.deepStrictEqual(JSON.parse(text), {
      hooks: {
        SessionStart: [{ hooks: [{ type: "command", command: commandFor(script, "SessionStart"), timeout: 5 }] }],
        PermissionRequest: [
          {
            matcher: "^(?!AskUserQuestion$).*",
            hooks: [{ type: "command", command: commandFor(script, "PermissionRequest"), timeout: 10 }]
          }
        ],
        Stop: [{ hooks: [{ type: "command", command: commandFor(script, "Stop"), timeout: 5 }] }]
      }
    })
    assert.isTrue(text.endsWith("}\n"))
    assert.isNull(removed(text))
  })

  it("writes as a person would", () => {
    const text = `{
  // how I like it
  "model": "opus", // the big one
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "true" }] }
    ]
  }
}
`
    const one: Wiring = { ...wiring, events: wiring.events.slice(0, 1).concat(wiring.events.slice(2)) }
    assert.strictEqual(
      installed(text, one, "/l/leap-hook.sh"),
      `{
  // how I like it
  "model": "opus", // the big one
  "hooks": {
    "Stop": [
      { "hooks": [{ "type": "command", "command": "true" }] },
      {
        "hooks": [
          {
            "type": "command",
            "command": ${JSON.stringify(commandFor("/l/leap-hook.sh", "Stop"))},
            "timeout": 5
          }
        ]
      }
    ],
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": ${JSON.stringify(commandFor("/l/leap-hook.sh", "SessionStart"))},
            "timeout": 5
          }
        ]
      }
    ]
  }
}
`
    )
  })

  it.each([
    ["empty", ""],
    ["white space", " \r\n\t\n"],
    ["a byte order mark alone", "\uFEFF"],
    ["a byte order mark", '\uFEFF{"a":1}\n'],
    ["{}", "{}"],
    ["{ }", "{ }"],
    ["{ and }", "{\n}\n"],
    ["{ and } with a space", "{ \n}\n"],
    ["one line", '{"a":1,"b":[2]}'],
    ["one spaced line", '{ "a": 1, "b": 2 }'],
    ["tabs", '{\n\t"a": 1\n}\n'],
    ["CRLF", '{\r\n  "a": 1,\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n'],
    ["a trailing comma", '{\n  "a": 1,\n}\n'],
    ["a trailing comma and a comment", '{\n  "a": 1, // one\n  // two\n}\n'],
    ["a comment at the end", '{\n  "a": 1 // one\n}\n'],
    ["a comment before a trailing comma", '{ "a": 1 /* one */ , /* two */ }'],
    ["nothing but a comment", "{ // one\n}\n"],
    ["nothing but a block comment", "{ /* one */ }"],
    ["comments around", '// before\n{"a":1}\n// after\n'],
    ["empty hooks", '{\n  "hooks": {}\n}\n'],
    ["empty hooks with a space", '{\n  "hooks": { }\n}\n'],
    ["an empty event", '{\n  "hooks": {\n    "Stop": [],\n    "PreToolUse": []\n  }\n}\n'],
    ["a commented empty event", '{ "hooks": { "Stop": [ // none yet\n ] } }'],
    ["hooks with a trailing comma", '{\n  "hooks": {\n    "Stop": [\n      {},\n    ],\n  },\n}\n'],
    ["the same key twice", '{"hooks":{"Stop":[1]},"a":2,"hooks":{"Stop":[]}}']
  ])("goes in and out without a trace: %s", (_, text) => {
    const after = installed(text)
    assert.strictEqual(status(after, wiring, script).state, "installed")
    assert.strictEqual(installed(after), after)
    assert.strictEqual(removed(after), text)
  })

  it.each([
    ["a broken file", '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ["a cut file", '{"a": [1, 2', 1, 12],
    ["a second value", "{} {}", 1, 4],
    ["a list", "\n[1]", 2, 1],
    ["a word", '"hello"', 1, 1],
    ["hooks of the wrong type", '{\n "hooks": []}', 2, 11],
    ["an event of the wrong type", '{"hooks":{\n"Stop":{}}}', 2, 8],
    ["nesting without end", "[".repeat(200_000), 1, 1]
  ])("refuses %s and says where", (_, text, line, column) => {
    const result = install(text, wiring, script)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result))
      assert.deepStrictEqual({ line: result.failure.line, column: result.failure.column }, { line, column })
    assert.strictEqual(status(text, wiring, script).state, "unreadable")
    // Nothing of leap's is in it, so there is nothing to take out, whatever else it is.
    assert.strictEqual(removed(text), text)
  })

  it("refuses to take leap out of a file it cannot read", () => {
    const text = `{"hooks": ["${script} Stop"`
    assert.isTrue(Result.isFailure(remove(text)))
  })
})

/** Hooks that stand in an event's list themselves, in a file that must name its version. */
const flat: Wiring = {
  events: wiring.events,
  shape: {
    hook: ({ matcher, timeout }, command) => ({
      bash: command,
      timeoutSec: timeout,
      ...(matcher === null ? {} : { matcher })
    }),
    grouped: false,
    fields: { version: 1 },
    switchedOff: () => []
  }
}

describe("hooks without groups", () => {
  it.each([
    ["empty", ""],
    ["white space", "\n \n"],
    ["{}", "{}"],
    ["{ and }", "{\n}\n"],
    ["the version alone", '{\n  "version": 1\n}\n'],
    ["another version", '{\n  "version": 2\n}\n'],
    ["a version with spaces", '{"version" : 1, "hooks" : {}}'],
    ["no version", '{\n  "hooks": {\n    "Stop": [\n      { "command": "true" }\n    ]\n  }\n}\n'],
    ["no version, compact", '{"hooks":{"Stop":[{"command":"true"}]}}'],
    ["no version, commented", '{ // mine\n  "a": 1, // one\n}\n']
  ])("go in and out without a trace: %s", (_, text) => {
    const after = installed(text, flat)
    assert.strictEqual(status(after, flat, script).state, "installed")
    assert.isDefined((read(after) as { version?: number }).version)
    assert.strictEqual(installed(after, flat), after)
    assert.strictEqual(removed(after, flat), text)
  })

  it("keep the version in a file that the user has filled meanwhile", () => {
    const mine = { Stop: [{ command: "true" }] }
    const filled = installed(null, flat).replace('"hooks": {', `"hooks": {\n    "Mine": ${JSON.stringify(mine.Stop)},`)
    assert.deepStrictEqual(read(removed(filled, flat) ?? ""), { version: 1, hooks: { Mine: mine.Stop } })
  })

  it("say when the version is gone", () => {
    const without = installed('{"version":1}', flat).replace('"version":1,', "")
    assert.deepStrictEqual(status(without, flat, script), { state: "partly", details: ['"version" is missing'] })
  })

  it("take the place of those in groups, and the other way round", () => {
    for (const [from, to] of [
      [wiring, flat],
      [flat, wiring]
    ] as const) {
      const text = installed(installed('{"a":1}', from), to)
      assert.strictEqual(status(text, to, script).state, "installed", text)
      assert.strictEqual(text.match(/leap-hook\.sh/g)?.length, 3)
    }
  })
})

describe("older installations", () => {
  const old = (command: string, more: object = {}) => ({ ...more, hooks: [{ type: "command", command }] })

  it("are replaced where they stand", () => {
    const text = JSON.stringify({ hooks: { Stop: [old("/opt/leap/leap-hook.sh idle"), old("true")] } }, null, 2)
    assert.deepStrictEqual(status(text, wiring, script), {
      state: "foreign",
      details: ["no current entry for SessionStart, PermissionRequest", "entries of another installation for Stop"],
      others: ["/opt/leap/leap-hook.sh"]
    })
    const after = JSON.parse(installed(text)) as { hooks: { Stop: ReadonlyArray<unknown> } }
    assert.deepStrictEqual(after.hooks.Stop, [
      { hooks: [{ type: "command", command: commandFor(script, "Stop"), timeout: 5 }] },
      old("true")
    ])
  })

  it("that stand there twice are reduced to one", () => {
    const once = installed("{}")
    const settings = JSON.parse(once) as { hooks: { Stop: Array<unknown> } }
    settings.hooks.Stop.push(settings.hooks.Stop[0])
    const twice = JSON.stringify(settings, null, 2)
    assert.strictEqual(status(twice, wiring, script).state, "outdated")
    assert.strictEqual((JSON.parse(installed(twice)) as typeof settings).hooks.Stop.length, 1)
  })

  it("hidden by a key that stands there again do not count", () => {
    const text = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"${script} Stop","timeout":5}]}]},"hooks":{}}`
    assert.strictEqual(status(text, { ...wiring, events: wiring.events.slice(2) }, script).state, "foreign")
    assert.notInclude(removed(text) ?? "", "leap-hook.sh")
  })

  it("become current when leap moves, and go without a trace", () => {
    for (const text of [null, "", "{}", '{\n  "hooks": {\n    "Stop": []\n  }\n}\n']) {
      const moved = installed(installed(text, wiring, "/old/place/leap-hook.sh"))
      assert.strictEqual(moved, installed(text))
      assert.strictEqual(removed(moved), text)
    }
    const others: Wiring = {
      ...wiring,
      events: [{ event: "Notification", canAnswer: false, timeout: 1, matcher: null }]
    }
    assert.strictEqual(installed(installed(null, others)), installed(null))
  })
})

describe("status", () => {
  it("tells partly from missing, and says what is wrong", () => {
    assert.deepStrictEqual(status(null, wiring, script), {
      state: "missing",
      details: ["leap's hooks are not in it"]
    })
    const part = installed(null, { ...wiring, events: wiring.events.slice(0, 2) })
    assert.deepStrictEqual(status(part, wiring, script), { state: "partly", details: ["no current entry for Stop"] })
    assert.strictEqual(status(installed(null), wiring, "/elsewhere/leap-hook.sh").state, "foreign")
    assert.deepStrictEqual(status("{", wiring, script), {
      state: "unreadable",
      details: ["line 1, column 2: close brace expected"]
    })
  })

  it("tells entries of another version of leap, which are heard, from those of another installation", () => {
    const older: Wiring = {
      ...wiring,
      events: wiring.events.map((event) => (event.event === "Stop" ? { ...event, timeout: 9 } : event))
    }
    assert.deepStrictEqual(status(installed(null, older), wiring, script), {
      state: "outdated",
      details: ["entries of another version for Stop"]
    })
    const gone: Wiring = {
      ...wiring,
      events: wiring.events.slice(0, 1).concat({ event: "Old", canAnswer: false, timeout: 5, matcher: null })
    }
    assert.deepStrictEqual(status(installed(null, gone), wiring, script), {
      state: "outdated",
      details: ["no current entry for PermissionRequest, Stop", "entries of another version for Old"]
    })
  })

  it("says that hooks are switched off", () => {
    const found = status(installed('{"disableAllHooks":true}'), wiring, script)
    assert.strictEqual(found.state, "disabled")
    assert.match(found.details.join(), /disableAllHooks/)
  })
})

describe("commands", () => {
  it("are quoted for the shell", () => {
    assert.isTrue(commandFor(script, "Stop").endsWith(` ${script} Stop`))
    assert.isTrue(commandFor("/my home/it's/leap-hook.sh", "Stop").endsWith(" '/my home/it'\\''s/leap-hook.sh' Stop"))
    for (const path of [script, "/my home/leap-hook.sh", "/it's/leap-hook.sh", "/a$b/leap-hook.sh"]) {
      assert.isTrue(isLeapCommand(commandFor(path, "Stop")), path)
    }
  })
  it.each([
    ["leap-hook.sh", true],
    ['sh "$HOME/.claude/hooks/leap-hook.sh" idle', true],
    ["cd /; LEAP=1 ./leap-hook.sh", true],
    ["~/bin/my-leap-hook.sh", false],
    ["leap-hook.shutdown", false],
    ["leap-hook.sh.bak x", false],
    ["echo leap", false]
  ])("%s is leap's: %s", (command, expected) => assert.strictEqual(isLeapCommand(command), expected))
})

/** A text of settings made from one number: any JSON, laid out in any way, with comments and trailing commas. */
const settingsFrom = (start: number): string => {
  let state = start >>> 0
  const pick = (n: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return (state >>> 8) % n
  }
  const eol = pick(3) === 0 ? "\r\n" : "\n"
  const compact = pick(3) === 0
  const commented = pick(3) === 0
  const space = (): string => {
    if (compact) return pick(8) === 0 ? " " : ""
    const comment = commented && pick(4) === 0 ? ([`// c${eol}`, "/* c, } */", ` // "x": {${eol}`][pick(3)] ?? "") : ""
    return [" ", eol, `${eol}  `, `${eol}\t`, "", `  ${eol}${eol}`, ` ${eol}`][pick(7)] + comment
  }
  const list = (open: string, close: string, n: number, one: (index: number) => string): string => {
    const parts = Array.from({ length: n }, (_, index) => space() + one(index) + space())
    const trailing = n > 0 && commented && pick(3) === 0 ? `,${space()}` : ""
    return open + (n === 0 ? space() : parts.join(",") + trailing) + close
  }
  const keys = ["a", "b\\n", "hooks", "matcher", "Stop", "é", ""]
  const value = (depth: number): string => {
    switch (pick(depth > 3 ? 4 : 6)) {
      case 0:
        return ["1", "-2.5e3", "0"][pick(3)] ?? ""
      case 1:
        return ['""', '"x // y"', '"\\"{[,"', '"é😀"'][pick(4)] ?? ""
      case 2:
        return "true"
      case 3:
        return "null"
      case 4:
        return list("[", "]", pick(4), () => value(depth + 1))
      default:
        return list(
          "{",
          "}",
          pick(4),
          (index) => `"${keys[pick(keys.length)]}${index}"${space()}:${space()}${value(depth + 1)}`
        )
    }
  }
  const group = () =>
    list("{", "}", 1 + pick(2), (index) =>
      index === 0
        ? `"hooks":${space()}${list("[", "]", pick(3), () => `{"type":"command","command":"true"}`)}`
        : `"matcher": "Bash"`
    )
  const event = (name: string) => `"${name}"${space()}:${space()}${list("[", "]", pick(3), group)}`
  const hooks = () =>
    `"hooks"${space()}:${space()}${list("{", "}", pick(4), (index) => event(["Stop", "PreToolUse", "SessionStart"][index] ?? ""))}`
  const others = pick(4)
  const at = pick(others + 1)
  const root = list("{", "}", others + (pick(3) === 0 ? 0 : 1), (index) =>
    index === at ? hooks() : `"k${index}"${space()}:${space()}${value(0)}`
  )
  return (pick(6) === 0 ? "\uFEFF" : "") + space() + root + space()
}

describe("any settings", () => {
  it.prop(
    "go in once, and out without a trace",
    [Schema.Int],
    ([number]) => {
      const text = settingsFrom(number)
      const errors: Array<jsonc.ParseError> = []
      const before = jsonc.parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true }) as Record<
        string,
        unknown
      >
      assert.deepStrictEqual(errors, [], text)
      const after = installed(text)
      assert.strictEqual(status(after, wiring, script).state, "installed")
      assert.strictEqual(installed(after), after)
      const moved = installed(installed(text, wiring, "/older/leap-hook.sh"))
      assert.deepStrictEqual(read(moved), read(after))
      assert.strictEqual(removed(moved), text)
      const all = read(after) as Record<string, unknown> & { hooks: Record<string, Array<unknown>> }
      const old = (before["hooks"] ?? {}) as Record<string, Array<unknown>>
      for (const { event } of wiring.events) assert.deepStrictEqual(all.hooks[event]?.slice(0, -1), old[event] ?? [])
      assert.deepStrictEqual<unknown>({ ...all, hooks: null }, { ...before, hooks: null })
      assert.strictEqual(removed(after), text)
      // Taken out of a reformatted file, nothing of the user's is lost.
      const pretty = JSON.stringify(read(after), null, 2)
      const rest = read(removed(pretty) ?? "null") as Record<string, unknown>
      assert.deepStrictEqual({ ...rest, hooks: null }, { ...before, hooks: null })
    },
    { arbitrary: { runs: 400 } }
  )

  it.prop(
    "take hooks without groups once, and let them go without a trace",
    [Schema.Int],
    ([number]) => {
      const text = settingsFrom(number)
      const after = installed(text, flat)
      assert.strictEqual(status(after, flat, script).state, "installed", text)
      assert.strictEqual(installed(after, flat), after)
      assert.strictEqual(removed(after, flat), text)
      assert.strictEqual(removed(installed(installed(text, flat, "/older/leap-hook.sh"), flat), flat), text)
    },
    { arbitrary: { runs: 200 } }
  )
})

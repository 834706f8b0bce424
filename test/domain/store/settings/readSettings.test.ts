import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readSettings } from "../../../../src/domain/store/settings/readSettings.ts"
import { defaultSettings, Settings } from "../../../../src/domain/store/settings/Settings.ts"

const builtin = ["claude", "codex", "cursor-agent"]
const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readSettings(bytes(text), builtin)

/** All that can be said, in a layout as people have it. */
const rich = `\uFEFF// mine
{
  "$schema": "/opt/leap/settings.schema.json",
  "modes": { "autoSend": "always", "churn": "send" }, // both
  "clis": {
    "claude": { "flags": "--model 'opus 5'", "env": { "A": "~/x", "B": "2" }, "hidden": true },
    "my-claude_2": { "base": "claude", "displayName": "Mine", "command": "~/bin/claude", "env": { "CLAUDE_CONFIG_DIR": "$HOME/.c2" } },
  },
  "order": ["my-claude_2", "codex"],
  "policy": {
    "deny": [{ "tool": "Bash", "command": "rm *", "reason": "no" }, { "kind": "fetch" }],
    "ask": [{ "path": "~/.ssh/**" }],
    "allow": [{ "kind": "read", "agent": "main", "cli": "claude", "tag": "t*", "url": "x" }]
  },
  "endpoints": {
    "lab": { "baseUrl": "http://h/v1", "model": "m", "apiKeyEnv": "LAB_KEY", "headers": { "X-A": "b" } },
  },
  "unknownLayout": "trust",
  "attach": { "commandKey": "ctrl-b", "capture": "off", "suspendKey": "off", "recall": "on" },
  "notify": {
    "needsYou": false, "doneAfterMinutes": null, "failed": false, "limit": false, "terminal": "osc9", "desktop": true,
    "push": [{ "url": "https://ntfy.sh/t" }, { "url": "http://h/x", "format": "json", "tokenFile": "~/t", "headers": { "X-A": "$B" } }],
    "quietHours": "22:30-07:00", "titles": false
  },
  "out": {
    "webhooks": [
      { "name": "ci", "url": "https://h/hook", "secretFile": "~/s" },
      { "name": "my-phone", "url": "http://h/x", "secretEnv": "HOOK", "texts": false }
    ],
    "slack": { "channel": "C0123456789", "users": ["U01", "W02"], "botTokenFile": "~/b", "appTokenEnv": "APP" },
    "keepHours": 24
  },
  "night": { "message": "go on", "stop": null, "most": 5, "ceilingUsd": 2.5 },
  "awake": "working",
  "post": { "delivery": "hold", "answer": "questions", "maxHops": 3, "perHour": 5 },
  "budget": { "dayUsd": 5, "dayTokens": null, "conversationUsd": 0.5, "conversationTokens": 1000 },
  "worktrees": { "directory": "~/rooms", "setup": "npm ci" },
  "record": "meta", "recordDays": 7, "recordMegabytes": 64,
  "telemetry": "http://127.0.0.1:4318",
  "unwired": "start",
  "editor": "code -n",
  "hosts": { "box": { "destination": "me@box" }, "far.1": { "destination": "far", "leap": "~/bin/leap" } },
  "prices": "~/prices.json" /* end */
}
`
const meant: Settings = {
  modes: { autoSend: "always", churn: "send" },
  unknownLayout: "trust",
  unwired: "start",
  attach: { commandKey: "ctrl-b", capture: "off", suspendKey: "off", recall: "on" },
  notify: {
    needsYou: false,
    doneAfterMinutes: null,
    failed: false,
    limit: false,
    terminal: "osc9",
    desktop: true,
    push: [
      { url: "https://ntfy.sh/t", format: "ntfy" },
      { url: "http://h/x", format: "json", tokenFile: "~/t", headers: { "X-A": "$B" } }
    ],
    quietHours: "22:30-07:00",
    titles: false
  },
  out: {
    webhooks: [
      { name: "ci", url: "https://h/hook", secretFile: "~/s", texts: true },
      { name: "my-phone", url: "http://h/x", secretEnv: "HOOK", texts: false }
    ],
    slack: {
      channel: "C0123456789",
      users: ["U01", "W02"],
      botTokenFile: "~/b",
      appTokenEnv: "APP",
      texts: true
    },
    keepHours: 24
  },
  night: { message: "go on", stop: null, most: 5, ceilingUsd: 2.5 },
  awake: "working",
  clis: {
    claude: { flags: "--model 'opus 5'", env: { A: "~/x", B: "2" }, hidden: true },
    "my-claude_2": {
      base: "claude",
      displayName: "Mine",
      command: "~/bin/claude",
      env: { CLAUDE_CONFIG_DIR: "$HOME/.c2" }
    }
  },
  order: ["my-claude_2", "codex"],
  policy: {
    deny: [{ tool: "Bash", command: "rm *", reason: "no" }, { kind: "fetch" }],
    ask: [{ path: "~/.ssh/**" }],
    allow: [{ kind: "read", agent: "main", cli: "claude", tag: "t*", url: "x" }]
  },
  post: { delivery: "hold", answer: "questions", maxHops: 3, perHour: 5 },
  budget: { dayUsd: 5, dayTokens: null, conversationUsd: 0.5, conversationTokens: 1000 },
  worktrees: { directory: "~/rooms", setup: "npm ci" },
  endpoints: { lab: { baseUrl: "http://h/v1", model: "m", apiKeyEnv: "LAB_KEY", headers: { "X-A": "b" } } },
  record: "meta",
  recordDays: 7,
  recordMegabytes: 64,
  prices: "~/prices.json",
  telemetry: "http://127.0.0.1:4318",
  editor: "code -n",
  hosts: { box: { destination: "me@box" }, "far.1": { destination: "far", leap: "~/bin/leap" } }
}
const isSettings = Schema.is(Settings)

describe("settings", () => {
  it("mean what they say, comments and trailing commas included", () => {
    assert.deepStrictEqual(read(rich), { settings: meant, warnings: [], faults: [] })
  })

  it.each([null, bytes(""), bytes("\n"), bytes("// nothing yet\n"), bytes("{}")])(
    "that say nothing are the defaults: %s",
    (content) =>
      assert.deepStrictEqual(readSettings(content, builtin), { settings: defaultSettings, warnings: [], faults: [] })
  )

  it.each([
    ['{"commandKey": "ctrl-i"}', 1],
    ['{"commandKey": "off", "capture": "oo"}', 1],
    ['{"capture": "!!", "more": 1}', 2],
    ["5", 1]
  ])("a key that cannot be one of leap's costs itself: %s", (attach, count) => {
    const { settings, warnings } = read(`{"attach": ${attach}}`)
    assert.strictEqual(warnings.length, count, warnings.join("; "))
    assert.strictEqual(settings.attach.capture, "^^")
    assert.strictEqual(settings.attach.commandKey, attach.includes('"off"') ? "off" : "ctrl-]")
  })

  it.each([
    '"https://h/SECRET"',
    '{"url": "ftp://h/SECRET"}',
    '{"url": "https://h/SECRET", "format": "SECRET"}',
    '{"url": "https://h/SECRET", "tokenFile": 5}',
    '{"url": "https://h/SECRET", "headers": {"a": "b\\nSECRET"}}',
    '{"url": "https://h/SECRET", "headers": 5}'
  ])("a place to post to that cannot be used is left out alone, and no warning repeats it: %s", (item) => {
    const { settings, warnings } = read(`{"notify": {"push": [${item}, {"url": "https://h/t"}]}}`)
    assert.deepStrictEqual(settings.notify.push, [{ url: "https://h/t", format: "ntfy" }])
    assert.match(warnings.join("\n"), /"notify.push\[0\]" was left out/)
    assert.notInclude(warnings.join("\n"), "SECRET")
  })

  it.each(['{"stop": "25:00"}', '{"most": -1}', '{"ceilingUsd": "5"}', '{"message": 5}', '{"stopp": "07:00"}', "5"])(
    "what cannot be understood of the night lets nothing go out in it: %s",
    (night) => {
      const { settings, warnings } = read(`{"night": ${night}}`)
      assert.strictEqual(settings.night.most, 0)
      assert.isAbove(warnings.length, 0)
    }
  )

  it.each([
    "5",
    "{}",
    '{"baseUrl": ""}',
    '{"baseUrl": "http://h", "model": 5}',
    '{"baseUrl": "http://h", "apiKeyEnv": "A B"}',
    '{"baseUrl": "http://h", "headers": {"a": 5}}',
    '{"baseUrl": "http://h", "apiKey": "secret"}'
  ])("a server that cannot be used is left out alone: %s", (item) => {
    const { settings, warnings } = read(`{"endpoints": {"x": ${item}, "fine": {"baseUrl": "http://h"}}}`)
    assert.deepStrictEqual(settings, { ...defaultSettings, endpoints: { fine: { baseUrl: "http://h" } } })
    assert.match(warnings.join("\n"), /"endpoints.x" was left out/)
  })
  it("a server has a name that no CLI has", () =>
    assert.deepStrictEqual(read('{"endpoints": {"claude": {"baseUrl": "http://h"}}}').settings.endpoints, {}))

  it("a mode that is none falls back alone, and a corrupt file is the defaults", () => {
    assert.deepStrictEqual(read('{"modes": {"autoSend": "sometimes", "churn": "send"}}').settings.modes, {
      autoSend: "pause",
      churn: "send"
    })
    for (const text of [
      "[]",
      "5",
      '"always"',
      '{"modes": ["always"]}',
      "\u0000\u0001",
      '{"modes": {"autoSend": ["always"]}}'
    ]) {
      const { settings, warnings } = read(text)
      assert.deepStrictEqual(settings.modes, defaultSettings.modes, text)
      assert.isAbove(warnings.length, 0, text)
    }
  })

  it.each<readonly [item: string, why: RegExp]>([
    ['"nonsense"', /"clis.x" was left out: it must be an object, it is "nonsense"/],
    ["[]", /it must be an object, it is a list/],
    ["null", /it must be an object, it is null/],
    ["{}", /no usable "base"/],
    ['{"base": 5}', /"clis.x.base" must be a text, it is 5/],
    ['{"base": "vim"}', /its base 'vim' is no CLI of leap's/],
    ['{"base": "claude", "env": {"A": 5}}', /"clis.x.env.A" must be a text, it is 5/],
    ['{"base": "claude", "env": ["A"]}', /"clis.x.env" must be an object/],
    ['{"base": "claude", "env": {"A=B": "c"}}', /'A=B' cannot be a variable/],
    ['{"base": "claude", "env": {"LEAP_TAG": "c"}}', /LEAP_TAG is set by leap itself/],
    ['{"base": "claude", "command": false}', /"clis.x.command" must be a text, it is false/],
    ['{"base": "claude", "command": "bin/claude"}', /a name on PATH, or a path/]
  ])("a custom CLI that cannot be used is left out alone: %s", (item, why) => {
    const { settings, warnings } = read(`{"clis": {"x": ${item}, "fine": {"base": "codex"}}, "order": ["fine"]}`)
    assert.deepStrictEqual(settings, { ...defaultSettings, clis: { fine: { base: "codex" } }, order: ["fine"] })
    assert.match(warnings.join("\n"), why)
    assert.isTrue(warnings.every((warning) => /^line 1, column \d+: /.test(warning)))
  })

  it("an id that is built in or unsafe is none for a CLI of one's own", () => {
    for (const id of ["claude", "A", "-x", "a b", "../x", "", "__proto__", "é", "x/y", "a.b"]) {
      const { settings, warnings } = read(
        `{"clis": {${JSON.stringify(id)}: {"base": "codex"}, "fine": {"base": "codex"}}}`
      )
      assert.deepStrictEqual(Object.keys(settings.clis), ["fine"], id)
      assert.strictEqual(warnings.length, 1, id)
    }
  })

  it("ids with digits, hyphens and underscores are fine", () => {
    const { settings, warnings } = read('{"clis": {"9-to_5": {"base": "codex"}}}')
    assert.deepStrictEqual([Object.keys(settings.clis), warnings], [["9-to_5"], []])
  })

  it("flags that are no text are ignored, and nothing else of the CLI", () => {
    const { settings, warnings } = read(
      '{"clis": {"claude": {"flags": ["-x"], "hidden": true}, "my": {"base": "claude", "flags": 5}}}'
    )
    assert.deepStrictEqual(settings.clis, { claude: { hidden: true }, my: { base: "claude" } })
    assert.deepStrictEqual(warnings, [
      'line 1, column 31: "clis.claude.flags" must be a text, it is a list',
      'line 1, column 90: "clis.my.flags" must be a text, it is 5'
    ])
  })

  it("unknown names are told, with their line and column", () => {
    assert.deepStrictEqual(
      read('{\n  "modez": {},\n  "modes": {"turbo": 1},\n  "clis": {"claude": {"x": 1}}\n}').warnings,
      [
        'line 2, column 3: "modez" is nothing that leap knows',
        'line 3, column 13: "modes.turbo" is nothing that leap knows',
        'line 4, column 23: "clis.claude.x" is nothing that leap knows'
      ]
    )
  })

  it("what a warning quotes cannot reach the terminal as a command", () => {
    const { warnings } = read('{"\\u001b[2J\\n\u009b": 1, "order": ["\\u001b]0;x\\u0007"]}')
    assert.strictEqual(warnings.length, 2)
    for (const warning of warnings) assert.notMatch(warning, /[\u0000-\u001f\u007f-\u009f]/)
  })

  it("of many warnings some are told, and how many are not", () => {
    const { warnings } = read(`{"order": [${Array.from({ length: 1000 }, () => "5").join()}]}`)
    assert.strictEqual(warnings.length, 51)
    assert.strictEqual(warnings.at(-1), "and 950 more")
  })
})

describe("a policy", () => {
  const everything = (text: string) =>
    read(text).settings.policy.ask.filter((rule) => Object.keys(rule).join() === "reason")

  it("that cannot be read asks for everything instead of allowing it", () => {
    for (const policy of [
      '{"deny": [{"tool": 5}]}',
      '{"deny": [{"comand": "rm *"}]}',
      '{"deny": {}}',
      '{"ask": ["Bash"]}',
      '{"denny": []}',
      "[]",
      '"deny"',
      '{"deny": [{"kind": "everything"}]}',
      '{"deny": [{"tool": "a", "tool": "b"}]}'
    ]) {
      const rules = everything(`{"policy": ${policy}}`)
      assert.strictEqual(rules.length, 1, policy)
      assert.match(rules[0]?.reason ?? "", /cannot all be read/)
    }
    // what else the file holds may be what was to be denied
    for (const text of [
      '{"policy": {"deny": [{"tool": "Bash"}]',
      '{"modes": {"autoSend": "always"} "policy": {}}',
      "[]"
    ]) {
      assert.strictEqual(everything(text).length, 1, text)
    }
    // rules, but not where leap looks for them
    for (const text of [
      '{"Policy": {"deny": [{"tool": "Bash"}]}}',
      '{"permissions": {"Deny": ["Bash"]}}',
      '{"deny": [{"tool": "Bash"}]}'
    ]) {
      assert.match(everything(text)[0]?.reason ?? "", /seems to hold rules, which belong in "policy"/, text)
    }
    assert.deepStrictEqual(everything(rich), [])
    assert.deepStrictEqual(everything('{"modez": {"denied": 1}, "modes": 5}'), [])
  })

  it("keeps the rules that can be read; an allowance that cannot is none", () => {
    const { settings, warnings } = read(
      '{"policy": {"allow": [{"tool": "Bash", "command": 5}, {"tool": "Read"}, 7], "deny": [{"tool": "X"}]}}'
    )
    assert.deepStrictEqual(settings.policy, { deny: [{ tool: "X" }], ask: [], allow: [{ tool: "Read" }] })
    assert.deepStrictEqual(warnings, [
      'line 1, column 23: rule 1 of "policy.allow" was left out: "command" cannot be 5',
      'line 1, column 73: rule 3 of "policy.allow" was left out: it must be an object, it is 7'
    ])
  })
})

describe("a setting that cannot be used", () => {
  it.each([
    ['{"record": "x"}', 'line 1, column 12: "record" must be "off" or "meta" or "full", it is "x"; "full" counts'],
    ['{"notify": {"titles": 3}}', 'line 1, column 23: "notify.titles" must be true or false; true counts'],
    ['{"editor": "a", "editor": "b"}', 'line 1, column 17: "editor" stands there twice; the last one counts']
  ])("is told with what counts instead: %s", (text, warning) => assert.deepStrictEqual(read(text).warnings, [warning]))
})

describe("damaged settings", () => {
  it("cut off at any byte keep what stands before the cut", () => {
    const whole = bytes(rich)
    const at = (text: string) => bytes(rich.slice(0, rich.indexOf(text) + text.length)).length
    const parts: ReadonlyArray<readonly [end: number, holds: (settings: Settings) => boolean]> = [
      [at('"always"'), ({ modes }) => modes.autoSend === "always"],
      [at('"send"'), ({ modes }) => modes.churn === "send"],
      [at("opus 5'\""), ({ clis }) => clis["claude"]?.flags === "--model 'opus 5'"],
      [at('"~/x"'), ({ clis }) => clis["claude"]?.env?.["A"] === "~/x"],
      [at('"hidden": true }'), ({ clis }) => clis["claude"]?.hidden === true],
      [at('/.c2" } }'), ({ clis }) => clis["my-claude_2"]?.env?.["CLAUDE_CONFIG_DIR"] === "$HOME/.c2"],
      [at('["my-claude_2"'), ({ order }) => order.includes("my-claude_2")],
      [at('"no" }'), ({ policy }) => policy.deny[0]?.command === "rm *"],
      [at('"fetch" }'), ({ policy }) => policy.deny.length === 2],
      [at('"url": "x" }'), ({ policy }) => policy.allow.length === 1],
      [at('prices.json"'), ({ prices }) => prices === "~/prices.json"]
    ]
    for (let end = 0; end < whole.length; end++) {
      const { settings, warnings } = readSettings(whole.subarray(0, end), builtin)
      assert.isTrue(isSettings(settings), `cut at ${end}`)
      for (const [until, holds] of parts)
        if (end >= until) assert.isTrue(holds(settings), `cut at ${end}, behind ${until}`)
      // nothing half read: a CLI with another program, a rule that says less
      const mine = settings.clis["my-claude_2"]
      if (mine !== undefined) assert.deepStrictEqual(mine, meant.clis["my-claude_2"])
      for (const rule of settings.policy.allow) assert.deepStrictEqual(rule, meant.policy.allow[0])
      if (end > 3 && warnings.length > 0) {
        assert.isTrue(
          settings.policy.ask.some((rule) => rule.reason?.includes("cannot all be read")),
          `cut at ${end}`
        )
      }
    }
  })

  it("with any byte changed keep what is not touched", () => {
    const whole = bytes(rich)
    const modes = rich.indexOf('"order"')
    for (let at = modes; at < whole.length; at++) {
      for (const byte of [0x22, 0x7d, 0xff]) {
        const damaged = whole.slice()
        damaged[at] = byte
        const { settings } = readSettings(damaged, builtin)
        assert.isTrue(isSettings(settings), `byte ${at}`)
        assert.deepStrictEqual([settings.modes, settings.clis], [meant.modes, meant.clis], `byte ${at} is ${byte}`)
      }
    }
  })

  /** Replaces one value anywhere in it by something of another type. */
  const swapped = (value: Schema.Json, place: ReadonlyArray<string>, put: Schema.Json): Schema.Json => {
    const [key, ...rest] = place
    if (key === undefined) return put
    if (Array.isArray(value))
      return value.map((item: Schema.Json, index) => (String(index) === key ? swapped(item, rest, put) : item))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, name === key ? swapped(item, rest, put) : item])
    )
  }
  const places = (value: Schema.Json, at: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => [
    at,
    ...(typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, item]) => places(item, [...at, key]))
      : [])
  ]
  const document = { ...meant, policy: { ...meant.policy } } as unknown as Schema.Json

  it.prop(
    "of any type at any place lose that place alone",
    { put: Schema.Json },
    ({ put }) => {
      for (const place of places(document)) {
        const { settings } = read(JSON.stringify(swapped(document, place, put)))
        assert.isTrue(isSettings(settings))
        const [top] = place
        for (const key of ["modes", "order", "prices", "policy"] as const) {
          // the order names a CLI of the user's, which may have gone
          if (top === undefined || top === key || (key === "order" && top === "clis")) continue
          assert.deepStrictEqual(settings[key], meant[key], place.join("."))
        }
        if (top !== undefined && place[1] !== undefined && place[1] !== "claude") {
          assert.deepStrictEqual(settings.clis["claude"], meant.clis["claude"], place.join("."))
        }
      }
    },
    // each run is one for each of some eighty places
    { arbitrary: { runs: 30 } }
  )

  it.prop(
    "of any bytes are settings",
    { noise: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))), at: Schema.Finite },
    ({ at, noise }) => {
      const place = Math.floor(Math.abs(at) % rich.length)
      const content = new Uint8Array([...bytes(rich.slice(0, place)), ...noise, ...bytes(rich.slice(place))])
      assert.isTrue(isSettings(readSettings(content, builtin).settings))
      assert.isTrue(isSettings(readSettings(new Uint8Array(noise), builtin).settings))
    }
  )

  it("that are not UTF-8 keep all that is", () => {
    const [before, after] = rich.split('"no"')
    const { settings, warnings } = readSettings(
      new Uint8Array([...bytes(before ?? ""), 0x22, 0xff, 0x22, ...bytes(after ?? "")]),
      builtin
    )
    assert.deepStrictEqual({ ...settings, policy: null }, { ...meant, policy: null })
    assert.deepStrictEqual(settings.policy.deny, [{ kind: "fetch" }])
    assert.match(warnings[0] ?? "", /not UTF-8/)
    assert.isAbove(settings.policy.ask.length, 1)
  })

  it("that are huge keep all of it", () => {
    const many = Array.from({ length: 30_000 }, (_, i) => `"unknown${i}": ["x", {"y": ${i}}]`).join(",\n")
    const { settings, warnings } = read(
      `{${many}, "modes": {"autoSend": "always"}, "deep": ${"[".repeat(100_000)}, "churn": 1`
    )
    assert.strictEqual(settings.modes.autoSend, "always")
    assert.strictEqual(warnings.length, 51)
  })
})

describe("what the settings say of a screen", () => {
  const screenOf = (cli: object) => {
    const { settings, warnings } = read(JSON.stringify({ clis: { odd: { base: "claude", ...cli } } }))
    return { screen: settings.clis["odd"]?.screen, keys: settings.clis["odd"]?.keys, warnings: warnings.length }
  }

  it.each<readonly [cli: object, screen: unknown, keys: unknown, warnings: number]>([
    [{ screen: { box: "> {draft}", busy: ["a*", "b*"] } }, { box: ["> {draft}"], busy: ["a*", "b*"] }, undefined, 0],
    [{ screen: { busy: ["a*", "*", 5] } }, { busy: ["a*"] }, undefined, 2],
    [{ screen: { done: ["{box}"], dialog: ["{box}"] } }, { done: ["{box}"] }, undefined, 1],
    // a box counts as rest only where all that shows work can be read
    [
      { screen: { busy: [5, "*busy*"], done: ["{box}", "*done*"] } },
      { busy: ["*busy*"], done: ["*done*"] },
      undefined,
      2
    ],
    [{ screen: { busy: { row: "*busy*" }, done: "{box}" } }, {}, undefined, 2],
    [{ screen: { boxes: ["x"] } }, {}, undefined, 1],
    [{ screen: 5 }, undefined, undefined, 1],
    [
      { keys: { interrupt: "C-c", clear: "C-u C-k", paste: false } },
      undefined,
      { interrupt: "C-c", clear: "C-u C-k", paste: false },
      0
    ],
    [{ keys: { interrupt: "x", quit: "Nokey", submit: "", paste: "no" } }, undefined, {}, 4]
  ])("%j", (cli, screen, keys, warnings) => assert.deepStrictEqual(screenOf(cli), { screen, keys, warnings }))
})

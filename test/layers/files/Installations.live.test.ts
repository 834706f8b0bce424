import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as jsonc from "jsonc-parser"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { builtinOf } from "../../support/providers.ts"
import { type Keeping, makeHome, realSettings } from "../../support/wiring/homes.ts"
import { live, liveOfEach } from "../../support/run/effects.ts"

/** Files as the real CLIs wrote them on their first runs and when a setting was changed in their own screens. */
type Files = Readonly<Record<string, string>>
const installations: ReadonlyArray<readonly [what: string, provider: Provider, files: Files]> = [
  ["claude, before its first start", builtinOf("claude"), {}],
  [
    "claude, settings changed in its screens",
    builtinOf("claude"),
    { ".claude/settings.json": realSettings("claude/settings.json") }
  ],
  ["codex, before its first start", builtinOf("codex"), {}],
  [
    "codex, a project trusted and a server added",
    builtinOf("codex"),
    { ".codex/config.toml": realSettings("codex/without-hooks.toml") }
  ],
  [
    "codex, hooks of the user's that are trusted",
    builtinOf("codex"),
    { ".codex/config.toml": realSettings("codex/config.toml"), ".codex/hooks.json": realSettings("codex/hooks.json") }
  ],
  [
    "gemini, signed in and a server added",
    builtinOf("gemini"),
    { ".gemini/settings.json": realSettings("gemini/settings.json") }
  ],
  ["gemini, with a key", builtinOf("gemini"), { ".gemini/settings.json": realSettings("gemini/key.json") }],
  ["copilot, before its first start", builtinOf("copilot"), {}],
  [
    "copilot, a theme chosen",
    builtinOf("copilot"),
    { ".copilot/settings.json": realSettings("copilot/settings.json") }
  ],
  ["cursor, before its first start", builtinOf("cursor-agent"), {}],
  ["opencode, before its first start", builtinOf("opencode"), {}],
  [
    "opencode, once run",
    builtinOf("opencode"),
    {
      ".config/opencode/opencode.json": realSettings("opencode/opencode.json"),
      ".config/opencode/.gitignore": realSettings("opencode/gitignore")
    }
  ]
]

const withEach = (files: Files, json: (text: string) => string, toml: (text: string) => string): Files =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name,
      name.endsWith(".json") ? json(text) : name.endsWith(".toml") ? toml(text) : text
    ])
  )

const same = (text: string) => text
const comment = (text: string) =>
  text.replace("{", "{ // how I like it").replace(/(["\d\]}el])(\s*\}\s*)$/, "$1, /* and so on */$2")

/** What people and their tools do to such files. */
const hands: ReadonlyArray<readonly [how: string, json: (text: string) => string, toml: (text: string) => string]> = [
  ["as they are", same, same],
  ["with CRLF", (text) => text.replaceAll("\n", "\r\n"), (text) => text.replaceAll("\n", "\r\n")],
  ["with a final newline more", (text) => `${text}\n`, (text) => `${text}\n`],
  ["without one", (text) => text.trimEnd(), (text) => text.trimEnd()],
  [
    "with tabs",
    (text) => text.replace(/^( {2})+/gm, (blanks) => "\t".repeat(blanks.length / 2)),
    (text) => text.replaceAll(" = ", "\t=\t")
  ],
  ["in one line", (text) => JSON.stringify(jsonc.parse(text)), same],
  [
    "with comments, trailing commas, dotted keys and inline tables",
    comment,
    (text) =>
      `# mine\nsandbox.network = true # dotted\nshell = { policy = "all", "set it" = [1, 2] } # inline\n\n${text}\n# the end`
  ]
]

/** CLIs that read nothing of a file with comments: leap leaves it as it is, and says so. */
const readsJsonAlone: ReadonlySet<string> = new Set(["claude", "codex"])

const isPlain = ([name, text]: readonly [string, string]): boolean => {
  if (!name.endsWith(".json")) return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const keepings: readonly [readonly [string, Keeping], readonly [string, Keeping]] = [
  ["0644", { mode: 0o644, linked: false }],
  ["0600, linked from dotfiles", { mode: 0o600, linked: true }]
]

describe.each(installations)("%s", (_, provider, files) => {
  const cases = hands.slice(0, Object.keys(files).length === 0 ? 1 : hands.length).map(([how, json, toml], index) => {
    const [kept, keeping] = keepings[index % 2] ?? keepings[0]
    return [how, kept, withEach(files, json, toml), keeping] as const
  })

  liveOfEach(cases)("goes through install, status and remove unchanged: %s, %s", function* ([, , files, keeping]) {
    const { all, installer } = yield* makeHome(files, keeping)
    const before = all()
    const isRead = !readsJsonAlone.has(provider.id) || Object.entries(files).every(isPlain)
    assert.strictEqual((yield* installer.status(provider)).state, isRead ? "missing" : "unreadable")
    if (!isRead) {
      assert.include((yield* Effect.flip(installer.install(provider))).message, "it has comments or trailing commas")
      assert.deepStrictEqual(all(), before)
      return
    }
    assert.isTrue((yield* installer.install(provider)).changed)
    assert.deepInclude(yield* installer.status(provider), { state: "installed", receivesEvents: true, detail: "" })
    const once = all()
    assert.notDeepEqual(once, before)
    assert.isFalse((yield* installer.install(provider)).changed)
    assert.deepStrictEqual(all(), once)
    // What was a link is one still, and what had a mode has it.
    for (const [name, standing] of Object.entries(before))
      assert.strictEqual(once[name]?.slice(0, 4), standing.slice(0, 4), name)
    assert.isTrue((yield* installer.remove(provider)).changed)
    assert.deepStrictEqual(all(), before)
    assert.isFalse((yield* installer.remove(provider)).changed)
  })
})

const mine = { type: "command", command: "~/bin/done.sh", timeout: 3 }
const line = { type: "command", padding: 2, command: '~/bin/line.sh "$HOME"' }
/** Hooks and a status line of the user's own, where each CLI has them. */
const own: ReadonlyArray<readonly [id: string, provider: Provider, files: Files, theirs: ReadonlyArray<string>]> = [
  [
    "claude",
    builtinOf("claude"),
    {
      ".claude/settings.json": JSON.stringify(
        {
          model: "opus",
          statusLine: line,
          hooks: { Stop: [{ hooks: [mine] }], PreToolUse: [{ matcher: "Bash", hooks: [mine, mine] }] }
        },
        null,
        4
      )
    },
    ["~/bin/done.sh", "~/bin/line.sh"]
  ],
  [
    "codex",
    builtinOf("codex"),
    { ".codex/hooks.json": JSON.stringify({ hooks: { Stop: [{ hooks: [mine] }] } }, null, 2) },
    ["~/bin/done.sh"]
  ],
  [
    "gemini",
    builtinOf("gemini"),
    {
      ".gemini/settings.json": JSON.stringify(
        { hooks: { AfterAgent: [{ matcher: "*", hooks: [mine] }] }, ui: { theme: "x" } },
        null,
        2
      )
    },
    ["~/bin/done.sh"]
  ],
  [
    "copilot",
    builtinOf("copilot"),
    {
      ".copilot/settings.json": `// mine\n${JSON.stringify({ statusLine: line, theme: "dim" }, null, 2)}`,
      ".copilot/hooks/mine.json": JSON.stringify({
        version: 1,
        hooks: { agentStop: [{ type: "command", bash: "~/bin/done.sh" }] }
      })
    },
    ["~/bin/done.sh", "~/bin/line.sh"]
  ],
  [
    "cursor-agent",
    builtinOf("cursor-agent"),
    {
      ".cursor/hooks.json": JSON.stringify({ version: 1, hooks: { stop: [{ command: "~/bin/done.sh" }] } }),
      ".cursor/cli-config.json": JSON.stringify(
        { version: 1, model: {}, permissions: { allow: [] }, statusLine: line },
        null,
        2
      )
    },
    ["~/bin/done.sh", "~/bin/line.sh"]
  ],
  [
    "opencode",
    builtinOf("opencode"),
    {
      ".config/opencode/plugin/mine.js": "// ~/bin/done.sh\n",
      ".config/opencode/package.json": '{ "private": true }\n'
    },
    ["~/bin/done.sh"]
  ]
]

describe.each(own)("what the user of %s has of their own", (_, provider, files, theirs) => {
  live("stays where it is, and comes back as it was; asked for a status line, so too", function* () {
    const { all, installer } = yield* makeHome(files)
    const before = all()
    for (const statusLine of [false, true]) {
      yield* installer.install(provider, { statusLine })
      assert.strictEqual((yield* installer.status(provider)).state, "installed")
      const there = Object.values(all()).join("\n")
      for (const it of theirs) assert.include(there, it)
      // Again, and not asked: what has been asked for stays.
      const once = all()
      assert.isFalse((yield* installer.install(provider)).changed)
      assert.deepStrictEqual(all(), once)
      yield* installer.remove(provider)
      assert.deepStrictEqual(all(), before)
    }
  })

  // OpenCode's plugin is a file of leap's alone: there is nothing to be put into.
  const isInJson = provider.id !== "opencode"
  it.live.runIf(isInJson)("outlives a removal, also what was put in later", () =>
    Effect.gen(function* () {
      const { all, home: _, installer, read, write } = yield* makeHome({})
      yield* installer.install(provider, { statusLine: true })
      const names = Object.keys(all()).filter((file) => file.endsWith(".json") && read(file).includes("leap-hook.sh"))
      assert.lengthOf(names, 1)
      const [name = ""] = names
      const filled = read(name).replace(/("hooks": \{)/, '$1\n    "Mine": [ { "command": "true" } ],')
      write(name, filled)
      assert.strictEqual((yield* installer.status(provider)).state, "installed")
      yield* installer.remove(provider)
      const left = all()
      assert.deepStrictEqual(Object.keys(left), [name])
      assert.deepStrictEqual((jsonc.parse(read(name)) as { hooks: unknown }).hooks, { Mine: [{ command: "true" }] })
    })
  )
})

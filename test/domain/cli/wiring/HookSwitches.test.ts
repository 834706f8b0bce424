import { assert, describe, it } from "@effect/vitest"
import type { HookSwitches } from "../../../../src/domain/cli/wiring/HookSwitches.ts"
import { switches as claudeSwitches } from "../../../../src/domain/providers/claude/WiringSwitches.ts"
import { switches as codexSwitches } from "../../../../src/domain/providers/codex/WiringSwitches.ts"
import { switches as copilotSwitches } from "../../../../src/domain/providers/copilot/WiringSwitches.ts"
import { switches as geminiSwitches } from "../../../../src/domain/providers/gemini/WiringSwitches.ts"
import { switches as opencodeSwitches } from "../../../../src/domain/providers/opencode/WiringSwitches.ts"

interface Case {
  readonly name: string
  readonly files?: Readonly<Record<string, string>>
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** What is said; null for nothing. */
  readonly says: RegExp | null
}

const off = '{"disableAllHooks":true}'
const on = '{"disableAllHooks":false}'
const trusted = '[projects."/p"]\ntrust_level = "trusted"\n'
const noHooks = "[features]\nhooks = false\n"
const gemini = (config: object) => JSON.stringify({ hooksConfig: config })

/** Each as the real CLI was seen to do it. */
const tables: ReadonlyArray<readonly [string, HookSwitches, ReadonlyArray<Case>]> = [
  [
    "claude",
    claudeSwitches,
    [
      { name: "nothing", says: null },
      {
        name: "user",
        files: { "/h/.claude/settings.json": off },
        says: /disableAllHooks in \/h\/.claude\/settings.json/
      },
      { name: "project", files: { "/p/.claude/settings.json": off }, says: /in \/p\/.claude\/settings.json$/ },
      { name: "local", files: { "/p/.claude/settings.local.json": off }, says: /settings.local.json/ },
      {
        name: "the nearer layer counts",
        files: { "/p/.claude/settings.json": off, "/p/.claude/settings.local.json": on },
        says: null
      },
      { name: "a directory above", files: { "/.claude/settings.json": off }, says: null },
      { name: "a file that cannot be read", files: { "/p/.claude/settings.json": `// mine\n${off}` }, says: null },
      {
        name: "managed",
        files: { "/etc/claude-code/managed-settings.json": '{"allowManagedHooksOnly":true}' },
        says: /allowManagedHooksOnly/
      },
      {
        name: "managed, in parts",
        files: { "/etc/claude-code/managed-settings.d/b.json": off },
        says: /managed-settings.d\/b.json/
      },
      { name: "option, as JSON", args: ["--settings", off], says: /--settings/ },
      { name: "option, as a file", args: ["--settings=/x.json"], files: { "/x.json": off }, says: /x.json/ },
      { name: "sources", args: ["--setting-sources", "project,local"], says: /leaves out the user's settings/ },
      { name: "sources with the user's", args: ["--setting-sources", "user,local"], says: null },
      { name: "bare", args: ["--bare"], says: /--bare/ },
      { name: "safe mode", args: ["--safe-mode"], says: /--safe-mode/ },
      { name: "simple", env: { CLAUDE_CODE_SIMPLE: "1" }, says: /CLAUDE_CODE_SIMPLE/ },
      {
        name: "another place of the user's",
        env: { CLAUDE_CONFIG_DIR: "/c" },
        files: { "/c/settings.json": off },
        says: /\/c\/settings.json/
      }
    ]
  ],
  [
    "codex",
    codexSwitches,
    [
      { name: "nothing", says: null },
      { name: "user", files: { "/h/.codex/config.toml": noHooks }, says: /features.hooks is off in \/h/ },
      {
        name: "its older name",
        files: { "/h/.codex/config.toml": "[features]\ncodex_hooks = false\n" },
        says: /off in \/h/
      },
      {
        name: "a trusted project",
        files: { "/h/.codex/config.toml": trusted, "/p/.codex/config.toml": noHooks },
        says: /off in \/p/
      },
      { name: "another project", files: { "/h/.codex/config.toml": "", "/p/.codex/config.toml": noHooks }, says: null },
      {
        name: "profile",
        files: { "/h/.codex/config.toml": "[profiles.x.features]\nhooks = false\n" },
        args: ["-p", "x"],
        says: /profile x/
      },
      { name: "system", files: { "/etc/codex/config.toml": noHooks }, says: /\/etc\/codex\/config.toml/ },
      { name: "option", args: ["-c", "features.hooks=false"], says: /-c features.hooks/ },
      { name: "disable", args: ["--disable", "hooks"], says: /--disable hooks/ },
      { name: "enabled again", files: { "/h/.codex/config.toml": noHooks }, args: ["--enable", "hooks"], says: null },
      {
        name: "required",
        files: { "/etc/codex/requirements.toml": "allow_managed_hooks_only = true\n" },
        says: /allow_managed_hooks_only/
      },
      {
        name: "required off",
        files: { "/etc/codex/requirements.toml": noHooks },
        says: /requirements.toml, which is managed/
      },
      {
        name: "managed",
        files: { "/etc/codex/managed_config.toml": noHooks },
        args: ["--enable", "hooks"],
        says: /managed_config.toml/
      }
    ]
  ],
  [
    "gemini",
    geminiSwitches,
    [
      { name: "nothing", says: null },
      {
        name: "project",
        files: { "/p/.gemini/settings.json": gemini({ enabled: false }) },
        says: /enabled is off in \/p/
      },
      {
        name: "with a comment",
        files: { "/p/.gemini/settings.json": `// mine\n${gemini({ enabled: false })}` },
        says: /off in \/p/
      },
      {
        name: "by name",
        files: { "/p/.gemini/settings.json": gemini({ disabled: ["leap"] }) },
        says: /names "leap" in \/p/
      },
      {
        name: "the nearer layer counts",
        files: {
          "/h/.gemini/settings.json": gemini({ enabled: false }),
          "/p/.gemini/settings.json": gemini({ enabled: true })
        },
        says: null
      },
      {
        name: "system",
        files: { "/etc/gemini-cli/settings.json": gemini({ enabled: false }) },
        says: /\/etc\/gemini-cli/
      },
      {
        name: "the system's, where a variable puts it",
        env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/opt/gemini/all.json" },
        files: { "/opt/gemini/all.json": gemini({ enabled: false }) },
        says: /enabled is off in \/opt\/gemini\/all\.json/
      },
      {
        name: "not the system's own, where a variable puts another in its place",
        env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/opt/gemini/all.json" },
        files: { "/etc/gemini-cli/settings.json": gemini({ enabled: false }) },
        says: null
      },
      {
        name: "the system's defaults beside that",
        env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/opt/gemini/all.json" },
        files: { "/opt/gemini/system-defaults.json": gemini({ enabled: false }) },
        says: /\/opt\/gemini\/system-defaults\.json/
      },
      {
        name: "the system's defaults, where a variable puts them",
        env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: "/opt/defaults.json" },
        files: { "/opt/defaults.json": gemini({ disabled: ["leap"] }) },
        says: /disabled names "leap" in \/opt\/defaults\.json/
      }
    ]
  ],
  [
    "copilot",
    copilotSwitches,
    [
      { name: "nothing", says: null },
      { name: "the user's", files: { "/h/.copilot/settings.json": off }, says: null },
      { name: "repository", files: { "/p/.github/copilot/settings.json": off }, says: /\.github/ },
      {
        name: "the nearer layer counts",
        files: { "/p/.github/copilot/settings.json": off, "/p/.github/copilot/settings.local.json": on },
        says: null
      },
      {
        name: "Claude Code's of the project",
        files: { "/p/.claude/settings.json": off },
        says: /\.claude\/settings.json/
      },
      { name: "and the local one", files: { "/p/.claude/settings.local.json": off }, says: /settings.local.json/ }
    ]
  ],
  [
    "opencode",
    opencodeSwitches,
    [
      { name: "nothing", says: null },
      { name: "option", args: ["--pure"], says: /--pure/ },
      { name: "environment", env: { OPENCODE_PURE: "1" }, says: /OPENCODE_PURE/ }
    ]
  ]
]

describe.each(tables)("what switches the hooks of %s off", (_, { files, off }, cases) => {
  it.each(cases)("$name", ({ args = [], env = {}, files: there = {}, says }) => {
    const place = { env: { HOME: "/h", ...env }, directory: "/p", args }
    // of a pattern all that fit
    const found = files(place).flatMap((file) =>
      Object.keys(there).filter((path) =>
        file.endsWith("/*.json") ? path.startsWith(file.slice(0, -"*.json".length)) : path === file
      )
    )
    const said = off(
      place,
      found.map((path) => ({ path, text: there[path] ?? "" }))
    ).join("; ")
    if (says === null) assert.strictEqual(said, "")
    else assert.match(said, says)
  })
})

import { assert, describe, it } from "@effect/vitest"
import type { HookSwitches } from "../../../../src/domain/cli/wiring/HookSwitches.ts"
import { switches as claudeSwitches } from "../../../../src/domain/providers/claude/WiringSwitches.ts"
import { switches as codexSwitches } from "../../../../src/domain/providers/codex/WiringSwitches.ts"
import { switches as copilotSwitches } from "../../../../src/domain/providers/copilot/WiringSwitches.ts"
import { switches as geminiSwitches } from "../../../../src/domain/providers/gemini/WiringSwitches.ts"
import { switches as opencodeSwitches } from "../../../../src/domain/providers/opencode/WiringSwitches.ts"

/** `says`: what is said; null for nothing. `files`: those that are there. */
type Case = [
  name: string,
  says: RegExp | null,
  files: Readonly<Record<string, string>>,
  started?: { readonly args?: ReadonlyArray<string>; readonly env?: Readonly<Record<string, string>> }
]

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
      ["nothing", null, {}],
      ["user", /disableAllHooks in \/h\/.claude\/settings.json/, { "/h/.claude/settings.json": off }],
      ["project", /in \/p\/.claude\/settings.json$/, { "/p/.claude/settings.json": off }],
      ["local", /settings.local.json/, { "/p/.claude/settings.local.json": off }],
      ["the nearer layer counts", null, { "/p/.claude/settings.json": off, "/p/.claude/settings.local.json": on }],
      ["a directory above", null, { "/.claude/settings.json": off }],
      ["a file that cannot be read", null, { "/p/.claude/settings.json": `// mine\n${off}` }],
      [
        "managed",
        /allowManagedHooksOnly/,
        { "/etc/claude-code/managed-settings.json": '{"allowManagedHooksOnly":true}' }
      ],
      ["managed, in parts", /managed-settings.d\/b.json/, { "/etc/claude-code/managed-settings.d/b.json": off }],
      ["option, as JSON", /--settings/, {}, { args: ["--settings", off] }],
      ["option, as a file", /x.json/, { "/x.json": off }, { args: ["--settings=/x.json"] }],
      ["sources", /leaves out the user's settings/, {}, { args: ["--setting-sources", "project,local"] }],
      ["sources with the user's", null, {}, { args: ["--setting-sources", "user,local"] }],
      ["bare", /--bare/, {}, { args: ["--bare"] }],
      ["safe mode", /--safe-mode/, {}, { args: ["--safe-mode"] }],
      ["simple", /CLAUDE_CODE_SIMPLE/, {}, { env: { CLAUDE_CODE_SIMPLE: "1" } }],
      [
        "another place of the user's",
        /\/c\/settings.json/,
        { "/c/settings.json": off },
        { env: { CLAUDE_CONFIG_DIR: "/c" } }
      ]
    ]
  ],
  [
    "codex",
    codexSwitches,
    [
      ["nothing", null, {}],
      ["user", /features.hooks is off in \/h/, { "/h/.codex/config.toml": noHooks }],
      ["its older name", /off in \/h/, { "/h/.codex/config.toml": "[features]\ncodex_hooks = false\n" }],
      ["a trusted project", /off in \/p/, { "/h/.codex/config.toml": trusted, "/p/.codex/config.toml": noHooks }],
      ["another project", null, { "/h/.codex/config.toml": "", "/p/.codex/config.toml": noHooks }],
      [
        "profile",
        /profile x/,
        { "/h/.codex/config.toml": "[profiles.x.features]\nhooks = false\n" },
        { args: ["-p", "x"] }
      ],
      ["system", /\/etc\/codex\/config.toml/, { "/etc/codex/config.toml": noHooks }],
      ["option", /-c features.hooks/, {}, { args: ["-c", "features.hooks=false"] }],
      ["disable", /--disable hooks/, {}, { args: ["--disable", "hooks"] }],
      ["enabled again", null, { "/h/.codex/config.toml": noHooks }, { args: ["--enable", "hooks"] }],
      ["required", /allow_managed_hooks_only/, { "/etc/codex/requirements.toml": "allow_managed_hooks_only = true\n" }],
      ["required off", /requirements.toml, which is managed/, { "/etc/codex/requirements.toml": noHooks }],
      ["managed", /managed_config.toml/, { "/etc/codex/managed_config.toml": noHooks }, { args: ["--enable", "hooks"] }]
    ]
  ],
  [
    "gemini",
    geminiSwitches,
    [
      ["nothing", null, {}],
      ["project", /enabled is off in \/p/, { "/p/.gemini/settings.json": gemini({ enabled: false }) }],
      ["with a comment", /off in \/p/, { "/p/.gemini/settings.json": `// mine\n${gemini({ enabled: false })}` }],
      ["by name", /names "leap" in \/p/, { "/p/.gemini/settings.json": gemini({ disabled: ["leap"] }) }],
      [
        "the nearer layer counts",
        null,
        {
          "/h/.gemini/settings.json": gemini({ enabled: false }),
          "/p/.gemini/settings.json": gemini({ enabled: true })
        }
      ],
      ["system", /\/etc\/gemini-cli/, { "/etc/gemini-cli/settings.json": gemini({ enabled: false }) }],
      [
        "the system's, where a variable puts it",
        /enabled is off in \/opt\/gemini\/all\.json/,
        { "/opt/gemini/all.json": gemini({ enabled: false }) },
        { env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/opt/gemini/all.json" } }
      ],
      [
        "not the system's own, where a variable puts another in its place",
        null,
        { "/etc/gemini-cli/settings.json": gemini({ enabled: false }) },
        { env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/opt/gemini/all.json" } }
      ],
      [
        "the system's defaults beside that",
        /\/opt\/gemini\/system-defaults\.json/,
        { "/opt/gemini/system-defaults.json": gemini({ enabled: false }) },
        { env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/opt/gemini/all.json" } }
      ],
      [
        "the system's defaults, where a variable puts them",
        /disabled names "leap" in \/opt\/defaults\.json/,
        { "/opt/defaults.json": gemini({ disabled: ["leap"] }) },
        { env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: "/opt/defaults.json" } }
      ]
    ]
  ],
  [
    "copilot",
    copilotSwitches,
    [
      ["nothing", null, {}],
      ["the user's", null, { "/h/.copilot/settings.json": off }],
      ["repository", /\.github/, { "/p/.github/copilot/settings.json": off }],
      [
        "the nearer layer counts",
        null,
        { "/p/.github/copilot/settings.json": off, "/p/.github/copilot/settings.local.json": on }
      ],
      ["Claude Code's of the project", /\.claude\/settings.json/, { "/p/.claude/settings.json": off }],
      ["and the local one", /settings.local.json/, { "/p/.claude/settings.local.json": off }]
    ]
  ],
  [
    "opencode",
    opencodeSwitches,
    [
      ["nothing", null, {}],
      ["option", /--pure/, {}, { args: ["--pure"] }],
      ["environment", /OPENCODE_PURE/, {}, { env: { OPENCODE_PURE: "1" } }]
    ]
  ]
]

describe.each(tables)("what switches the hooks of %s off", (_, { files, off }, cases) => {
  it.each(cases)("%s", (_, says, there, { args = [], env = {} } = {}) => {
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

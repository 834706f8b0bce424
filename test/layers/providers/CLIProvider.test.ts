import { Effect } from "effect"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import { registrations } from "../../../src/layers/providers/ProvidersBuiltin.ts"
import { configured } from "../../../src/layers/providers/variants.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { momentsOf } from "../../support/recordings/castScreen.ts"
import { isRecorded, list } from "../../support/recordings/recordings.ts"
import { suite } from "../../suites/CLIProviderSuite.ts"
import { realSettings } from "../../support/wiring/homes.ts"

/** Files that real CLIs and their users left. */
const settings: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, string>>>>> = {
  claude: [{ "/home/me/.claude/settings.json": realSettings("claude/settings.json") }],
  codex: [
    { "/home/me/.codex/config.toml": realSettings("codex/without-hooks.toml") },
    {
      "/home/me/.codex/config.toml": realSettings("codex/config.toml"),
      "/home/me/.codex/hooks.json": realSettings("codex/hooks.json")
    }
  ],
  gemini: [
    { "/home/me/.gemini/settings.json": realSettings("gemini/settings.json") },
    { "/home/me/.gemini/settings.json": realSettings("gemini/key.json") }
  ],
  copilot: [{ "/home/me/.copilot/settings.json": realSettings("copilot/settings.json") }],
  opencode: [{ "/home/me/.config/opencode/opencode.json": realSettings("opencode/opencode.json") }]
}

/** So many recordings of each CLI, and so many moments of each. */
const casts = 8
const moments = 6

/** Screens that real CLIs drew, from all over what was recorded of them. */
const screensOf = Effect.fnUntraced(function* (id: string) {
  if (!isRecorded(id)) return []
  const names = list(id)
  const chosen = names.filter((_, n) => n % Math.ceil(names.length / casts) === 0)
  const screens = yield* Effect.forEach(chosen, (name) => momentsOf(name, moments))
  return screens.flat()
})

for (const registration of registrations) {
  const { id } = registration.identity
  suite(registration, {
    settings: settings[id] ?? [],
    screens: await Effect.runPromise(screensOf(id).pipe(Effect.scoped, Effect.provide(ScreenXterm.layer)))
  })
}

// a CLI of the user's own is a CLI like any other
const [variant] = configured(registrations, {
  ...defaultSettings,
  order: ["my-claude"],
  clis: { "my-claude": { base: "claude", displayName: "Mine", flags: "-x", env: { A: "~/b" }, hidden: true } }
})
if (variant !== undefined) suite(variant)

// so is a program that leap knows by patterns alone
const [program] = configured(registrations, {
  ...defaultSettings,
  order: ["odd"],
  clis: {
    odd: {
      base: "generic",
      command: "generic",
      screen: { box: ["> {draft}"], busy: ["*{wheel} *"], done: ["{box}"], dialog: ["*Proceed?*"] },
      keys: { interrupt: "C-c", clear: "C-u", quit: "C-d", submit: "Enter" }
    }
  }
})
if (program !== undefined) suite(program)

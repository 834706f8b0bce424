import { assert, describe, it } from "@effect/vitest"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { builtinOf } from "../../support/providers.ts"
import { makeHome } from "../../support/wiring/homes.ts"
import { type Gate, gateOf, unwiredNote, wiringFinding } from "../../../src/programs/client/wiring.ts"
import type { HookState, HookStatus } from "../../../src/services/HookInstaller.ts"
import { liveOfEach } from "../../support/run/effects.ts"

const [codex, copilot] = [builtinOf("codex"), builtinOf("copilot")]
const cli = { id: "cli", displayName: "A CLI" }
const command = "leap hooks install --cli cli"
const status = (state: HookState, heard: boolean, detail = "why"): HookStatus => ({
  state,
  receivesEvents: heard,
  detail,
  file: "/s.json",
  files: ["/s.json"]
})

const lineOf = (gate: Gate): string | null =>
  gate._tag === "Open" ? gate.note : gate._tag === "Shut" ? gate.why : unwiredNote(cli, gate)

/** What each state means to who starts a session, and to who asks the doctor. */
const table: ReadonlyArray<
  readonly [
    HookStatus,
    start: readonly ["Open", RegExp | null] | readonly ["Unwired" | "Shut", RegExp],
    doctor: readonly [string, RegExp, string | null]
  ]
> = [
  [status("installed", true, ""), ["Open", null], ["ok", /^\/bin\/cli, wired$/, null]],
  [status("installed", true), ["Open", null], ["warning", /, wired; why$/, command]],
  [status("unsupported", false), ["Open", null], ["ok", /it has no hooks$/, null]],
  [
    status("disabled", true),
    ["Open", /^A CLI runs no hooks here \(why\): leap goes by what it shows/],
    ["warning", /wired, but it runs no hooks here: why$/, null]
  ],
  [
    status("partly", true),
    ["Open", /^A CLI is wired in part \(why\): run 'leap hooks install --cli cli'$/],
    ["warning", /wired in part: why$/, command]
  ],
  [
    status("outdated", true),
    ["Open", /^A CLI is wired as by another version of leap \(why\): run 'leap/],
    ["warning", /by another version of leap: why$/, command]
  ],
  [
    status("partly", false),
    ["Unwired", /^A CLI runs without leap's hooks \(why\), so its cost, .*; 'leap hooks install --cli cli' adds them$/],
    ["warning", /wired in part: why$/, command]
  ],
  [
    status("outdated", false),
    ["Unwired", /without leap's hooks \(why\).*'leap hooks install --cli cli' adds them$/],
    ["warning", /another version/, command]
  ],
  [
    status("foreign", false),
    [
      "Unwired",
      /\(it is wired to another installation of leap\).*; 'leap hooks install --cli cli' takes its entries over$/
    ],
    ["warning", /another installation of leap: why$/, command]
  ],
  [
    status("missing", false),
    ["Unwired", /without leap's hooks \(why\).*'leap hooks install --cli cli' adds them$/],
    ["warning", /not wired: why$/, command]
  ],
  [
    status("unreadable", false, "line 2, column 1: comma expected"),
    [
      "Unwired",
      /\(\/s\.json, line 2, column 1: comma expected\).*; mend the file, then run 'leap hooks install --cli cli'$/
    ],
    [
      "broken",
      /cannot be read: \/s\.json, line 2, column 1: comma expected; mend it, then run 'leap hooks install --cli cli'$/,
      null
    ]
  ],
  [
    status("refused", false),
    ["Shut", /^A CLI skips its settings, yours included, as leap is wired into them \(why\): run 'leap hooks install/],
    ["broken", /skips its settings, yours included, as leap is wired into them: why$/, command]
  ],
  [
    status("unreadable", true),
    ["Open", /^\/s\.json, why: A CLI may not read it either$/],
    ["broken", /cannot be read: \/s\.json, why/, null]
  ]
]

describe.each(
  table.map(
    ([status, start, doctor]) =>
      [`${status.state}${status.receivesEvents ? "" : ", not heard"}`, status, start, doctor] as const
  )
)("a CLI that is %s", (_, status, start, doctor) => {
  it(`is ${start[0] === "Shut" ? "not started" : "started"}${start[0] !== "Shut" && start[1] !== null ? ", with a line that tells" : ""}`, () => {
    const gate = gateOf(cli, status)
    assert.strictEqual(gate._tag, start[0])
    const line = lineOf(gate)
    if (start[1] === null) assert.isNull(line)
    else assert.match(line ?? "", start[1])
    assert.notInclude(line ?? "", "\n")
  })

  it("is told of by the doctor, with what mends it", () => {
    const finding = wiringFinding(cli, "/bin/cli", status)
    assert.deepStrictEqual([finding.state, finding.mend], [doctor[0], doctor[2]])
    assert.match(finding.detail, doctor[1])
  })
})

const copilotHooks = ".copilot/hooks/leap.json"
const copilotSettings = ".copilot/settings.json"
const codexToml = ".codex/config.toml"
const withoutNotification = (text: string) => text.replace(/,\s*"notification": \[[^]*?\n {4}\]/, "")

/** What becomes of a sound installation of a CLI with several files, and what its gate says then. */
const amiss: ReadonlyArray<
  readonly [
    what: string,
    Provider,
    file: string,
    change: (text: string) => string,
    tag: Gate["_tag"],
    line: RegExp | null
  ]
> = [
  ["all is well", copilot, copilotHooks, (text) => text, "Open", null],
  [
    "an event is not wired yet",
    copilot,
    copilotHooks,
    withoutNotification,
    "Open",
    /in part \(leap\.json: no current entry for notification\): run/
  ],
  ["the hooks are gone", copilot, copilotHooks, () => "{}", "Unwired", /\(leap\.json: leap's hooks are not in it\)/],
  [
    "the hooks cannot be read",
    copilot,
    copilotHooks,
    () => "{",
    "Unwired",
    /leap\.json, line 1, column 2: close brace expected\).*mend the file/
  ],
  [
    "the hooks are of another installation",
    copilot,
    copilotHooks,
    (text) => text.replaceAll("my leap", "a leap"),
    "Unwired",
    /another installation/
  ],
  [
    "the status line's file cannot be read",
    copilot,
    copilotSettings,
    () => '{ "theme": }',
    "Open",
    /settings\.json, line 1, column 12: value expected: GitHub Copilot may/
  ],
  [
    "the hooks are switched off",
    copilot,
    copilotHooks,
    (text) => text.replace("{", '{ "disableAllHooks": true,'),
    "Open",
    /runs no hooks here \(leap\.json: disableAllHooks is set/
  ],
  [
    "a hook is not trusted yet",
    codex,
    codexToml,
    (text) => text.replace(/\[hooks\.state\.[^\n]*stop:0:0"\]\n[^\n]*\n/, ""),
    "Open",
    /does not trust leap's hook for Stop/
  ],
  [
    "no hook is trusted",
    codex,
    codexToml,
    () => "",
    "Unwired",
    /\(config\.toml: Codex does not trust leap's hook for SessionStart/
  ],
  [
    "the trust cannot be read",
    codex,
    codexToml,
    () => "a = ",
    "Unwired",
    /config\.toml, line 1, column \d+: .*mend the file/
  ],
  [
    "the hooks are switched off in the trust's file",
    codex,
    codexToml,
    (text) => `${text}\n[features]\nhooks = false\n`,
    "Open",
    /runs no hooks here \(config\.toml: features\.hooks is off/
  ]
]

describe("the gate of a CLI with several files", () => {
  liveOfEach(amiss)("when %s", function* ([, provider, file, change, tag, line]) {
    const { installer, read, write } = yield* makeHome({ [copilotSettings]: '{ "theme": "dim" }' })
    yield* installer.install(provider)
    write(file, change(read(file)))
    const gate = gateOf(provider, yield* installer.status(provider))
    const told = lineOf(gate)
    assert.strictEqual(gate._tag, tag, told ?? "")
    if (line === null) assert.isNull(told)
    else assert.match(told ?? "", line)
  })
})

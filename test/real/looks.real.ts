import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isThorough } from "../support/run/thorough.ts"
import { answered, atRest } from "./approvals.ts"
import { attached } from "./attached.ts"
import { asking, claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { colourless, hosted, type RealCli, type Session } from "./hosted.ts"
import { type Reply, say } from "./model/FakeModel.ts"

type Json = { readonly [name: string]: unknown }

/** How a CLI is made to look: its arguments, its environment, members of its settings files, and the terminal's size. */
interface Look {
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** By file below HOME; text is put behind what there is, in TOML. */
  readonly settings?: Readonly<Record<string, Json | string>>
  readonly size?: readonly [cols: number, rows: number]
  readonly colourless?: true
  /** A command of the CLI's by which it is given the look. */
  readonly command?: string
  /** How it asks its user to choose, where that is another tool than in its ordinary mode. */
  readonly ask?: RealCli["ask"]
  /**
   * It ends by itself where it has a difference to draw, for what would colour it is not to be had without a network; or
   * the options below have no room.
   */
  readonly drawsNoDifference?: true
  /** Its dialogs have no room for their last option. */
  readonly hidesRefusal?: true
  /** It draws a question without its options, or one of them at a time. */
  readonly drawsNoOptions?: true
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const merged = (into: Json, more: Json): Json => ({
  ...into,
  ...Object.fromEntries(
    Object.entries(more).map(([name, value]) => {
      const old = into[name]
      return [name, isJson(old) && isJson(value) ? merged(old, value) : value]
    })
  )
})

const looking = (cli: RealCli, look: Look): RealCli => ({
  ...(look.colourless === true ? colourless(cli) : cli),
  ...(look.args === undefined ? {} : { args: [...(cli.args ?? []), ...look.args] }),
  prepare: (home, project, endpoint) => {
    const env = (look.colourless === true ? colourless(cli) : cli).prepare(home, project, endpoint)
    for (const [name, more] of Object.entries(look.settings ?? {})) {
      const file = join(home, name)
      mkdirSync(dirname(file), { recursive: true })
      if (typeof more === "string") appendFileSync(file, more)
      else {
        const old = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Json) : {}
        writeFileSync(file, JSON.stringify(merged(old, more), null, 2))
      }
    }
    return { ...env, ...look.env }
  }
})

const added = (file: string, text: string) =>
  `*** Begin Patch\n*** Add File: ${file}\n${text.replaceAll(/^/gm, "+")}\n*** End Patch\n`

/** How the model asks each CLI for a file, which asks its user with a picture of what would change. */
const writes: Readonly<Record<string, (file: string, text: string) => Reply>> = {
  codex: (file, text) => ({
    blocks: [
      {
        type: "tool",
        name: "exec",
        freeform: true,
        input: `text(await tools.apply_patch(${JSON.stringify(added(file, text))}));`
      }
    ]
  }),
  claude: (file, text) => ({
    blocks: [{ type: "tool", name: "Write", input: { file_path: file, content: text } }]
  }),
  copilot: (file, text) => ({
    blocks: [
      {
        type: "tool",
        name: "apply_patch",
        freeform: true,
        input: added(file, text)
      }
    ]
  }),
  gemini: (file, text) => ({
    blocks: [{ type: "tool", name: "write_file", input: { file_path: file, content: text } }]
  }),
  opencode: (file, text) => ({
    blocks: [{ type: "tool", name: "write", input: { filePath: file, content: text } }]
  })
}

/** What a CLI is answered whose refusal takes a text, or has no number and ends the turn, instead of its number. */
const refusals: Readonly<Record<string, string>> = { copilot: "Not now, please.", opencode: "Reject" }

const statusLine = { type: "command", command: "printf 'my line ─── 1. Yes\\n❯ 2. No, and (esc)'", padding: 0 }

const threeRows = { ...statusLine, command: "printf 'one ───── 1. Yes\\n❯ 2. No, and (esc)\\nDo you want to proceed?'" }

/** Claude's question whose options have pictures beside them. */
const pictured = asking((label) => `┌──────┐\n│ ${label} │\n│ 1. Yes │\n│ 2. No │\n└──────┘`)

/** Codex's question outside its Plan mode. */
const inDefaultMode: RealCli["ask"] = (question, options) => ({
  blocks: [
    {
      type: "tool",
      name: "request_user_input",
      namespace: "functions",
      input: {
        questions: [
          {
            id: "library",
            header: "Library",
            question,
            options: options.map((label) => ({ label, description: `Use ${label}.` }))
          }
        ]
      }
    }
  ]
})

const claudeJson = (own: Json): Pick<Look, "settings"> => ({ settings: { ".claude.json": own } })
const claudeSettings = (own: Json): Pick<Look, "settings"> => ({ settings: { ".claude/settings.json": own } })
const codexTui = (...own: ReadonlyArray<string>): Pick<Look, "args"> => ({
  args: own.flatMap((it) => ["-c", `tui.${it}`])
})
const copilotSettings = (own: Json): Pick<Look, "settings"> => ({ settings: { ".copilot/settings.json": own } })
const geminiUi = (ui: Json): Pick<Look, "settings"> => ({ settings: { ".gemini/settings.json": { ui } } })
const opencodeTui = (own: Json): Pick<Look, "settings"> => ({ settings: { ".config/opencode/tui.json": own } })

const looks: ReadonlyArray<readonly [cli: RealCli, ReadonlyArray<readonly [name: string, Look]>]> = [
  [
    claude,
    [
      ["a name", { args: ["--name", "work"] }],
      ["a screen reader's", { args: ["--ax-screen-reader"] }],
      ["a screen reader's, by its environment, small", { env: { CLAUDE_AX_SCREEN_READER: "1" }, size: [60, 20] }],
      ["light", { settings: { ".claude.json": { theme: "light-ansi" } } }],
      ["for the colour-blind, verbose", { settings: { ".claude.json": { theme: "dark-daltonized", verbose: true } } }],
      ["no colours", { colourless: true }],
      [
        "a status line of rows like a dialog's, reduced motion",
        { settings: { ".claude/settings.json": { statusLine, prefersReducedMotion: true } } }
      ],
      ["vim keys", { settings: { ".claude.json": { editorMode: "vim" } } }],
      ["fullscreen", { settings: { ".claude/settings.json": { tui: "fullscreen" } } }],
      ["the alternate screen", { env: { CLAUDE_CODE_NO_FLICKER: "1" } }],
      ["no alternate screen", { env: { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: "1" } }],
      [
        "a name, a status line, small",
        { args: ["--name", "work"], settings: { ".claude/settings.json": { statusLine } }, size: [48, 16] }
      ],
      ["wide", { size: [220, 50] }],
      ["a name, by its command", { command: "/rename work" }],
      ["a screen reader's, by its settings", claudeSettings({ axScreenReader: true })],
      ["daltonized light, timestamps", claudeJson({ theme: "light-daltonized", showMessageTimestamps: true })],
      [
        "dark ansi, no highlighting",
        { ...claudeJson({ theme: "dark-ansi" }), env: { CLAUDE_CODE_SYNTAX_HIGHLIGHT: "0" } }
      ],
      [
        "the terminal's theme, the terminal's cursor",
        { ...claudeJson({ theme: "auto" }), env: { CLAUDE_CODE_ACCESSIBILITY: "1" } }
      ],
      ["a status line of three rows, low", { ...claudeSettings({ statusLine: threeRows }), size: [80, 12] }],
      [
        "a status line of three rows, narrow, verbose",
        { args: ["--verbose"], ...claudeSettings({ statusLine: threeRows }), size: [40, 30] }
      ],
      ["what is verbose from the start", claudeSettings({ viewMode: "verbose" })],
      ["focus", claudeSettings({ viewMode: "focus" })],
      ["narrow prose", claudeSettings({ maxProseWidth: 40, syntaxHighlightingDisabled: true })],
      ["pictures beside options", { ask: pictured }],
      [
        "pictures beside options, fullscreen, small",
        { ask: pictured, ...claudeSettings({ tui: "fullscreen" }), size: [48, 16] }
      ],
      ["fullscreen, narrow and low", { ...claudeSettings({ tui: "fullscreen" }), size: [40, 12] }],
      [
        "fullscreen, vim keys, a name, tall",
        {
          args: ["--name", "work"],
          settings: { ".claude/settings.json": { tui: "fullscreen", editorMode: "vim" } },
          size: [200, 60]
        }
      ],
      ["narrow and low", { size: [40, 12] }],
      ["narrow and tall", { size: [40, 60] }],
      ["wide and low", { size: [200, 12] }]
    ]
  ],
  [
    codex,
    [
      ["no alternate screen", { args: ["--no-alt-screen"] }],
      ["no animations, no tips", { args: ["-c", "tui.animations=false", "-c", "tui.show_tooltips=false"] }],
      ["a theme", { args: ["-c", 'tui.theme="github"'] }],
      ["a status line", { args: ["-c", 'tui.status_line=["model-with-reasoning","current-dir","git-branch"]'] }],
      ["no status line", { args: ["-c", "tui.status_line=[]"] }],
      ["no colours", { colourless: true }],
      ["small", { size: [48, 16] }],
      ["small, no alternate screen", { args: ["--no-alt-screen"], size: [60, 18] }],
      ["wide", { size: [220, 50] }],
      ["questions", { args: ["--enable", "default_mode_request_user_input"], ask: inDefaultMode }],
      [
        "questions, small",
        { args: ["--enable", "default_mode_request_user_input"], ask: inDefaultMode, size: [48, 16] }
      ],
      [
        "questions, narrow and low, no alternate screen",
        {
          args: ["--enable", "default_mode_request_user_input", "--no-alt-screen"],
          hidesRefusal: true,
          ask: inDefaultMode,
          size: [40, 12]
        }
      ],
      ["vim keys", codexTui("vim_mode_default=true")],
      ["raw output", codexTui("raw_output_mode=true")],
      ["the whole transcript", codexTui("fullscreen_transcript=true")],
      ["no whole transcript", codexTui("fullscreen_transcript=false", "collapse_turn_details=false")],
      ["a wide sidebar", { ...codexTui("sidebar_width_percent=50"), size: [200, 60] }],
      ["a pet", codexTui('pet="codex"')],
      [
        "a light theme, no colours in its status line",
        codexTui('theme="catppuccin-latte"', "status_line_use_colors=false", "effects.enabled=false")
      ],
      ["narrow and low", { hidesRefusal: true, size: [40, 12] }],
      ["narrow and tall", { size: [40, 60] }],
      ["wide and low", { size: [200, 12] }]
    ]
  ],
  [
    copilot,
    [
      ["a screen reader's", { args: ["--screen-reader"] }],
      ["a screen reader's, small", { settings: { ".copilot/settings.json": { screenReader: true } }, size: [60, 20] }],
      ["a name", { args: ["--name", "work"] }],
      ["no colours", { args: ["--no-color"] }],
      ["a banner", { settings: { ".copilot/settings.json": { banner: "always" } } }],
      [
        "a light theme, no markdown",
        { settings: { ".copilot/settings.json": { theme: "light", renderMarkdown: false } } }
      ],
      [
        "a status line of rows like a dialog's",
        { settings: { ".copilot/settings.json": { statusLine, experimental: true } } }
      ],
      [
        "streamer mode, no scrollbar",
        { settings: { ".copilot/settings.json": { streamerMode: true, scrollbar: false } } }
      ],
      ["plain differences", { args: ["--plain-diff"] }],
      ["small", { size: [48, 16] }],
      ["wide", { size: [220, 50] }],
      ["a screen reader's, narrow and low", { args: ["--screen-reader"], size: [40, 12] }],
      ["high contrast, no tabs", copilotSettings({ theme: "high-contrast", tabs: { enabled: false } })],
      ["for the colour-blind, no mouse", { args: ["--no-mouse"], ...copilotSettings({ theme: "colorblind" }) }],
      [
        "dim, the older banner, tips",
        copilotSettings({ theme: "dim", banner: "always", bannerStyle: "classic", showTipsOnStartup: true })
      ],
      [
        "a status line of three rows, low",
        { ...copilotSettings({ statusLine: threeRows, experimental: true }), size: [80, 12] }
      ],
      ["no colours by its environment", { colourless: true }],
      ["narrow and low", { size: [40, 12] }],
      ["narrow and tall", { size: [40, 60] }],
      ["wide and low", { size: [200, 12] }]
    ]
  ],
  [
    gemini,
    [
      ["a screen reader's", { args: ["--screen-reader"], drawsNoOptions: true }],
      [
        "a screen reader's, small",
        {
          settings: { ".gemini/settings.json": { ui: { accessibility: { screenReader: true } } } },
          drawsNoOptions: true,
          size: [60, 20]
        }
      ],
      ["the alternate buffer", { settings: { ".gemini/settings.json": { ui: { useAlternateBuffer: true } } } }],
      [
        "no footer, no banner, no summary",
        {
          settings: {
            ".gemini/settings.json": {
              ui: { hideFooter: true, hideBanner: true, hideTips: true, hideContextSummary: true }
            }
          }
        }
      ],
      ["a light theme", { settings: { ".gemini/settings.json": { ui: { theme: "GitHub Light" } } } }],
      ["no background", { settings: { ".gemini/settings.json": { ui: { useBackgroundColor: false } } } }],
      ["no colours", { colourless: true }],
      [
        "vim keys, no spinner",
        { settings: { ".gemini/settings.json": { general: { vimMode: true }, ui: { showSpinner: false } } } }
      ],
      ["tools at length", { settings: { ".gemini/settings.json": { ui: { compactToolOutput: false } } } }],
      ["small", { size: [48, 16] }],
      ["wide", { size: [220, 50] }],
      [
        "the alternate buffer, narrow and low",
        { ...geminiUi({ useAlternateBuffer: true }), drawsNoOptions: true, size: [40, 12] }
      ],
      ["the alternate buffer, drawn whole", geminiUi({ useAlternateBuffer: true, incrementalRendering: false })],
      ["the terminal's buffer", geminiUi({ terminalBuffer: true })],
      ["no process of its own to draw", geminiUi({ renderProcess: false })],
      ["phrases", geminiUi({ loadingPhrases: "all", customWittyPhrases: ["1. Allow once", "Apply this change?"] })],
      [
        "thoughts, models and errors",
        geminiUi({ inlineThinkingMode: "full", showModelInfoInChat: true, errorVerbosity: "full", showCitations: true })
      ],
      [
        "everything in its footer",
        geminiUi({ showMemoryUsage: true, footer: { showLabels: true, hideContextPercentage: false } })
      ],
      [
        "the terminal's colours, no lines' numbers",
        geminiUi({ theme: "ANSI", showLineNumbers: false, showShortcutsHint: false })
      ],
      ["a light theme for the colour-blind", geminiUi({ theme: "GitHub Light Colorblind" })],
      ["narrow and low", { drawsNoOptions: true, size: [40, 12] }],
      ["narrow and tall", { size: [40, 60] }],
      ["wide and low", { drawsNoOptions: true, size: [200, 12] }]
    ]
  ],
  [
    opencode,
    [
      ["minimal", { args: ["--mini"], drawsNoDifference: true }],
      ["minimal, small", { args: ["--mini"], drawsNoDifference: true, size: [60, 20] }],
      ["a light theme", { settings: { ".config/opencode/tui.json": { theme: "github" } } }],
      ["stacked differences", { settings: { ".config/opencode/tui.json": { diff_style: "stacked" } } }],
      ["no colours", { colourless: true }],
      ["small", { size: [48, 16] }],
      ["wide", { size: [220, 50] }],
      ["the terminal's colours, no mouse", opencodeTui({ theme: "system", mouse: false })],
      [
        "a narrow prompt, a line for a cursor",
        opencodeTui({ prompt: { max_width: 30, max_height: 2 }, cursor: { style: "line", blinking: false } })
      ],
      [
        "keys of one's own, as objects",
        opencodeTui({
          keybinds: { input_newline: "return", input_submit: [{ key: { name: "return", ctrl: true } }] }
        })
      ],
      ["no title", { env: { OPENCODE_DISABLE_TERMINAL_TITLE: "1" } }],
      ["narrow and low", { drawsNoDifference: true, size: [40, 12] }],
      ["narrow and tall", { size: [40, 60] }],
      ["wide and low", { drawsNoDifference: true, size: [200, 12] }]
    ]
  ]
]

const isNo = (label: string) => /^(?:no\b|reject)/i.test(label)

/** The session waits with a dialog that has options, and what is queued behind it stays where it is. */
const asks = async ({ stays, until }: Session, state: string) => {
  await until(`it is ${state}`, (now) => now.state === state)
  const now = await until("its options are known", ({ question }) => (question?.options.length ?? 0) >= 2)
  await stays("the dialog waits", 1000, (it) => it.state === state && !it.ready)
  return now.question?.options ?? []
}

describe.each(looks)("dialogs of $id", (cli, its) => {
  it.each(isThorough ? its : its.slice(0, 1))(
    "with %s: state, options, answer, and the queue behind it",
    (name, look) =>
      hosted(looking(cli, look), `${cli.id}-${name.replaceAll(/[^a-z]+/g, "-")}`, (session) =>
        Effect.gen(function* () {
          if (look.size !== undefined) yield* attached(session, cli.id, { cols: look.size[0], rows: look.size[1] })
          yield* Effect.promise(async () => {
            const { api, leap, project, tag } = session
            if (look.command !== undefined) {
              await leap(["send", tag, look.command])
              await atRest(session)
              await session.until("the command is done", ({ queue }) => queue.length === 0)
            }
            const arrives = cli.arrives ?? ((text: string) => text)
            api.script(
              cli.shell("mkdir -p out && touch out/one && ls out"),
              say("The folder is there."),
              say("Behind it.")
            )
            await leap(["send", tag, "Make the folder."])
            await leap(["send", tag, "This is the one behind it."])
            await asks(session, "needs_permission")
            assert.notInclude(await leap(["screen", tag]), "the one behind it", "nothing is typed into the dialog")
            await leap(["answer", tag, "1"])
            await answered(session, 3)
            assert.include(api.main[1]?.toolResults.join("\n") ?? "", "one")
            assert.deepStrictEqual(
              api.main[2]?.conversation,
              ["Make the folder.", "This is the one behind it."].map(arrives)
            )
            await atRest(session)

            let count = 3
            const write = look.drawsNoDifference === true ? undefined : writes[cli.id]
            if (write !== undefined) {
              const text = Array.from({ length: 12 }, (_, i) => `line ${i + 1}: 1. Yes, 2. No`).join("\n")
              // Codex writes into its project and into temporary directories unasked
              const file = join(project, cli.id === "codex" ? ".git/made.txt" : "made.txt")
              api.script(write(file, text), say("It is written."))
              await leap(["send", tag, "Write the file."])
              await asks(session, "needs_permission")
              await leap(["answer", tag, "1"])
              await answered(session, (count += 2))
              assert.include(readFileSync(file, "utf8"), "line 12")
              await atRest(session)
            }

            const ask = look.ask ?? cli.ask
            if (ask !== null && look.drawsNoOptions !== true) {
              api.script(ask("Which library?", ["alpha", "beta"]), say("Then beta."))
              await leap(["send", tag, "Choose a library."])
              const options = await asks(session, "needs_input")
              const [alpha, beta] = ["alpha", "beta"].map((name) =>
                options.find(({ label }) => label.replace(/ .*/, "") === name)
              )
              assert.deepStrictEqual([alpha?.number, beta?.number], [1, 2])
              await leap(["answer", tag, "2"])
              await answered(session, (count += 2))
              assert.match(api.main.at(-1)?.toolResults.join() ?? "", /beta/)
              await atRest(session)
            }

            api.script(cli.shell("touch refused"))
            api.otherwise = say("I leave it.")
            await leap(["send", tag, "Make one more."])
            const no = (await asks(session, "needs_permission")).find(({ label }) => isNo(label))
            // its list scrolls, and shows no more where the last options are out of sight
            if (look.hidesRefusal === true) {
              assert.isUndefined(no)
              await leap(["interrupt", tag])
            } else {
              assert.isNotNull(no?.number ?? null)
              await leap(["answer", tag, refusals[cli.id] ?? String(no?.number)])
            }
            // its minimal interface asks for a reason, too
            if (look.args?.includes("--mini") === true) {
              await session.screenShows("Tell OpenCode what to do differently")
              await leap(["keys", tag, "Enter"])
            }
            await session.until("its turn is over", ({ state }) => state === "idle" || state === "interrupted")
            assert.isFalse(existsSync(join(project, "refused")))
            const told = api.main.at(-1)?.toolResults.join() ?? ""
            if (cli.id === "copilot") assert.include(told, refusals[cli.id] ?? "")
          })
        }).pipe(Effect.scoped, Effect.runPromise)
      )
  )
})

// Its box keeps the keys, and no key answers the dialog: neither the user's nor leap's.
describe("gemini's dialog beside an open drawer", () => {
  it("is told, and an answer that its box gets is taken back", () =>
    hosted(
      looking(gemini, { settings: { ".gemini/settings.json": { ui: { collapseDrawerDuringApproval: false } } } }),
      "gemini-drawer",
      async (session) => {
        const { api, leap, tag, tryLeap, until } = session
        api.script(gemini.shell("touch made"))
        await leap(["send", tag, "Make a file."])
        await asks(session, "needs_permission")
        const answer = await tryLeap(["answer", tag, "1"])
        assert.deepStrictEqual(
          [answer.code, /input box, and not to the dialog/.test(answer.err)],
          [5, true],
          answer.err
        )
        await session.screenShows("Type your message")
        await leap(["interrupt", tag])
        await until("it is over", ({ state }) => state !== "needs_permission")
      }
    ))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isThorough } from "../support/run/thorough.ts"
import { answered, atRest } from "./approvals.ts"
import { attached } from "./attached.ts"
import { claude } from "./cli/claude.ts"
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
  /** It ends by itself where it has a difference to draw: what would colour it is not to be had without a network. */
  readonly drawsNoDifference?: true
  /** It draws a question without its options. */
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

/** How the model asks each CLI for a file, which asks its user with a picture of what would change. */
const writes: Readonly<Record<string, (file: string, text: string) => Reply>> = {
  claude: (file, text) => ({
    blocks: [{ type: "tool", name: "Write", input: { file_path: file, content: text } }]
  }),
  copilot: (file, text) => ({
    blocks: [
      {
        type: "tool",
        name: "apply_patch",
        freeform: true,
        input: `*** Begin Patch\n*** Add File: ${file}\n${text.replaceAll(/^/gm, "+")}\n*** End Patch\n`
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

const statusLine = { type: "command", command: "printf 'my line ─── 1. Yes\\n❯ 2. No, and (esc)'", padding: 0 }

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
      ["wide", { size: [220, 50] }]
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
      ["wide", { size: [220, 50] }]
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
      ["wide", { size: [220, 50] }]
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
      ["wide", { size: [220, 50] }]
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
      ["wide", { size: [220, 50] }]
    ]
  ]
]

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
              api.script(write(join(project, "made.txt"), text), say("It is written."))
              await leap(["send", tag, "Write the file."])
              await asks(session, "needs_permission")
              await leap(["answer", tag, "1"])
              await answered(session, (count += 2))
              assert.include(readFileSync(join(project, "made.txt"), "utf8"), "line 12")
              await atRest(session)
            }

            if (cli.ask === null || look.drawsNoOptions === true) return
            api.script(cli.ask("Which library?", ["alpha", "beta"]), say("Then beta."))
            await leap(["send", tag, "Choose a library."])
            const options = await asks(session, "needs_input")
            assert.includeMembers(
              options.map(({ label }) => label.replace(/ .*/, "")),
              ["alpha", "beta"]
            )
            await leap(["answer", tag, "beta"])
            await answered(session, (count += 2))
            assert.match(api.main.at(-1)?.toolResults.join() ?? "", /beta/)
            await atRest(session)
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

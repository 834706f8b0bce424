import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { claudeDetection } from "../../../src/domain/providers/claude/Detection.ts"
import type { ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import { Providers } from "../../../src/services/Providers.ts"
import { acts, at, compacts, endHook, ends, look, sends, wait } from "../support/ClaudeActor.ts"
import { playOn, redraw } from "../support/recordedScene.ts"
import { is, play, signal } from "../support/replayScene.ts"
import { type ListedRows, numbered, type ScenarioRow } from "../support/scenarioTable.ts"
import {
  atRest,
  box,
  busy,
  compacting,
  modelPicker,
  permission,
  question
} from "../../support/session/claudeScreens.ts"

/** test_provider_behaviors.py */
export const ids = numbered("PRV", 38)

export const listed: ReadonlyArray<ListedRows> = [
  {
    ids: ["PRV-01", "PRV-02", "PRV-03", "PRV-04", "PRV-23", "PRV-24"],
    why: "they read the original's knobs of a CLI (pattern lists, hidden cursor, silence time-out); leap has none: a provider reads structure, and bounds are shared (rules/limits.ts)"
  }
]

const read = (rows: ReadonlyArray<string>): ScreenFacts =>
  claudeDetection.readScreen({
    cols: 100,
    rows: rows.length + 3,
    lines: rows,
    alternate: true,
    title: "",
    whole: true,
    faint: () => "",
    runs: () => [],
    cursor: { x: 2, y: 0, visible: false }
  })
const rule = "─".repeat(100)
const mode = "  ⏸ manual mode on"
const hasBox =
  (expected: boolean, ...screens: ReadonlyArray<ReadonlyArray<string>>) =>
  () => {
    for (const rows of screens) assert.strictEqual(read(rows).box !== null, expected, rows.join("\n"))
  }
const badge = (text: string) => `${"─".repeat(70)} ${text} ──`
const boxUnder = (top: string) => [top, "❯ ", rule, mode]

const byStructure =
  "the transcript is not asked: what runs shows on screen, and a turn that goes on draws its row there"
const byWord =
  "the end of a turn is told by the CLI's hook, its status report and its screen, not by silence and not by its transcript"

/** Codex at rest after its first turn, and once more with a row of the conversation changed. */
const codex = "codex/simple-reply"
const codexSays = (text: string) => () =>
  Effect.gen(function* () {
    const frame = yield* redraw(codex, 13, (rows) => {
      const at = rows.findLastIndex((row) => row.startsWith("•"))
      assert.isAbove(at, 0)
      return rows.with(at, `• ${text}`)
    })
    yield* playOn(codex, 13, [
      [0.1, is("idle")],
      [0.5, frame],
      [1, is("idle")],
      [8, is("idle", { ready: true })]
    ])
  })

/** Compaction that Claude speaks of, on a Codex screen. */
export const codexIgnoresCompaction = codexSays("Compacting conversation")

const everyProvider = (check: (id: string) => Effect.Effect<void, unknown>) => () =>
  Effect.gen(function* () {
    const { all } = yield* Effect.provide(Providers, ProvidersBuiltin.layer)
    const ids = all.filter(({ bundled }) => !bundled).map(({ id }) => id)
    assert.isAtLeast(ids.length, 4)
    for (const id of ids) yield* check(id)
  })

const known = (id: string) => () =>
  Effect.gen(function* () {
    const found = yield* Effect.flatMap(Providers, ({ get }) => get(id)).pipe(Effect.provide(ProvidersBuiltin.layer))
    assert.strictEqual(found.id, id)
    assert.isFalse(
      found.detection.readScreen({
        cols: 80,
        rows: 24,
        lines: ["Compacting conversation", "and Allow once in prose"],
        alternate: false,
        title: "",
        whole: true,
        faint: () => "",
        runs: () => [],
        cursor: { x: 0, y: 0, visible: true }
      }).working
    )
  })

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "PRV-05",
    says: "Codex rests after a turn",
    differs: byWord,
    check: () =>
      playOn(codex, 13, [
        [0.1, is("idle")],
        [9, is("idle", { ready: true })]
      ])
  },
  { id: "PRV-06", says: "Codex's output at rest, its cursor hidden, begins no turn", check: codexSays("And a note.") },
  {
    id: "PRV-07",
    says: "compaction is seen on Claude's screen",
    check: () =>
      assert.deepStrictEqual([read(compacting).working, read(compacting).activity], [true, "Compacting conversation…"])
  },
  {
    id: "PRV-08",
    says: "dialogs are seen on it",
    check: () =>
      assert.deepStrictEqual([read(permission).dialog?.kind, read(question).dialog?.kind], ["permission", "question"])
  },
  {
    id: "PRV-09",
    says: "either cursor glyph makes a menu",
    check: () => {
      for (const glyph of ["❯", "›"]) {
        const facts = read(permission.map((row) => row.replace("❯ 1.", `${glyph} 1.`)))
        assert.deepStrictEqual(facts.dialog?.options[0], { number: 1, label: "Yes", selected: true })
      }
    }
  },
  {
    id: "PRV-10",
    says: "the box between its rules, empty and with text",
    check: () =>
      assert.deepStrictEqual(
        [read([rule, "❯", rule, "  ? for shortcuts"]).box, read([rule, "❯ fix it", rule, "  ? for shortcuts"]).box],
        [{ draft: "" }, { draft: "fix it" }]
      )
  },
  {
    id: "PRV-11",
    says: "pickers have none",
    check: hasBox(
      false,
      [
        "▔".repeat(100),
        "  Resume session (3 of 40)",
        "  ╭────────╮",
        "  │ ⌕ Search… │",
        "  ╰────────╯",
        "",
        "  ❯ Fix the login",
        "    2 hours ago",
        "",
        "  Esc to cancel"
      ],
      [
        rule,
        "  Manage MCP servers",
        "",
        "  ❯ docs · ✔ connected",
        "",
        "  ↑/↓ to navigate · Enter to confirm · Esc to cancel"
      ],
      [
        rule,
        "  Agents",
        "",
        "  ❯ Create new agent",
        "",
        "    No agents found.",
        "  Press ↑↓ to navigate · Enter to select · Esc to go back"
      ]
    )
  },
  {
    id: "PRV-12",
    says: "the option that the cursor is on is known, and a plain list has none",
    check: () => {
      const menu = (on: number, glyph: string) => [
        rule,
        " Bash command",
        " ls",
        " Do you want to proceed?",
        ...Array.from({ length: 5 }, (_, i) => ` ${i + 1 === on ? glyph : " "} ${i + 1}. Choice ${i + 1}`),
        "",
        " Esc to cancel"
      ]
      const selected = (rows: ReadonlyArray<string>) =>
        read(rows).dialog?.options.find((option) => option.selected)?.number ?? null
      assert.deepStrictEqual([selected(menu(5, "❯")), selected(menu(2, "›"))], [5, 2])
      assert.isNull(read(box(["● Three ways:", "  1. This", "  2. That", "  3. Neither"])).dialog)
    }
  },
  {
    id: "PRV-13",
    says: "a footer with keys is a UI's, and no prose's",
    check: () => {
      assert.isTrue(
        read([rule, "  Status   Config   Usage", "", "  Model  Opus", "", "  ←/→ to switch · Esc to close"]).picker
      )
      assert.isFalse(read(box(["● Then use ↑/↓ to navigate and Esc to close it."])).picker)
      assert.isFalse(read([]).picker)
    }
  },
  {
    id: "PRV-14",
    says: "the short rules of a slider are no box",
    check: () => {
      const slider = [
        "▔".repeat(100),
        "  Effort",
        "",
        "  Faster ────────▲──────── Smarter",
        "  ❯ medium",
        "  ─────────────────",
        "",
        "  ←/→ to adjust · Enter to confirm · Esc to cancel"
      ]
      assert.deepStrictEqual([read(slider).box, read(slider).picker], [null, true])
    }
  },
  {
    id: "PRV-15",
    says: "the borders of a table are no rules",
    check: hasBox(
      false,
      ["┌─".padEnd(60, "─") + "┐", "❯ ", "└─".padEnd(60, "─") + "┘"],
      ["├─".padEnd(60, "─") + "┤", "❯ ", "├─".padEnd(60, "─") + "┤"]
    )
  },
  {
    id: "PRV-16",
    says: "a badge may be set into the rule, a sentence or a slider not",
    check: () => {
      for (const text of ["my-long-session-name-23", "plan", "skill: review", "feature/login_2", "(2)"])
        hasBox(true, boxUnder(badge(text)))()
      hasBox(false, boxUnder(`── ${"a sentence that goes on and on ".repeat(2)}──`))()
    }
  },
  {
    id: "PRV-17",
    says: "a box on a narrow terminal",
    check: hasBox(true, ["─".repeat(50), "❯ ", "─".repeat(50), mode])
  },
  {
    id: "PRV-18",
    says: "a box with a hard blank behind its glyph",
    check: () =>
      assert.deepStrictEqual(
        [read([rule, "❯\u00a0", rule, mode]).box, read([rule, "❯\u00a0fix it", rule, mode]).box],
        [{ draft: "" }, { draft: "fix it" }]
      )
  },
  {
    id: "PRV-19",
    says: "a box with rows of text",
    check: () =>
      assert.deepStrictEqual(read([rule, "❯ one", "  two", "  three", rule, mode]).box, { draft: "one\ntwo\nthree" })
  },
  {
    id: "PRV-20",
    says: "a box without its lower rule",
    differs: "is none: today's CLI always draws it, and what is half drawn is never typed into",
    check: hasBox(false, [rule, "❯ ", "", mode])
  },
  {
    id: "PRV-21",
    says: "a rule in prose is no box",
    check: hasBox(false, ["● Above", rule, "  Below it.", rule, "● And on."])
  },
  {
    id: "PRV-22",
    says: "the chosen row of a picker is no box",
    check: () => assert.deepStrictEqual([read(modelPicker).box, read(modelPicker).picker], [null, true])
  },
  {
    id: "PRV-25",
    says: "Cursor Agent is known, and another CLI's words mean no work on it",
    check: known("cursor-agent")
  },
  { id: "PRV-26", says: "so is Gemini", check: known("gemini") },
  { id: "PRV-27", says: "Claude's words mean nothing on Codex's screen", check: codexIgnoresCompaction },
  {
    id: "PRV-28",
    says: "Codex's own line of an interrupt does",
    check: () =>
      playOn("codex/interrupt-esc-stream", 11.5, [
        [0.1, is("interrupted", { ready: false })],
        [7, is("interrupted", { ready: false })]
      ])
  },
  {
    id: "PRV-29",
    says: "Codex's completed turn is over",
    differs: byWord,
    check: () => playOn(codex, 11.5, [[0.1, is("idle")]])
  },
  {
    id: "PRV-30",
    says: "a completion of the turn before does not end the next",
    check: () => playOn(codex, 14.9, [[0.05, is("running", { ready: false })]])
  },
  {
    id: "PRV-31",
    says: "an end hook in the middle of a tool does not end the turn",
    differs: byStructure,
    check: acts(sends, endHook, look("running", { ready: false }), wait(10), at("running", { ready: false }))
  },
  { id: "PRV-32", says: "an end hook at the end does", check: acts(sends, ends, look("idle", { ready: true })) },
  {
    id: "PRV-33",
    says: "a tool of the turn before does not hold this one",
    check: acts(sends, ends, look("idle"), sends, look("running"), ends, look("idle", { ready: true }))
  },
  {
    id: "PRV-34",
    says: "no transcript is needed",
    check: () => {
      assert.deepStrictEqual(
        [read(atRest).box, read(atRest).working, read(busy()).working],
        [{ draft: "" }, false, true]
      )
      return acts(sends, ends, look("idle", { ready: true }))()
    }
  },
  {
    id: "PRV-35",
    says: "two minutes of one tool are work",
    differs: byStructure,
    check: acts(sends, compacts, wait(120), at("running", { ready: false }))
  },
  {
    id: "PRV-36",
    says: "the transcript is the one that the CLI's hook names",
    check: () =>
      assert.deepStrictEqual(
        claudeDetection.readHook("SessionStart", {
          session_id: "s1",
          transcript_path: "/p/s1.jsonl",
          source: "startup"
        }),
        [{ _tag: "SessionStarted", sessionId: "s1", transcriptPath: "/p/s1.jsonl", source: "startup" }]
      )
  },
  {
    id: "PRV-37",
    says: "the bare state of rest is heard for every CLI",
    check: everyProvider((id) =>
      play(id, [
        [1, signal("needs_permission")],
        [2, is("needs_permission")],
        [3, signal("idle")],
        [5, is(["idle", "starting"], { ready: false })]
      ])
    )
  },
  {
    id: "PRV-38",
    says: "so are those of waiting",
    check: everyProvider((id) =>
      play(id, [
        [1, signal("needs_permission")],
        [2, is("needs_permission", { ready: false })],
        [3, signal("needs_input")],
        [4, is("needs_input", { ready: false })]
      ])
    )
  }
]

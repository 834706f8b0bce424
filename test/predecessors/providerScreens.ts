import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { isIdlePromptVisible, screenShowsSelectionDialog } from "../../src/domain/engine/tracker/ArrowGate.ts"
import { backgroundWorkState } from "../../src/domain/engine/tracker/BackgroundWork.ts"
import { claudeInput } from "../../src/domain/providers/claude/Input.ts"
import { readScreen } from "../../src/domain/providers/claude/Screen.ts"
import * as Codex from "../../src/layers/providers/codex/Provider.ts"
import * as Copilot from "../../src/layers/providers/copilot/Provider.ts"
import { blankFacts, type Dialog, type ScreenFacts, type ScreenView } from "../../src/domain/words/session/Screen.ts"
import { claude as staged } from "./support/stages/claude.ts"
import { codex as stagedCodex } from "./support/stages/codex.ts"
import { copilot as stagedCopilot } from "./support/stages/copilot.ts"
import { holds } from "./support/ScenarioTrace.ts"
import { type ListedRows, numbered, type ScenarioRow } from "./support/scenarioTable.ts"
import { modelPicker, permission, question, trust } from "../support/session/claudeScreens.ts"

/** What is read off a screen, and how it is answered. */
export const ids = [...numbered("O", 5), ...numbered("P", 2)]

const view = (lines: ReadonlyArray<string>, more: Partial<ScreenView> = {}): ScreenView => ({
  cols: 80,
  rows: Math.max(24, lines.length),
  lines,
  faint: () => "",
  runs: () => [],
  cursor: { x: 2, y: 0, visible: false },
  alternate: true,
  title: "✳ Claude Code",
  whole: true,
  ...more
})
const read = (lines: ReadonlyArray<string>, more: Partial<ScreenView> = {}): ScreenFacts =>
  readScreen(view(lines, more))
const optionsOf = (lines: ReadonlyArray<string>) =>
  read(lines).dialog?.options.map(({ label, number }) => `${number} ${label}`)

const rule = "─".repeat(80)
const mode = "  ⏸ manual mode on"
const box = (
  above: ReadonlyArray<string> = ["● Hello."],
  draft: ReadonlyArray<string> = ["❯"],
  footer: ReadonlyArray<string> = ["", mode],
  top = rule
) => [...above, "", top, ...draft, rule.slice(0, top.length), ...footer]
/** A UI of the CLI's that the user opened. */
const opened = (...rows: ReadonlyArray<string>) => ["❯ hello", "", "▔".repeat(80), ...rows]
/** A permission with these options. */
const asking = (above: ReadonlyArray<string>, ...options: ReadonlyArray<string>) => [
  ...above,
  rule,
  " Bash command",
  " mkdir out",
  " Do you want to proceed?",
  ...options,
  "",
  " Esc to cancel"
]
const dialogOf = (labels: ReadonlyArray<string>): Dialog => ({
  kind: "question",
  title: "Which?",
  options: labels.map((label, i) => ({ number: i + 1, label, selected: i === 0 }))
})
const background = (lines: ReadonlyArray<string>) => backgroundWorkState(read(lines))
const trace = (provider: string, ...each: ReadonlyArray<string>) =>
  holds("", "", provider, each.map((one, i) => `[#${i + 1}]; ${one}`).join("; ")).check

const structure =
  "a screen is read by its structure, whole: no pattern is looked for in its text, so that none is certain or uncertain"

export const rows: ReadonlyArray<ScenarioRow> = [
  {
    id: "O-01",
    says: "Claude's dialogs are seen by their keys and numbers, prose is none",
    differs: structure,
    check: () => {
      for (const lines of [
        permission,
        question,
        trust,
        asking([], " ❯ 1. Yes", "   2. No"),
        asking([], " › 1. Yes", "   2. No")
      ]) {
        assert.isTrue(screenShowsSelectionDialog(read(lines)), lines.join("\n"))
      }
      for (const lines of [
        box(),
        box(["● Press Esc to cancel, or Enter to select."]),
        box(["● Choose:", "  1. Yes", "  2. No", "  Esc to cancel"])
      ])
        assert.isFalse(screenShowsSelectionDialog(read(lines)), lines.join("\n"))
      assert.isNull(read(["Enter to select, I said.", "", "more"]).dialog)
    }
  },
  {
    id: "O-02",
    says: "Claude's box is seen with a draft, on a narrow screen, with a label; a UI of the CLI's or a drawing is none",
    differs:
      "the box is drawn between two rules: one of which only the upper is there is half drawn, and no prompt to type into",
    check: () => {
      const narrow = "─".repeat(50)
      for (const [lines, draft] of [
        [box(), ""],
        [box([], ["❯ fix it"]), "fix it"],
        [box([], ["❯\u00a0fix it"]), "fix it"],
        [box([], ["❯ one", "  two"]), "one\ntwo"],
        [box([], ["❯ x"], ["", mode], narrow), "x"]
      ] as const)
        assert.deepStrictEqual(
          [isIdlePromptVisible(read(lines)), read(lines).box?.draft],
          [true, draft],
          lines.join("\n")
        )
      for (const label of ["Opus 5", "v2.1.329", "~/project", "my session (2)"]) {
        assert.isTrue(
          isIdlePromptVisible(read(box([], ["❯"], ["", mode], `${"─".repeat(76 - label.length)} ${label} ──`))),
          label
        )
      }
      for (const lines of [
        modelPicker,
        opened("  Resume Session", "", "  ❯ Fix the login", "    Add tests", "", "  Esc to cancel"),
        opened("  Manage MCP servers", "", "  ❯ 1. lab", "", "  Esc to close"),
        opened("  Agents", "", "  ❯ Create new agent", "", "  Esc to close"),
        opened("  Effort", "", "   low ──▲── high", "", "  ←/→ to adjust · Enter to save · Esc to cancel"),
        [rule, "❯ half drawn"],
        ["┌─────┬─────┐", "│ ❯ a │ b   │", "└─────┴─────┘"],
        ["████████░░░░ 60 %", "●●●●○○", "─────▲─────"],
        box([], ["❯ hi"], ["", mode], `─ ${"a long sentence that is no label ".repeat(2)}─`),
        ["● It drew a line:", "  ─────", "  ❯ quoted", "  ─────"]
      ])
        assert.isFalse(isIdlePromptVisible(read(lines)), lines.join("\n"))
    }
  },
  {
    id: "O-03",
    says: "Claude's cursor on an option; a list without one, and keys named in prose, are no choice",
    differs: structure,
    check: () => {
      for (const glyph of ["❯", "›"])
        assert.isTrue(read(asking([], ` ${glyph} 1. Yes`, "   2. No")).dialog?.options[0]?.selected, glyph)
      assert.isTrue(
        screenShowsSelectionDialog(
          read(opened("  Something", "", "  Enter to select · ↑/↓ to navigate · Esc to cancel"))
        )
      )
      for (const lines of [
        box(["● So:", "  1. Yes", "  2. No"]),
        box(["● Then Enter to select · ↑/↓ to navigate · Esc to cancel"], ["❯"]),
        [""],
        []
      ]) {
        assert.isFalse(screenShowsSelectionDialog(read(lines)), lines.join("\n"))
      }
    }
  },
  {
    id: "O-04",
    says: "Claude's background work: in its mode line, or in the turn's end; not in prose, and not known where nothing tells",
    differs:
      "nothing is known of it while the mode line is away, whatever prose says; Codex's terminals in the background start no turn, and are nothing to wait for",
    check: () => {
      const footer = (text: string, ...below: ReadonlyArray<string>) => box([], ["❯"], ["", text, ...below])
      const hint = "  Press Ctrl-C again to exit"
      for (const verb of ["Brewed", "Cooked", "Sautéed"])
        assert.strictEqual(
          background(box([`✻ ${verb} for 2s · done 7:47 AM · 1 shell still running`], ["❯"], [hint])),
          "active",
          verb
        )
      for (const lines of [
        footer(`${mode} · 1 shell · ↓ to manage`),
        footer(`${mode} · 2 shells · ← for agents`),
        footer(`${mode} · 1 monitor`, "", "  ● main"),
        [...footer(`${mode} · 1 shell`), ...Array.from({ length: 40 }, () => "")]
      ])
        assert.strictEqual(background(lines), "active", lines.join("\n"))
      assert.strictEqual(background(footer(mode)), "finished")
      assert.strictEqual(background(box(["● There are 3 monitors · 2 shells still running"])), "finished")
      for (const lines of [[], ["", "  "], ["Some prose."], box(["● ← for agents, it says"], ["❯"], [hint])])
        assert.strictEqual(background(lines), "unknown", lines.join("\n"))
      const how = { cols: 80, cursor: true, asks: "permission", draft: "", beat: 0 } as const
      const frame = stagedCodex(
        [{ parts: ["txt"], long: false, dotted: false, text: "2 monitors · 1 shell still running" }],
        how
      )
      const [row = 1, column = 1] = frame.caret ?? []
      const codex = Codex.provider.detection.readScreen(
        view(frame.rows, { cursor: { x: column - 1, y: row - 1, visible: true }, title: "project" })
      )
      assert.deepStrictEqual([codex.box, backgroundWorkState(codex)], [{ draft: "" }, "unknown"])
      assert.strictEqual(backgroundWorkState(blankFacts), "unknown")
      assert.strictEqual(
        backgroundWorkState({ ...blankFacts, blank: false, background: 0 }),
        "unknown",
        "without the box"
      )
      assert.strictEqual(
        background(staged([{ parts: ["MON"], long: false, dotted: false, text: null }], how).rows),
        "active"
      )
    }
  },
  {
    id: "O-05",
    says: "arrows go to what asks or lets choose, to nothing else",
    differs:
      "a blank screen is no dialog, whatever a hook said before: one counts once it is drawn, or where the screen cannot be read",
    check: () =>
      Effect.gen(function* () {
        yield* (
          trace(
            "claude",
            "send ⇒RUN; out[clr: txt×2 / opt×2 / FOOT+·]; arrows→CLI",
            'send ⇒RUN; out[clr: "half a frame"]; sig=PERM; arrows→CLI',
            "send ⇒RUN; out[clr: txt×4 / txt· / txt / txt· / EscCan+·]; arrows→CLI",
            "send ⇒RUN; out[clr: txt×3 / txt·×3 / txt / EscCan+EnterConf+Nav+·]; arrows→CLI",
            "send ⇒RUN; out[clr: txt×5 / EnterSel+EscClose+Nav+·]; arrows→CLI",
            "send ⇒RUN; arrows→recall",
            "send ⇒RUN; out[clr: EscCan~long]; arrows→recall",
            "send ⇒RUN; out[clr: FOOT / txt×6 / HR / ❯row / HR / txt]; arrows→recall"
          )() ?? Effect.void
        )
        yield* (
          trace(
            "codex",
            "send ⇒RUN; out[clr: txt / ›1. / opt×2 / EnterConf+EscBack]; arrows→CLI",
            "send ⇒RUN; out[clr: txt×3 / EscCan+EnterConf]; arrows→CLI",
            "send ⇒RUN; out[clr: txt×3 / EscCan]; arrows→CLI",
            "send ⇒RUN; out[clr: txt / txt·]; arrows→recall",
            "send ⇒RUN; out[clr: txt / opt]; arrows→recall"
          )() ?? Effect.void
        )
      })
  },
  {
    id: "P-01",
    says: "Claude's options by their number: option 1, option 10; an option that is not there, and one that takes a text, are refused and nothing is typed",
    differs: "in today's Claude a digit chooses at once: a return behind it would answer the next dialog",
    check: () => {
      assert.deepStrictEqual(claudeInput.answer(dialogOf(["Yes", "No"]), "1"), { _tag: "Keys", writes: ["1"] })
      const twelve = dialogOf(Array.from({ length: 12 }, (_, i) => `option ${i + 1}`))
      assert.deepStrictEqual(claudeInput.answer(twelve, "10"), { _tag: "Keys", writes: ["\u001b[B".repeat(9), "\r"] })
      assert.match(
        (claudeInput.answer(dialogOf(["Yes", "No"]), "3") as { readonly why?: string }).why ?? "",
        /no option 3; on screen are: 1 Yes, 2 No/
      )
      assert.match(
        (claudeInput.answer(dialogOf(["Red", "Type something."]), "2") as { readonly why?: string }).why ?? "",
        /takes a text/
      )
      assert.deepStrictEqual(claudeInput.answer(dialogOf(["Red", "Type something."]), "green"), {
        _tag: "Keys",
        writes: ["2", "green", "\r"]
      })
    }
  },
  {
    id: "P-02",
    says: "a menu's options are read without cursor and border; steps of a plan and older menus above it are none of them",
    differs:
      "a menu is read at its place in a dialog, where its frame is told from its text: none is looked for in what is no dialog, no CLI writes its numbers without a point, and what does not begin with 1 is a part of a menu, not a menu; CLIs without numbers are read, too",
    check: () => {
      assert.deepStrictEqual(optionsOf(asking([], " ❯ 1. Yes", "   2. Yes, and don't ask again", "   3. No")), [
        "1 Yes",
        "2 Yes, and don't ask again",
        "3 No"
      ])
      const plan = [
        "▔".repeat(80),
        "",
        `  ${"─".repeat(78)}`,
        "   Ready to code?",
        "",
        "   1. Read app.js",
        "   2. Change it",
        "   3. Test it",
        "",
        `  ${"─".repeat(78)}`,
        "   Would you like to proceed?",
        "",
        "   ❯ 1. Yes, and use auto mode",
        "     2. Yes, manually approve edits",
        "     3. Tell Claude what to change"
      ]
      assert.deepStrictEqual(optionsOf(plan), [
        "1 Yes, and use auto mode",
        "2 Yes, manually approve edits",
        "3 Tell Claude what to change"
      ])
      assert.deepStrictEqual(
        optionsOf(asking(["● Before:", "  ❯ 1. Old", "    2. Older", ""], " ❯ 1. Yes", "   2. No")),
        ["1 Yes", "2 No"]
      )
      assert.deepStrictEqual(optionsOf(asking([], " ❯ 1. Yes", "   3. No")), ["1 Yes"], "a gap ends it")
      const how = { cols: 80, cursor: false, asks: "permission", draft: "", beat: 0 } as const
      const framed = Copilot.provider.detection.readScreen(
        view(stagedCopilot([{ parts: ["FOOT"], long: false, dotted: false, text: null }], how).rows, {
          title: "GitHub Copilot"
        })
      )
      assert.deepStrictEqual(
        framed.dialog?.options.map(({ label, number }) => `${number} ${label}`),
        [
          "1 Yes",
          "2 Yes, and don't ask again for `mkdir`",
          "3 No, and tell Copilot what to do differently (Esc to stop)"
        ]
      )
      const numberless = read([
        rule,
        " Accessing workspace:",
        "",
        " ❯ No, exit",
        "   Yes, I trust this folder",
        "",
        " Enter to confirm · Esc to cancel"
      ]).dialog
      assert.deepStrictEqual(
        numberless?.options.map(({ label, number }) => [number, label]),
        [
          [null, "No, exit"],
          [null, "Yes, I trust this folder"]
        ]
      )
      assert.isUndefined(optionsOf(box(["● 1 is less than 2", "  1 without a point", "  2 neither"])))
      // a text of any length is read in the time that its length takes: this would not end otherwise
      assert.isUndefined(optionsOf(box(Array.from({ length: 200 }, (_, i) => `  ${i}. ${" 1. word".repeat(2000)}`))))
    }
  }
]

export const listed: ReadonlyArray<ListedRows> = []

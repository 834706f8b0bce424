import { assert, describe, it } from "@effect/vitest"
import { knownProgram, knownPrograms } from "../../../../src/domain/providers/generic/ScreenPrograms.ts"
import { patternReader } from "../../../../src/domain/providers/generic/Screen.ts"
import type { ScreenFacts } from "../../../../src/domain/words/session/Screen.ts"
import { patternKinds, patternProblem } from "../../../../src/domain/store/settings/screenPatterns.ts"
import type { ScreenPatterns } from "../../../../src/domain/store/settings/Settings.ts"

const rule = "─".repeat(40)
const read = (patterns: ScreenPatterns, rows: ReadonlyArray<string>, faint: ReadonlyArray<string> = []): ScreenFacts =>
  patternReader(patterns)({
    cols: 80,
    rows: 24,
    lines: [...rows, ...Array.from({ length: Math.max(0, 24 - rows.length) }, () => "")],
    faint: (y) => faint[y] ?? "",
    runs: () => [],
    cursor: { x: 0, y: 0, visible: false },
    alternate: false,
    title: "⠋ odd",
    whole: true
  })

const odd = { box: ["in» {draft}"], busy: ["~ {wheel} *"], done: ["~ at rest"], dialog: ["!! *"] }
const rests = { ...odd, done: ["{box}"] }

describe("a screen that is read by patterns", () => {
  it.each<readonly [what: string, facts: ScreenFacts, expected: Partial<ScreenFacts> & { readonly unknown?: true }]>([
    ["a box at rest", read(odd, ["hello", "~ at rest", "in»"]), { box: { draft: "" }, working: false, resting: true }],
    ["its draft", read(odd, ["~ at rest", "in» some text"]), { box: { draft: "some text" } }],
    [
      "its draft of several rows",
      read(odd, ["in» some text", "    and more", "", "    no more"]),
      { box: { draft: "some text\nand more" } }
    ],
    [
      "a draft that the terminal broke",
      read(odd, [`in» ${"x".repeat(76)}`, "yy"]),
      { box: { draft: `${"x".repeat(76)}\nyy` } }
    ],
    ["a faint placeholder", read(odd, ["in» type here"], ["    type here"]), { box: { draft: "" } }],
    [
      "a box at work",
      read(odd, ["~ ⠹ doing it", "in»"]),
      { box: { draft: "" }, working: true, activity: "~ ⠹ doing it", resting: false }
    ],
    ["a box that says nothing", read(odd, ["in»"]), { box: { draft: "" }, working: false, resting: false }],
    ["a box that rests where nothing is busy", read(rests, ["in»"]), { resting: true }],
    ["one that does not", read(rests, ["~ ⠹ doing it", "in»"]), { resting: false, working: true }],
    [
      "a dialog over the box",
      read(odd, ["!! may it", "in»"]),
      { box: null, dialog: { kind: "other", title: "!! may it", options: [] } }
    ],
    [
      "an old dialog far above",
      read(odd, ["!! may it", ...Array.from({ length: 30 }, () => "text"), "in»"]),
      { box: { draft: "" }, dialog: null }
    ],
    ["a box far above", read(odd, ["in»", ...Array.from({ length: 15 }, () => "text")]), { box: null }],
    [
      "a common box, with patterns for others",
      read({ busy: ["x *"] }, [rule, ">", rule]),
      { box: { draft: "" }, unknown: true }
    ],
    ["a common box, with no patterns", read({}, [rule, "> half", rule]), { box: { draft: "half" }, unknown: true }],
    [
      "a common box that rests",
      read({ busy: odd.busy, done: ["~ at rest"] }, ["~ at rest", rule, ">", rule]),
      { box: { draft: "" }, resting: true }
    ],
    ["nothing known", read(odd, ["hello"]), { box: null, dialog: null }],
    ["nothing at all", read(odd, []), { blank: true, box: null, working: false }],
    ["a title", read({ ...odd, busy: ["title: {wheel} odd"] }, ["in»"]), { working: true }]
  ])("%s", (_, facts, expected) => {
    assert.deepInclude(facts, expected)
    assert.strictEqual(facts.unknown, expected.unknown)
  })

  it.each(knownPrograms.map(({ name }) => [name] as const))("the shipped patterns of %s are patterns", (name) => {
    const known = knownProgram(`/usr/bin/${name}`)
    assert.isNotNull(known)
    for (const kind of patternKinds)
      for (const source of known?.screen[kind] ?? []) assert.isNull(patternProblem(kind, source), source)
    assert.isNull(knownProgram(`${name}x`))
    assert.isNull(knownProgram("constructor"))
  })
})

/** Rows that the CLIs drew in these versions. */
describe("the screens of the shipped patterns' CLIs", () => {
  const shown = (name: string, rows: ReadonlyArray<string>) => read(knownProgram(name)?.screen ?? {}, rows)
  it.each<readonly [string, ReadonlyArray<string>, Partial<ScreenFacts>]>([
    [
      "qwen",
      [rule, ">   Type your message or @path/to/file", rule, "  ? for shortcuts"],
      { box: { draft: "" }, resting: true, dialog: null }
    ],
    [
      "qwen",
      ["  ⠧ Musing... (2s · ↓ 55 tokens · esc to cancel)", rule, "> next", rule],
      { box: { draft: "next" }, working: true, resting: false }
    ],
    ["cline", [" ❯ hi", " * Done.", "", rule, "❯ Ask anything...", rule], { box: { draft: "" }, working: false }],
    ["cline", [" Cline needs permission", "", "  [y] Approve   [n] Deny"], { box: null, working: false }],
    ["cline", ["   ❯ Wh   Open ClinePass", "          Press Enter to open, any other key to close"], { box: null }]
  ])("%s: %j", (name, rows, expected) => {
    const facts = shown(name, rows)
    assert.deepInclude(facts, expected)
    assert.isUndefined(facts.unknown)
    assert.strictEqual(facts.dialog === null, facts.box !== null)
  })
})

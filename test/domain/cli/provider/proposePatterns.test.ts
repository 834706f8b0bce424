import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type PatternProposal,
  proposePatterns,
  type ScreenSample,
  type WatchedPrompt
} from "../../../../src/domain/cli/provider/proposePatterns.ts"
import { patternKinds, patternProblem } from "../../../../src/domain/store/settings/screenPatterns.ts"

/** How a program draws: what was said, its row of work at this tick, its box with this draft. */
interface Look {
  readonly rows: (said: ReadonlyArray<string>, work: string | null, draft: string) => ReadonlyArray<string>
  readonly work: (tick: number) => string
  readonly title?: (tick: number | null) => string
}

const rule = "─".repeat(40)
const braille = ["⠋", "⠙", "⠹", "⠸"]

/** One turn of four seconds, watched: the user types, sends, and looks on for a while. `quiet`: it shows no work then. */
const turn = (look: Look, quiet: (tick: number) => boolean = () => false, late: ReadonlyArray<string> = []) => {
  const samples: Array<ScreenSample> = []
  const show = (at: number, said: ReadonlyArray<string>, tick: number | null, draft: string) =>
    samples.push({
      at,
      lines: look.rows(said, tick === null || quiet(tick) ? null : look.work(tick), draft),
      title: look.title?.(tick) ?? ""
    })
  const said = ["Welcome."]
  show(500, said, null, "")
  show(1_200, said, null, "make ")
  show(1_500, said, null, "make it so")
  for (let tick = 0; tick < 40; tick++) show(2_100 + tick * 100, [...said, "> make it so", "It is bei"], tick, "")
  show(6_200, [...said, "> make it so", "It is being made."], null, "")
  show(9_000, [...said, "> make it so", "It is being made.", ...late], null, "")
  const prompts: ReadonlyArray<WatchedPrompt> = [{ from: 1_000, at: 2_000, text: "make it so" }]
  return proposePatterns(samples, prompts)
}

const framed: Look = {
  rows: (said, work, draft) => [
    ...said,
    ...(work === null ? [] : ["", work]),
    rule,
    `> ${draft === "" ? "  Type here" : draft}`,
    rule
  ],
  work: (tick) => `  ${braille[tick % 4]} Thinking hard... (${tick}s · esc to cancel)`
}

describe("the patterns that are proposed", () => {
  it.each<readonly [what: string, proposed: PatternProposal, screen: PatternProposal["screen"]]>([
    [
      "a wheel with a hint over a box with a placeholder",
      turn(framed),
      { box: ["> Type here", "> {draft}"], busy: [" {wheel} *esc to cancel*"], done: ["{box}"] }
    ],
    [
      "a box in a frame, and a hint without a wheel",
      turn({
        rows: (said, work, draft) => [...said, work ?? "", `╭${rule}╮`, `│ ❯ ${draft.padEnd(30)} │`, `╰${rule}╯`],
        work: () => "  press ctrl+c to stop"
      }),
      { box: ["│ ❯ {draft} │"], busy: ["*ctrl+c to stop*"], done: ["{box}"] }
    ],
    [
      "a wheel of characters that nobody else uses",
      turn({
        rows: (said, work, draft) => [...said, work ?? "~ at rest", `in» ${draft}`],
        work: (tick) => `${["◰", "◳", "◲", "◱"][tick % 4]} working`
      }),
      { box: ["in» {draft}"], busy: ["◰ *", "◳ *", "◲ *", "◱ *"], done: ["{box}"] }
    ],
    [
      "a wheel in the title alone",
      turn({
        rows: (said, _, draft) => [...said, `$ ${draft}`],
        work: () => "",
        title: (tick) => (tick === null ? "odd" : `${braille[tick % 4]} odd`)
      }),
      { box: ["$ {draft}"], busy: ["title: {wheel} *"], done: ["{box}"] }
    ],
    [
      "work that is not shown throughout: the box proves no rest",
      turn(framed, (tick) => tick > 15 && tick < 30),
      { box: ["> Type here", "> {draft}"], busy: [" {wheel} *esc to cancel*"] }
    ],
    [
      "text that comes after the last sign of work",
      turn(framed, () => false, ["And there is much more to say about it than that."]),
      { box: ["> Type here", "> {draft}"], busy: [" {wheel} *esc to cancel*"] }
    ],
    [
      "no sign before the box",
      turn({ ...framed, rows: (said, work, draft) => [...said, work ?? "", draft] }),
      { busy: [" {wheel} *esc to cancel*"] }
    ],
    ["nothing that was typed", proposePatterns([{ at: 0, lines: ["> "], title: "" }], []), {}]
  ])("%s", (_, { notes, screen }, expected) => {
    assert.deepStrictEqual(screen, expected)
    assert.strictEqual(
      notes.some((note) => note.includes("no turn was watched")),
      Object.keys(expected).length === 0
    )
  })

  const Row = Schema.Array(
    Schema.Literals(["> ", "make it", " ", "⠋ ", "⠙ ", "esc to cancel", "*", "{", "\\", "x", "│"])
  )
  it.prop(
    "are patterns, whatever was on the screen",
    { frames: Schema.Array(Schema.Array(Row)), text: Schema.String },
    ({ frames, text }) => {
      const samples = frames.map((rows, n) => ({ at: n * 100, lines: rows.map((row) => row.join("")), title: "⠋ x" }))
      const at = (frames.length * 100) / 2
      const { screen } = proposePatterns(samples, [{ from: at / 2, at, text: `make it ${text}` }])
      const problems = patternKinds.flatMap((kind) =>
        (screen[kind] ?? []).map((source) => patternProblem(kind, source))
      )
      assert.deepStrictEqual(
        problems.filter((problem) => problem !== null),
        []
      )
    }
  )
})

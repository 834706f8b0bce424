import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { width } from "../../../../src/domain/surfaces/tui/Cells.ts"
import { encode, type PaintFrame, lineWidth, paint, type Drawn } from "../../../../src/domain/surfaces/tui/Paint.ts"
import {
  previewed,
  selectedOf,
  start,
  type PickerState,
  update
} from "../../../../src/domain/surfaces/picker/Picker.ts"
import { view } from "../../../../src/domain/surfaces/picker/PickerView.ts"
import type { PickRow } from "../../../../src/domain/surfaces/picker/Rows.ts"
import { home, manyRows } from "../../../support/data/pickRows.ts"

const now = 1_800_000_000_000
const cwd = `${home}/work/leap`
const open = (rows: ReadonlyArray<PickRow>, cols: number, height: number): PickerState =>
  start({ rows, home, cwd, size: { cols, rows: height } })
const text = (frame: PaintFrame): ReadonlyArray<string> =>
  frame.lines.map((line) =>
    line
      .map(({ text }) => text)
      .join("")
      .trimEnd()
  )
const shows = (state: PickerState) => text(view(state, now))
const typed = (state: PickerState, text: string) => update(state, { key: "text", text })
/** The joiners of emoji of several code points: the only invisible characters that stay. */
const joiners = /(?<=\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d(?=\p{Extended_Pictographic})/gu
const sgr = /\x1b\[[\d;]*m/g

describe("what the picker shows", () => {
  it("80x24: the search, the list with its marks, the last exchange, the keys", () => {
    let state = open(manyRows(20, now), 80, 24)
    state = previewed(state, selectedOf(state)?.key ?? "", {
      lastUser: "Fix the\x1b[31m bug\nplease",
      lastAssistant: "Done.\n\nAll is well."
    })
    assert.deepStrictEqual(
      shows(state),
      [
        "Resume › type to search                                                 20 of 20",
        "❯ api                   Alpha Code      0s            ~/work/leap  here",
        "  web-frontend          Beta            7s            ~/work/api server  ● live",
        "  docs                  Gamma Comma…   28s            …src/日本語/プロジェクト ●",
        "  a-tag-that-is-much-…  Alpha Code      1m            …/on/until/it/fits/no/line",
        "  Zürich-名前           Beta            1m            ~/play 🚀",
        "  leap                  Gamma Comma…    2m            ~/work/web  ✗ missing",
        "  api-0                 Alpha Code      4m            /srv/other",
        "  web-frontend-0        Beta            5m            ~/work/api server",
        "  docs-0                Gamma Comma…    7m            ~/src/日本語/プロジェクト",
        "  a-tag-that-is-much-…  Alpha Code      9m            …/on/until/it/fits/no/line",
        "  Zürich-名前-0         Beta           11m            ~/play 🚀",
        "  leap-0                Gamma Comma…   14m            ~/work/web",
        "  api-1                 Alpha Code     16m  6a99b44c  ~/work/leap  here",
        "  … 7 more",
        "── api · Alpha Code · 00000000-0000-4000-8000-000000000000 · 700 B ─────────────",
        "› Fix the bug",
        "  please",
        "• Done.",
        "  All is well.",
        "",
        "",
        "",
        " Enter resumes · Esc cancels · Tab this directory only · ↑↓ PgUp PgDn move"
      ].map((line) => line.trimEnd())
    )
  })

  it("30x8 and 20x5: the search and the list", () => {
    const state = open(manyRows(20, now), 30, 8)
    assert.deepStrictEqual(shows(state), [
      "› type to search         20/20",
      "❯ api                    0s",
      "  web-frontend           7s ●",
      "  docs                  28s ●",
      "  a-tag-that-is-much-…   1m",
      "  Zürich-名前            1m",
      "  … 15 more",
      " Enter resumes · Esc cancels"
    ])
    assert.deepStrictEqual(shows(update(open(manyRows(20, now), 20, 5), { key: "end" })), [
      "› type to se…  20/20",
      "  leap-1      33m",
      "  api-1       37m",
      "❯ web-front…",
      "  … 17 more above"
    ])
  })

  it("200x60: the last exchange beside the list", () => {
    let state = open(manyRows(3, now), 200, 60)
    state = previewed(state, selectedOf(state)?.key ?? "", { lastUser: "Q", lastAssistant: "A" })
    const lines = shows(state)
    assert.strictEqual(lines.length, 60)
    assert.deepStrictEqual(
      lines.slice(1, 8).map((line) => line.slice(line.indexOf("│"))),
      [
        "│ api · Alpha Code",
        "│ 00000000-0000-4000-8000-000000000000 · 700 B · 0s ago",
        "│ ~/work/leap",
        "│",
        "│ › Q",
        "│",
        "│ • A"
      ]
    )
  })

  it("says where nothing is found", () => {
    assert.strictEqual(shows(open([], 60, 8))[1], "  no sessions yet")
    assert.strictEqual(shows(typed(open(manyRows(5, now), 60, 8), "zzz"))[1], "  no session matches")
    assert.strictEqual(
      shows(update(typed(open(manyRows(5, now), 60, 8), "docs"), { key: "tab" }))[1],
      "  no session matches in this directory (Tab: all)"
    )
    assert.include(shows(update(open(manyRows(5, now), 80, 8), { key: "tab" }))[0], "1 of 5 · this directory")
  })

  it("marks what matched, with colours or without, and the cursor stands behind the query", () => {
    const frame = view(typed(open(manyRows(3, now), 80, 24), "AP"), now)
    assert.deepStrictEqual(frame.cursor, { x: 11, y: 0 })
    const row = (colour: boolean) => encode(frame, colour).rows[1] ?? ""
    assert.include(row(true), "\x1b[1;4;33map\x1b[m\x1b[1mi")
    assert.include(row(false), "\x1b[1;4map\x1b[m\x1b[1mi")
    assert.notMatch(encode(frame, false).rows.join(""), /\x1b\[[\d;]*[39]\d/)
    const byId = view(typed(open(manyRows(20, now), 80, 24), "6a99"), now)
    assert.include(encode(byId, true).rows[1] ?? "", "4;33m6a99\x1b[m")
  })

  it("a live session is attached to, under the name it runs under", () => {
    const state = typed(open(manyRows(3, now), 120, 24), "docs")
    assert.include(shows(state)[1] ?? "", "● live as docs2")
    assert.include(shows(state).at(-1) ?? "", "Enter attaches · Esc clears")
  })
})

describe("properties", () => {
  const Text = Schema.Array(
    Schema.Literals([
      "a",
      "api ",
      "日本",
      "🎉",
      "e\u0301",
      "👨\u200d👩",
      "\x1b[2J",
      "\x1b]0;t\x07",
      "\x07",
      "\r\n",
      "\t",
      "\u009b1m",
      "\u202e",
      "\ud83d",
      "word ".repeat(20),
      "x".repeat(90)
    ])
  )
  const Side = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))
  const rowsOf = (pieces: ReadonlyArray<string>): ReadonlyArray<PickRow> =>
    manyRows(12, now).map((row, i) => {
      const text = pieces.slice(i % 3).join("")
      return i % 2 === 0
        ? row
        : {
            ...row,
            tag: text,
            displayName: text,
            cli: text,
            sessionId: `${text}${i}`,
            cwd: text,
            liveAs: i % 4 === 1 ? text : null
          }
    })

  it.prop(
    "has the screen's size, and nothing on it but text and our own styles",
    { pieces: Text, query: Text, cols: Side(160), height: Side(40), down: Side(12) },
    ({ cols, down, height, pieces, query }) => {
      let state = typed(open(rowsOf(pieces), cols, height), query.join("").replace(/\p{Cc}/gu, ""))
      if (state.matches.length === 0) state = update(state, { key: "ctrl+u" })
      for (let i = 0; i < down; i++) state = update(state, { key: "down" })
      state = previewed(state, selectedOf(state)?.key ?? "", {
        lastUser: pieces.join(""),
        lastAssistant: pieces.join("\n")
      })
      const frame = view(state, now)
      assert.strictEqual(frame.lines.length, height)
      for (const line of frame.lines) assert.isAtMost(lineWidth(line), cols)
      assert.isTrue(frame.cursor!.x >= 0 && frame.cursor!.x < cols && frame.cursor!.y === 0)
      for (const row of encode(frame, true).rows) {
        const bare = row.replace(sgr, "")
        assert.notMatch(bare.replace(joiners, ""), /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
        assert.isAtMost(width(bare), cols)
      }
      // the selected row is on the screen wherever there is a list at all
      if (height > 1 && cols > 2) assert.strictEqual(text(frame).filter((line) => line.startsWith("❯")).length, 1)
    },
    { arbitrary: { runs: 80 } }
  )

  /** A terminal that knows what `paint` writes, and nothing else: by row and column what stands there. */
  const draw = (screen: Map<number, Array<string>>, bytes: string): void => {
    let [x, y, code] = [0, 0, ""]
    const known = /\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m|\x1b\[(2[KJ])|\x1b\[\?\d+[hl]|(.)/gsu
    for (const [, row, column, style, clear, char] of bytes.matchAll(known)) {
      if (row !== undefined) [y, x] = [Number(row) - 1, Number(column) - 1]
      if (style !== undefined) code = style
      if (clear === "2K") screen.set(y, [])
      if (clear === "2J") screen.clear()
      if (char === undefined) continue
      const cells = screen.get(y) ?? []
      cells[x++] = code + char
      screen.set(y, cells)
    }
  }

  it.prop(
    "drawing what differs shows what drawing all of it shows",
    { queries: Schema.Array(Schema.Literals(["a", "w", "docs", "", "zz", "1"])) },
    ({ queries }) => {
      const screen = new Map<number, Array<string>>()
      let drawn: Drawn | null = null
      let state = open(manyRows(30, now), 70, 16)
      for (const query of queries) {
        state = query === "" ? update(state, { key: "ctrl+u" }) : typed(state, query)
        const next: Drawn = encode(view(state, now), true)
        const bytes = paint(drawn, next)
        draw(screen, bytes)
        const fresh = new Map<number, Array<string>>()
        draw(fresh, paint(null, next))
        for (const [y] of next.rows.entries()) assert.deepStrictEqual(screen.get(y) ?? [], fresh.get(y) ?? [])
        if (bytes !== "" && drawn !== null)
          assert.isTrue(
            bytes.endsWith(`\x1b[${next.cursor.y + 1};${next.cursor.x + 1}H`) || bytes.endsWith("\x1b[?25h\x1b[?2026l")
          )
        assert.strictEqual(paint(next, next), "")
        drawn = next
      }
    },
    { arbitrary: { runs: 40 } }
  )
})

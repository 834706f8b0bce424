import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { utf8ToLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import * as Keys from "../../../../src/domain/surfaces/tui/Keys.ts"
import {
  previewed,
  resized,
  selectedOf,
  start,
  type PickerState,
  update,
  wantsPreview
} from "../../../../src/domain/surfaces/picker/Picker.ts"
import {
  age,
  bytesText,
  entriesOf,
  type PickRow,
  search,
  tilde,
  wordsOf
} from "../../../../src/domain/surfaces/picker/Rows.ts"
import { home, manyRows } from "../../../support/data/pickRows.ts"
import { cut, Cuts } from "../../../support/data/streams.ts"

const now = 1_800_000_000_000
const cwd = `${home}/work/leap`
const rowOf = (row: Partial<PickRow>): PickRow => ({
  tag: "t",
  cli: "alpha",
  displayName: "Alpha Code",
  sessionId: "0a",
  cwd: "/x",
  lastSeen: 1,
  bytes: null,
  liveAs: null,
  missing: false,
  ...row
})
const open = (rows: ReadonlyArray<PickRow>, size = { cols: 80, rows: 24 }) => start({ rows, home, cwd, size })
const few = [
  rowOf({ tag: "one", sessionId: "1f", lastSeen: 10 }),
  rowOf({ tag: "two", sessionId: "2f", lastSeen: 40, cwd }),
  rowOf({ tag: "three", sessionId: "3f", lastSeen: 0 }),
  rowOf({ tag: "four", sessionId: "4f", lastSeen: 30, cwd })
]

/** The picker after bytes and the wait for more of them. */
const feed = (state: PickerState, ...chunks: ReadonlyArray<string>): PickerState => {
  let scan = Keys.start
  for (const chunk of chunks) {
    const decoded = Keys.decode(scan, chunk)
    scan = decoded.state
    state = decoded.keys.reduce(update, state)
  }
  return Keys.flushHeld(scan).keys.reduce(update, state)
}
const selected = (state: PickerState): string | undefined => selectedOf(state)?.tag
const result = ({ left, picked }: PickerState) => [left, picked]
const tags = (state: PickerState) => state.matches.map(({ tag }) => tag)

describe("rows", () => {
  it("ages, sizes and directories are told in few characters", () => {
    for (const [ms, text] of [
      [0, "0s"],
      [59_999, "59s"],
      [60_000, "1m"],
      [3_599_000, "59m"],
      [3_600_000, "1h"],
      [86_399_000, "23h"],
      [86_400_000, "1d"],
      [4e10, "462d"],
      [-5000, "0s"]
    ] as const) {
      assert.strictEqual(age(now - ms, now), text)
    }
    assert.strictEqual(age(0, now), "")
    for (const [bytes, text] of [
      [0, "0 B"],
      [999, "999 B"],
      [1000, "1 kB"],
      [1549, "1.5 kB"],
      [999_499, "999 kB"],
      [999_500, "1 MB"],
      [2_345_678_901, "2.3 GB"],
      [5e15, "5000 TB"]
    ] as const) {
      assert.strictEqual(bytesText(bytes), text)
    }
    for (const [path, text] of [
      [home, "~"],
      [`${home}/a`, "~/a"],
      [`${home}x`, `${home}x`],
      ["/", "/"]
    ] as const)
      assert.strictEqual(tilde(path, home), text)
    assert.strictEqual(tilde("/a", "/"), "/a")
  })

  it("names have no sequence that a terminal would obey", () => {
    const [entry] = entriesOf(
      [
        rowOf({
          tag: "a\x1b[2Jb",
          displayName: "C\x07",
          sessionId: "\x1b]0;x\x07id",
          cwd: "/a\nb\x9b31m",
          liveAs: "\x1b[Hl"
        })
      ],
      home,
      cwd
    )
    assert.deepStrictEqual(
      [entry?.tag, entry?.badge, entry?.id, entry?.path, entry?.liveAs],
      ["ab", "C", "id", "/a b", "l"]
    )
  })
})

describe("search", () => {
  const rows = entriesOf(
    [
      rowOf({ tag: "leap", sessionId: "11", lastSeen: 1, cwd: "/srv" }),
      rowOf({ tag: "x", sessionId: "leap-id", lastSeen: 2, cwd: "/srv" }),
      rowOf({ tag: "y", sessionId: "22", lastSeen: 3, cli: "leaping", cwd: "/srv" }),
      rowOf({ tag: "in", sessionId: "no-leap", lastSeen: 9, cwd: `${home}/Leap/Größe` }),
      rowOf({ tag: "z", sessionId: "33", lastSeen: 8, displayName: "Beta", cwd: "/srv" })
    ],
    home,
    cwd
  )
  const of = (query: string) => search(rows, wordsOf(query)).map(({ tag }) => tag)

  it("a tag that is typed whole comes first, then names, CLIs and beginnings of ids, then directories", () => {
    assert.deepStrictEqual(of("leap"), ["leap", "y", "x", "in"])
    assert.deepStrictEqual(of("LEAP"), ["leap", "y", "x", "in"])
    assert.deepStrictEqual(of("lea"), ["y", "x", "leap", "in"])
  })

  it("all words must match, wherever", () => {
    assert.deepStrictEqual(of("srv leap"), ["y", "x", "leap"])
    assert.deepStrictEqual(of("  beta   z "), ["z"])
    assert.deepStrictEqual(of("beta leap"), [])
    assert.deepStrictEqual(of(""), ["in", "z", "y", "x", "leap"])
  })

  it("letters are found however they are composed, and the home by either name", () => {
    assert.deepStrictEqual(of("gro\u0308sse"), [])
    assert.deepStrictEqual(of("GRO\u0308ß"), ["in"])
    assert.deepStrictEqual(of("~/leap"), ["in"])
    assert.deepStrictEqual(of(`${home}/leap`), ["in"])
  })
})

describe("keys", () => {
  it.each<readonly [string, string | undefined]>([
    ["\x1b[6~", "three"],
    ["one", "one"],
    ["three\x15", "two"],
    ["nothing of that", undefined],
    ["nothing of that\x1b[B\x1b[A\x1b[6~\x1b[F\x15", "two"]
  ])("%j selects %s", (bytes, tag) => assert.strictEqual(selected(feed(open(few), bytes)), tag))

  it("Enter picks, in the order of the keys; where nothing matches it does nothing", () => {
    assert.strictEqual(feed(open(few), "\x1b[B\r").picked?.tag, "four")
    assert.strictEqual(feed(open(few), "on\re").picked?.tag, "one")
    assert.isFalse(feed(open(few), "zzz\r").left)
    assert.isFalse(feed(open([]), "\r\x1b[A\x1b[B\x1b[6~\t").left)
  })

  it("Escape clears the query, then cancels; Ctrl+C and Ctrl+D cancel at once; nothing comes after", () => {
    const cleared = feed(open(few), "one\x1b")
    assert.deepStrictEqual([cleared.query.text, cleared.left, tags(cleared).length], ["", false, 4])
    assert.deepStrictEqual(result(feed(cleared, "\x1b")), [true, null])
    for (const bytes of ["one\x03", "one\x04", "\x03\r", "one\x1b\x1b"])
      assert.deepStrictEqual(result(feed(open(few), bytes)), [true, null], JSON.stringify(bytes))
    assert.deepStrictEqual(feed(open(few), "\r\x03x").picked?.tag, "two")
  })

  it("Tab leaves the sessions of this directory, and brings the others back; the selection stays where it can", () => {
    const here = feed(open(few), "\x1b[B\t")
    assert.deepStrictEqual([tags(here), selected(here)], [["two", "four"], "four"])
    assert.strictEqual(selected(feed(here, "\t")), "four")
    assert.strictEqual(selected(feed(open(few), "\x1b[F\t")), "two")
    assert.deepStrictEqual(tags(feed(open(few), "o\t")), ["two", "four"])
    assert.deepStrictEqual(tags(feed(open(few), "three\t")), [])
  })

  it("the list scrolls no further than it must", () => {
    const many = open(manyRows(50, now), { cols: 60, rows: 8 })
    // 6 rows: 5 entries and the word of the others
    const tops = (bytes: string) => feed(many, bytes).top
    assert.strictEqual(tops("\x1b[B".repeat(4)), 0)
    assert.strictEqual(tops("\x1b[B".repeat(5)), 1)
    assert.strictEqual(tops("\x1b[B".repeat(7) + "\x1b[A".repeat(4)), 3)
    assert.strictEqual(tops("\x1b[B".repeat(7) + "\x1b[A".repeat(5)), 2)
    assert.strictEqual(tops("\x1b[A"), 45)
    assert.strictEqual(tops("\x1b[6~"), 1)
    assert.strictEqual(feed(many, "\x1b[6~").selected, 5)
    const far = resized(feed(many, "\x1b[A"), { cols: 60, rows: 5 })
    assert.deepStrictEqual([far.selected, far.top], [49, 47])
    assert.deepStrictEqual(resized(far, { cols: 60, rows: 200 }).top, 0)
  })

  it("asks for the last exchange of the selected session alone, once, and where there is room for it", () => {
    const state = open(few)
    const entry = wantsPreview(state)
    assert.strictEqual(entry?.tag, "two")
    const known = previewed(state, entry?.key ?? "", { lastUser: "x".repeat(100_000), lastAssistant: null })
    assert.isNull(wantsPreview(known))
    assert.isAtMost(known.previews.get(entry?.key ?? "")?.lastUser?.length ?? 0, 10_000)
    assert.strictEqual(wantsPreview(feed(known, "\x1b[B"))?.tag, "four")
    assert.isNull(wantsPreview(feed(feed(known, "\x1b[B"), "\x1b[A")))
    assert.isNull(wantsPreview(previewed(state, entry?.key ?? "", null)))
    assert.isNull(wantsPreview(resized(state, { cols: 80, rows: 10 })))
    assert.isNull(wantsPreview(feed(state, "zzz")))
  })
})

describe("properties", () => {
  const Bytes = Schema.Array(
    Schema.Literals([
      "a",
      "e",
      "p",
      "i ",
      "web",
      "~/",
      "-1",
      "ü",
      "日",
      "q",
      "\x7f",
      "\x15",
      "\x17",
      "\t",
      "\x1b[A",
      "\x1b[B",
      "\x1bOA",
      "\x1b[5~",
      "\x1b[6~",
      "\x1b[H",
      "\x1b[F",
      "\x1b",
      "\x1b[200~",
      "\x1b[201~",
      "\x1b[200~api\n\x1b[201~",
      "\x1b[",
      "\x1b[<0;1;1M",
      "\x1b]11;x\x07",
      "\x00",
      "\xff"
    ])
  )
  const Edge = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))
  const latin1 = (pieces: ReadonlyArray<string>) =>
    pieces.map((piece) => (piece === "\xff" ? piece : utf8ToLatin1(piece))).join("")
  const opened = open(manyRows(40, now))

  it.prop(
    "any burst makes the same state, wherever it is cut",
    { pieces: Bytes, cuts: Cuts },
    ({ cuts, pieces }) => {
      const bytes = latin1(pieces)
      const after = (...chunks: ReadonlyArray<string>) => {
        const { left, picked, onlyHere, query, redraws, selected, matches, top } = feed(opened, ...chunks)
        return {
          left,
          picked,
          onlyHere,
          query: query.text,
          redraws,
          selected,
          matches: matches.map(({ key }) => key),
          top
        }
      }
      const whole = after(bytes)
      assert.deepStrictEqual(after(...cut(bytes, cuts)), whole)
      assert.deepStrictEqual(after(...bytes), whole)
    },
    { arbitrary: { runs: 100 } }
  )

  it.prop(
    "the selection is one of those shown, whatever is pressed and however the terminal is sized",
    { pieces: Bytes, cols: Edge, height: Edge },
    ({ cols, height, pieces }) => {
      let state = resized(opened, { cols, rows: height })
      for (const piece of pieces) {
        state = feed(state, latin1([piece]))
        assert.isTrue(
          Number.isInteger(state.selected) && state.selected >= 0 && state.selected < Math.max(1, state.matches.length)
        )
        assert.isTrue(state.top >= 0 && state.top <= state.selected)
        assert.isTrue(state.matches.every((entry) => state.entries.includes(entry)))
      }
    },
    { arbitrary: { runs: 100 } }
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { editTables, parse, quote, type TableEdits, valueAt } from "../../../../src/domain/words/formats/TomlEdit.ts"

const parent = ["hooks", "state"]
const none: TableEdits = { rename: new Map(), drop: new Set(), set: new Map() }
const edit = (text: string | null, edits: Partial<TableEdits>) => editTables(text, parent, { ...none, ...edits })
const edited = (text: string | null, edits: Partial<TableEdits>): string | null => {
  const result = edit(text, edits)
  if (Result.isFailure(result)) throw new Error(`${result.failure.line}:${result.failure.column} ${result.failure.why}`)
  return result.success
}
const set = (...keys: ReadonlyArray<string>) => ({
  set: new Map(keys.map((key) => [key, { hash: `h ${key}` }] as const))
})
const drop = (...keys: ReadonlyArray<string>) => ({ drop: new Set(keys) })
const valueOf = (text: string): unknown => Result.getOrThrow(parse(text)).value

describe("tables", () => {
  it("are written where there is no file, and taken away with it", () => {
    const text = edited(null, set("/a b:stop:0:0", '"q"\\'))
    assert.strictEqual(
      text,
      '[hooks.state."/a b:stop:0:0"]\nhash = "h /a b:stop:0:0"\n\n[hooks.state."\\"q\\"\\\\"]\nhash = "h \\"q\\"\\\\"\n'
    )
    assert.isNull(edited(text, drop("/a b:stop:0:0", '"q"\\')))
    assert.isNull(edited(edited(text, drop("/a b:stop:0:0")), drop('"q"\\')))
    assert.isNull(edited(null, drop("a")))
  })

  it.each([
    ["empty", ""],
    ["a comment", "# mine"],
    ["a last line without its end", "a = 1"],
    ["blank lines at the end", "a = 1\n\n\n"],
    ["white space at the end", "a = 1\n  "],
    ["CRLF", "a = 1\r\n[b]\r\nc = 2\r\n"],
    ["CRLF without its end", "a = 1\r\n[b]\r\nc = 2"],
    ["a byte order mark", "\uFEFFa = 1\n"],
    ["a parent of the user's", '[hooks.state]\n\n[hooks.state."mine"]\nhash = "1" # mine\nenabled = false\n\n[z]\n'],
    ["dotted keys", 'hooks.state.mine.hash = "1"\n[x]\n'],
    ["the parent's own values", "[hooks]\na = 1\n[hooks.state]\nz = 2\n"]
  ])("come and go without a trace: %s", (_, text) => {
    const after = edited(text, set("a", "b")) ?? ""
    assert.strictEqual(valueAt(valueOf(after), [...parent, "b", "hash"]), "h b")
    assert.strictEqual(edited(after, set("a", "b")), after)
    assert.strictEqual(edited(after, drop("a", "b")), text)
    assert.strictEqual(edited(edited(after, drop("b")), drop("a")), text)
  })

  it("are changed where they stand, in whichever way they are written", () => {
    for (const [before, after] of [
      [
        "[hooks.state.a] # mine\nhash = '1' # old\nenabled = true\n",
        '[hooks.state.a] # mine\nhash = "h a" # old\nenabled = true\n'
      ],
      ["[ hooks . state . 'a' ]\n", "[ hooks . state . 'a' ]\nhash = \"h a\"\n"],
      ['[hooks.state]\na.hash = "1"\n', '[hooks.state]\na.hash = "h a"\n'],
      ['[hooks.state]\na = { hash = "1", x = 1 }\n', '[hooks.state]\na = { hash = "h a", x = 1 }\n'],
      ["[hooks.state]\na = {}\n", '[hooks.state]\na = { hash = "h a" }\n'],
      ["[hooks]\nstate.a = { x = 1 }\n", '[hooks]\nstate.a = { x = 1, hash = "h a" }\n'],
      ['hooks.state.a.hash = "1"\nb = 1\n', 'hooks.state.a.hash = "h a"\nb = 1\n']
    ] as const) {
      assert.strictEqual(edited(before, set("a")), after)
      assert.strictEqual(edited(after, set("a")), after)
    }
  })

  it("go, in whichever way they are written, and leave what is not theirs", () => {
    for (const [before, after] of [
      ['x = 1\n\n[hooks.state.a]\nhash = "1"\nenabled = false\n\n# after\n[z]\n', "x = 1\n\n# after\n[z]\n"],
      ["[hooks.state]\n\n[hooks.state.a]\n", "[hooks.state]\n"],
      ['[hooks.state]\na.hash = "1"\na.x = 2\nb.hash = "2"\n', '[hooks.state]\nb.hash = "2"\n'],
      ['[hooks]\n# mine\nstate.a = { hash = "1" } # gone\n', "[hooks]\n# mine\n"],
      ["[hooks.state.a]\n\n[hooks.state.a.below]\nx = 1\n[hooks.state.b]\n", "[hooks.state.b]\n"]
    ] as const)
      assert.strictEqual(edited(before, drop("a")), after)
  })

  it("are moved, with all that is in them, also into each other's places", () => {
    const text =
      '[hooks.state.a]\nhash = "a"\n\n[hooks.state.\'b\'] # mine\nhash = "b"\nenabled = false\n\n[hooks.state.c]\nhash = "c"\n'
    assert.strictEqual(
      edited(text, {
        rename: new Map([
          ["b", "a"],
          ["c", "b"]
        ]),
        ...drop("a")
      }),
      '[hooks.state."a"] # mine\nhash = "b"\nenabled = false\n\n[hooks.state."b"]\nhash = "c"\n'
    )
    assert.deepStrictEqual(
      valueOf(
        edited(text, {
          rename: new Map([
            ["a", "c"],
            ["c", "a"]
          ])
        }) ?? ""
      ),
      { hooks: { state: { c: { hash: "a" }, b: { hash: "b", enabled: false }, a: { hash: "c" } } } }
    )
  })

  it.each([
    ["an inline parent", "a = 1\nhooks = { state = {} }\n"],
    ["a parent that is no table", "[hooks]\nstate = 3\n"],
    ["a parent that is a list", "[[hooks.state]]\nx = 1\n"]
  ])("are not forced into what cannot hold them: %s", (_, text) => {
    const result = edit(text, set("a"))
    assert.isTrue(Result.isFailure(result))
  })

  it.each([
    ["a = \n", 2, 1],
    ["a = 1\nb 2\n", 2, 3],
    ["a = 1\na = 2\n", 2, 1],
    ["[x]\n[x]\n", 2, 2]
  ])("are not put into a text that is no TOML, and the place is told: %j", (text, line, column) => {
    const result = edit(text, set("a"))
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result))
      assert.deepStrictEqual([result.failure.line, result.failure.column], [line, column], result.failure.why)
  })
})

/**
 * A text of TOML made from one number: tables, arrays of tables, comments, strings over several lines, laid out in any
 * way.
 */
const tomlFrom = (start: number): string => {
  let state = start >>> 0
  const pick = (n: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return (state >>> 8) % n
  }
  const eol = pick(3) === 0 ? "\r\n" : "\n"
  const value = (): string =>
    [
      "1",
      "true",
      '"x # [y]"',
      "'a\\'",
      `"""${eol}[hooks.state.k]${eol}"""`,
      `[1, # one${eol} [2]]`,
      "{ a = 1, b.c = 'd' }",
      "1979-05-27"
    ][pick(8)] ?? ""
  const between = (): string => ["", "", eol, `# c [t]${eol}`, `  ${eol}${eol}`][pick(5)] ?? ""
  const pairs = (prefix: string): string =>
    Array.from(
      { length: pick(4) },
      (_, index) =>
        `${["", "  "][pick(2)]}${prefix}${index}${["=", " = "][pick(2)]}${value()}${["", " # mine"][pick(2)]}${eol}${between()}`
    ).join("")
  const states = Array.from(
    { length: pick(3) },
    (_, index) => `[hooks.state."k ${index}"]${eol}hash = "${index}"${eol}${between()}`
  ).join("")
  const tables = Array.from(
    { length: pick(4) },
    (_, index) => `${pick(2) === 0 ? `[t${index}.s]` : `[[l${index}]]`}${eol}${between()}${pairs("v")}`
  )
  const all = [...tables, states].sort(() => pick(3) - 1).join("")
  const text = between() + pairs("r") + all
  return (pick(6) === 0 ? "\uFEFF" : "") + (pick(4) === 0 ? text.trimEnd() : text)
}

describe("any TOML", () => {
  it.prop(
    "takes tables and lets them go without a trace",
    [Schema.Int],
    ([number]) => {
      const text = tomlFrom(number)
      const before = valueOf(text)
      const after = edited(text, set("a:0", 'é"', "z")) ?? ""
      for (const key of ["a:0", 'é"', "z"])
        assert.strictEqual(valueAt(valueOf(after), [...parent, key, "hash"]), `h ${key}`, text)
      assert.isTrue(after.startsWith(text))
      assert.strictEqual(edited(after, set("a:0", 'é"', "z")), after)
      assert.strictEqual(edited(after, drop("a:0", 'é"', "z")), text, JSON.stringify(text))
      const changed = edited(after, { set: new Map([["z", { hash: "new" }]]), ...drop("a:0") }) ?? ""
      assert.strictEqual(edited(changed, drop('é"', "z")), text)
      assert.deepStrictEqual(valueOf(edited(after, drop("a:0", 'é"', "z")) ?? ""), before)
    },
    { arbitrary: { runs: 400 } }
  )

  it.prop("quotes any text", [Schema.String], ([text]) => {
    if (!text.isWellFormed()) return
    assert.deepStrictEqual(valueOf(`a = ${quote(text)}`), { a: text })
  })
})

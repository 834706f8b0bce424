import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { numbered } from "../support/scenarioTable.ts"
import * as hooks from "./providerHooks.ts"
import * as providers from "./providers.ts"
import * as sessionRecords from "./sessionRecords.ts"
import * as settings from "./settings.ts"

/** How many rows each section of the predecessor's provider scenarios has; K is one sentence, whose items are numbered in order. */
const sections = { A: 5, B: 13, C: 4, D: 17, E: 9, F: 6, G: 14, H: 13, I: 5, J: 9, K: 21, L: 9, M: 7, N: 7, O: 9, P: 4, Q: 41 } as const

/** Tables that hold rows of these sections, an id in one of them alone. */
const tables = { hooks, providers, sessionRecords, settings } as const

const root = join(import.meta.dirname, "..")
/** The scenarios of agents have sections of the same letters; this file has examples of titles. */
const isOfOthers = (file: string): boolean => /(?:^|\/)agents/i.test(file) || file.endsWith(basename(import.meta.filename))

const plain = (id: string): string => id.replace(/^([A-Q])-?0*(\d+)$/, "$1$2")

/** `A1`, and for `B4–B7` all four. */
const idsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\b([A-Q])(\d{1,2})(?:–\1(\d{1,2}))?\b/g)].flatMap(([, section = "", first, last]) =>
    numbered(section, Number(last ?? first), Number(first)).map(plain))

/**
 * Ids that a test's title begins with, as in `it.live("W1 (Q13): a line …", () =>` or a row of `it.each`: the first text in
 * the brackets, with more behind it.
 */
const titled = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/[([]\s*["`]((?:(?:[A-Q]\d{1,2}|[SW]\d{1,2})(?:–[A-Q]\d{1,2})?|[,() ])+): [^\n]*?["`],/g)].flatMap(([, ids = ""]) => idsIn(ids))

const wanted = Object.entries(sections).flatMap(([section, last]) => numbered(section, last)).map(plain)
const inTitles = new Set(globSync("**/*.ts", { cwd: root }).filter((file) => !isOfOthers(file)).flatMap((file) => titled(readFileSync(join(root, file), "utf8"))))
const inTables = Object.entries(tables).flatMap(([name, { ids }]) => ids.map((id) => ({ name, id: plain(id) })))

describe("every row of the provider scenarios", () => {
  it("is found in the titles of tests, and not elsewhere", () => {
    assert.deepStrictEqual(titled("it.live(\"W1 (Q13): a line\", () => {})"), ["Q13"])
    assert.deepStrictEqual(titled("it(\n  \"B4–B6, Q10: what\", () => {})\nit.each([1])(`P4 P3: are`, (x) => {})"), ["B4", "B5", "B6", "Q10", "P4", "P3"])
    assert.deepStrictEqual(titled("it.each([[\"L8: more\", 5], [\"H1 and more: x\", 5]])(\"%s\", f)"), ["L8"])
    assert.deepStrictEqual(titled("assert.strictEqual(moves, 1, \"B9: once\")\nassert.isTrue(x, \"A1: b\")"), [])
  })

  it("is in one table alone, and one of these sections", () => {
    const twice = inTables.filter(({ id }, i) => inTables.findIndex((other) => other.id === id) !== i)
    assert.deepStrictEqual(twice, [])
    assert.deepStrictEqual(inTables.filter(({ id }) => !wanted.includes(id)), [])
  })

  it("has a test", () => {
    const tested = new Set([...inTables.map(({ id }) => id), ...inTitles])
    assert.deepStrictEqual(wanted.filter((id) => !tested.has(id)), [])
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"

const bundle = process.env["LEAP_TEST_BUNDLE"]

/** The files that one of them loads at its start, itself among them: of the bundle's own and of Node nothing else. */
const loadedBy = (entry: string): ReadonlyArray<string> => {
  const dist = path.dirname(bundle ?? "")
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    const text = fs.readFileSync(path.join(dist, file), "utf8")
    for (const [, source = ""] of text.matchAll(/(?:^|[;}])(?:import|export)(?:[^;"'(]*from)?\s*["']([^"']+)["']/g)) {
      if (source.startsWith("./")) load(source.slice(2))
      else assert.match(source, /^node:/, file)
    }
  }
  load(entry)
  return [...loaded]
}

const sizeOf = (files: ReadonlyArray<string>): number =>
  files.reduce((sum, file) => sum + fs.statSync(path.join(path.dirname(bundle ?? ""), file)).size, 0)

describe.skipIf(bundle === undefined)("the light way, as it is built", () => {
  it("loads nothing but what Node has in itself", () => {
    const loaded = loadedBy("leap.js")
    assert.isAtLeast(loaded.length, 2)
    assert.isBelow(sizeOf(loaded), 60_000, loaded.join())
  })

  it("completes with that, the words of all commands, and no more", () => {
    const files = fs.readdirSync(path.dirname(bundle ?? ""))
    const completing = files.filter((file) => /^complete-.*\.js$/.test(file))
    assert.lengthOf(completing, 1)
    const loaded = loadedBy(completing[0] ?? "")
    assert.isBelow(sizeOf(loaded), 110_000, loaded.join())
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  bases,
  chooseFolder,
  folderOf,
  isFindable,
  type Projects,
  slugify
} from "../../../../src/domain/providers/gemini/RelocationProjects.ts"

const projects = ["/a/x", "/b/X", "/c/x!", "/d/y.z"] as const
const folders = ["x", "x-1", "x-2", "y-z", "other"] as const
const Markers = Schema.Array(Schema.Tuple([Schema.Literals(folders), Schema.NullOr(Schema.Literals(projects))]))
const Seen = Schema.Struct({
  registry: Schema.Array(Schema.Tuple([Schema.Literals(projects), Schema.Literals(folders)])),
  tmp: Markers,
  history: Markers,
  project: Schema.Literals(projects)
})

const seenOf = ({ history, registry, tmp }: typeof Seen.Type): Projects => ({
  registry: new Map(registry),
  markers: { tmp: new Map(tmp), history: new Map(history) }
})

/** What there is after a project was given a folder. */
const given = (seen: Projects, project: string, folder: string): Projects => ({
  registry: new Map([...seen.registry, [project, folder]]),
  markers: {
    tmp: new Map([...seen.markers.tmp, [folder, project]]),
    history: new Map([...seen.markers.history, [folder, project]])
  }
})

describe("the folder of a project", () => {
  it("is named after its directory", () => {
    const table = [
      ["New.place", "new-place"],
      ["--a  b--", "a-b"],
      ["日本語 🎉", "project"],
      ["", "project"],
      ["ünï", "n"],
      ["a".repeat(300), "a".repeat(300)]
    ] as const
    for (const [name, slug] of table) assert.strictEqual(slugify(name), slug)
    const nobody: Projects = { registry: new Map(), markers: { tmp: new Map(), history: new Map() } }
    assert.strictEqual(chooseFolder(nobody, "/srv/New.place"), "new-place")
    assert.strictEqual(chooseFolder(nobody, "/"), "project")
  })

  it.prop(
    "is no other project's by the registry or by a marker, and is the one that Gemini finds then",
    { it: Seen },
    ({ it }) => {
      const seen = seenOf(it)
      const folder = chooseFolder(seen, it.project)
      assert.match(folder, /^[a-z0-9-]+$/)
      for (const base of bases) assert.include([undefined, it.project], seen.markers[base].get(folder))
      if (folderOf(seen, it.project) === null) {
        assert.notInclude(
          [...seen.registry].filter(([owner]) => owner !== it.project).map(([, its]) => its),
          folder
        )
        // the first that is free
        const numbered = Array.from({ length: 20 }, (_, n) =>
          n === 0 ? slugify(it.project.split("/").at(-1) ?? "") : `${slugify(it.project.split("/").at(-1) ?? "")}-${n}`
        )
        for (const earlier of numbered.slice(0, numbered.indexOf(folder))) {
          assert.isTrue(
            [...seen.registry].some(([owner, its]) => its === earlier && owner !== it.project) ||
              bases.some((base) => {
                const owner = seen.markers[base].get(earlier)
                return owner !== undefined && owner !== it.project
              }),
            `${earlier} was free`
          )
        }
      }
      assert.strictEqual(folderOf(given(seen, it.project, folder), it.project), folder)
    }
  )

  it.prop("takes none from another project that had one of its own", { it: Seen }, ({ it }) => {
    const seen = seenOf(it)
    const after = given(seen, it.project, chooseFolder(seen, it.project))
    for (const other of projects) {
      const before = folderOf(seen, other)
      // two projects that the registry gives one folder without a marker share it: that is how Gemini has it
      const shared =
        before !== null && [...seen.registry].some(([owner, its]) => owner === it.project && its === before)
      if (other !== it.project && !shared) assert.strictEqual(folderOf(after, other), before, other)
    }
  })

  it("is never found again for a directory whose name ends in white space", () => {
    assert.isTrue(isFindable("/a/b c.é"))
    for (const project of ["/a/b ", "/a/b\n", "/a/b\u00a0"]) assert.isFalse(isFindable(project))
  })

  it("is not one that a marker gainsays, nor one whose marker cannot be read", () => {
    const seen = (
      tmp: ReadonlyArray<readonly [string, string | null]>,
      history: ReadonlyArray<readonly [string, string | null]> = []
    ): Projects => ({ registry: new Map([["/a/x", "x"]]), markers: { tmp: new Map(tmp), history: new Map(history) } })
    assert.strictEqual(chooseFolder(seen([["x", "/a/x\n"]]), "/a/x"), "x")
    assert.strictEqual(chooseFolder(seen([["x", "/b/x"]]), "/a/x"), "x-1")
    assert.strictEqual(chooseFolder(seen([["x", null]]), "/a/x"), "x-1")
    assert.strictEqual(
      chooseFolder(
        seen([
          ["x", "/b/x"],
          ["mine", "/a/x"]
        ]),
        "/a/x"
      ),
      "mine"
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  emptyRegistry,
  readRegistry,
  withoutProject,
  withProject
} from "../../../../src/domain/providers/gemini/RelocationProjects.ts"

const Slug = Schema.Literals(["x", "x-1", "project", "a-b-c", "0"])
const Member = Schema.Union([
  Schema.String,
  Schema.Int,
  Schema.Null,
  Schema.Array(Schema.String),
  Schema.Record(Schema.String, Schema.Boolean)
])
const Registry = Schema.Struct({
  projects: Schema.Record(Schema.String, Slug),
  before: Schema.Record(Schema.String, Member),
  after: Schema.Record(Schema.String, Member),
  indent: Schema.Literals(["", " ", "  ", "    ", "\t"]),
  end: Schema.Literals(["", "\n", "\r\n", "\n\n "]),
  project: Schema.String,
  folder: Slug,
  had: Schema.NullOr(Slug)
})

const without = <A>(record: Readonly<Record<string, A>>, ...keys: ReadonlyArray<string>): Record<string, A> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))

describe("the registry of projects", () => {
  it.prop("gets one entry and nothing else changes; taking it out gives the very bytes", { it: Registry }, ({ it }) => {
    const project = `/${it.project}`
    const had = it.had === it.folder ? null : it.had
    const projects = { ...without(it.projects, project), ...(had === null ? {} : { [project]: had }) }
    const data = { ...without(it.before, "projects"), projects, ...without(it.after, "projects") }
    const text = JSON.stringify(data, null, it.indent) + it.end
    const changed = withProject(text, project, it.folder)
    assert.deepStrictEqual(JSON.parse(changed), {
      ...(JSON.parse(text) as typeof data),
      projects: { ...projects, [project]: it.folder }
    })
    const read = readRegistry(changed)
    assert.isTrue("projects" in read && read.projects.get(project) === it.folder)
    assert.strictEqual(withProject(changed, project, it.folder), changed)
    assert.strictEqual(withoutProject(changed, project, it.folder, had), text)
    assert.strictEqual(withoutProject(text, project, it.folder, had), text, "once more")
  })

  it.prop("what was changed since is left alone when the entry is taken out", { it: Registry }, ({ it }) => {
    const project = `/${it.project}`
    const later = JSON.stringify(
      { projects: { ...without(it.projects, project), "/later": "later", [project]: it.folder } },
      null,
      2
    )
    assert.deepStrictEqual(JSON.parse(withoutProject(later, project, it.folder, null)), {
      projects: { ...without(it.projects, project), "/later": "later" }
    })
    const another = JSON.stringify({ projects: { [project]: "another" } })
    assert.strictEqual(withoutProject(another, project, it.folder, it.had), another)
  })

  it("has the form that Gemini writes", () => {
    assert.strictEqual(emptyRegistry, '{\n  "projects": {}\n}')
    const one = JSON.stringify({ projects: { "/a": "a" } }, null, 2)
    assert.strictEqual(withProject(emptyRegistry, "/a", "a"), one)
    assert.strictEqual(
      withProject(one, '/b "c"', "b-c"),
      JSON.stringify({ projects: { "/a": "a", '/b "c"': "b-c" } }, null, 2)
    )
  })

  it.each([
    "",
    " ",
    "{",
    "[]",
    "null",
    "1",
    "{}",
    '{"projects":[]}',
    '{"projects":{"/a":1}}',
    '{"projects":{"/a":"A"}}',
    '{"projects":{"/a":""}}',
    '{"projects":{},}',
    '// no comment\n{"projects":{}}',
    '\uFEFF{"projects":{}}'
  ])("that Gemini would throw away is a problem: %s", (text) => {
    assert.property(readRegistry(text), "problem")
    assert.doesNotThrow(() => withoutProject(text, "/a", "a", null))
  })

  it("of several members of one name the last counts, as for Gemini", () => {
    const read = readRegistry('{"projects":{"/x":"x"},"projects":{"/a":"a","/a":"b"}}')
    assert.deepStrictEqual("projects" in read ? [...read.projects] : [], [["/a", "b"]])
  })
})

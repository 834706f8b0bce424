import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Yaml from "effect/encoding/Yaml"
import {
  directoryOf,
  isOpen,
  loggedPid,
  placeIn,
  scalar,
  withDirectory,
  withoutDirectory
} from "../../../../src/domain/providers/copilot/Relocation.ts"

const text = `id: cfab2fe4-6fef-4e2a-958f-d6adfd4662ae
cwd: /home/dev/A proj/sub
git_root: /home/dev/A proj
repository: acme/rocket
host_type: github
branch: main
client_name: github/cli
name: |-
  two
  cwd: /not this
user_named: false
created_at: 2026-11-21T19:20:18.246Z
`

const moved = (text: string, to: string) => {
  const before = placeIn(text)
  assert.isNotNull(before)
  const detail = { before: before ?? [], to }
  const result = withDirectory(text, detail)
  if (result._tag !== "Text") throw new Error(result._tag)
  return { detail, text: result.text }
}

const backTo = (text: string, detail: ReturnType<typeof moved>["detail"]) => {
  const result = withoutDirectory(text, detail)
  return result._tag === "Text" ? result.text : result._tag
}

describe("the file in which Copilot keeps a session's directory", () => {
  it("says the new directory, and nothing of the old one's repository; all else stays byte for byte", () => {
    assert.strictEqual(
      moved(text, "/srv/B").text,
      `id: cfab2fe4-6fef-4e2a-958f-d6adfd4662ae
cwd: /srv/B
client_name: github/cli
name: |-
  two
  cwd: /not this
user_named: false
created_at: 2026-11-21T19:20:18.246Z
`
    )
  })

  it("says it again, and takes it back, as often as it is asked to", () => {
    const { detail, text: there } = moved(text, "/srv/B")
    assert.deepStrictEqual(withDirectory(there, detail), { _tag: "Text", text: there })
    assert.strictEqual(backTo(there, detail), text)
    assert.strictEqual(backTo(text, detail), text)
  })

  it("what Copilot has found at the new directory stays while it is there, and goes with it", () => {
    const { detail, text: there } = moved(text, "/srv/B")
    const worked = there
      .replace("cwd: /srv/B\n", "cwd: /srv/B\ngit_root: /srv\nbranch: trunk\n")
      .replace("19:20", "20:00")
    assert.deepStrictEqual(withDirectory(worked, detail), { _tag: "Text", text: worked })
    assert.strictEqual(backTo(worked, detail), text.replace("19:20", "20:00"))
  })

  it("in whichever style it is written", () => {
    const { detail } = moved(text, "/srv/it's: B #1")
    for (const style of ["'/srv/it''s: B #1'", '"/srv/it\'s: B #1"']) {
      const there = `id: x\ncwd: ${style}\n`
      assert.strictEqual(directoryOf(there), "/srv/it's: B #1")
      assert.deepStrictEqual(withDirectory(there, detail), { _tag: "Text", text: there })
    }
  })

  it("is left alone where somebody else moved the session", () => {
    const { detail } = moved(text, "/srv/B")
    const elsewhere = text.replace("cwd: /home/dev/A proj/sub", "cwd: /srv/C")
    assert.deepStrictEqual(withDirectory(elsewhere, detail), { _tag: "other" })
    assert.deepStrictEqual(withoutDirectory(elsewhere, detail), { _tag: "other" })
  })

  it("is not guessed at where it has another form", () => {
    for (const strange of [
      "",
      "id: x\n",
      "[cwd]\n",
      "{cwd: /a}\n",
      "- cwd: /a\n",
      "cwd: /a\ncwd: /b\n",
      '"cwd": /a\n',
      "---\ncwd: /a\n",
      "cwd: /a\n}\n",
      "# of Copilot\ncwd: /a\n"
    ]) {
      assert.isNull(placeIn(strange), strange)
      assert.deepStrictEqual(withDirectory(strange, moved(text, "/b").detail), { _tag: "unreadable" }, strange)
    }
    assert.isNull(directoryOf("cwd: |-\n  /home/dev/new\n  line\n"))
  })

  const line = Schema.String.check(
    Schema.makeFilter(
      (it: string) =>
        !/[\n\r\ud800-\udfff\ufeff\u0085\u2028\u2029]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|[\ufffe\uffff]/.test(it)
    )
  )
  const isPath = (it: string) => !/[\0\ud800-\udfff]/.test(it.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""))
  const paths = Schema.Array(Schema.String.check(Schema.makeFilter(isPath)))

  it.prop("a path is a YAML value that says it", [paths], ([parts]) => {
    const path = `/${parts.join("/")}`
    const value = scalar(path)
    assert.notInclude(value, "\n")
    assert.strictEqual((Yaml.parse(`cwd: ${value}\n`) as { readonly cwd: string }).cwd, path)
  })

  it.each([
    "/",
    "/a b",
    "/a ",
    "/a: b",
    "/a #b",
    "/a'b",
    '/a"b\\',
    "/é🎉",
    "/new\nline",
    "/tab\t",
    "/ \u0085\u2028\ufeff",
    "/- x",
    "/%TAG",
    "/~",
    "/a:"
  ])("such as %j", (path) => {
    assert.strictEqual((Yaml.parse(`cwd: ${scalar(path)}\n`) as { readonly cwd: string }).cwd, path)
  })

  it.prop(
    "in whatever order: only the place changes, and taking it back gives every byte",
    [
      Schema.Array(
        Schema.Struct({
          key: Schema.Literals(["id", "cwd", "git_root", "branch", "name", "repository", "updated_at", "note"]),
          value: line,
          more: Schema.Boolean
        })
      ),
      paths,
      Schema.Boolean
    ],
    ([fields, parts, last]) => {
      const entries = new Map<string, string>([["cwd", "/was/here"]])
      for (const { key, more, value } of fields)
        entries.set(key, more ? `|-\n  x${value}\n  cwd: /no` : `'${value.replaceAll("'", "''")}'`)
      const was = [...entries].map(([key, value]) => `${key}: ${value}`).join("\n") + (last ? "\n" : "")
      const to = `/${parts.join("/")}`
      const before = placeIn(was)
      assert.isNotNull(before, was)
      const detail = { before: before ?? [], to }
      const there = withDirectory(was, detail)
      if (there._tag !== "Text") throw new Error(there._tag)
      if (there.text === was) return
      const {
        branch: _,
        cwd: __,
        git_root: ___,
        repository: ____,
        ...rest
      } = Yaml.parse(was) as Readonly<Record<string, unknown>>
      assert.deepStrictEqual(Yaml.parse(there.text), { ...rest, cwd: to })
      assert.strictEqual(backTo(there.text, detail), was)
    }
  )
})

it("a session is open while a Copilot says so; one that was killed does not take it back", () => {
  const at = Date.parse("2026-11-21T19:06:25.011Z")
  const list = JSON.stringify({
    s1: {
      schemaVersion: 1,
      openedAt: "2026-11-21T19:05:16.966Z",
      refreshedAt: "2026-11-21T19:06:25.011Z",
      working: false
    }
  })
  assert.isTrue(isOpen(list, "s1", at + 59_000))
  assert.isFalse(isOpen(list, "s1", at + 61_000))
  assert.isFalse(isOpen(list, "s2", at))
  for (const other of [null, "", "{}", "[]", '{"s1":{}}', '{"s1":{"refreshedAt":"soon"}}', '{"s1":null}'])
    assert.isFalse(isOpen(other, "s1", at), String(other))
  assert.isFalse(isOpen("{}", "toString", at))
})

it("a log is named after its process", () => {
  assert.strictEqual(loggedPid("process-1795287916470-280.log"), 280)
  for (const name of [".copilot-log.lock", "process-1-x.log", "process-280.log", "process-1-2.log.gz"])
    assert.isNull(loggedPid(name))
})

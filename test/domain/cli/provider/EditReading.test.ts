import { assert, describe, it } from "@effect/vitest"
import { proposedEdit } from "../../../../src/domain/cli/provider/EditReading.ts"
import { requestOfHook } from "../../../../src/domain/engine/approvals/requestIn.ts"
import type { ProposedEdit, ProposedFile } from "../../../../src/domain/words/session/Proposal.ts"
import { fieldsOf } from "../../../../src/domain/words/reading/Fields.ts"
import { defaultSettings } from "../../../../src/domain/store/settings/Settings.ts"
import { parseMarker } from "../../../../src/domain/terminal/recording/Cast.ts"
import { builtin } from "../../../support/providers.ts"
import { read } from "../../../support/recordings/recordings.ts"

const editOf = (given: unknown, paths: ReadonlyArray<string> = ["/srv/app/a.ts"]): ProposedEdit | null =>
  proposedEdit({ given, input: fieldsOf(given) }, { cwd: "/srv/app", paths })

const file = (lines: ReadonlyArray<string>, more: Partial<ProposedFile> = {}): ProposedFile => ({
  path: "a.ts",
  from: null,
  kind: "changed",
  added: lines.filter((line) => line.startsWith("+")).length,
  removed: lines.filter((line) => line.startsWith("-")).length,
  lines,
  ...more
})

const checks = [
  '+  if (typeof a !== "number") throw new TypeError("a")',
  '+  if (typeof b !== "number") throw new TypeError("b")'
]
const checked = [...checks, "   return a + b", " }"]
const app = { path: "app.js" }
const notes = { path: "notes.md" }
const inNotes = (count: number) => Array.from({ length: count }, (_, n) => `+- note ${n + 1}`)
const created = "@ all of its new content"

/** What the hooks of real CLIs said of an edit, and what it is. */
const recorded: ReadonlyArray<readonly [name: string, event: string, ReadonlyArray<ProposedFile>]> = [
  ["claude-psp/edit-yes-200x60", "PermissionRequest", [file(checked, app)]],
  ["claude-load/session-mixed", "PermissionRequest", [file(["+  // checked", "   return a - b"], app)]],
  ["claude/write-yes-80x24", "PermissionRequest", [file([created, ...inNotes(30)], notes)]],
  ["codex/patch-yes", "PermissionRequest", [file(["+hello"], { path: "/home/dev/other/new.txt", kind: "added" })]],
  [
    "copilot/edit-once-80x24",
    "permissionRequest",
    [file(["@@ -1,4 +1,6 @@", " export function add(a, b) {", ...checked, " "], app)]
  ],
  ["gemini/edit-once-80x24", "BeforeTool", [file(checked, app)]],
  ["gemini-more/write-once-80x24", "BeforeTool", [file([created, ...inNotes(30)], notes)]],
  [
    "opencode-more/edit-permission",
    "permission.asked",
    [
      file(["@@ -1,3 +1,3 @@", " # Project", " ", "-A small project.", "+A small project with a change."], {
        path: "README.md"
      })
    ]
  ]
]

describe("an edit that a hook reports", () => {
  it.each(recorded)("%s, %s", (name, event, files) => {
    const { header, lines } = read(name)
    const provider = builtin.find(({ id }) => id === header.leap?.cli) ?? assert.fail("no such CLI")
    const edits = lines.flatMap(([, code, data]) => {
      const marker = code === "m" ? parseMarker(data) : null
      if (marker?._tag !== "Hook") return []
      const { policy } = defaultSettings
      const asked = requestOfHook(
        provider.permissions,
        policy,
        { ...marker, flaw: null, nested: false },
        { asksNobody: false, directory: "/home/dev/project" }
      )
      return asked?.edit === undefined ? [] : [[marker.event, asked.edit] as const]
    })
    // No other event of the same call has one: it would be a second edit.
    assert.deepStrictEqual([...new Set(edits.map(([event]) => event))], [event])
    assert.deepStrictEqual(edits[0]?.[1], { files, unshown: 0, unlisted: 0 })
  })

  it.each<readonly [string, unknown, ReadonlyArray<ProposedFile> | null]>([
    ["a replacement", { old_string: "a\nb", new_string: "a\nc" }, [file([" a", "-b", "+c"])]],
    [
      "at each place",
      { old_str: "b", new_str: "c", replace_all: true },
      [file(["@ at each place where it occurs", "-b", "+c"])]
    ],
    [
      "several",
      {
        edits: [
          { oldString: "a", newString: "b" },
          { oldString: "c", newString: "" }
        ]
      },
      [file(["-a", "+b", "@", "-c"])]
    ],
    ["an insertion", { insert_line: 4, new_str: "x\n" }, [file(["@ behind line 4", "+x"])]],
    ["a new content", { content: "" }, [file([created])]],
    ["nothing that is known", { how: "x" }, null],
    ["no texts", { old_string: 1, new_string: [], edits: [null, "x"] }, null],
    ["no object", null, null],
    ["a patch that is none", "*** Begin Patch\nnonsense\n*** End Patch", null],
    [
      "a patch of all kinds",
      [
        "*** Begin Patch",
        "*** Update File: /srv/app/a.ts",
        "*** Move to: b.ts",
        "@@",
        " one",
        "-*** Delete File: c.ts",
        "+two",
        "@@ class Two",
        "",
        "-three",
        "*** End of File",
        "*** Delete File: d.ts",
        "*** Add File: e.ts",
        "+*** Update File: f.ts",
        "*** End Patch",
        ""
      ].join("\n"),
      [
        file([" one", "-*** Delete File: c.ts", "+two", "@@ class Two", " ", "-three"], {
          path: "b.ts",
          from: "a.ts",
          kind: "renamed"
        }),
        file(["@ the whole file"], { path: "d.ts", kind: "removed" }),
        file(["+*** Update File: f.ts"], { path: "e.ts", kind: "added" })
      ]
    ],
    [
      "a diff of several files",
      {
        diff: ["a", "b"]
          .map(
            (name) =>
              `Index: /srv/app/${name}\n===\n--- /srv/app/${name}\n+++ /srv/app/${name}\n@@ -0,0 +1,2 @@\n+Index: x\n+-- y\n`
          )
          .join("")
      },
      ["a", "b"].map((path) => file(["@@ -0,0 +1,2 @@", "+Index: x", "+-- y"], { path, kind: "added" }))
    ],
    ["a diff without changes", { diff: "Index: a\n" }, null]
  ])("%s", (_, given, files) => {
    assert.deepStrictEqual(editOf(given), files === null ? null : { files, unshown: 0, unlisted: 0 })
  })

  it("is cut, which it says", () => {
    const long = editOf({ content: "x\n".repeat(1_000) })
    assert.strictEqual(long?.files[0]?.lines.length, 400)
    assert.strictEqual(long?.files[0]?.added, 1_000)
    assert.strictEqual(long?.unshown, 601)
    const wide = editOf({ content: `${"y".repeat(1_900)}\n`.repeat(30) })
    assert.isBelow(wide?.files[0]?.lines.join("").length ?? 0, 32_768)
    assert.strictEqual((wide?.unshown ?? 0) + (wide?.files[0]?.lines.length ?? 0), 31)
    assert.match(
      editOf({ content: "z".repeat(1_000_000) })?.files[0]?.lines[1] ?? "",
      /^\+z{1999}… \[1000000 characters in all\]$/
    )
    const many = editOf(`*** Begin Patch\n${"*** Add File: a\n+x\n".repeat(60)}`)
    assert.deepStrictEqual([many?.files.length, many?.unlisted, many?.unshown], [50, 10, 10])
  })

  it("masks secrets, and hides no line behind one", () => {
    const key = [
      "-----BEGIN RSA PRIVATE KEY-----",
      "MIIEowIBAAKCAQEAx1x2x3x4",
      "rm -rf /",
      "-----END RSA PRIVATE KEY-----"
    ]
    const content = ['password="hunter2', "evil()", '"', ...key].join("\n")
    assert.deepStrictEqual(editOf({ content })?.files[0]?.lines, [
      "@ *** hides what looks like a secret",
      created,
      '+password="***',
      "+evil()",
      '+"',
      "+-----BEGIN RSA PRIVATE KEY-----***",
      "+***",
      "+rm -rf /",
      "+-----END RSA PRIVATE KEY-----"
    ])
  })
})

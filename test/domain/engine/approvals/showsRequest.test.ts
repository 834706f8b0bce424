import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { showsRequest } from "../../../../src/domain/engine/approvals/showsRequest.ts"
import type { ToolRequest } from "../../../../src/domain/policy/ToolRequest.ts"
import { requestOf } from "../../../../src/domain/cli/provider/RequestReading.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"

const dialog = (subject?: string, title = "Do you want to proceed?"): Dialog => ({
  kind: "permission",
  title,
  ...(subject === undefined ? {} : { subject }),
  options: []
})
const run = (command: string) => requestOf({ tool: "Bash", kind: "command", command, cwd: "/home/dev/project" })
const edit = (path: string, more: Partial<ToolRequest> = {}) =>
  requestOf({ tool: "Edit", kind: "edit", paths: [path], cwd: "/home/dev/project", ...more })
const long = "npm run build -- --mode production --out-dir dist/assets/of/the/whole/application"

describe("a dialog shows a request", () => {
  const shown: ReadonlyArray<readonly [what: string, subject: string, request: ToolRequest]> = [
    ["its command", "mkdir -p out && ls", run("mkdir -p out && ls")],
    [
      "its command, wrapped anywhere",
      "npm run bu\nild -- --mode production --out-dir dist/assets/of/the/\nwhole/application",
      run(long)
    ],
    [
      "its command of several lines, which are indented",
      "cat <<'EOF'\n    one\n\n  two\nEOF",
      run("cat <<'EOF'\n  one\n\ntwo\nEOF")
    ],
    ["its command, the end cut", "npm run build -- --mode production …", run(long)],
    ["its command, the beginning cut", "…\n-dir dist/assets/of/the/whole/application", run(long)],
    ["its command, the middle cut", "npm run build\n…\n/of/the/whole/application", run(long)],
    ["its command, cut with three dots", "npm run build -- --mode production...", run(long)],
    ["its file, from the session's directory", "src/a.ts", edit("/home/dev/project/src/a.ts")],
    ["its file, as the CLI wrote it", "src/a.ts", edit("src/a.ts")],
    ["its file, whole", "/home/dev/other/b.ts", edit("/home/dev/other/b.ts")],
    ["its file, from the home directory", "~/other/b.ts", edit("/home/dev/other/b.ts")],
    ["its file, from the directory above", "../other/b.ts", edit("/home/dev/other/b.ts")],
    ["one of its files", "b.ts", edit("a.ts", { paths: ["a.ts", "b.ts"] })],
    ["its file, where the CLI tells no directory", "b.ts", edit("/home/dev/other/b.ts", { cwd: "" })],
    ["the file after its tool's name", "Read(/etc/hosts)", edit("/etc/hosts", { kind: "read" })],
    ["the directory of what it reads", "/etc", edit("/etc/hosts", { kind: "read" })],
    [
      "its address",
      "https://example.com/a",
      requestOf({ tool: "WebFetch", kind: "fetch", url: "https://example.com/a" })
    ],
    ["its tool, where that is all", "Save Memory", requestOf({ tool: "save_memory", kind: "other" })],
    [
      "its tool and server",
      "github - create_issue(title: x) (MCP)",
      requestOf({ tool: "mcp__github__create_issue", kind: "mcp" })
    ]
  ]
  it.each(shown)("%s", (_, subject, request) => {
    assert.isTrue(showsRequest(dialog(subject), request))
  })

  const hidden: ReadonlyArray<readonly [what: string, subject: string | undefined, request: ToolRequest]> = [
    ["nothing", undefined, run("ls")],
    ["another command", "rm -rf x", run("ls")],
    ["a line that has its command in it", "rm -rf x; ls", run("ls")],
    ["a line that begins with its command", "ls; rm -rf x", run("ls")],
    ["a line that its command begins with", "npm run build", run(long)],
    ["too little of a cut command", "npm run build …", run(long)],
    ["a cut line with another end", "npm run build -- --mode production … ; rm -rf x", run(long)],
    ["a cut line with another beginning", "rm … /assets/of/the/whole/application", run(long)],
    ["a file of the same name elsewhere", "/tmp/a.ts", edit("/home/dev/project/a.ts")],
    ["a file whose name ends the same", "a.ts", edit("/home/dev/project/data.ts")],
    ["the directory of what it writes", "/etc", edit("/etc/hosts")],
    ["its file, for another's command", "a.ts", run("cat a.ts")],
    ["another address", "https://evil.com", requestOf({ tool: "WebFetch", kind: "fetch", url: "https://example.com" })],
    [
      "another tool of its server",
      "github - delete_repo",
      requestOf({ tool: "mcp__github__create_issue", kind: "mcp" })
    ],
    ["another tool of the CLI", "x", requestOf({ tool: "Odd", kind: "other" })]
  ]
  it.each(hidden)("but not by %s", (_, subject, request) => {
    assert.isFalse(showsRequest(dialog(subject), request))
  })

  const Word = Schema.Literals(["rm", "ls", "-rf", "x", "&&", ";", "echo", "'a b'", "…", "|", "cat", "\n"])
  const Line = Schema.Array(Word).check(Schema.isMinLength(1), Schema.isMaxLength(12))

  it.prop(
    "of two commands, only the one that was drawn, however it was wrapped",
    [Line, Line, Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 })))],
    ([one, other, cuts]) => {
      const a = one.join(" ")
      const b = other.join(" ")
      const wrapped = cuts.reduce((text, cut) => `${text.slice(0, cut)}\n   ${text.slice(cut)}`, a)
      const blankless = (text: string) => text.replace(/\s+/g, "")
      if (blankless(a) === "") return
      assert.isTrue(showsRequest(dialog(wrapped), run(a)))
      if (blankless(a) !== blankless(b) && !a.includes("…")) assert.isFalse(showsRequest(dialog(wrapped), run(b)))
    },
    { arbitrary: { runs: 500 } }
  )
})

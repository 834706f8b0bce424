import { assert, describe } from "@effect/vitest"
import { Effect, Result } from "effect"
import type { ToolRequest } from "../../../src/domain/policy/ToolRequest.ts"
import { noPolicy, type Policy } from "../../../src/domain/store/settings/Settings.ts"
import { heldRun } from "../../../src/domain/cli/headless/runRules.ts"
import { requestOf } from "../../../src/domain/cli/provider/RequestReading.ts"
import { bothPermits, permitOf } from "../../../src/services/policy/policyPermit.ts"
import { System } from "../../../src/services/System.ts"
import { effectOfEach } from "../../support/run/effects.ts"

const system = System.of({
  env: { HOME: "/home/me" },
  cwd: "/d",
  pid: 1,
  version: "0",
  node: "24",
  platform: "linux",
  self: [],
  which: () => Effect.die("not asked for"),
  directory: () => Effect.die("not asked for"),
  hidden: () => Effect.die("not asked for"),
  file: () => Effect.die("not asked for"),
  // one link leads into a secret place; what is under /lost cannot be followed
  realPath: (path) => Effect.succeed(path === "/d/link" ? "/home/me/.ssh/id" : path.startsWith("/lost") ? null : path),
  // more than can be looked through
  entries: () => Effect.succeed(null),
  kill: () => Effect.void,
  newId: Effect.succeed("")
})
const asking = { cli: "work", base: "claude", cwd: "/d" }
const command = (command: string) => requestOf({ tool: "Bash", kind: "command", command, cwd: "/d" })
const read = (path: string) => requestOf({ tool: "Read", kind: "read", paths: [path], cwd: "/d" })

describe("leap's rules where nobody can be asked", () => {
  effectOfEach<[string, Partial<Policy>, ToolRequest, string, RegExp]>([
    ["deny", { deny: [{ command: "rm *", reason: "no" }] }, command("rm x"), "deny", /: no$/],
    ["deny for the base of a variant", { deny: [{ command: "rm *", cli: "claude" }] }, command("rm x"), "deny", /rule/],
    ["nothing", { deny: [{ command: "rm *" }] }, command("ls"), "ask", /no rule allows/],
    ["ask", { ask: [{ command: "git push*" }] }, command("git push"), "deny", /nobody is there to be asked/],
    ["perhaps deny", { deny: [{ command: "rm *" }] }, command("eval $x"), "deny", /may be .*nobody is there/],
    ["allow", { allow: [{ command: "ls" }] }, command("ls"), "allow", /allowed/],
    ["deny where a link leads", { deny: [{ path: "~/.ssh/**" }] }, read("link"), "deny", /refused by a rule/],
    ["deny where it leads nowhere", { deny: [{ path: "/etc/**" }] }, read("/lost/x"), "deny", /lead could not be read/],
    [
      "deny what leads nowhere in a line",
      { deny: [{ path: "/etc/**" }] },
      command("cat /lost/*"),
      "deny",
      /maybe|may be/
    ],
    ["allow where it leads nowhere", { allow: [{ path: "/lost/**" }] }, read("/lost/x"), "ask", /could not be seen/]
  ])("%s", function* ([, rules, request, verdict, says]) {
    const permit = permitOf({ ...noPolicy, ...rules }, system)
    const decision = yield* permit.decide(request, asking)
    assert.strictEqual(decision.verdict, verdict, decision.why)
    assert.match(decision.why, says)
    assert.strictEqual(permit.restricts, rules.allow === undefined)
  })
})

const sandboxed = (sandbox: "read-only" | "workspace-write", network: string | null = null) => {
  const options = { sandbox, ...(network === null ? {} : { network }) }
  const { rules } = Result.getOrThrow(heldRun({ displayName: "X", heldByHooks: { inert: ["Note"] } }, options))
  return rules === null ? assert.fail("it is held by nothing") : permitOf(rules.policy, system, rules)
}
const edit = (path: string) => requestOf({ tool: "Edit", kind: "edit", paths: [path], cwd: "/d" })
const note = requestOf({ tool: "Note", kind: "other", cwd: "/d" })
const other = requestOf({ tool: "Other", kind: "other", cwd: "/d" })

describe("a sandbox that leap keeps", () => {
  effectOfEach<[ToolRequest, "allow" | "deny", "allow" | "deny"]>([
    [command("git status"), "allow", "allow"],
    [command("echo x > a"), "deny", "allow"],
    [command("touch /etc/x"), "deny", "deny"],
    [command("git push"), "deny", "deny"],
    [command("some-program"), "deny", "deny"],
    [read("/usr/include/stdio.h"), "allow", "allow"],
    [read("~/.ssh/id"), "deny", "deny"],
    [read("~/.claude/.credentials.json"), "deny", "deny"],
    [read("~/.claude/CLAUDE.md"), "allow", "allow"],
    [command("cat ~/.codex/auth.json"), "deny", "deny"],
    [command("cat ~/.codex/config.toml"), "allow", "allow"],
    [read("~/.local/share/opencode/auth.json"), "deny", "deny"],
    [read("~/.gemini/oauth_creds.json"), "deny", "deny"],
    [read("link"), "deny", "deny"],
    [edit("src/a.ts"), "deny", "allow"],
    [edit("/etc/passwd"), "deny", "deny"],
    [edit(".git/hooks/post-commit"), "deny", "deny"],
    [note, "allow", "allow"],
    [other, "deny", "deny"]
  ])("%o", function* ([request, readOnly, writing]) {
    const decided = yield* Effect.forEach(["read-only", "workspace-write"] as const, (sandbox) =>
      sandboxed(sandbox).decide(request, asking)
    )
    assert.deepStrictEqual(
      decided.map(({ verdict }) => verdict),
      [readOnly, writing],
      JSON.stringify(decided)
    )
  })

  const [near, far] = ["http://near.test/a", "http://far.test/b"]
  effectOfEach<[string | ToolRequest, "allow" | "deny", "allow" | "deny"]>([
    ["cat README.md | sort -u", "allow", "allow"],
    ["git status", "allow", "allow"],
    ["git log -p --stat", "allow", "allow"],
    ["mkdir -p a/b && cp x a/b", "allow", "allow"],
    ["echo x > a", "allow", "allow"],
    [edit("src/a.ts"), "allow", "allow"],
    [read("src/a.ts"), "allow", "allow"],
    [note, "allow", "allow"],
    [`curl -s ${near}`, "deny", "allow"],
    [`curl -s -o page ${near}`, "deny", "allow"],
    [`curl -s https://near.test/x`, "deny", "allow"],
    [`curl -s ${far}`, "deny", "deny"],
    [`curl -s ${near} ${far}`, "deny", "deny"],
    [`curl -s http://near.test:81/`, "deny", "deny"],
    [`curl -s http://near.test@far.test/`, "deny", "deny"],
    [`curl -sL ${near}`, "deny", "deny"],
    [`curl ${near} -L`, "deny", "deny"],
    [`curl --location ${near}`, "deny", "deny"],
    [`curl --locat ${near}`, "deny", "deny"],
    [`curl --location-trusted ${near}`, "deny", "deny"],
    [`curl -x far.test ${near}`, "deny", "deny"],
    [`curl -K .curlrc ${near}`, "deny", "deny"],
    [`http_proxy=http://far.test curl ${near}`, "deny", "deny"],
    [`curl --connect-to ::far.test: ${near}`, "deny", "deny"],
    [`curl --doh-url ${far} ${near}`, "deny", "deny"],
    [edit(".curlrc"), "deny", "deny"],
    [`wget ${near}`, "deny", "deny"],
    ["node x.js", "deny", "deny"],
    ["python3 -c 1", "deny", "deny"],
    ["npm test", "deny", "deny"],
    ["make", "deny", "deny"],
    ["git commit -m x", "deny", "deny"],
    ["git fetch", "deny", "deny"],
    ["git pull", "deny", "deny"],
    ["git stash", "deny", "deny"],
    ["git remote show origin", "deny", "deny"],
    ["git -c core.fsmonitor=x status", "deny", "deny"],
    ["git archive --remote=far.test:x HEAD", "deny", "deny"],
    ["gh pr view 1", "deny", "deny"],
    ["npm view x", "deny", "deny"],
    ["docker ps", "deny", "deny"],
    ["kubectl get pods", "deny", "deny"],
    ["pip install x", "deny", "deny"],
    ["go list -m -u all", "deny", "deny"],
    ["xmllint http://far.test/a.xml", "deny", "deny"],
    ["tar cf far.test:x .", "deny", "deny"],
    ["echo x > /dev/tcp/far.test/80", "deny", "deny"],
    ["cat < /dev/tcp/far.test/80", "deny", "deny"],
    ["awk 'BEGIN { getline < \"/inet/tcp/0/far.test/80\" }'", "deny", "deny"],
    ["sed '1e curl x' README.md", "deny", "deny"],
    ["find . -exec curl x ';'", "deny", "deny"],
    ["xargs curl", "deny", "deny"],
    ["./ls", "deny", "deny"],
    ["PATH=.:$PATH ls", "deny", "deny"],
    [requestOf({ tool: "WebFetch", kind: "fetch", url: near, cwd: "/d" }), "deny", "deny"],
    [requestOf({ tool: "WebSearch", kind: "fetch", cwd: "/d" }), "deny", "deny"],
    [requestOf({ tool: "mcp__lab__reach", kind: "mcp", cwd: "/d" }), "deny", "deny"],
    [other, "deny", "deny"]
  ])("without network, and with one host: %o", function* ([asked, none, one]) {
    const request = typeof asked === "string" ? command(asked) : asked
    const decided = yield* Effect.forEach(["none", "near.test"] as const, (network) =>
      sandboxed("workspace-write", network).decide(request, asking)
    )
    assert.deepStrictEqual(
      decided.map(({ verdict }) => verdict),
      [none, one],
      JSON.stringify(decided)
    )
  })

  effectOfEach<[string, Partial<Policy>, Partial<Policy>, ToolRequest, string]>([
    [
      "refuses what the user's rules refuse",
      { deny: [{ command: "ls" }] },
      { allow: [{ command: "ls" }] },
      command("ls"),
      "deny"
    ],
    [
      "refuses what it refuses itself",
      { allow: [{ command: "ls" }] },
      { deny: [{ command: "ls" }] },
      command("ls"),
      "deny"
    ],
    ["allows what one allows", {}, { allow: [{ command: "ls" }] }, command("ls"), "allow"],
    ["leaves the rest to the CLI", {}, { deny: [{ command: "rm *" }] }, command("ls"), "ask"]
  ])("beside other rules %s", function* ([, first, second, request, verdict]) {
    const permit = bothPermits(
      permitOf({ ...noPolicy, ...first }, system),
      permitOf({ ...noPolicy, ...second }, system, { closed: null, option: "deny" })
    )
    assert.strictEqual((yield* permit.decide(request, asking)).verdict, verdict)
    assert.strictEqual(permit.option, first.deny === undefined ? "deny" : undefined)
  })
})

import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { ToolRequest } from "../../src/domain/rules/policy/ToolRequest.ts"
import { noPolicy, type Policy } from "../../src/domain/rules/settings/Settings.ts"
import { requestOf } from "../../src/domain/cli/provider/RequestReading.ts"
import { permitOf } from "../../src/services/policyPermit.ts"
import { System } from "../../src/services/System.ts"
import { effectOfEach } from "../support/run/effects.ts"

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

import { assert, describe, it } from "@effect/vitest"
import { Result, Struct } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { AgentOptions, isRestricted, restrictionNames } from "../../../../src/domain/cli/headless/AgentOptions.ts"
import { requestOf } from "../../../../src/domain/cli/provider/RequestReading.ts"
import { heldRun } from "../../../../src/domain/cli/headless/runRules.ts"

const plain = { displayName: "Plain" }
const hooked = { displayName: "Hooked", heldByHooks: { inert: ["todo"] } }
const cutting = { displayName: "Cutting", cutsNetwork: [{ kind: "mcp" }] } as const
const whole = { displayName: "Whole", heldByHooks: { inert: [], tools: ["shell", "todo"] } }
const blind = { displayName: "Blind", unasked: requestOf({ tool: "search", kind: "fetch" }) }
const held = (cli: Parameters<typeof heldRun>[0], options: AgentOptions) =>
  Result.match(heldRun(cli, options), {
    onFailure: ({ option, why }) => `${option}: ${why}`,
    onSuccess: ({ options, rules }) => [
      options,
      rules?.option ?? null,
      rules?.closed != null,
      rules?.policy.deny.length
    ]
  })

describe("what a run is held to", () => {
  it.each<[string, Parameters<typeof heldRun>[0], AgentOptions, unknown]>([
    ["nothing", hooked, { model: "m" }, [{ model: "m" }, null, false, undefined]],
    ["its own sandbox", plain, { sandbox: "read-only" }, [{ sandbox: "read-only" }, null, false, undefined]],
    ["none", hooked, { sandbox: "off" }, [{ sandbox: "off" }, null, false, undefined]],
    ["tools that it denies itself", hooked, { deniedTools: "x" }, [{ deniedTools: "x" }, null, false, undefined]],
    ["tools that leap denies", whole, { deniedTools: "shell, todo" }, [{}, "deniedTools", false, 2]],
    ["a rule that allows", plain, { allow: [{ tool: "y" }] }, [{}, "deny", false, 0]],
    [
      "a kind of tool for which it asks nobody",
      blind,
      { deny: [{ kind: "fetch" }] },
      /^deny: Blind asks no hook about/
    ],
    ["such a tool", blind, { deny: [{ command: "x" }, { tool: "sea*" }] }, /about search: 'deny sea\*'/],
    ["any network", hooked, { network: "any" }, [{}, null, false, undefined]],
    [
      "no network, which it cuts off itself, in a sandbox",
      cutting,
      { network: "none" },
      [{ sandbox: "workspace-write", network: "none" }, "network", false, 1]
    ],
    [
      "no network beside a sandbox that is named",
      cutting,
      { network: "none", sandbox: "read-only" },
      [{ sandbox: "read-only", network: "none" }, "network", false, 1]
    ],
    ["hosts, of what cuts off all", cutting, { network: "a.com" }, /^network: Cutting cuts off all .* or nothing/],
    ["no network, of what has nothing for it", plain, { network: "none" }, /^network: Plain has nothing that keeps it/],
    ["no network where anything may be written", hooked, { network: "none", sandbox: "off" }, /^network: it needs a/],
    ["the same, of what cuts it off", cutting, { network: "none", sandbox: "off" }, /^network: it needs a/],
    [
      "a tool that it has not",
      whole,
      { deniedTools: ["sheel"] },
      /^deniedTools: Whole has no tool 'sheel'.* shell, todo$/
    ]
  ])("%s", (_, cli, options, expected) => {
    const found = held(cli, options)
    if (expected instanceof RegExp) assert.match(JSON.stringify(found).replaceAll('"', ""), expected)
    else assert.deepStrictEqual(found, expected)
  })

  it("is told of a run without network, so that nothing beside its tools reaches out", () => {
    const offline = { displayName: "Offline", heldByHooks: { inert: [], offline: { NO_EXTRAS: "1" } } }
    const run = heldRun(offline, { network: "none", env: { OWN: "1", NO_EXTRAS: "0" } })
    const { options, rules } = Result.getOrThrow(run)
    assert.deepStrictEqual(options.env, { OWN: "1", NO_EXTRAS: "1", GIT_ALLOW_PROTOCOL: "none" })
    assert.match(rules?.closed ?? "", /the run is workspace-write without network/)
  })

  it("has in a sandbox what the CLI only notes for itself, agents, and all reading but of secrets", () => {
    for (const sandbox of ["read-only", "workspace-write"] as const) {
      const { options, rules } = Result.getOrThrow(heldRun(hooked, { sandbox, deny: [{ command: "x" }] }))
      assert.deepStrictEqual([options, rules?.option], [{}, "sandbox"])
      assert.match(rules?.closed ?? "", new RegExp(`the run is ${sandbox}`))
      const has = (rule: object) => JSON.stringify(rules?.policy).includes(JSON.stringify(rule))
      assert.isTrue([{ tool: "todo" }, { kind: "agent" }, { kind: "read" }, { command: "x" }].every(has))
      assert.isTrue(rules?.policy.deny.some(({ path }) => path === "~/.ssh/**"))
    }
  })

  it.prop("is nothing without a restriction", [Arbitrary.schema(AgentOptions)], ([options]) => {
    const free = Struct.omit(options, restrictionNames)
    assert.isFalse(isRestricted(free))
    for (const cli of [plain, hooked, cutting, whole, blind])
      assert.deepStrictEqual(Result.getOrNull(heldRun(cli, free)), { options: free, rules: null })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { AgentOptions } from "../../../../src/domain/cli/headless/AgentOptions.ts"
import { requestOf } from "../../../../src/domain/cli/provider/RequestReading.ts"
import { heldRun } from "../../../../src/domain/cli/headless/runRules.ts"

const plain = { displayName: "Plain" }
const hooked = { displayName: "Hooked", heldByHooks: { inert: ["todo"] } }
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
})

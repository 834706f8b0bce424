import { Result } from "effect"
import { type Policy, type PolicyRule, noPolicy } from "../../store/settings/PolicySettings.ts"
import { decide } from "../../policy/decide.ts"
import { presets } from "../../policy/presets.ts"
import type { AgentCli, InvalidOption } from "./AgentCli.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import { toolsIn } from "./cliOptions.ts"

export interface RunRules {
  readonly policy: Policy
  /** Why everything that the rules do not allow is refused; null: the CLI decides. */
  readonly closed: string | null
  readonly option: "sandbox" | "deniedTools" | "deny"
}

/** A run's restrictions: those that the CLI keeps (`options`), and those that leap keeps by hooks (`rules`). */
export interface HeldRun {
  readonly options: AgentOptions
  readonly rules: RunRules | null
}

/** The presets that write no more than these sandboxes allow. */
const sandboxes = { "read-only": "read-only", "workspace-write": "development" } as const
/** Rules that write nothing: reading, and agents, whose own tools ask as well. */
const harmless: ReadonlyArray<PolicyRule> = [{ kind: "read" }, { kind: "agent" }]

const sandboxRules = (
  sandbox: keyof typeof sandboxes,
  inert: ReadonlyArray<string>
): Pick<RunRules, "closed" | "policy"> => {
  const { allow, ask, deny } = presets.find(({ name }) => name === sandboxes[sandbox])?.policy ?? noPolicy
  return {
    policy: { deny, ask, allow: [...allow, ...harmless, ...inert.map((tool) => ({ tool }))] },
    closed: `the run is ${sandbox}, and leap lets through what it knows to keep to that`
  }
}

/** The first rule about a tool for which a CLI calls no hook; null: none. */
const unkept = (deny: ReadonlyArray<PolicyRule>, { unasked }: Pick<AgentCli<never>, "unasked">): string | null => {
  if (unasked === undefined) return null
  const options = { policy: { ...noPolicy, deny }, home: "", tag: "", cli: "", directory: "/", mode: "pause" } as const
  const { rule, verdict } = decide(options, unasked)
  return verdict === "deny" ? rule : null
}

/**
 * Splits restrictions into those that the CLI keeps and those that leap keeps (`AgentCli.heldByHooks`). Fails for a
 * denied tool that the CLI does not have, and for a rule about a tool without a hook: nothing would be denied.
 */
export const heldRun = (
  cli: Pick<AgentCli<never>, "displayName" | "heldByHooks" | "unasked">,
  given: AgentOptions
): Result.Result<HeldRun, InvalidOption> => {
  const { displayName, heldByHooks, unasked } = cli
  const { allow = [], deny = [], deniedTools, sandbox, ...others } = given
  const { inert = [], tools = null } = heldByHooks ?? {}
  const asksFor = sandbox === undefined || sandbox === "off" ? null : sandbox
  const box = heldByHooks === undefined || asksFor === null ? null : sandboxRules(asksFor, inert)
  const denied = tools === null ? [] : toolsIn(deniedTools)
  const odd = denied.find((name) => tools !== null && !tools.includes(name))
  if (odd !== undefined)
    return Result.fail({
      option: "deniedTools",
      why: `${displayName} has no tool '${odd}', and nothing would be denied; it has ${(tools ?? []).join(", ")}`
    })
  const rule = unkept(deny, cli)
  if (rule !== null)
    return Result.fail({
      option: "deny",
      why: `${displayName} asks no hook about ${unasked?.tool ?? ""}: '${rule}' would not hold, its own settings may`
    })
  const policy = {
    deny: [...(box?.policy.deny ?? []), ...deny, ...denied.map((tool) => ({ tool }))],
    ask: box?.policy.ask ?? [],
    allow: [...(box?.policy.allow ?? []), ...allow]
  }
  const option = box !== null ? "sandbox" : denied.length > 0 ? "deniedTools" : "deny"
  const hasRules = policy.deny.length + policy.allow.length > 0
  return Result.succeed({
    options: {
      ...others,
      ...(box === null && sandbox !== undefined ? { sandbox } : {}),
      ...(tools === null && deniedTools !== undefined ? { deniedTools } : {})
    },
    rules: hasRules ? { policy, closed: box?.closed ?? null, option } : null
  })
}

import { Result } from "effect"
import { type Policy, type PolicyRule, noPolicy } from "../../rules/settings/Policy.ts"
import { decide } from "../../rules/policy/decide.ts"
import { presets } from "../../rules/policy/presets.ts"
import type { AgentCli, InvalidOption } from "./AgentCli.ts"
import type { AgentOptions } from "./AgentOptions.ts"
import { toolsIn } from "./cliOptions.ts"

/** Rules of one run, beside the user's own. */
export interface RunRules {
  readonly policy: Policy
  /** What they do not allow is refused, and why; null: it is left to the CLI. */
  readonly closed: string | null
  /** The option that they come from. */
  readonly option: "sandbox" | "deniedTools" | "deny"
}

/** What a run is to be held to: by the CLI itself (`options`), and by leap, through its hooks (`rules`). */
export interface HeldRun {
  readonly options: AgentOptions
  readonly rules: RunRules | null
}

/** The presets that write no more than such a sandbox. */
const sandboxes = { "read-only": "read-only", "workspace-write": "development" } as const
/** What writes nothing anywhere: reading, but of what a preset guards, and agents, whose own tools ask as well. */
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

/** The first of these rules that is about a tool for which a CLI asks no hook; null where none is. */
const unkept = (deny: ReadonlyArray<PolicyRule>, { unasked }: Pick<AgentCli<never>, "unasked">): string | null => {
  if (unasked === undefined) return null
  const options = { policy: { ...noPolicy, deny }, home: "", tag: "", cli: "", directory: "/", mode: "pause" } as const
  const { rule, verdict } = decide(options, unasked)
  return verdict === "deny" ? rule : null
}

/**
 * Parts what a CLI keeps by its own means from what leap keeps for it (`AgentCli.heldByHooks`). A tool that is to be
 * denied and has a name that the CLI has not is refused, as is a rule about one for which it asks nobody: nothing would
 * be denied.
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

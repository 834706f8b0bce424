import { Result, Struct } from "effect"
import { type Policy, type PolicyRule, noPolicy } from "../../store/settings/PolicySettings.ts"
import { decide } from "../../policy/decide.ts"
import { presets } from "../../policy/presets.ts"
import type { AgentCli, InvalidOption } from "./AgentCli.ts"
import { type AgentOptions, restrictionNames, type Restrictions } from "./AgentOptions.ts"
import { toolsIn } from "./cliOptions.ts"
import { hostsIn, leadingOn, reachingOnly } from "./Network.ts"

export interface RunRules {
  readonly policy: Policy
  /** Why everything that the rules do not allow is refused; null: the CLI decides. */
  readonly closed: string | null
  readonly option: "network" | "sandbox" | "deniedTools" | "deny"
}

/** A run's restrictions: those that the CLI keeps (`options`), and those that leap keeps by hooks (`rules`). */
export interface HeldRun {
  readonly options: AgentOptions
  readonly rules: RunRules | null
}

type Cli = Pick<AgentCli<never>, "cutsNetwork" | "displayName" | "heldByHooks" | "unasked">

/** The presets that write no more than these sandboxes allow. */
const sandboxes = { "read-only": "read-only", "workspace-write": "development" } as const
/** Rules that write nothing: reading, and agents, whose own tools ask as well. */
const harmless: ReadonlyArray<PolicyRule> = [{ kind: "read" }, { kind: "agent" }]

/** `hosts`: those that tools may reach; null: any. */
const sandboxRules = (
  sandbox: keyof typeof sandboxes,
  hosts: ReadonlyArray<string> | null,
  inert: ReadonlyArray<string>
): Pick<RunRules, "closed" | "policy"> => {
  const { allow, ask, deny } = presets.find(({ name }) => name === sandboxes[sandbox])?.policy ?? noPolicy
  const reaches =
    hosts === null ? "" : hosts.length === 0 ? " without network" : ` and may reach ${hosts.join(", ")} alone`
  return {
    policy: {
      deny: [...deny, ...(hosts === null ? [] : leadingOn)],
      ask,
      allow: [...(hosts === null ? allow : reachingOnly(hosts, allow)), ...harmless, ...inert.map((tool) => ({ tool }))]
    },
    closed: `the run is ${sandbox}${reaches}, and leap lets through what it knows to keep to that`
  }
}

/** Why a CLI cannot be held to these hosts; null: it can. */
const unreachable = (
  { cutsNetwork, displayName, heldByHooks }: Cli,
  sandbox: AgentOptions["sandbox"],
  hosts: ReadonlyArray<string>
): string | null => {
  if (sandbox === "off")
    return "it needs a sandbox, because a tool that may write anywhere may have others reach out: read-only, or workspace-write"
  if (heldByHooks !== undefined || (cutsNetwork !== undefined && hosts.length === 0)) return null
  return cutsNetwork === undefined
    ? `${displayName} has nothing that keeps it; leave it out, or ask a provider that has`
    : `${displayName} cuts off all of the network or nothing of it: 'none', or ask a provider that can be held to hosts`
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
export const heldRun = (cli: Cli, given: AgentOptions): Result.Result<HeldRun, InvalidOption> => {
  const { cutsNetwork = [], displayName, heldByHooks, unasked } = cli
  // no option beside these: a run without them is not asked about (`isRestricted`)
  const { allow = [], deny = [], deniedTools, network, sandbox: named }: Restrictions = given
  const others: Omit<AgentOptions, keyof Restrictions> = Struct.omit(given, restrictionNames)
  const { inert = [], offline = {}, tools = null } = heldByHooks ?? {}
  const hosts = hostsIn(network)
  const unheld = hosts === null ? null : unreachable(cli, named, hosts)
  if (unheld !== null) return Result.fail({ option: "network", why: unheld })
  const sandbox = named ?? (hosts === null ? undefined : "workspace-write")
  const asksFor = sandbox === undefined || sandbox === "off" ? null : sandbox
  const box = heldByHooks === undefined || asksFor === null ? null : sandboxRules(asksFor, hosts, inert)
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
    deny: [
      ...(box?.policy.deny ?? []),
      ...(hosts === null ? [] : cutsNetwork),
      ...deny,
      ...denied.map((tool) => ({ tool }))
    ],
    ask: box?.policy.ask ?? [],
    allow: [...(box?.policy.allow ?? []), ...allow]
  }
  const option = hosts !== null ? "network" : box !== null ? "sandbox" : denied.length > 0 ? "deniedTools" : "deny"
  const hasRules = policy.deny.length + policy.allow.length > 0
  return Result.succeed({
    options: {
      ...others,
      ...(box === null && sandbox !== undefined ? { sandbox } : {}),
      ...(box === null && hosts !== null && network !== undefined ? { network } : {}),
      ...(box === null || hosts === null ? {} : { env: { ...others.env, ...offline, GIT_ALLOW_PROTOCOL: "none" } }),
      ...(tools === null && deniedTools !== undefined ? { deniedTools } : {})
    },
    rules: hasRules ? { policy, closed: box?.closed ?? null, option } : null
  })
}

import type { Policy, PolicyRule } from "../store/settings/Settings.ts"
import { dangersLetThrough } from "./dangerous.ts"
import { decider, type DeciderOptions } from "./decide.ts"
import type { Verdict } from "./Decision.ts"
import { presets } from "./presets.ts"
import { ruleProblems } from "./problems.ts"
import { ruleText } from "./RuleText.ts"
import { filled, sampleRequests } from "./sampleRequests.ts"
import { commandName } from "./InnerCommands.ts"
import { isReader } from "./directoryEffects.ts"
import { nearMisses } from "./nearMisses.ts"
import { obeysFiles, placesOf } from "./knownPrograms/table.ts"
import { transparent, wrappers } from "./knownPrograms/shellPrograms.ts"
import { inherited } from "./ShellWords.ts"
import { summary } from "./summary.ts"
import { matches, type TextGlob, textGlob } from "./TextGlob.ts"
import type { ToolRequest } from "./ToolRequest.ts"

/**
 * `mistake`: the rule does not do what it seems to. `shadowed`: another rule always decides first. `never`: it matches
 * nothing. `wide`: it allows more than anybody intends. `runner`: the allowed command runs another program, which the
 * rule does not allow, or may run any.
 */
export type FindingKind = "mistake" | "shadowed" | "never" | "wide" | "runner"

/** The fault of one rule. */
export interface PolicyFinding {
  readonly verdict: Verdict
  /** Its place in the list of its verdict, from 0. */
  readonly index: number
  readonly rule: PolicyRule
  /** The rule in one line. */
  readonly text: string
  readonly kind: FindingKind
  readonly says: string
  /** A request that shows the fault, or the rule if none can be made, and the decision on it. */
  readonly example: string
  /** The remedy. */
  readonly advice: string
}

/** The context in which rules are examined. */
export interface LintOptions {
  readonly home: string
  readonly directory: string
  /** The ids of all CLIs; null where they are not known. */
  readonly clis: ReadonlyArray<string> | null
}

type Placed = Pick<PolicyFinding, "verdict" | "index" | "rule">

const order = ["deny", "ask", "allow"] as const
const patterns = ["tool", "command", "path", "url", "agent", "cli", "tag"] as const

/** The session that a rule applies to. */
const sessionOf = (rule: PolicyRule, { clis, directory, home }: LintOptions): Omit<DeciderOptions, "policy"> => {
  const glob = rule.cli === undefined ? null : textGlob(rule.cli)
  const plain = (pattern: string | undefined) => (pattern ?? "x").replace(/[*?]/g, "x").replace(/\\/g, "")
  return {
    home,
    directory,
    tag: plain(rule.tag),
    cli: glob === null ? (clis?.[0] ?? "x") : (clis?.find((id) => matches(glob, id)) ?? plain(rule.cli))
  }
}

const unnamed = "\uE000"

/** A pattern with texts that no pattern names instead of wildcards: a pattern that matches these matches all. */
const opened = (pattern: string): ReadonlyArray<string> => [
  ...[0, 1, 2, 17].map((length) => filled(pattern, unnamed.repeat(length), unnamed)),
  ...(/ \*$/.test(pattern) ? [filled(pattern.slice(0, -2), unnamed, unnamed)] : [])
]

const includes = (wide: TextGlob, pattern: string): boolean => opened(pattern).every((text) => matches(wide, text))

/** Whether the other rule matches every request of the first; false if that is uncertain. */
const isCoveredBy = (narrow: PolicyRule, wide: PolicyRule): boolean =>
  (wide.kind === undefined || wide.kind === narrow.kind) &&
  patterns.every((field) => {
    const [pattern, own] = [wide[field], narrow[field]]
    if (pattern === undefined) return true
    if (own === undefined) return false
    if (pattern === own) return true
    // braces and brackets are beyond a comparison of texts, and a single star ends at a slash
    if (field === "path")
      return /^[^*?[\]{}\\]*\/\*\*$/.test(pattern) && !own.includes("..") && own.startsWith(pattern.slice(0, -2))
    if (field === "url") return /^[^*?\\]+\*$/.test(pattern) && own.startsWith(pattern.slice(0, -1))
    const glob = textGlob(field === "command" ? pattern.trim() : pattern)
    return glob !== null && includes(glob, field === "command" ? own.trim() : own)
  })

const conditions = (rule: PolicyRule): string => JSON.stringify([rule.kind, ...patterns.map((field) => rule[field])])

/** The rules of a preset are leap's own: they are meant together with the preset's deny and ask rules. */
const isOfPreset = (policy: Policy): ((one: Pick<Placed, "rule" | "verdict">) => boolean) => {
  const texts = (rules: ReadonlyArray<PolicyRule>) => new Set(rules.map(conditions))
  const [deny, ask] = [texts(policy.deny), texts(policy.ask)]
  const whole = presets.filter(
    (preset) =>
      preset.policy.deny.every((rule) => deny.has(conditions(rule))) &&
      preset.policy.ask.every((rule) => ask.has(conditions(rule)) || deny.has(conditions(rule)))
  )
  const allowed = texts(whole.flatMap((preset) => preset.policy.allow))
  const guarded = texts(presets.flatMap((preset) => [...preset.policy.deny, ...preset.policy.ask]))
  return ({ rule, verdict }) => (verdict === "allow" ? allowed : guarded).has(conditions(rule))
}

/** The program that an allow rule names alone (`sudo *`); null for none. */
const programIn = ({ command }: PolicyRule): string | null => {
  const [, name] = /^([^\s*]+)(?: ?\*)?$/.exec(command?.trim() ?? "") ?? []
  return name === undefined ? null : commandName(name)
}

/** The same, or with one of its commands (`uv run *`), where it runs another one. */
const runnerIn = (rule: PolicyRule): string | null => {
  const program = programIn(rule) ?? rule.command?.trim().replace(/ ?\*$/, "") ?? null
  return program !== null && wrappers.has(program) && program !== "command" ? program : null
}

/** How a program may run others with any arguments; null if its description covers it completely. */
const runsBy = (program: string): string | null =>
  obeysFiles(program)
    ? `${program} runs what files of the project say, whoever wrote them`
    : placesOf(program, [], inherited, () => false, new Set()) === undefined && !isReader(program)
      ? `nothing is known of what ${program} does with its arguments: they may run other programs`
      : null

/** An option named by a pattern is allowed by it, not by a wider pattern. */
const namesOption = ({ command }: PolicyRule): boolean => / -/.test(command ?? "")

/** Finds the faults of a policy's rules, in their order. */
export const lintPolicy = (policy: Policy, options: LintOptions): ReadonlyArray<PolicyFinding> => {
  const { clis, directory, home } = options
  const placed = order.flatMap((verdict) => policy[verdict].map((rule, index): Placed => ({ verdict, index, rule })))
  const ofPreset = isOfPreset(policy)
  /** What all rules together say: they are read once for all rules of the same tag and CLI. */
  const deciders = new Map<string, ReturnType<typeof decider>>()
  const deciderOf = (rule: PolicyRule) => {
    const key = JSON.stringify([rule.tag, rule.cli])
    const made = deciders.get(key) ?? decider({ ...sessionOf(rule, options), policy })
    deciders.set(key, made)
    return made
  }
  const say = (rules: Policy, rule: PolicyRule, request: ToolRequest) =>
    (rules === policy ? deciderOf(rule) : decider({ ...sessionOf(rule, options), policy: rules }))("pause", request)
  /** What the rule says alone. */
  const sayAlone = ({ rule, verdict }: Pick<Placed, "rule" | "verdict">, request: ToolRequest) =>
    say({ deny: [], ask: [], allow: [], [verdict]: [rule] }, rule, request)
  const samplesOf = (rule: PolicyRule) => sampleRequests(rule, directory, home)
  /** The request and these rules' decision on it; the rule itself if there is no request. */
  const shown = (rule: PolicyRule, request: ToolRequest | undefined) =>
    request === undefined ? JSON.stringify(rule) : `${summary(request)} → ${say(policy, rule, request).verdict}`

  const mistakes = ({ rule, verdict }: Placed) =>
    ruleProblems(verdict, rule, clis).map((says) => ({
      kind: "mistake" as const,
      says,
      example: shown(rule, samplesOf(rule)[0]),
      advice: "mend the rule, or take it out; 'leap policy test' shows what leap would say"
    }))

  /** Without the rule, the same is allowed. */
  const isIdle = (rule: PolicyRule): boolean => {
    const others = { ...policy, allow: policy.allow.filter((other) => other !== rule) }
    return samplesOf(rule).every((one) => say(policy, rule, one).verdict === say(others, rule, one).verdict)
  }

  const shadow = ({ index, rule, verdict }: Placed) => {
    const rank = order.indexOf(verdict)
    const over = placed.find(
      (other) =>
        (order.indexOf(other.verdict) < rank || (other.verdict === verdict && other.index < index)) &&
        isCoveredBy(rule, other.rule)
    )
    if (over === undefined || (verdict === "allow" && namesOption(rule) && !isIdle(rule))) return null
    const by = ruleText(over.verdict, over.rule)
    const request = samplesOf(rule).find((one) => say(policy, rule, one).rule !== null)
    return {
      kind: "shadowed" as const,
      says: `'${by}' is about all of it, and comes first`,
      example: shown(rule, request),
      advice:
        over.verdict === verdict
          ? "take it out: it adds nothing"
          : `no ${verdict} rule wins over one that ${over.verdict === "deny" ? "denies" : "asks"}: take it out, or make the other one narrower`
    }
  }

  const nothing = (placed: Placed) => {
    const requests = samplesOf(placed.rule)
    const [request] = requests
    if (request === undefined || requests.some((one) => sayAlone(placed, one).rule !== null)) return null
    return {
      kind: "never" as const,
      says: `nothing is ${{ allow: "allowed", deny: "denied", ask: "asked" }[placed.verdict]} by it`,
      example: `${summary(request)}: ${sayAlone(placed, request).why}`,
      advice: "write what one request has: a command, or files and a kind, or an address, or a tool"
    }
  }

  /** Requests that it allows although nobody intends that. */
  const width = ({ rule, verdict }: Placed) => {
    if (verdict !== "allow" || rule.tag !== undefined || ofPreset({ rule, verdict })) return null
    const through = dangersLetThrough({ ...sessionOf(rule, options), policy }, rule)
    const [worst] = through
    if (worst === undefined) return null
    const more = through.length > 1 ? ` (and ${through.length - 1} more of the kind)` : ""
    return {
      kind: "wide" as const,
      says: `it is too wide: it also lets through what nobody means${more}`,
      example: shown(rule, worst),
      advice:
        worst.kind === "command"
          ? "name the program with what it does ('git status *'), or deny what must not happen; see 'leap policy preset'"
          : "name a directory, a host or a tool, or ask for what must stay yours; see 'leap policy preset'"
    }
  }

  const runner = (program: string, { rule }: Placed) => ({
    kind: "runner" as const,
    says: `${program} runs another program, which this rule does not allow`,
    example: shown(rule, samplesOf({ ...rule, command: `${program} rm x` })[0]),
    advice: transparent.has(program)
      ? `take it out: a command that is allowed is allowed behind ${program} too`
      : `name the other program too, as in '${program} ls *'`
  })

  /** Requests that its author means too, but no rule of the policy matches. */
  const near = (placed: Placed) => {
    const { rule, verdict } = placed
    const [wanted] = samplesOf(rule)
    if (ofPreset(placed) || wanted === undefined || sayAlone(placed, wanted).rule === null) return null
    const isMissed = (request: ToolRequest): boolean => {
      const said = say(policy, rule, request)
      return sayAlone(placed, request).rule === null && (verdict === "allow" ? said.verdict !== "allow" : !said.rule)
    }
    const missed = nearMisses(verdict, rule, directory, home).find(({ request }) => isMissed(request))
    if (missed === undefined) return null
    const { advice, request, says } = missed
    const told = deciderOf(rule)(verdict === "allow" ? "pause" : "always", request)
    return { kind: "mistake" as const, says, example: `${summary(request)} → ${told.verdict}`, advice }
  }

  /** It allows programs that run others, chosen only by arguments or by files of the project. */
  const others = ({ rule, verdict }: Placed) => {
    const program = verdict === "allow" && / ?\*$/.test(rule.command ?? "") ? programIn(rule) : null
    const says = program === null || ofPreset({ rule, verdict }) || rule.tag !== undefined ? null : runsBy(program)
    if (says === null) return null
    const requests = [...samplesOf({ ...rule, command: `${program} -c 'rm x'` }), ...samplesOf(rule)]
    const passes = requests.find((one) => say(policy, rule, one).verdict === "allow")
    const advice = `name what it is to do, as in '${program} --version'`
    return passes === undefined ? null : { kind: "runner" as const, says, example: shown(rule, passes), advice }
  }

  /** The gravest other fault of a rule without a mistake. */
  const other = (one: Placed) => {
    const shadowed = shadow(one)
    if (shadowed !== null) return shadowed
    const program = one.verdict === "allow" ? runnerIn(one.rule) : null
    if (program !== null) return ofPreset(one) ? null : runner(program, one)
    return nothing(one) ?? width(one) ?? others(one) ?? near(one)
  }

  return placed.flatMap((one) => {
    const found = mistakes(one)
    const more = found.length > 0 ? null : other(one)
    const { index, rule, verdict } = one
    return [...found, ...(more === null ? [] : [more])].map((finding) => ({
      verdict,
      index,
      rule,
      text: ruleText(verdict, rule),
      ...finding
    }))
  })
}

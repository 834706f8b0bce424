import { type Candidate, candidateRules, type Width, widths } from "../../policy/candidateRules.ts"
import { dangersAllowed, guardOf } from "../../policy/dangerous.ts"
import type { Decision } from "../../policy/Decision.ts"
import { type DeciderOptions, decider } from "../../policy/decide.ts"
import { summary } from "../../policy/summary.ts"
import type { Policy, PolicyRule } from "../../store/settings/Settings.ts"
import { type Ask, asksIn, requestKey } from "./asks.ts"
import type { AuditEntry } from "./AuditEntry.ts"

export interface LogPlace {
  readonly directory: string
  /** The CLI that the session's CLI is a variant of. */
  readonly base?: string
}

export interface SuggestOptions {
  readonly policy: Policy
  readonly home: string
  readonly place: (entry: Pick<AuditEntry, "tag" | "cli">) => LogPlace | null
  /** The fewest asks that a rule must save. */
  readonly least: number
}

export interface Suggestion {
  readonly rules: ReadonlyArray<PolicyRule>
  readonly width: Width
  /** The number of saved asks, and of those that the user is known to have allowed. */
  readonly spares: number
  readonly allowed: number
  /** The first few different requests among them, for people; secrets are masked. */
  readonly examples: ReadonlyArray<string>
  readonly last: string
  readonly claims: ReadonlyArray<Ask>
}

export interface Suggestions {
  readonly asks: number
  readonly suggestions: ReadonlyArray<Suggestion>
}

/** The most requests that are examined, newest first, and suggestions that are tried. */
const mostRequests = 2_000
const mostTried = 150
const mostExamples = 3
/** The most sessions in which rules are tested for danger. */
const mostPlaces = 4

type Options = Omit<DeciderOptions, "policy">

interface Wish {
  readonly options: Options
  readonly asks: readonly [Ask, ...ReadonlyArray<Ask>]
  readonly trusted: boolean
}

interface Draft extends Candidate {
  /** It is the narrowest for one of its wishes; a family of commands never is. */
  readonly narrowest: boolean
  readonly key: string
  readonly wishes: ReadonlyArray<Wish>
}

const count = (wishes: ReadonlyArray<Wish>): number => wishes.reduce((sum, { asks }) => sum + asks.length, 0)
const keyOf = (rules: ReadonlyArray<PolicyRule>): string =>
  [...new Set(rules.map((rule) => JSON.stringify(rule)))].sort().join("\n")
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Narrow before wide, then by the number of rules, then by the saved asks, then in a fixed order. */
const byWidth = (a: Draft, b: Draft): number =>
  widths.indexOf(a.width) - widths.indexOf(b.width) ||
  a.rules.length - b.rules.length ||
  count(b.wishes) - count(a.wishes) ||
  compare(a.key, b.key)

type Judge = (wish: Wish, added: ReadonlyArray<PolicyRule>) => Decision

/** Decides on a wish by the user's rules and further allow rules. The rules are parsed once for each session. */
const judgeOf = (policy: Policy): Judge => {
  const known = new Map<string, ReturnType<typeof decider>>()
  return ({ asks: [ask], options }, added) => {
    const key = `${JSON.stringify(options)}\n${keyOf(added)}`
    const judge = known.get(key) ?? decider({ ...options, policy: { ...policy, allow: [...policy.allow, ...added] } })
    known.set(key, judge)
    return judge("pause", ask.request)
  }
}
const guarded = (): ((wish: Wish) => boolean) => {
  const known = new Map<string, ReturnType<typeof guardOf>>()
  return (wish) => {
    const key = JSON.stringify(wish.options)
    const guard = known.get(key) ?? guardOf(wish.options)
    known.set(key, guard)
    return guard(wish.asks[0].request)
  }
}

const wishesIn = (asks: ReadonlyArray<Ask>, { home, place }: SuggestOptions): ReadonlyArray<Wish> => {
  const wishes = new Map<string, { options: Options; asks: [Ask, ...Array<Ask>] }>()
  for (const ask of asks) {
    const { cli, request, tag } = ask
    const at = place(ask)
    const directory = at?.directory ?? request.cwd
    const key = JSON.stringify([tag, cli, requestKey(request)])
    const known = wishes.get(key)
    if (known !== undefined) known.asks.push(ask)
    else
      wishes.set(key, {
        options: { home, tag, cli, directory, ...(at?.base === undefined ? {} : { base: at.base }) },
        asks: [ask]
      })
  }
  return [...wishes.values()]
    .sort((a, b) => compare(b.asks.at(-1)?.at ?? "", a.asks.at(-1)?.at ?? ""))
    .slice(0, mostRequests)
    .map((wish) => ({ ...wish, trusted: wish.asks.some(({ answer }) => answer === "allow") }))
}

/** The rules that the user's own do not make superfluous. */
const needed = (judge: Judge, rules: ReadonlyArray<PolicyRule>, wish: Wish): ReadonlyArray<PolicyRule> => {
  let kept = [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()]
  if (kept.length < 2) return kept
  for (const rule of kept) {
    const fewer = kept.filter((one) => one !== rule)
    if (judge(wish, fewer).verdict === "allow") kept = fewer
  }
  return kept
}

const drafts = (judge: Judge, wishes: ReadonlyArray<Wish>): ReadonlyArray<Draft> => {
  const found = new Map<string, { candidate: Candidate; narrowest: boolean; wishes: Array<Wish> }>()
  for (const wish of wishes) {
    const { options, trusted } = wish
    const own = new Set<string>()
    for (const { rules, width } of candidateRules(wish.asks[0].request, options, trusted)) {
      const least = needed(judge, rules, wish)
      const key = keyOf(least)
      if (own.has(key)) continue
      const narrowest = own.size === 0 && (width === "exact" || wish.asks[0].request.kind !== "command")
      own.add(key)
      const known = found.get(key)
      if (known === undefined) found.set(key, { candidate: { rules: least, width }, narrowest, wishes: [wish] })
      else {
        known.wishes.push(wish)
        known.narrowest ||= narrowest
      }
    }
  }
  return [...found].map(([key, { candidate, ...of }]) => ({ ...candidate, ...of, key }))
}

/** The sets of rules that allow nothing dangerous, alone and all together: the widest are dropped first. */
const harmless = (policy: Policy, some: ReadonlyArray<Draft>, places: ReadonlyArray<Options>): ReadonlyArray<Draft> => {
  const dangerous = (of: ReadonlyArray<Draft>): boolean =>
    places.some(
      (options) =>
        dangersAllowed(
          { ...options, policy },
          of.flatMap(({ rules }) => rules)
        ).length > 0
    )
  const sift = (of: ReadonlyArray<Draft>): ReadonlyArray<Draft> => {
    if (of.length === 0 || !dangerous(of)) return of
    const half = Math.ceil(of.length / 2)
    return of.length === 1 ? [] : [...sift(of.slice(0, half)), ...sift(of.slice(half))]
  }
  // Exact rules come first, and hardly ever need a closer test.
  const exact = some.filter(({ width }) => width === "exact")
  let kept = [...sift(exact), ...sift(some.slice(exact.length))]
  while (kept.length > 0 && dangerous(kept)) kept = kept.slice(0, -1)
  return kept
}

const worthwhile = (some: ReadonlyArray<Draft>): ReadonlyArray<Draft> => {
  const spared: Array<ReadonlySet<Wish>> = []
  return some.filter(({ wishes }) => {
    if (spared.some((narrower) => wishes.every((wish) => narrower.has(wish)))) return false
    spared.push(new Set(wishes))
    return true
  })
}

/**
 * Rules that would have saved the user asks, narrow first. The decision function confirms that each allows what it
 * claims. None allows what the user has refused, what a deny or ask rule of theirs or a guard of the presets concerns,
 * or a request of the corpus of dangerous ones. Deterministic.
 */
export const suggestRules = (entries: ReadonlyArray<AuditEntry>, options: SuggestOptions): Suggestions => {
  const { least, policy } = options
  const asks = asksIn(entries)
  const judge = judgeOf(policy)
  const isGuarded = guarded()
  const allows = (wish: Wish, rules: ReadonlyArray<PolicyRule>) => judge(wish, rules).verdict === "allow"
  const all = wishesIn(asks, options)
  const refused = all.filter(({ asks }) => asks.some(({ answer }) => answer === "deny"))
  const open = all.filter((wish) => {
    const { rule, verdict } = judge(wish, [])
    return verdict === "ask" && rule === null && !refused.includes(wish) && !isGuarded(wish)
  })
  const tried = drafts(judge, open)
    .filter(({ narrowest, wishes }) => count(wishes) >= least && (narrowest || wishes.length > 1))
    .sort((a, b) => count(b.wishes) - count(a.wishes) || byWidth(a, b))
    .slice(0, mostTried)
    .map((draft) => ({ ...draft, wishes: draft.wishes.filter((wish) => allows(wish, draft.rules)) }))
    .filter(({ rules, wishes }) => count(wishes) >= least && !refused.some((wish) => allows(wish, rules)))
    .sort(byWidth)
  const places = [
    ...new Map(tried.flatMap(({ wishes }) => wishes).map(({ options }) => [JSON.stringify(options), options])).values()
  ]
  const suggestions = worthwhile(harmless(policy, tried, places.slice(0, mostPlaces))).map(
    ({ rules, width, wishes }): Suggestion => {
      const claims = wishes.flatMap(({ asks }) => asks).sort((a, b) => compare(a.at, b.at))
      return {
        rules,
        width,
        spares: claims.length,
        allowed: claims.filter(({ answer }) => answer === "allow").length,
        examples: [...new Set(claims.map(({ request }) => summary(request, 100)))].slice(0, mostExamples),
        last: claims.at(-1)?.at ?? "",
        claims
      }
    }
  )
  return { asks: asks.length, suggestions }
}

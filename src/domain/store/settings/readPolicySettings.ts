import { Schema } from "effect"
import type { LenientNode } from "../../words/formats/LenientJson.ts"
import { Policy, PolicyRule } from "./PolicySettings.ts"
import type { Reading } from "./settingKinds.ts"
import { choice, describe, itemsAt, leafOf, membersOf, type Notes, objectAt, type ObjectNode } from "./settingsNodes.ts"

const ruleFields = Object.entries(PolicyRule.fields).map(
  ([name, schema]) => [name, Schema.is(schema as Schema.Schema<unknown>)] as const
)

/** One rule, or why it is invalid. Every field narrows a rule, so a field that cannot be read invalidates it. */
const ruleOf = (node: LenientNode): PolicyRule | string => {
  if (node.kind !== "object") return `it must be an object, it is ${describe(node)}`
  if (!node.whole) return "a part of it cannot be read"
  const rule: Record<string, unknown> = {}
  for (const { key, value } of node.members) {
    const field = ruleFields.find(([name]) => name === key)
    if (field === undefined) return `"${key}" is nothing that a rule knows`
    const given = leafOf(value)
    if (given === undefined || !field[1](given)) return `"${key}" cannot be ${describe(value)}`
    if (Object.hasOwn(rule, key)) return `"${key}" stands there twice`
    rule[key] = given
  }
  return rule
}

const WhenSilent = Policy.fields.whenSilent.schema
const policyLists = ["deny", "ask", "allow"] as const

/** The rules while others cannot be read: what is not denied is asked; the reason tells user and audit log why. */
export const unreadPolicy = (policy: Policy, unread: string): Policy => ({
  ...policy,
  ask: [...policy.ask, { reason: `${unread}, so everything is asked` }],
  unread
})

/**
 * The rules. An invalid one is left out. But while it is uncertain what to deny or ask, everything that is not denied
 * is asked: a typing error must not allow what was forbidden.
 */
export const policyOf = (
  node: LenientNode | undefined,
  _path: string,
  { doubt: syntax, notes }: Pick<Reading, "doubt" | "notes">
): Policy => {
  const doubts: Array<string> = syntax === null ? [] : [syntax]
  const doubtNotes: Notes = {
    warn: (at, why) => {
      doubts.push(why)
      notes.warn(at, why)
    }
  }
  const lists: Record<(typeof policyLists)[number], ReadonlyArray<PolicyRule>> = { deny: [], ask: [], allow: [] }
  const object = objectAt(node, "policy", doubtNotes)
  const found =
    object === null ? null : membersOf(object, "policy.", new Set([...policyLists, "whenSilent"]), doubtNotes)
  for (const list of found === null ? [] : policyLists) {
    const listNotes = list === "allow" ? notes : doubtNotes
    lists[list] = (itemsAt(found?.get(list), `policy.${list}`, listNotes) ?? []).flatMap((item, index) => {
      const rule = ruleOf(item)
      if (typeof rule !== "string") return [rule]
      listNotes.warn(item, `rule ${index + 1} of "policy.${list}" was left out: ${rule}`)
      return []
    })
  }
  const silence =
    found?.has("whenSilent") === true
      ? { whenSilent: choice(found.get("whenSilent"), "policy.whenSilent", WhenSilent, "ask", notes) }
      : {}
  const [doubt] = doubts
  const policy = { ...lists, ...silence }
  return doubt === undefined
    ? policy
    : unreadPolicy(policy, `the rules in leap's settings cannot all be read (${doubt})`)
}

/**
 * Rules outside of "policy", misplaced or another program's; null for none. `known`: the settings' names at the top.
 */
export const strayRules = ({ members }: ObjectNode, known: ReadonlySet<string>): string | null => {
  const isList = (key: string): boolean => policyLists.some((list) => list === key.toLowerCase())
  const stray = members.find(
    ({ key, value }) =>
      !known.has(key) &&
      (isList(key) || (value.kind === "object" && value.members.some((member) => isList(member.key))))
  )
  return stray === undefined ? null : `"${stray.key}" seems to hold rules, which belong in "policy"`
}

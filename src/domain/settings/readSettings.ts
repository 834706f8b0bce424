import { Schema } from "effect"
import { decodeText, type LenientNode, type LenientProblem, parse } from "../LenientJson.ts"
import { Modes } from "../Session.ts"
import { oneLine } from "../StateLine.ts"
import { customIdProblem, variableProblem } from "./CustomCli.ts"
import { CliSettings, defaultSettings, type Policy, PolicyRule, type Settings } from "./Settings.ts"

/** More warnings than a reader would read. */
const warningLimit = 50

/** Collects what cannot be used, with its place. */
interface Notes {
  readonly warn: (at: { readonly offset: number }, why: string) => void
}

type ObjectNode = Extract<LenientNode, { readonly kind: "object" }>

const spoken = (node: LenientNode): string => {
  if (node.kind !== "leaf") return node.kind === "array" ? "a list" : "an object"
  if (!node.whole) return "something that cannot be read"
  if (node.value === null) return "null"
  const text = JSON.stringify(node.value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** The values of a container that has one; a leaf's value when it was read whole. */
const leafOf = (node: LenientNode): unknown => node.kind === "leaf" && node.whole ? node.value : undefined

/** An object's members, the last of each name; says which names it does not know, and which come twice. */
const membersOf = (node: ObjectNode, path: string, known: ReadonlySet<string> | null, notes: Notes): ReadonlyMap<string, LenientNode> => {
  const found = new Map<string, LenientNode>()
  for (const { key, offset, value } of node.members) {
    const name = `"${path}${key}"`
    if (known !== null && !known.has(key)) {
      notes.warn({ offset }, `${name} is nothing that leap knows`)
      continue
    }
    if (found.has(key)) notes.warn({ offset }, `${name} stands there twice; the last one counts`)
    found.set(key, value)
  }
  return found
}

const objectAt = (node: LenientNode | undefined, path: string, notes: Notes): ObjectNode | null => {
  if (node === undefined || node.kind === "object") return node ?? null
  notes.warn(node, `"${path}" must be an object, it is ${spoken(node)}`)
  return null
}

const itemsAt = (node: LenientNode | undefined, path: string, notes: Notes): ReadonlyArray<LenientNode> | null => {
  if (node === undefined) return []
  if (node.kind === "array") return node.items
  notes.warn(node, `"${path}" must be a list, it is ${spoken(node)}`)
  return null
}

const textProblem = (value: string): string | null => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value) ? "it holds a control character" : null

const choice = <A extends string>(node: LenientNode | undefined, path: string, schema: { readonly literals: ReadonlyArray<A> }, otherwise: A, notes: Notes): A => {
  if (node === undefined) return otherwise
  const value = leafOf(node)
  const found = schema.literals.find((literal) => literal === value)
  if (found === undefined) {
    notes.warn(node, `"${path}" must be ${schema.literals.map((it) => `"${it}"`).join(" or ")}, it is ${spoken(node)}; "${otherwise}" counts`)
  }
  return found ?? otherwise
}

const text = (node: LenientNode | undefined, path: string, notes: Notes): string | null => {
  if (node === undefined) return null
  const value = leafOf(node)
  if (typeof value !== "string") {
    notes.warn(node, `"${path}" must be a text, it is ${spoken(node)}`)
    return null
  }
  const problem = textProblem(value)
  if (problem !== null) notes.warn(node, `"${path}" cannot be used: ${problem}`)
  return problem === null ? value : null
}

const modesOf = (node: LenientNode | undefined, notes: Notes): Settings["modes"] => {
  const standard = defaultSettings.modes
  const object = objectAt(node, "modes", notes)
  if (object === null) return standard
  const found = membersOf(object, "modes.", new Set(Object.keys(Modes.fields)), notes)
  return {
    autoSend: choice(found.get("autoSend"), "modes.autoSend", Modes.fields.autoSend, standard.autoSend, notes),
    churn: choice(found.get("churn"), "modes.churn", Modes.fields.churn, standard.churn, notes)
  }
}

const ruleFields = Object.entries(PolicyRule.fields).map(([name, schema]) => [name, Schema.is(schema as Schema.Schema<unknown>)] as const)

/** One rule, or why it cannot be understood. Every field narrows it, so that one that cannot be read spoils it. */
const ruleOf = (node: LenientNode): PolicyRule | string => {
  if (node.kind !== "object") return `it must be an object, it is ${spoken(node)}`
  if (!node.whole) return "a part of it cannot be read"
  const rule: Record<string, unknown> = {}
  for (const { key, value } of node.members) {
    const field = ruleFields.find(([name]) => name === key)
    if (field === undefined) return `"${key}" is nothing that a rule knows`
    const given = leafOf(value)
    if (given === undefined || !field[1](given)) return `"${key}" cannot be ${spoken(value)}`
    if (Object.hasOwn(rule, key)) return `"${key}" stands there twice`
    rule[key] = given
  }
  return rule
}

const policyLists = ["deny", "ask", "allow"] as const

/** Says in the audit log and to the user why everything is asked. */
const unsure = (why: string): PolicyRule => ({ reason: `the rules in leap's settings cannot all be read (${why}), so everything is asked` })

/**
 * The rules. One that cannot be understood is left out; but while it is not known what is to be denied or asked,
 * everything that is not denied is asked: a typing error must not open what was shut.
 */
const policyOf = (node: LenientNode | undefined, syntax: string | null, notes: Notes): Policy => {
  const doubts: Array<string> = syntax === null ? [] : [syntax]
  const doubting: Notes = {
    warn: (at, why) => {
      doubts.push(why)
      notes.warn(at, why)
    }
  }
  const lists: Record<(typeof policyLists)[number], ReadonlyArray<PolicyRule>> = { deny: [], ask: [], allow: [] }
  const object = objectAt(node, "policy", doubting)
  const found = object === null ? null : membersOf(object, "policy.", new Set(policyLists), doubting)
  for (const list of found === null ? [] : policyLists) {
    const told = list === "allow" ? notes : doubting
    lists[list] = (itemsAt(found?.get(list), `policy.${list}`, told) ?? []).flatMap((item, index) => {
      const rule = ruleOf(item)
      if (typeof rule !== "string") return [rule]
      told.warn(item, `rule ${index + 1} of "policy.${list}" was left out: ${rule}`)
      return []
    })
  }
  const [doubt] = doubts
  return doubt === undefined ? lists : { ...lists, ask: [...lists.ask, unsure(doubt)] }
}

const cliFields = new Set(Object.keys(CliSettings.fields))

/** What the user has said of one CLI, and whether all that decides what is started could be read. */
const cliOf = (id: string, node: ObjectNode, notes: Notes): { readonly cli: CliSettings; readonly sure: boolean } => {
  const path = `clis.${id}.`
  const found = membersOf(node, path, cliFields, notes)
  let sure = node.whole
  const needed = (name: string): string | null => {
    const value = text(found.get(name), `${path}${name}`, notes)
    if (value === null && found.has(name)) sure = false
    return value === "" ? null : value
  }
  const variables: Array<readonly [string, string]> = []
  const env = found.get("env")
  const environment = objectAt(env, `${path}env`, notes)
  if (env !== undefined && environment === null) sure = false
  for (const [name, value] of environment === null ? [] : membersOf(environment, `${path}env.`, null, notes)) {
    const given = leafOf(value)
    const problem = typeof given === "string" ? variableProblem(name, given) : `"${path}env.${name}" must be a text, it is ${spoken(value)}`
    if (problem === null) variables.push([name, String(given)])
    else {
      notes.warn(value, problem)
      sure = false
    }
  }
  const hidden = found.get("hidden")
  const isHidden = hidden === undefined ? undefined : leafOf(hidden)
  if (hidden !== undefined && typeof isHidden !== "boolean") {
    notes.warn(hidden, `"${path}hidden" must be true or false, it is ${spoken(hidden)}`)
  }
  const base = needed("base")
  const named = needed("command")
  const isRelative = named !== null && named.includes("/") && !/^[/~$]/.test(named)
  if (isRelative) {
    notes.warn(found.get("command") ?? node, `"${path}command" must be a name on PATH, or a path from / or ~: where would ${named} begin?`)
    sure = false
  }
  const command = isRelative ? null : named
  const flags = text(found.get("flags"), `${path}flags`, notes)
  const displayName = text(found.get("displayName"), `${path}displayName`, notes)
  const cli: CliSettings = {
    ...(base === null ? {} : { base }),
    ...(displayName === null || displayName.trim() === "" ? {} : { displayName: displayName.trim() }),
    ...(command === null ? {} : { command }),
    ...(flags === null ? {} : { flags }),
    ...(environment === null ? {} : { env: Object.fromEntries(variables) }),
    ...(typeof isHidden === "boolean" ? { hidden: isHidden } : {})
  }
  return { cli, sure }
}

/** The CLIs that can be used: what is said of leap's own, and the user's own that have a sound id and base. */
const clisOf = (node: LenientNode | undefined, builtin: ReadonlyArray<string>, notes: Notes): Settings["clis"] => {
  const object = objectAt(node, "clis", notes)
  if (object === null) return {}
  const clis: Array<readonly [string, CliSettings]> = []
  for (const [id, value] of membersOf(object, "clis.", null, notes)) {
    const leftOut = (why: string): void => notes.warn(value, `"clis.${id}" was left out: ${why}`)
    if (value.kind !== "object") {
      leftOut(`it must be an object, it is ${spoken(value)}`)
      continue
    }
    const { cli, sure } = cliOf(id, value, notes)
    if (builtin.includes(id)) {
      if (cli.base === undefined) clis.push([id, cli])
      else leftOut("it is a CLI of leap's own, which has no base; a CLI of yours needs another id")
      continue
    }
    const problem = customIdProblem(id, builtin)
    if (problem !== null) leftOut(problem)
    else if (cli.base === undefined) leftOut(`it has no usable "base", the CLI of leap's that it is a variant of: ${builtin.join(", ")}`)
    else if (!builtin.includes(cli.base)) leftOut(`its base '${cli.base}' is no CLI of leap's; those are ${builtin.join(", ")}`)
    // half a definition would start something else than was meant: another program, another account
    else if (!sure) leftOut("a part of it cannot be used")
    else clis.push([id, cli])
  }
  return Object.fromEntries(clis)
}

const orderOf = (node: LenientNode | undefined, known: ReadonlyArray<string>, notes: Notes): Settings["order"] => {
  const order: Array<string> = []
  for (const item of itemsAt(node, "order", notes) ?? []) {
    const id = leafOf(item)
    if (typeof id !== "string") notes.warn(item, `"order" lists ids of CLIs, not ${spoken(item)}`)
    else if (!known.includes(id)) notes.warn(item, `"order" names '${id}', which is no CLI`)
    else if (!order.includes(id)) order.push(id)
  }
  return order
}

const pricesOf = (node: LenientNode | undefined, notes: Notes): string | null =>
  node === undefined || leafOf(node) === null ? null : text(node, "prices", notes) || null

const topLevel = new Set(["$schema", ...Object.keys(defaultSettings)])

/** Rules that do not stand in "policy", by a typing error or as another program has them; null where there are none. */
const strayRules = ({ members }: ObjectNode): string | null => {
  const isList = (key: string): boolean => policyLists.some((list) => list === key.toLowerCase())
  const stray = members.find(({ key, value }) => !topLevel.has(key) && (isList(key) || value.kind === "object" && value.members.some((member) => isList(member.key))))
  return stray === undefined ? null : `"${stray.key}" seems to hold rules, which belong in "policy"`
}

/** The 1-based line of each offset, in order of appearance. */
const lineOf = (source: string, offset: number): number => {
  let line = 1
  for (let at = source.indexOf("\n"); at >= 0 && at < offset; at = source.indexOf("\n", at + 1)) line++
  return line
}

/**
 * The settings that a file's content means, and a line for each thing in it that cannot be used. Total: what is damaged,
 * wrong or unknown costs itself and nothing else. `builtin`: ids of leap's own CLIs.
 */
export const readSettings = (
  content: Uint8Array | null,
  builtin: ReadonlyArray<string>
): { readonly settings: Settings; readonly warnings: ReadonlyArray<string> } => {
  if (content === null) return { settings: defaultSettings, warnings: [] }
  const { exact, text: source } = decodeText(content)
  const { problems, root } = parse(source, exact)
  const found: Array<LenientProblem> = [...problems]
  const notes: Notes = { warn: ({ offset }, why) => found.push({ offset, why }) }
  const top = root === null ? null : objectAt(root, "", { warn: (at) => notes.warn(at, `the settings must be an object, they are ${spoken(root)}`) })
  const members = top === null ? new Map<string, LenientNode>() : membersOf(top, "", topLevel, notes)

  const [first] = problems
  const syntax = first === undefined ? root !== null && top === null ? "they are no object" : null : `line ${lineOf(source, first.offset)}: ${first.why}`
  const clis = clisOf(members.get("clis"), builtin, notes)
  const settings: Settings = {
    modes: modesOf(members.get("modes"), notes),
    policy: policyOf(members.get("policy"), syntax ?? (exact ? top === null ? null : strayRules(top) : "they are not UTF-8 text"), notes),
    clis,
    order: orderOf(members.get("order"), [...builtin, ...Object.keys(clis)], notes),
    prices: pricesOf(members.get("prices"), notes)
  }
  const lines = found.slice(0, warningLimit).sort((a, b) => a.offset - b.offset).map(({ offset, why }) => `line ${lineOf(source, offset)}: ${oneLine(why, 300)}`)
  return {
    settings,
    warnings: [
      ...(exact ? [] : ["it is not UTF-8 text; what cannot be read of it is left out"]),
      ...lines,
      ...(found.length > warningLimit ? [`and ${found.length - warningLimit} more`] : [])
    ]
  }
}

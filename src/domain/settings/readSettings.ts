import { Schema } from "effect"
import { decodeText, type LenientNode, type LenientProblem, parse } from "../text/LenientJson.ts"
import { Modes, NightMode, UnknownLayout } from "../session/Session.ts"
import { oneLine } from "../text/printable.ts"
import { customIdProblem, variableProblem } from "./CustomCli.ts"
import { detachKey } from "../terminal/DetachKey.ts"
import { keysOf, screenOf } from "./readScreenSettings.ts"
import { nightOf, notifyOf } from "./readNotifySettings.ts"
import { outOf } from "./readOutSettings.ts"
import {
  amount,
  choice,
  describe,
  itemsAt,
  leafOf,
  membersOf,
  type Notes,
  objectAt,
  type ObjectNode,
  text
} from "./settingsNodes.ts"
import {
  AttachSettings,
  CliSettings,
  defaultSettings,
  EndpointSettings,
  Policy,
  PolicyRule,
  Post,
  Recalling,
  Settings,
  WorktreeSettings
} from "./Settings.ts"

/** More messages of agents' than this are remembered by no queue, and so cannot be counted. */
const mostLetters = 40

/** More warnings than a reader would read. */
const warningLimit = 50

const modesOf = (node: LenientNode | undefined, notes: Notes): Settings["modes"] => {
  const standard = defaultSettings.modes
  const object = objectAt(node, "modes", notes)
  if (object === null) return standard
  const found = membersOf(object, "modes.", new Set([...Object.keys(standard), "night"]), notes)
  return {
    autoSend: choice(found.get("autoSend"), "modes.autoSend", Modes.fields.autoSend, standard.autoSend, notes),
    churn: choice(found.get("churn"), "modes.churn", Modes.fields.churn, standard.churn, notes),
    ...(found.has("night") ? { night: choice(found.get("night"), "modes.night", NightMode, "off", notes) } : {})
  }
}

const isCommandKey = (value: string): boolean => detachKey(value) !== null
/** Signs alone: letters and digits come twice in words, and "!!" has its own meaning in a message. */
const isCapture = (value: string): boolean => /^(["-/:-@[-`{-~])\1$/.test(value)

const attachOf = (node: LenientNode | undefined, notes: Notes): Settings["attach"] => {
  const standard = defaultSettings.attach
  const object = objectAt(node, "attach", notes)
  if (object === null) return standard
  const found = membersOf(object, "attach.", new Set(Object.keys(AttachSettings.fields)), notes)
  const key = (
    name: Exclude<keyof Settings["attach"], "recall">,
    isOne: (value: string) => boolean,
    expected: string
  ): string => {
    const at = found.get(name)
    const value = text(at, `attach.${name}`, notes)
    if (value === null || value === "off" || isOne(value)) return value ?? standard[name]
    if (at !== undefined)
      notes.warn(at, `"attach.${name}" must be ${expected} or "off", it is "${value}"; "${standard[name]}" counts`)
    return standard[name]
  }
  return {
    commandKey: key("commandKey", isCommandKey, 'a key like "ctrl-]"'),
    capture: key("capture", isCapture, 'a sign twice, like "^^",'),
    suspendKey: key("suspendKey", isCommandKey, 'a key like "ctrl-z"'),
    recall: choice(found.get("recall"), "attach.recall", Recalling, standard.recall, notes)
  }
}

/** A whole number within these bounds. */
const count = (
  node: LenientNode | undefined,
  path: string,
  { least, most }: { readonly least: number; readonly most: number },
  otherwise: number,
  notes: Notes
): number => {
  if (node === undefined) return otherwise
  const value = leafOf(node)
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value
  notes.warn(
    node,
    `"${path}" must be a whole number from ${least} to ${most}, it is ${describe(node)}; ${otherwise} counts`
  )
  return otherwise
}

/** What agents may do; of what cannot be read, the narrowest counts. */
const postOf = (node: LenientNode | undefined, notes: Notes): Settings["post"] => {
  const standard = defaultSettings.post
  const object = objectAt(node, "post", notes)
  if (object === null) return node === undefined ? standard : { ...standard, delivery: "hold" }
  const found = membersOf(object, "post.", new Set(Object.keys(Post.fields)), notes)
  const { answer, delivery } = Post.fields
  const bounds = { least: 0, most: mostLetters }
  return {
    delivery: found.has("delivery")
      ? choice(found.get("delivery"), "post.delivery", delivery, "hold", notes)
      : standard.delivery,
    answer: choice(found.get("answer"), "post.answer", answer, "none", notes),
    maxHops: count(found.get("maxHops"), "post.maxHops", bounds, standard.maxHops, notes),
    perHour: count(found.get("perHour"), "post.perHour", bounds, standard.perHour, notes)
  }
}

const worktreesOf = (node: LenientNode | undefined, notes: Notes): Settings["worktrees"] => {
  const object = objectAt(node, "worktrees", notes)
  if (object === null) return defaultSettings.worktrees
  const found = membersOf(object, "worktrees.", new Set(Object.keys(WorktreeSettings.fields)), notes)
  const textAt = (name: string): string | null => {
    const at = found.get(name)
    if (at === undefined || leafOf(at) === null) return null
    return text(at, `worktrees.${name}`, notes)?.trim() || null
  }
  return { directory: textAt("directory"), setup: textAt("setup") }
}

const ruleFields = Object.entries(PolicyRule.fields).map(
  ([name, schema]) => [name, Schema.is(schema as Schema.Schema<unknown>)] as const
)

/**
 * One rule, or why it cannot be understood. Every field narrows a rule, so a field that cannot be read invalidates it.
 */
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

/** A rule that asks everything; its reason tells the user and the audit log why. */
const askAll = (why: string): PolicyRule => ({
  reason: `the rules in leap's settings cannot all be read (${why}), so everything is asked`
})

/**
 * The rules. One that cannot be understood is left out; but while it is uncertain what to deny or ask, everything that
 * is not denied is asked: a typing error must not allow what was forbidden.
 */
const policyOf = (node: LenientNode | undefined, syntax: string | null, notes: Notes): Policy => {
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
  return doubt === undefined ? { ...lists, ...silence } : { ...lists, ...silence, ask: [...lists.ask, askAll(doubt)] }
}

const cliFields = new Set(Object.keys(CliSettings.fields))

/** The user's settings for one CLI, and whether all that decides what is started could be read. */
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
    const problem =
      typeof given === "string"
        ? variableProblem(name, given)
        : `"${path}env.${name}" must be a text, it is ${describe(value)}`
    if (problem === null) variables.push([name, String(given)])
    else {
      notes.warn(value, problem)
      sure = false
    }
  }
  const hidden = found.get("hidden")
  const isHidden = hidden === undefined ? undefined : leafOf(hidden)
  if (hidden !== undefined && typeof isHidden !== "boolean") {
    notes.warn(hidden, `"${path}hidden" must be true or false, it is ${describe(hidden)}`)
  }
  const base = needed("base")
  const named = needed("command")
  const isRelative = named !== null && named.includes("/") && !/^[/~$]/.test(named)
  if (isRelative) {
    notes.warn(
      found.get("command") ?? node,
      `"${path}command" must be a name on PATH, or a path from / or ~: where would ${named} begin?`
    )
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
    ...(typeof isHidden === "boolean" ? { hidden: isHidden } : {}),
    ...screenOf(found.get("screen"), `${path}screen`, notes.warn),
    ...keysOf(found.get("keys"), `${path}keys`, notes.warn)
  }
  return { cli, sure }
}

/** The CLIs that can be used: settings of leap's own, and the user's own that have a valid id and base. */
const clisOf = (node: LenientNode | undefined, builtin: ReadonlyArray<string>, notes: Notes): Settings["clis"] => {
  const object = objectAt(node, "clis", notes)
  if (object === null) return {}
  const clis: Array<readonly [string, CliSettings]> = []
  for (const [id, value] of membersOf(object, "clis.", null, notes)) {
    const leftOut = (why: string): void => notes.warn(value, `"clis.${id}" was left out: ${why}`)
    if (value.kind !== "object") {
      leftOut(`it must be an object, it is ${describe(value)}`)
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
    else if (cli.base === undefined)
      leftOut(`it has no usable "base", the CLI of leap's that it is a variant of: ${builtin.join(", ")}`)
    else if (!builtin.includes(cli.base))
      leftOut(`its base '${cli.base}' is no CLI of leap's; those are ${builtin.join(", ")}`)
    // an incomplete definition would start something else than was meant: another program, another account
    else if (!sure) leftOut("a part of it cannot be used")
    else clis.push([id, cli])
  }
  return Object.fromEntries(clis)
}

const endpointFields = new Set(Object.keys(EndpointSettings.fields))

/** The servers that can be used. One of which a part cannot is left out: it might be sent what is not meant for it. */
const endpointsOf = (
  node: LenientNode | undefined,
  taken: ReadonlyArray<string>,
  notes: Notes
): Settings["endpoints"] => {
  const endpoints: Array<readonly [string, EndpointSettings]> = []
  const object = objectAt(node, "endpoints", notes)
  for (const [id, value] of object === null ? [] : membersOf(object, "endpoints.", null, notes)) {
    const problem = customIdProblem(id, taken)
    const read = value.kind === "object" ? endpointOf(`endpoints.${id}.`, value, notes) : null
    if (problem !== null || read === null)
      notes.warn(value, `"endpoints.${id}" was left out: ${problem ?? "a part of it cannot be used"}`)
    else endpoints.push([id, read])
  }
  return Object.fromEntries(endpoints)
}

const endpointOf = (path: string, node: ObjectNode, notes: Notes): EndpointSettings | null => {
  const found = membersOf(node, path, endpointFields, notes)
  const part = (name: string) => text(found.get(name), `${path}${name}`, notes)
  const [baseUrl, model, apiKeyEnv] = [part("baseUrl"), part("model"), part("apiKeyEnv")]
  const given = objectAt(found.get("headers"), `${path}headers`, notes)
  const headers = [...(given === null ? [] : membersOf(given, `${path}headers.`, null, notes))].map(
    ([name, value]) => [name, leafOf(value)] as const
  )
  const isWhole =
    node.whole &&
    node.members.every(({ key }) => endpointFields.has(key)) &&
    (model !== null || !found.has("model")) &&
    (apiKeyEnv !== null ? variableProblem(apiKeyEnv, "") === null : !found.has("apiKeyEnv")) &&
    (given !== null || !found.has("headers")) &&
    headers.every(([, value]) => typeof value === "string")
  if (!isWhole || baseUrl === null || baseUrl === "") return null
  return {
    baseUrl,
    ...(model === null ? {} : { model }),
    ...(apiKeyEnv === null ? {} : { apiKeyEnv }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) as Record<string, string> })
  }
}

const orderOf = (node: LenientNode | undefined, known: ReadonlyArray<string>, notes: Notes): Settings["order"] => {
  const order: Array<string> = []
  for (const item of itemsAt(node, "order", notes) ?? []) {
    const id = leafOf(item)
    if (typeof id !== "string") notes.warn(item, `"order" lists ids of CLIs, not ${describe(item)}`)
    else if (!known.includes(id)) notes.warn(item, `"order" names '${id}', which is no CLI`)
    else if (!order.includes(id)) order.push(id)
  }
  return order
}

const pricesOf = (node: LenientNode | undefined, notes: Notes): string | null =>
  node === undefined || leafOf(node) === null ? null : text(node, "prices", notes) || null

const topLevel = new Set(["$schema", ...Object.keys(defaultSettings)])

/** Rules outside of "policy", by a typing error or because another program has them there; null if there are none. */
const strayRules = ({ members }: ObjectNode): string | null => {
  const isList = (key: string): boolean => policyLists.some((list) => list === key.toLowerCase())
  const stray = members.find(
    ({ key, value }) =>
      !topLevel.has(key) &&
      (isList(key) || (value.kind === "object" && value.members.some((member) => isList(member.key))))
  )
  return stray === undefined ? null : `"${stray.key}" seems to hold rules, which belong in "policy"`
}

/** The line of an offset, from 1. */
const lineOf = (source: string, offset: number): number => {
  let line = 1
  for (let at = source.indexOf("\n"); at >= 0 && at < offset; at = source.indexOf("\n", at + 1)) line++
  return line
}

/**
 * The settings in a file's content, and a warning for each part that cannot be used. Total: what is damaged, wrong or
 * unknown costs itself and nothing else. `builtin`: ids of leap's own CLIs.
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
  const top =
    root === null
      ? null
      : objectAt(root, "", {
          warn: (at) => notes.warn(at, `the settings must be an object, they are ${describe(root)}`)
        })
  const members = top === null ? new Map<string, LenientNode>() : membersOf(top, "", topLevel, notes)

  const [first] = problems
  const syntax =
    first === undefined
      ? root !== null && top === null
        ? "they are no object"
        : null
      : `line ${lineOf(source, first.offset)}: ${first.why}`
  const clis = clisOf(members.get("clis"), builtin, notes)
  const settings: Settings = {
    modes: modesOf(members.get("modes"), notes),
    attach: attachOf(members.get("attach"), notes),
    notify: notifyOf(members.get("notify"), notes),
    out: outOf(members.get("out"), notes),
    night: nightOf(members.get("night"), notes),
    policy: policyOf(
      members.get("policy"),
      syntax ?? (exact ? (top === null ? null : strayRules(top)) : "they are not UTF-8 text"),
      notes
    ),
    post: postOf(members.get("post"), notes),
    worktrees: worktreesOf(members.get("worktrees"), notes),
    clis,
    order: orderOf(members.get("order"), [...builtin, ...Object.keys(clis)], notes),
    endpoints: endpointsOf(members.get("endpoints"), [...builtin, ...Object.keys(clis), "openai_compatible"], notes),
    unknownLayout: choice(
      members.get("unknownLayout"),
      "unknownLayout",
      UnknownLayout,
      defaultSettings.unknownLayout,
      notes
    ),
    prices: pricesOf(members.get("prices"), notes),
    record: choice(members.get("record"), "record", Settings.fields.record, defaultSettings.record, notes),
    recordDays: amount(members.get("recordDays"), "recordDays", 1, 3_650, defaultSettings.recordDays, notes),
    recordMegabytes: amount(
      members.get("recordMegabytes"),
      "recordMegabytes",
      8,
      65_536,
      defaultSettings.recordMegabytes,
      notes
    )
  }
  const lines = found
    .slice(0, warningLimit)
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, why }) => `line ${lineOf(source, offset)}: ${oneLine(why, 300)}`)
  return {
    settings,
    warnings: [
      ...(exact ? [] : ["it is not UTF-8 text; what cannot be read of it is left out"]),
      ...lines,
      ...(found.length > warningLimit ? [`and ${found.length - warningLimit} more`] : [])
    ]
  }
}

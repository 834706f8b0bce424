import { decodeText, type LenientNode, type LenientProblem, parse } from "../text/LenientJson.ts"
import { Modes, NightMode, UnknownLayout } from "../session/Session.ts"
import { oneLine } from "../text/printable.ts"
import { detachKey } from "../terminal/DetachKey.ts"
import { clisOf, endpointsOf } from "./readCliSettings.ts"
import { nightOf, notifyOf } from "./readNotifySettings.ts"
import { outOf } from "./readOutSettings.ts"
import { policyOf, strayRules } from "./readPolicySettings.ts"
import { amount, choice, describe, itemsAt, leafOf, membersOf, type Notes, objectAt, text } from "./settingsNodes.ts"
import { AttachSettings, defaultSettings, Post, Recalling, Settings, WorktreeSettings } from "./Settings.ts"

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
      syntax ?? (exact ? (top === null ? null : strayRules(top, topLevel)) : "they are not UTF-8 text"),
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

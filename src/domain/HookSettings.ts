import { Result } from "effect"
import { getNodeValue, type Node } from "jsonc-parser"
import { commandFor, entriesIn, type Entry, matcherIn, plain, properties, valueOf } from "./HookEntries.ts"
import type { WiredEvent, WiredFile, WiringProblem, WiringStatus } from "./HookWiring.ts"
import * as Jsonc from "./JsoncEdit.ts"

/**
 * leap's entries in a CLI's settings file, as edits of its text: the user's own entries, comments and layout stay byte
 * for byte, and what is put in can be taken out again without a trace.
 */

type Json = string | number | boolean

/** How a CLI writes hooks down. */
export interface HookShape {
  /** The fields of one hook that runs the command. */
  readonly hook: (wanted: WiredEvent, command: string) => Readonly<Record<string, Json>>
  /** True where an event lists groups, `{"matcher": …, "hooks": [hook]}`; false where it lists the hooks themselves. */
  readonly grouped: boolean
  /** What the file must say beside the hooks. */
  readonly fields: Readonly<Record<string, Json>>
  /** What in the settings keeps the hooks from running, in words; empty when nothing does. */
  readonly switchedOff: (settings: unknown) => ReadonlyArray<string>
}

/** What is to stand in a settings file. */
export interface WantedHooks {
  readonly events: ReadonlyArray<WiredEvent>
  readonly script: string
  readonly shape: HookShape
}

/** Behind the bracket of a container that leap found empty, so that it is left empty and not taken away. */
const markOwnEmpty = 1
/** Behind the bracket of a file that leap made, and of one that was blank: their braces go when they are empty again. */
const markNewFile = 1
const markBlankFile = 2
/** Before the colon of a field that leap added to a file of the user's. */
const markOwnField = "  "

const hookFor = (event: WiredEvent, { script, shape }: WantedHooks) => shape.hook(event, commandFor(script, event.event))

/** What is appended to an event's list. */
const itemFor = (event: WiredEvent, wanted: WantedHooks) => {
  const hook = hookFor(event, wanted)
  if (!wanted.shape.grouped) return hook
  return event.matcher === null ? { hooks: [hook] } : { matcher: event.matcher, hooks: [hook] }
}

// ---- reading

/** leap's entries, of this installation and of others. */
const ownIn = (root: Node): ReadonlyArray<Entry> => entriesIn(root).filter((entry) => entry.leap)

const isSlot = (entry: Entry, wanted: WiredEvent, { shape }: WantedHooks): boolean =>
  entry.counts && (entry.place !== null) === shape.grouped
  && entry.event === wanted.event && entry.matcher === matcherIn(wanted.matcher)

const isCurrent = (entry: Entry, event: WiredEvent, wanted: WantedHooks): boolean =>
  isSlot(entry, event, wanted)
  && Object.entries(hookFor(event, wanted)).every(([key, value]) => plain(valueOf(entry.hook, key)) === value)

/** Runs this installation's script for its event, however that is written down. */
const isHere = ({ script }: WantedHooks) => (entry: Entry): boolean =>
  entry.counts && ["command", "bash"].some((key) => {
    const command = plain(valueOf(entry.hook, key))
    return typeof command === "string" && command.startsWith(commandFor(script, entry.event))
  })

/** A settings file, read. The root is null where the file is missing or blank. */
interface Settings {
  readonly bom: string
  readonly text: string
  readonly root: Node | null
}

const read = (text: string): Result.Result<Settings, WiringProblem> => {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : ""
  const body = text.slice(bom.length)
  const tree = Jsonc.parse(body)
  if ("problem" in tree) return Result.fail(tree.problem)
  if (tree.root !== null && tree.root.type !== "object") {
    return Result.fail(wrong(body, tree.root, "the settings are not an object, they are", tree.root))
  }
  return Result.succeed({ bom, text: body, root: tree.root })
}

const wrong = (text: string, at: Node, what: string, value: Node): WiringProblem => ({
  ...Jsonc.position(text, at.offset),
  why: `${what} ${/^[aeiou]/.test(value.type) ? "an" : "a"} ${value.type}`
})

/** Whether leap's entries can be put in: every list on the way is one. */
const shapeProblem = ({ root, text }: Settings, { events }: WantedHooks): WiringProblem | null => {
  const hooks = root === null ? undefined : valueOf(root, "hooks")
  if (hooks === undefined) return null
  if (hooks.type !== "object") return wrong(text, hooks, "\"hooks\" must be an object, it is", hooks)
  for (const { event } of events) {
    const list = valueOf(hooks, event)
    if (list !== undefined && list.type !== "array") return wrong(text, list, `"hooks.${event}" must be an array, it is`, list)
  }
  return null
}

// ---- editing

/** Every step edits the text and reads it again, so that no offset is ever stale. */
const reread = ({ bom }: Settings, text: string): Settings => {
  const tree = Jsonc.parse(text)
  return { bom, text, root: "root" in tree ? tree.root : null }
}

/** Takes one thing out, and each thing around it that only held it, unless it was there before leap. */
const takeOut = (settings: Settings, root: Node, { around }: Pick<Entry, "around">): Settings => {
  const { text } = settings
  for (const { child, container } of around) {
    const isOnly = container.children?.length === 1
    const stays = container === root
      ? Jsonc.markOf(text, root) === 0
      : Jsonc.markOf(text, container) === markOwnEmpty
    if (!isOnly || stays || Jsonc.hasComments(text, container)) {
      return reread(settings, Jsonc.takeOut(text, root, container, child))
    }
  }
  return { ...settings, text: text.slice(0, root.offset) + text.slice(root.offset + root.length), root: null }
}

/** Takes out what is found, again and again until nothing is. */
const takeOutAll = (settings: Settings, find: (root: Node, text: string) => Pick<Entry, "around"> | undefined): Settings => {
  let now = settings
  for (;;) {
    const { root } = now
    const found = root === null ? undefined : find(root, now.text)
    if (root === null || found === undefined) return now
    now = takeOut(now, root, found)
  }
}

/** A field that leap added: marked as such, or standing in a file that leap made and where nothing else is left. */
const ownField = (shape: HookShape) => (root: Node, text: string): Pick<Entry, "around"> | undefined => {
  const fields = properties(root).map((it) => ({
    property: it.property,
    isField: Object.hasOwn(shape.fields, it.key) && shape.fields[it.key] === plain(it.value),
    isMarked: new RegExp(`^"[^"]*"${markOwnField}:`).test(text.slice(it.property.offset))
  }))
  const isLeft = Jsonc.markOf(text, root) !== 0 && fields.every(({ isField }) => isField)
  const found = fields.findLast(({ isField, isMarked }) => isField && (isMarked || isLeft))
  return found === undefined ? undefined : { around: [{ child: found.property, container: root }] }
}

/** Adds the fields that the file of a user's lacks. */
const addFields = (settings: Settings, { shape }: WantedHooks): Settings => {
  let now = settings
  for (const [key, value] of Object.entries(shape.fields)) {
    const { root, text } = now
    if (root === null || valueOf(root, key) !== undefined) continue
    const added = reread(now, Jsonc.append(text, root, root, key, value, 0))
    const property = added.root === null ? undefined : properties(added.root).findLast((it) => it.key === key)?.property
    const colon = property === undefined ? -1 : added.text.indexOf(":", property.offset)
    now = colon < 0 ? added : reread(added, added.text.slice(0, colon) + markOwnField + added.text.slice(colon))
  }
  return now
}

const putIn = (settings: Settings, event: WiredEvent, wanted: WantedHooks, isNew: boolean): Settings => {
  const { root, text } = settings
  const item = itemFor(event, wanted)
  if (root === null) {
    const mark = isNew ? markNewFile : markBlankFile
    let made = reread(settings, `${text}{}`)
    for (const [key, value] of Object.entries({ ...wanted.shape.fields, hooks: { [event.event]: [item] } })) {
      if (made.root !== null) made = reread(made, Jsonc.append(made.text, made.root, made.root, key, value, mark))
    }
    return isNew ? reread(made, `${made.text}\n`) : made
  }
  const hooks = valueOf(root, "hooks")
  const list = hooks === undefined ? undefined : valueOf(hooks, event.event)
  return reread(settings, hooks === undefined
    ? Jsonc.append(text, root, root, "hooks", { [event.event]: [item] }, 0)
    : list === undefined
    ? Jsonc.append(text, root, hooks, event.event, [item], markOwnEmpty)
    : Jsonc.append(text, root, list, null, item, markOwnEmpty))
}

/** Brings what stands there for one event up to date, or puts it in. */
const settle = (settings: Settings, event: WiredEvent, wanted: WantedHooks, isNew: boolean): Settings => {
  const { root, text } = settings
  const entry = root === null ? undefined : ownIn(root).find((it) => isSlot(it, event, wanted))
  if (root === null || entry === undefined) return putIn(settings, event, wanted, isNew)
  if (isCurrent(entry, event, wanted)) return settings
  return reread(settings, Jsonc.replace(text, root, entry.hook, hookFor(event, wanted)))
}

/** The entries to be taken out before the wanted ones are settled: of no wanted event, hidden, or one too many. */
const isSurplus = (root: Node, wanted: WantedHooks) => (entry: Entry): boolean => {
  const event = wanted.events.find((it) => isSlot(entry, it, wanted))
  return event === undefined || ownIn(root).find((it) => isSlot(it, event, wanted))?.hook.offset !== entry.hook.offset
}

/** The text with exactly the wanted entries in it. A missing file is null. Twice is the same as once. */
export const install = (text: string | null, wanted: WantedHooks): Result.Result<string, WiringProblem> => {
  const settings = read(text ?? "")
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const problem = shapeProblem(settings.success, wanted)
  if (problem !== null) return Result.fail(problem)
  let now = takeOutAll(settings.success, (root) => ownIn(root).find(isSurplus(root, wanted)))
  // A file that was leap's alone is made anew, not filled like a blank one.
  const isNew = text === null
    || (now.root === null && settings.success.root !== null
      && Jsonc.markOf(settings.success.text, settings.success.root) === markNewFile)
  if (isNew && now.root === null) now = { ...now, text: "" }
  now = addFields(now, wanted)
  for (const event of wanted.events) now = settle(now, event, wanted, isNew)
  return Result.succeed(now.bom + now.text)
}

/** The text without any entry of leap's; null when the file was leap's own and nothing else is in it. */
export const remove = (text: string | null, shape: HookShape): Result.Result<string | null, WiringProblem> => {
  // Also a file that cannot be read is fine as it is when leap is not in it.
  if (text === null || !text.includes("leap-hook.sh")) return Result.succeed(text)
  const settings = read(text)
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const { bom, root, text: before } = settings.success
  const mark = root === null ? 0 : Jsonc.markOf(before, root)
  const after = takeOutAll(takeOutAll(settings.success, (root) => ownIn(root)[0]), ownField(shape))
  if (after.root === null && root !== null && mark !== markBlankFile) return Result.succeed(null)
  return Result.succeed(bom + after.text)
}

/** One reason for all events that it holds for. */
const of = (reason: string, events: ReadonlyArray<{ readonly event: string }>): ReadonlyArray<string> =>
  events.length === 0 ? [] : [`${reason} ${[...new Set(events.map(({ event }) => event))].join(", ")}`]

/** Compares the text with what is wanted. Total: never fails. */
export const status = (text: string | null, wanted: WantedHooks): WiringStatus => {
  const settings = read(text ?? "")
  const problem = Result.isFailure(settings) ? settings.failure : shapeProblem(settings.success, wanted)
  if (problem !== null) {
    return { state: "unreadable", details: [`line ${problem.line}, column ${problem.column}: ${problem.why}`] }
  }
  const { events, shape } = wanted
  const root = Result.isSuccess(settings) ? settings.success.root : null
  const entries = root === null ? [] : ownIn(root)
  const missing = events.filter((event) => !entries.some((entry) => isCurrent(entry, event, wanted)))
  const stale = entries.filter((entry) => !events.some((event) => isCurrent(entry, event, wanted)))
  const extra = root === null ? [] : entries.filter(isSurplus(root, wanted)).filter((entry) => !stale.includes(entry))
  const off = root === null ? [] : shape.switchedOff(getNodeValue(root))
  const lacking = root === null ? [] : Object.keys(shape.fields).filter((key) => valueOf(root, key) === undefined)
  const details = entries.length === 0 && missing.length > 0 ? ["no entry of leap's in it"] : [
    ...of("no current entry for", missing.filter(({ event }) => !stale.some((entry) => entry.event === event))),
    ...of("entries of another version for", stale.filter(isHere(wanted))),
    ...of("entries of another installation for", stale.filter((entry) => !isHere(wanted)(entry))),
    ...of("more than one entry for", extra),
    ...lacking.map((key) => `"${key}" is missing`),
    ...off
  ]
  const state = missing.length + stale.length + extra.length + lacking.length === 0
    ? off.length === 0 ? "installed" : "disabled"
    : entries.length === 0
    ? "missing"
    : !entries.some(isHere(wanted))
    ? "foreign"
    : stale.length > 0 || extra.length > 0
    ? "outdated"
    : "partly"
  return { state, details }
}

/** A settings file that is to have these hooks. */
export const settingsFile = (path: string, wanted: WantedHooks): WiredFile => ({
  path,
  install: (text) => install(text, wanted),
  remove: (text) => remove(text, wanted.shape),
  status: (text) => status(text, wanted)
})

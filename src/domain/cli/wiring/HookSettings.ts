import { Option, Result } from "effect"
import { parseJson } from "../../words/formats/Json.ts"
import { getNodeValue, type Node } from "jsonc-parser"
import * as Entries from "./HookEntries.ts"
import type { WiredEvent, WiredFile, WiringStatus } from "./HookWiring.ts"
import { type EditProblem, problemAt, problemText } from "../../words/formats/EditProblem.ts"
import * as Jsonc from "../../words/formats/JsoncEdit.ts"

/** leap's entries in a CLI's settings file, as edits of its text that can be undone byte for byte. */

type Json = string | number | boolean

/** The form of a CLI's hook settings. */
export interface HookShape {
  readonly hook: (wanted: WiredEvent, command: string) => Readonly<Record<string, Json>>
  /** True: an event lists groups, `{"matcher": …, "hooks": [hook]}`; false: it lists the hooks themselves. */
  readonly grouped: boolean
  /** What the file must contain beside the hooks. */
  readonly fields: Readonly<Record<string, Json>>
  /** Why the settings keep the hooks from running; empty if they do not. */
  readonly switchedOff: (settings: unknown) => ReadonlyArray<string>
}

/** The hooks that a settings file must contain. */
export interface WantedHooks {
  readonly events: ReadonlyArray<WiredEvent>
  /** Entries for these may stay. */
  readonly tolerated?: ReadonlyArray<WiredEvent>
  /** An entry for one of these makes the CLI ignore the whole file. */
  readonly refused?: ReadonlyArray<WiredEvent>
  readonly script: string
  readonly shape: HookShape
  /** The CLI reads plain JSON: a comment or a trailing comma, which leap leaves in place, makes it ignore the file. */
  readonly strict?: boolean
}

/** After the bracket of a container that was empty before leap: removal leaves it empty. */
const markOwnEmpty = 1
/** After the bracket of a file that leap made, or that was blank: removal deletes its empty braces. */
const markNewFile = 1
const markBlankFile = 2
/** Before the colon of a field that leap added to a user's file. */
const markOwnField = "  "

const hookFor = (event: WiredEvent, { script, shape }: WantedHooks) =>
  shape.hook(event, Entries.commandFor(script, event.event))

const itemFor = (event: WiredEvent, wanted: WantedHooks) => {
  const hook = hookFor(event, wanted)
  if (!wanted.shape.grouped) return hook
  return event.matcher === null ? { hooks: [hook] } : { matcher: event.matcher, hooks: [hook] }
}

const scriptName = "leap-hook.sh"

/** leap's entries, of any installation. A file that does not mention the script is not searched. */
const ownIn = (root: Node, text: string): ReadonlyArray<Entries.HookEntry> =>
  text.includes(scriptName) ? Entries.entriesIn(root).filter((entry) => entry.leap) : []

const isSlot = (entry: Entries.HookEntry, wanted: WiredEvent, { shape }: WantedHooks): boolean =>
  entry.counts &&
  (entry.place !== null) === shape.grouped &&
  entry.event === wanted.event &&
  entry.matcher === Entries.matcherIn(wanted.matcher)

const isCurrent = (entry: Entries.HookEntry, event: WiredEvent, wanted: WantedHooks): boolean =>
  isSlot(entry, event, wanted) &&
  Object.entries(hookFor(event, wanted)).every(
    ([key, value]) => Entries.scalarOf(Entries.valueOf(entry.hook, key)) === value
  )

/** Whether an entry runs this installation's script for its event, in any spelling. */
const isHere =
  ({ script }: WantedHooks) =>
  (entry: Entries.HookEntry): boolean =>
    entry.counts &&
    ["command", "bash"].some((key) => {
      const command = Entries.scalarOf(Entries.valueOf(entry.hook, key))
      return typeof command === "string" && command.includes(Entries.callOf(script, entry.event))
    })

const scriptOf = (entry: Entries.HookEntry): string | null => {
  const command = ["command", "bash"]
    .map((key) => Entries.scalarOf(Entries.valueOf(entry.hook, key)))
    .find((it) => typeof it === "string")
  const word = /'(?:[^']|'\\'')*leap-hook\.sh'|[^\s'"]*leap-hook\.sh/.exec(
    typeof command === "string" ? command : ""
  )?.[0]
  return word === undefined ? null : word.replaceAll("'\\''", "'").replace(/^'|'$/g, "")
}

type Settings = Jsonc.JsoncFile

const read = (content: string, strict = false): Result.Result<Settings, EditProblem> =>
  Result.flatMap(Jsonc.parseFile(content), (settings) =>
    settings.root === null || settings.root.type === "object"
      ? strict && settings.root !== null && Option.isNone(parseJson(settings.text))
        ? Result.fail({
            line: null,
            column: null,
            why: "it has comments or trailing commas; the CLI ignores such a file"
          })
        : Result.succeed(settings)
      : Result.fail(
          kindProblem(settings.text, settings.root, "the settings are not an object, they are", settings.root)
        )
  )

const kindProblem = (text: string, at: Node, what: string, value: Node): EditProblem =>
  problemAt(text, at.offset, `${what} ${/^[aeiou]/.test(value.type) ? "an" : "a"} ${value.type}`)

/** Why leap's entries cannot be added, or null: each list on the way must be one. */
const shapeProblem = ({ root, text }: Settings, { events }: WantedHooks): EditProblem | null => {
  const hooks = root === null ? undefined : Entries.valueOf(root, "hooks")
  if (hooks === undefined) return null
  if (hooks.type !== "object") return kindProblem(text, hooks, '"hooks" must be an object, it is', hooks)
  for (const { event } of events) {
    const list = Entries.valueOf(hooks, event)
    if (list !== undefined && list.type !== "array")
      return kindProblem(text, list, `"hooks.${event}" must be an array, it is`, list)
  }
  return null
}

/** Every step edits the text and reads it again, so that no offset is ever stale. */
const reread = ({ bom }: Settings, text: string): Settings => ({
  bom,
  text,
  root: Result.getOrElse(Jsonc.parse(text), () => null)
})

/** Removes one entry, and each container that held only it, unless the container was there before leap. */
const takeOut = (settings: Settings, root: Node, { around }: Pick<Entries.HookEntry, "around">): Settings => {
  const { text } = settings
  for (const { child, container } of around) {
    const isOnly = container.children?.length === 1
    const stays = container === root ? Jsonc.markOf(text, root) === 0 : Jsonc.markOf(text, container) === markOwnEmpty
    if (!isOnly || stays || Jsonc.hasComments(text, container)) {
      return reread(settings, Jsonc.takeOut(text, root, container, child))
    }
  }
  return { ...settings, text: text.slice(0, root.offset) + text.slice(root.offset + root.length), root: null }
}

const takeOutAll = (
  settings: Settings,
  find: (root: Node, text: string) => Pick<Entries.HookEntry, "around"> | undefined
): Settings => {
  let now = settings
  for (;;) {
    const { root } = now
    const found = root === null ? undefined : find(root, now.text)
    if (root === null || found === undefined) return now
    now = takeOut(now, root, found)
  }
}

/** A field that leap added: marked as such, or in a file that was new or blank and has nothing else left. */
const ownField =
  (shape: HookShape) =>
  (root: Node, text: string): Pick<Entries.HookEntry, "around"> | undefined => {
    const fields = Entries.properties(root).map((it) => ({
      property: it.property,
      isField: Object.hasOwn(shape.fields, it.key) && shape.fields[it.key] === Entries.scalarOf(it.value),
      isMarked: new RegExp(`^"[^"]*"${markOwnField}:`).test(text.slice(it.property.offset))
    }))
    const isLeft = Jsonc.markOf(text, root) !== 0 && fields.every(({ isField }) => isField)
    const found = fields.findLast(({ isField, isMarked }) => isField && (isMarked || isLeft))
    return found === undefined ? undefined : { around: [{ child: found.property, container: root }] }
  }

const addFields = (settings: Settings, { shape }: WantedHooks): Settings => {
  let now = settings
  for (const [key, value] of Object.entries(shape.fields)) {
    const { root, text } = now
    if (root === null || Entries.valueOf(root, key) !== undefined) continue
    const added = reread(now, Jsonc.append(text, root, root, key, value, 0))
    const property =
      added.root === null ? undefined : Entries.properties(added.root).findLast((it) => it.key === key)?.property
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
  const hooks = Entries.valueOf(root, "hooks")
  const list = hooks === undefined ? undefined : Entries.valueOf(hooks, event.event)
  return reread(
    settings,
    hooks === undefined
      ? Jsonc.append(text, root, root, "hooks", { [event.event]: [item] }, 0)
      : list === undefined
        ? Jsonc.append(text, root, hooks, event.event, [item], markOwnEmpty)
        : Jsonc.append(text, root, list, null, item, markOwnEmpty)
  )
}

/** The events that may have an entry. */
const accepted = ({ events, tolerated = [] }: WantedHooks): ReadonlyArray<WiredEvent> => [...events, ...tolerated]

const reconcile = (settings: Settings, event: WiredEvent, wanted: WantedHooks, isNew: boolean): Settings => {
  const { root, text } = settings
  const entry = root === null ? undefined : ownIn(root, text).find((it) => isSlot(it, event, wanted))
  if (root === null || entry === undefined) return putIn(settings, event, wanted, isNew)
  if (isCurrent(entry, event, wanted)) return settings
  return reread(settings, Jsonc.replace(text, root, entry.hook, hookFor(event, wanted)))
}

/** Entries to remove first: of no wanted event, hidden, or duplicates. */
const surplusOf = (
  entries: ReadonlyArray<Entries.HookEntry>,
  wanted: WantedHooks
): ReadonlyArray<Entries.HookEntry> => {
  const kept = new Set(accepted(wanted).map((event) => entries.find((entry) => isSlot(entry, event, wanted))))
  return entries.filter((entry) => !kept.has(entry))
}

/** The text (null: no file) with the wanted entries, and no other of leap's except tolerated ones. Idempotent. */
export const install = (text: string | null, wanted: WantedHooks): Result.Result<string, EditProblem> => {
  // Entries in a file that its CLI ignores would do nothing, but look as if they did.
  const settings = read(text ?? "", wanted.strict)
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const problem = shapeProblem(settings.success, wanted)
  if (problem !== null) return Result.fail(problem)
  let now = takeOutAll(settings.success, (root, text) => surplusOf(ownIn(root, text), wanted)[0])
  // A file that was leap's alone is written from scratch, not filled like a blank one.
  const isNew =
    text === null ||
    (now.root === null &&
      settings.success.root !== null &&
      Jsonc.markOf(settings.success.text, settings.success.root) === markNewFile)
  if (isNew && now.root === null) now = { ...now, text: "" }
  now = addFields(now, wanted)
  for (const event of wanted.events) now = reconcile(now, event, wanted, isNew)
  return Result.succeed(now.bom + now.text)
}

/** The text without leap's entries; null if the file was leap's own and nothing else is in it. */
export const remove = (text: string | null, shape: HookShape): Result.Result<string | null, EditProblem> => {
  // A file that does not mention leap stays as it is, even if it is unreadable.
  if (text === null || !text.includes(scriptName)) return Result.succeed(text)
  const settings = read(text)
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const { bom, root, text: before } = settings.success
  const mark = root === null ? 0 : Jsonc.markOf(before, root)
  const after = takeOutAll(
    takeOutAll(settings.success, (root, text) => ownIn(root, text)[0]),
    ownField(shape)
  )
  if (after.root === null && root !== null && mark !== markBlankFile) return Result.succeed(null)
  return Result.succeed(bom + after.text)
}

const reasonFor = (reason: string, events: ReadonlyArray<{ readonly event: string }>): ReadonlyArray<string> =>
  events.length === 0 ? [] : [`${reason} ${[...new Set(events.map(({ event }) => event))].join(", ")}`]

/** Compares the text with the wanted hooks. Total: never fails. */
export const status = (text: string | null, wanted: WantedHooks): WiringStatus => {
  const settings = read(text ?? "", wanted.strict)
  const problem = Result.isFailure(settings) ? settings.failure : shapeProblem(settings.success, wanted)
  if (problem !== null) return { state: "unreadable", details: [problemText(problem)] }
  const { events, shape } = wanted
  const root = Result.isSuccess(settings) ? settings.success.root : null
  const entries = root === null ? [] : ownIn(root, text ?? "")
  const missing = events.filter((event) => !entries.some((entry) => isCurrent(entry, event, wanted)))
  const stale = entries.filter((entry) => !accepted(wanted).some((event) => isCurrent(entry, event, wanted)))
  const refused = (wanted.refused ?? []).filter(({ event }) => entries.some((entry) => entry.event === event))
  const extra = surplusOf(entries, wanted).filter((entry) => !stale.includes(entry))
  const others = stale.filter(({ event }) => !refused.some((it) => it.event === event))
  const off = root === null ? [] : shape.switchedOff(getNodeValue(root))
  const lacking =
    root === null ? [] : Object.keys(shape.fields).filter((key) => Entries.valueOf(root, key) === undefined)
  const refusal = reasonFor("this version does not read the file while it has entries for", refused)
  const details =
    entries.length === 0 && missing.length > 0
      ? ["leap's hooks are not in it"]
      : [
          ...reasonFor(
            "no current entry for",
            missing.filter(({ event }) => !stale.some((entry) => entry.event === event))
          ),
          ...refusal,
          ...reasonFor("entries of another version for", others.filter(isHere(wanted))),
          ...reasonFor(
            "entries of another installation for",
            others.filter((entry) => !isHere(wanted)(entry))
          ),
          ...reasonFor("more than one entry for", extra),
          ...lacking.map((key) => `"${key}" is missing`),
          ...off
        ]
  const state =
    refused.length > 0
      ? "refused"
      : missing.length + stale.length + extra.length + lacking.length === 0
        ? off.length === 0
          ? "installed"
          : "disabled"
        : entries.length === 0
          ? "missing"
          : !entries.some(isHere(wanted))
            ? "foreign"
            : stale.length > 0 || extra.length > 0
              ? "outdated"
              : "partly"
  const scripts = [
    ...new Set(entries.filter((entry) => !isHere(wanted)(entry)).flatMap((entry) => scriptOf(entry) ?? []))
  ].filter((script) => script !== wanted.script)
  return { state, details, ...(scripts.length === 0 ? {} : { others: scripts }) }
}

/** A settings file with these hooks. */
export const settingsFile = (path: string, wanted: WantedHooks): WiredFile => ({
  path,
  install: (text) => install(text, wanted),
  remove: (text) => remove(text, wanted.shape),
  status: (text) => status(text, wanted)
})

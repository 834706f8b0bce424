import { Result } from "effect"
import type { Node } from "jsonc-parser"
import type { HookWiring } from "./HookWiring.ts"
import * as Jsonc from "./JsoncEdit.ts"

/**
 * leap's entries in a CLI's settings file, as edits of its text: the user's own entries, comments and layout stay byte
 * for byte, and what is put in can be taken out again without a trace.
 */

/** Why a settings file cannot be worked on. It is left as it is. */
export interface HookSettingsProblem {
  readonly line: number
  readonly column: number
  readonly why: string
}

/** How far the settings have what the wiring asks for. `details` say what is wrong, one reason each. */
export interface HookSettingsStatus {
  readonly state: "installed" | "outdated" | "partly" | "missing" | "unreadable"
  readonly details: ReadonlyArray<string>
}

type Wanted = HookWiring["events"][number]

/** Behind the bracket of a container that leap found empty, so that it is left empty and not taken away. */
const markOwnEmpty = 1
/** Behind the bracket of a file that leap made, and of one that was blank: their braces go when they are empty again. */
const markNewFile = 1
const markBlankFile = 2

const quote = (word: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** The shell command that a CLI runs for an event. */
export const commandFor = (script: string, event: string): string => `${quote(script)} ${quote(event)}`

/** True for a command that runs a `leap-hook.sh`, whichever installation put it there. */
export const isLeapCommand = (command: string): boolean =>
  /(?:^|[\s"'`=/\\(;&|])leap-hook\.sh(?:$|[\s"'`\\);&|])/.test(command)

const hookFor = (wanted: Wanted, script: string) =>
  ({ type: "command", command: commandFor(script, wanted.event), timeout: wanted.timeout })

const groupFor = (wanted: Wanted, script: string) => {
  const hooks = [hookFor(wanted, script)]
  return wanted.matcher === null ? { hooks } : { matcher: wanted.matcher, hooks }
}

// ---- reading

const properties = (node: Node): ReadonlyArray<{ readonly key: string; readonly property: Node; readonly value: Node }> =>
  (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? []
    return name === undefined || value === undefined ? [] : [{ key: String(name.value), property, value }]
  })

/** The value that counts: of a key that stands there twice, CLIs take the last. */
const valueOf = (node: Node, key: string): Node | undefined =>
  node.type === "object" ? properties(node).findLast((it) => it.key === key)?.value : undefined

const plain = (node: Node | undefined): unknown => node === undefined ? undefined : node.value

/** No matcher, an empty one and a star all mean every case. */
const matcherOf = (group: Node): string | null => {
  const matcher = plain(valueOf(group, "matcher"))
  return typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : null
}

/** One hook of leap's, and all that is around it: from the hook itself outwards, child and container by turns. */
interface Entry {
  readonly event: string
  readonly matcher: string | null
  readonly hook: Node
  /** False in a list that another of the same name hides. */
  readonly counts: boolean
  readonly around: ReadonlyArray<{ readonly child: Node; readonly container: Node }>
}

const entriesIn = (root: Node): ReadonlyArray<Entry> =>
  properties(root).filter((it) => it.key === "hooks" && it.value.type === "object").flatMap((hooks) =>
    properties(hooks.value).filter((it) => it.value.type === "array").flatMap((event) =>
      (event.value.children ?? []).flatMap((group) => {
        if (group.type !== "object") return []
        return properties(group).filter((it) => it.key === "hooks" && it.value.type === "array").flatMap((inner) =>
          (inner.value.children ?? []).flatMap((hook): ReadonlyArray<Entry> => {
            const command = plain(valueOf(hook, "command"))
            if (typeof command !== "string" || !isLeapCommand(command)) return []
            return [{
              event: event.key,
              matcher: matcherOf(group),
              hook,
              counts: valueOf(root, "hooks") === hooks.value && valueOf(hooks.value, event.key) === event.value
                && valueOf(group, "hooks") === inner.value,
              around: [
                { child: hook, container: inner.value },
                { child: group, container: event.value },
                { child: event.property, container: hooks.value },
                { child: hooks.property, container: root }
              ]
            }]
          })
        )
      })
    )
  )

const isSlot = (entry: Entry, wanted: Wanted): boolean =>
  entry.counts && entry.event === wanted.event && entry.matcher === (wanted.matcher === "*" || wanted.matcher === "" ? null : wanted.matcher)

const isCurrent = (entry: Entry, wanted: Wanted, script: string): boolean => {
  const hook = hookFor(wanted, script)
  return isSlot(entry, wanted)
    && Object.entries(hook).every(([key, value]) => plain(valueOf(entry.hook, key)) === value)
}

/** A settings file, read. The root is null where the file is missing or blank. */
interface Settings {
  readonly bom: string
  readonly text: string
  readonly root: Node | null
}

const read = (text: string): Result.Result<Settings, HookSettingsProblem> => {
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : ""
  const body = text.slice(bom.length)
  const tree = Jsonc.parse(body)
  if ("problem" in tree) return Result.fail(tree.problem)
  if (tree.root !== null && tree.root.type !== "object") {
    return Result.fail(wrong(body, tree.root, "the settings are not an object, they are", tree.root))
  }
  return Result.succeed({ bom, text: body, root: tree.root })
}

const wrong = (text: string, at: Node, what: string, value: Node): HookSettingsProblem => ({
  ...Jsonc.position(text, at.offset),
  why: `${what} ${/^[aeiou]/.test(value.type) ? "an" : "a"} ${value.type}`
})

/** Whether leap's entries can be put in: every list on the way is one. */
const shapeProblem = ({ root, text }: Settings, wiring: HookWiring): HookSettingsProblem | null => {
  const hooks = root === null ? undefined : valueOf(root, "hooks")
  if (hooks === undefined) return null
  if (hooks.type !== "object") return wrong(text, hooks, "\"hooks\" must be an object, it is", hooks)
  for (const { event } of wiring.events) {
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

/** Takes one entry out, and each thing around it that only held it, unless it was there before leap. */
const takeOut = (settings: Settings, root: Node, { around }: Entry): Settings => {
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

const takeOutAll = (settings: Settings, which: (entry: Entry) => boolean): Settings => {
  let now = settings
  for (;;) {
    const { root } = now
    const entry = root === null ? undefined : entriesIn(root).find(which)
    if (root === null || entry === undefined) return now
    now = takeOut(now, root, entry)
  }
}

const putIn = (settings: Settings, wanted: Wanted, script: string, isNew: boolean): Settings => {
  const { root, text } = settings
  const group = groupFor(wanted, script)
  if (root === null) {
    const empty = reread(settings, `${text}{}`)
    const made = empty.root === null ? empty.text : Jsonc.append(
      empty.text, empty.root, empty.root, "hooks", { [wanted.event]: [group] }, isNew ? markNewFile : markBlankFile
    )
    return reread(settings, isNew ? `${made}\n` : made)
  }
  const hooks = valueOf(root, "hooks")
  const list = hooks === undefined ? undefined : valueOf(hooks, wanted.event)
  return reread(settings, hooks === undefined
    ? Jsonc.append(text, root, root, "hooks", { [wanted.event]: [group] }, 0)
    : list === undefined
    ? Jsonc.append(text, root, hooks, wanted.event, [group], markOwnEmpty)
    : Jsonc.append(text, root, list, null, group, markOwnEmpty))
}

/** Brings what stands there for one event up to date, or puts it in. */
const settle = (settings: Settings, wanted: Wanted, script: string, isNew: boolean): Settings => {
  const { root, text } = settings
  const entry = root === null ? undefined : entriesIn(root).find((it) => isSlot(it, wanted))
  if (root === null || entry === undefined) return putIn(settings, wanted, script, isNew)
  if (isCurrent(entry, wanted, script)) return settings
  return reread(settings, Jsonc.replace(text, root, entry.hook, hookFor(wanted, script)))
}

/** The entries to be taken out before the wanted ones are settled: of no wanted event, hidden, or one too many. */
const isSurplus = (root: Node, wiring: HookWiring) => (entry: Entry): boolean => {
  const wanted = wiring.events.find((it) => isSlot(entry, it))
  return wanted === undefined || entriesIn(root).find((it) => isSlot(it, wanted))?.hook.offset !== entry.hook.offset
}

/** The text with exactly the wiring's entries in it. A missing file is null. Twice is the same as once. */
export const install = (
  text: string | null,
  wiring: HookWiring,
  script: string
): Result.Result<string, HookSettingsProblem> => {
  const settings = read(text ?? "")
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const problem = shapeProblem(settings.success, wiring)
  if (problem !== null) return Result.fail(problem)
  let now = settings.success
  for (;;) {
    const { root } = now
    const surplus = root === null ? undefined : entriesIn(root).find(isSurplus(root, wiring))
    if (root === null || surplus === undefined) break
    now = takeOut(now, root, surplus)
  }
  // A file that was leap's alone is made anew, not filled like a blank one.
  const isNew = text === null
    || (now.root === null && settings.success.root !== null
      && Jsonc.markOf(settings.success.text, settings.success.root) === markNewFile)
  if (isNew && now.root === null) now = { ...now, text: "" }
  for (const wanted of wiring.events) now = settle(now, wanted, script, isNew)
  return Result.succeed(now.bom + now.text)
}

/** The text without any entry of leap's; null when the file was leap's own and nothing else is in it. */
export const remove = (text: string | null): Result.Result<string | null, HookSettingsProblem> => {
  // Also a file that cannot be read is fine as it is when leap is not in it.
  if (text === null || !text.includes("leap-hook.sh")) return Result.succeed(text)
  const settings = read(text)
  if (Result.isFailure(settings)) return Result.fail(settings.failure)
  const { bom, root, text: before } = settings.success
  const mark = root === null ? 0 : Jsonc.markOf(before, root)
  const after = takeOutAll(settings.success, () => true)
  if (after.root === null && root !== null && mark !== markBlankFile) return Result.succeed(null)
  return Result.succeed(bom + after.text)
}

/** Compares the text with what the wiring asks for. Total: never fails. */
export const status = (text: string | null, wiring: HookWiring, script: string): HookSettingsStatus => {
  const settings = read(text ?? "")
  const problem = Result.isFailure(settings) ? settings.failure : shapeProblem(settings.success, wiring)
  if (problem !== null) {
    return { state: "unreadable", details: [`line ${problem.line}, column ${problem.column}: ${problem.why}`] }
  }
  const root = Result.isSuccess(settings) ? settings.success.root : null
  const entries = root === null ? [] : entriesIn(root)
  const missing = wiring.events.filter((wanted) => !entries.some((entry) => isCurrent(entry, wanted, script)))
  const stale = entries.filter((entry) => !wiring.events.some((wanted) => isCurrent(entry, wanted, script)))
  const extra = root === null ? [] : entries.filter(isSurplus(root, wiring)).filter((entry) => !stale.includes(entry))
  const details = entries.length === 0 && missing.length > 0 ? ["no entry of leap's in it"] : [
    ...missing.map((wanted) => `no current entry for ${wanted.event}`),
    ...stale.map((entry) => `an entry of another installation under ${entry.event}`),
    ...extra.map((entry) => `one entry too many under ${entry.event}`),
    ...(root !== null && plain(valueOf(root, "disableAllHooks")) === true ? ["disableAllHooks is set: no hook will run"] : [])
  ]
  const state = missing.length === 0 && stale.length === 0 && extra.length === 0
    ? "installed"
    : entries.length === 0
    ? "missing"
    : stale.length > 0 || extra.length > 0
    ? "outdated"
    : "partly"
  return { state, details }
}

import type { Node } from "jsonc-parser"

/** leap's own entries in the JSON settings of a CLI: how to write one and how to know one again. */

/** A word as a shell reads it whole. */
export const quote = (word: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** The shell command that a CLI runs for an event. */
export const commandFor = (script: string, event: string): string => `${quote(script)} ${quote(event)}`

/** True for a command that runs a `leap-hook.sh`, whichever installation put it there. */
export const isLeapCommand = (command: string): boolean =>
  /(?:^|[\s"'`=/\\(;&|])leap-hook\.sh(?:$|[\s"'`\\);&|])/.test(command)

/** The properties of an object, one that stands there twice included. */
export const properties = (
  node: Node
): ReadonlyArray<{ readonly key: string; readonly property: Node; readonly value: Node }> =>
  (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? []
    return name === undefined || value === undefined ? [] : [{ key: String(name.value), property, value }]
  })

/** The value that counts: of a key that stands there twice, CLIs take the last. */
export const valueOf = (node: Node, key: string): Node | undefined =>
  node.type === "object" ? properties(node).findLast((it) => it.key === key)?.value : undefined

/** The value of a string, number or truth value; undefined for what is none or is not there. */
export const plain = (node: Node | undefined): unknown => node === undefined ? undefined : node.value

/** No matcher, an empty one and a star all mean every case. */
export const matcherIn = (matcher: unknown): string | null =>
  typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : null

/** One hook in an event's list, and all that is around it: from the hook itself outwards, child and container by turns. */
export interface Entry {
  readonly event: string
  readonly matcher: string | null
  readonly hook: Node
  /** Where it stands: in which group of the event's list, and where in the group's; null where the list holds the hooks themselves. */
  readonly place: { readonly group: number; readonly hook: number } | null
  /** leap's, of this or another installation. */
  readonly leap: boolean
  /** False in a list that another of the same name hides. */
  readonly counts: boolean
  readonly around: ReadonlyArray<{ readonly child: Node; readonly container: Node }>
}

const isLeapHook = (hook: Node): boolean =>
  ["command", "bash"].some((key) => {
    const command = plain(valueOf(hook, key))
    return typeof command === "string" && isLeapCommand(command)
  })

/** Every hook in a settings file, in order: those in groups, and those that stand in an event's list themselves. */
export const entriesIn = (root: Node): ReadonlyArray<Entry> =>
  properties(root).filter((it) => it.key === "hooks" && it.value.type === "object").flatMap((hooks) =>
    properties(hooks.value).filter((it) => it.value.type === "array").flatMap((event) =>
      (event.value.children ?? []).flatMap((item, group): ReadonlyArray<Entry> => {
        if (item.type !== "object") return []
        const matcher = matcherIn(plain(valueOf(item, "matcher")))
        const counts = valueOf(root, "hooks") === hooks.value && valueOf(hooks.value, event.key) === event.value
        const outer = [
          { child: item, container: event.value },
          { child: event.property, container: hooks.value },
          { child: hooks.property, container: root }
        ]
        const lists = properties(item).filter((it) => it.key === "hooks" && it.value.type === "array")
        const inGroup = lists.flatMap((inner) =>
          (inner.value.children ?? []).map((hook, index): Entry => ({
            event: event.key,
            matcher,
            hook,
            place: { group, hook: index },
            leap: isLeapHook(hook),
            counts: counts && valueOf(item, "hooks") === inner.value,
            around: [{ child: hook, container: inner.value }, ...outer]
          }))
        )
        const itself = { event: event.key, matcher, hook: item, place: null, leap: isLeapHook(item), counts, around: outer }
        return lists.length > 0 && !itself.leap ? inGroup : [itself, ...inGroup]
      })
    )
  )

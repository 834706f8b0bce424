import type { Node } from "jsonc-parser"
import { shellWord } from "../../words/text/shellWord.ts"

/** How leap's own entries in a CLI's JSON settings are written and recognised. */

export const callOf = (script: string, event: string): string => `${shellWord(script)} ${shellWord(event)}`

/**
 * Settings travel: into a container, to another machine, past the removal of leap. If the script is missing, the
 * command reads its input and succeeds: otherwise the CLI prints an error at each event, finds its pipe broken, or
 * takes the failure for a refusal. Its own shell reads it, whichever shell the CLI uses. The script replaces that
 * shell: a process between it and the CLI may be gone when the host looks for the caller.
 */
const wrapper = `sh -c '[ -f "$0" ] && [ -x "$0" ] && exec "$0" "$1" 2>/dev/null; cat >/dev/null 2>&1 || :' `

export const commandFor = (script: string, event: string): string => wrapper + callOf(script, event)

/** Whether a command runs a `leap-hook.sh`, of any installation. */
export const isLeapCommand = (command: string): boolean =>
  /(?:^|[\s"'`=/\\(;&|])leap-hook\.sh(?:$|[\s"'`\\);&|])/.test(command)

export const properties = (
  node: Node
): ReadonlyArray<{ readonly key: string; readonly property: Node; readonly value: Node }> =>
  (node.children ?? []).flatMap((property) => {
    const [name, value] = property.children ?? []
    return name === undefined || value === undefined ? [] : [{ key: String(name.value), property, value }]
  })

/**
 * The effective value: of duplicate keys CLIs take the last. It runs for each hook in large files, so it allocates
 * nothing.
 */
export const valueOf = (node: Node, key: string): Node | undefined =>
  node.type === "object"
    ? node.children?.findLast(({ children }) => children?.[1] !== undefined && String(children[0]?.value) === key)
        ?.children?.[1]
    : undefined

export const scalarOf = (node: Node | undefined): unknown => (node === undefined ? undefined : node.value)

/** No matcher, an empty one and a star all mean every case. */
export const matcherIn = (matcher: unknown): string | null =>
  typeof matcher === "string" && matcher !== "" && matcher !== "*" ? matcher : null

/** One hook in an event's list, and its containers from inside out, as pairs of child and container. */
export interface HookEntry {
  readonly event: string
  readonly matcher: string | null
  readonly hook: Node
  /** Its group in the event's list and its index in the group; null: the event's list holds the hook itself. */
  readonly place: { readonly group: number; readonly hook: number } | null
  /** The hook is leap's, of any installation. */
  readonly leap: boolean
  /** False in a list that a later one of the same name hides. */
  readonly counts: boolean
  readonly around: ReadonlyArray<{ readonly child: Node; readonly container: Node }>
}

const isLeapHook = (hook: Node): boolean =>
  ["command", "bash"].some((key) => {
    const command = scalarOf(valueOf(hook, key))
    return typeof command === "string" && isLeapCommand(command)
  })

/** The effective value of each key, as by {@link valueOf}: a map, because it is needed for each hook. */
const lastValues = (all: ReturnType<typeof properties>): ReadonlyMap<string, Node> =>
  new Map(all.map(({ key, value }) => [key, value]))

export const entriesIn = (root: Node): ReadonlyArray<HookEntry> => {
  const counting = valueOf(root, "hooks")
  return properties(root)
    .filter((it) => it.key === "hooks" && it.value.type === "object")
    .flatMap((hooks) => {
      const events = properties(hooks.value)
      const last = lastValues(events)
      return events
        .filter((it) => it.value.type === "array")
        .flatMap((event) =>
          (event.value.children ?? []).flatMap((item, group): ReadonlyArray<HookEntry> => {
            if (item.type !== "object") return []
            const matcher = matcherIn(scalarOf(valueOf(item, "matcher")))
            const counts = counting === hooks.value && last.get(event.key) === event.value
            const outer = [
              { child: item, container: event.value },
              { child: event.property, container: hooks.value },
              { child: hooks.property, container: root }
            ]
            const lists = properties(item).filter((it) => it.key === "hooks" && it.value.type === "array")
            const inGroup = lists.flatMap((inner) =>
              (inner.value.children ?? []).map((hook, index): HookEntry => ({
                event: event.key,
                matcher,
                hook,
                place: { group, hook: index },
                leap: isLeapHook(hook),
                counts: counts && valueOf(item, "hooks") === inner.value,
                around: [{ child: hook, container: inner.value }, ...outer]
              }))
            )
            const itself = {
              event: event.key,
              matcher,
              hook: item,
              place: null,
              leap: isLeapHook(item),
              counts,
              around: outer
            }
            return lists.length > 0 && !itself.leap ? inGroup : [itself, ...inGroup]
          })
        )
    })
}

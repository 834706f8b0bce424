import { Result } from "effect"
import type { Node } from "jsonc-parser"
import { entriesIn, type HookEntry, scalarOf, valueOf } from "../../cli/wiring/HookEntries.ts"
import type { WiredFile, WiringPlace, WiringStatus } from "../../cli/wiring/HookWiring.ts"
import { type EditProblem, problemText } from "../../words/formats/EditProblem.ts"
import * as Jsonc from "../../words/formats/JsoncEdit.ts"
import * as Toml from "../../words/formats/TomlEdit.ts"

/**
 * Codex runs a hook only when the user has trusted it, and asks at its start about new and changed hooks. The trust is
 * recorded in its `config.toml`, one table for each hook, named by the hook's place in `hooks.json`:
 *
 *     [hooks.state."<path of hooks.json>:<event>:<group>:<hook>"]
 *     trusted_hash = "sha256:<hash>"
 *
 * Installing hooks with leap is the user's consent to leap's hooks. A hook's place changes when a hook before it is
 * added or removed; the trust in the user's own hooks is then moved to their new places.
 */

const statePath = ["hooks", "state"] as const

/** Events whose timeout Codex limits to this many seconds before it computes the hash. */
const capped: ReadonlySet<string> = new Set(["session_end", "interrupt"])
const cap = 3
/** Codex's default timeout of a hook, in seconds. */
const defaultTimeout = 600
/** Events that are always reported; their matcher is ignored. */
const withoutMatcher: ReadonlySet<string> = new Set(["user_prompt_submit", "stop", "interrupt"])

/** `PreToolUse` → `pre_tool_use`. */
const snake = (event: string): string => event.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase()

interface TrustedHook {
  readonly event: string
  readonly key: string
  readonly leap: boolean
  readonly hash: string
}

const hashOf = ({ event, hook }: HookEntry, matcher: unknown, sha256: WiringPlace["sha256"]): string => {
  const name = snake(event)
  const timeout = scalarOf(valueOf(hook, "timeout"))
  const seconds = typeof timeout === "number" ? timeout : defaultTimeout
  // Keys in alphabetical order, as Codex writes them.
  return sha256(
    JSON.stringify({
      event_name: name,
      hooks: [
        {
          async: scalarOf(valueOf(hook, "async")) === true,
          command: scalarOf(valueOf(hook, "command")),
          statusMessage: scalarOf(valueOf(hook, "statusMessage")),
          timeout: capped.has(name) ? Math.min(seconds, cap) : seconds,
          type: "command"
        }
      ],
      matcher: withoutMatcher.has(name) || typeof matcher !== "string" ? undefined : matcher
    })
  )
}

const hooksIn = (text: string | null, hooksFile: string, sha256: WiringPlace["sha256"]): ReadonlyArray<TrustedHook> => {
  const root = Result.getOrElse(Jsonc.parse((text ?? "").replace(/^\uFEFF/, "")), () => null)
  if (root === null) return []
  return entriesIn(root).flatMap((entry): ReadonlyArray<TrustedHook> => {
    if (entry.place === null || !entry.counts) return []
    const group: Node | undefined = entry.around[1]?.child
    return [
      {
        event: entry.event,
        key: `${hooksFile}:${snake(entry.event)}:${entry.place.group}:${entry.place.hook}`,
        leap: entry.leap,
        hash: `sha256:${hashOf(entry, group === undefined ? undefined : scalarOf(valueOf(group, "matcher")), sha256)}`
      }
    ]
  })
}

type TrustedHash = (key: string) => unknown

/**
 * The keys of the user's own hooks that have moved: the i-th hook of an event before is the i-th one after. If the
 * recorded trust fits the new places better than the old ones, an interrupted edit has already moved it.
 */
const movedKeys = (
  before: ReadonlyArray<TrustedHook>,
  after: ReadonlyArray<TrustedHook>,
  trusted: TrustedHash
): ReadonlyMap<string, string> => {
  const userHooks = (hooks: ReadonlyArray<TrustedHook>) =>
    Map.groupBy(
      hooks.filter((hook) => !hook.leap),
      ({ event }) => event
    )
  const [thenByEvent, nowByEvent] = [userHooks(before), userHooks(after)]
  const fits = (hooks: ReadonlyArray<TrustedHook>) => hooks.filter(({ hash, key }) => trusted(key) === hash).length
  const pairs = [...new Set(before.map(({ event }) => event))].flatMap((event) => {
    const then = thenByEvent.get(event) ?? []
    const now = nowByEvent.get(event) ?? []
    if (fits(now) > fits(then)) return []
    return then.flatMap(({ key }, index) => {
      const target = now[index]?.key
      return target === undefined || target === key ? [] : [[key, target] as const]
    })
  })
  return new Map(pairs)
}

/** The keys that remain if a removal was interrupted after `hooks.json`: the hash finds the trust at a former place. */
const strayKeys = (
  hooks: ReadonlyArray<TrustedHook>,
  recorded: ReadonlyArray<string>,
  hooksFile: string,
  trusted: TrustedHash
): ReadonlyMap<string, string> => {
  const inPlace = new Set(hooks.filter(({ hash, key }) => trusted(key) === hash).map(({ key }) => key))
  const found = new Map<string, string>()
  const byHash = Map.groupBy(
    recorded.filter((it) => !inPlace.has(it)),
    trusted
  )
  for (const { event, hash, key } of hooks) {
    if (inPlace.has(key)) continue
    const stray = byHash.get(hash)?.find((it) => it.startsWith(`${hooksFile}:${snake(event)}:`) && !found.has(it))
    if (stray !== undefined) found.set(stray, key)
  }
  return found
}

const stateIn = (value: unknown): Readonly<Record<string, unknown>> => {
  const state = Toml.valueAt(value, statePath)
  return typeof state === "object" && state !== null ? { ...state } : {}
}

/** Codex's `config.toml`, with its trust in leap's hooks in that `hooks.json`. */
export const trustFile = (path: string, hooksJson: WiredFile, { sha256 }: WiringPlace): WiredFile => {
  const hooksFile = hooksJson.path
  const edit = (
    text: string | null,
    before: string | null,
    after: Result.Result<string | null, EditProblem>,
    wanted: ReadonlyArray<TrustedHook>
  ): Result.Result<string | null, EditProblem> => {
    const tree = Toml.parse(text ?? "")
    if (Result.isFailure(tree)) return Result.fail(tree.failure)
    if (Result.isFailure(after)) return Result.succeed(text)
    const old = hooksIn(before, hooksFile, sha256)
    const now = hooksIn(after.success, hooksFile, sha256)
    const recorded = Object.keys(stateIn(tree.success.value))
    const trusted = (key: string) => Toml.valueAt(tree.success.value, [...statePath, key, "trusted_hash"])
    const set = new Map(now.filter(({ leap }) => leap).map(({ hash, key }) => [key, { trusted_hash: hash }] as const))
    const userKeys = new Set(now.filter(({ leap }) => !leap).map(({ key }) => key))
    const hashes = new Set([...old, ...now, ...wanted].filter(({ leap }) => leap).map(({ hash }) => hash))
    // Trust in leap's hooks that no longer exist: found by their old place, or by their hash if the place is unknown.
    const leftover = recorded.filter((key) => key.startsWith(`${hooksFile}:`) && hashes.has(String(trusted(key))))
    const cutOff = leftover.length > 0 && ![...old, ...now].some(({ leap }) => leap)
    const rename = cutOff ? strayKeys(now, recorded, hooksFile, trusted) : movedKeys(old, now, trusted)
    const drop = new Set(
      [...old.filter(({ leap }) => leap).map(({ key }) => key), ...leftover].filter(
        (key) => !set.has(key) && !userKeys.has(key)
      )
    )
    return Toml.editTables(text, statePath, { rename, set, drop })
  }
  return {
    path,
    install: (text, present) =>
      edit(text, present(hooksJson.path), hooksJson.install(present(hooksJson.path), present), []),
    remove: (text, present) => {
      const hooks = present(hooksJson.path)
      // As leap would install them; after an interrupted removal only their trust remains.
      const installed = Result.getOrElse(hooksJson.install(hooks, present), () => null)
      return edit(text, hooks, hooksJson.remove(hooks, present), hooksIn(installed, hooksFile, sha256))
    },
    status: (text, present): WiringStatus => {
      const tree = Toml.parse(text ?? "")
      if (Result.isFailure(tree)) return { state: "unreadable", details: [problemText(tree.failure)] }
      const { value } = tree.success
      const leapHooks = hooksIn(present(hooksJson.path), hooksFile, sha256).filter(({ leap }) => leap)
      const states = leapHooks.map(({ event, hash, key }) => {
        const trustedHash = Toml.valueAt(value, [...statePath, key, "trusted_hash"])
        return {
          event,
          enabled: Toml.valueAt(value, [...statePath, key, "enabled"]),
          trust: trustedHash === hash ? "yes" : trustedHash === undefined ? "no" : "other"
        }
      })
      const isOff = Toml.valueAt(value, ["features", "hooks"]) === false
      const untrusted = states.filter(({ trust }) => trust !== "yes")
      const details = [
        ...(untrusted.length === 0
          ? []
          : [`Codex does not trust leap's hook for ${untrusted.map(({ event }) => event).join(", ")}`]),
        ...states
          .filter(({ enabled }) => enabled === false)
          .map(({ event }) => `leap's hook for ${event} is switched off`),
        ...(isOff ? ["features.hooks is off: no hook will run"] : [])
      ]
      const state =
        untrusted.length === 0 && leapHooks.length > 0
          ? isOff || states.every(({ enabled }) => enabled === false)
            ? "disabled"
            : "installed"
          : states.some(({ trust }) => trust === "other")
            ? "outdated"
            : untrusted.length === states.length
              ? "missing"
              : "partly"
      return { state, details }
    }
  }
}

import { Result } from "effect"
import type { Node } from "jsonc-parser"
import { entriesIn, type Entry, plain, valueOf } from "../HookEntries.ts"
import type { WiredFile, WiringPlace, WiringProblem, WiringStatus } from "../HookWiring.ts"
import * as Jsonc from "../JsoncEdit.ts"
import * as Toml from "../TomlEdit.ts"

/**
 * Codex runs a hook only when the user has trusted it, and asks at its start about those that are new or changed. What
 * is trusted stands in its `config.toml`, one table for each hook, named by the hook's place in `hooks.json`:
 *
 *     [hooks.state."<path of hooks.json>:<event>:<group>:<hook>"]
 *     trusted_hash = "sha256:<hash>"
 *
 * Who installs hooks with leap has said that they want them. A place changes when something before it comes or goes;
 * then what the user trusted is moved along.
 */

const parent = ["hooks", "state"] as const

/** Events whose time-out Codex cuts to this many seconds before it takes the hash. */
const capped: ReadonlySet<string> = new Set(["session_end", "interrupt"])
const cap = 3
/** What Codex takes where a hook names no time-out. */
const defaultTimeout = 600
/** Events that are always told in full; their matcher is not read. */
const unmatched: ReadonlySet<string> = new Set(["user_prompt_submit", "stop", "interrupt"])

/** `PreToolUse` → `pre_tool_use`. */
const snake = (event: string): string => event.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase()

/** A hook of `hooks.json` as Codex trusts it. */
interface Trusted {
  readonly event: string
  readonly key: string
  readonly leap: boolean
  readonly hash: string
}

const hashOf = ({ event, hook }: Entry, matcher: unknown, sha256: WiringPlace["sha256"]): string => {
  const name = snake(event)
  const timeout = plain(valueOf(hook, "timeout"))
  const seconds = typeof timeout === "number" ? timeout : defaultTimeout
  // The keys in the order of the alphabet, as Codex writes them.
  return sha256(JSON.stringify({
    event_name: name,
    hooks: [{
      async: plain(valueOf(hook, "async")) === true,
      command: plain(valueOf(hook, "command")),
      statusMessage: plain(valueOf(hook, "statusMessage")),
      timeout: capped.has(name) ? Math.min(seconds, cap) : seconds,
      type: "command"
    }],
    matcher: unmatched.has(name) || typeof matcher !== "string" ? undefined : matcher
  }))
}

/** Every hook in the text, in order. */
const hooksIn = (text: string | null, hooksFile: string, sha256: WiringPlace["sha256"]): ReadonlyArray<Trusted> => {
  const tree = Jsonc.parse((text ?? "").replace(/^\uFEFF/, ""))
  if ("problem" in tree || tree.root === null) return []
  return entriesIn(tree.root).flatMap((entry): ReadonlyArray<Trusted> => {
    if (entry.place === null || !entry.counts) return []
    const group: Node | undefined = entry.around[1]?.child
    return [{
      event: entry.event,
      key: `${hooksFile}:${snake(entry.event)}:${entry.place.group}:${entry.place.hook}`,
      leap: entry.leap,
      hash: `sha256:${hashOf(entry, group === undefined ? undefined : plain(valueOf(group, "matcher")), sha256)}`
    }]
  })
}

/** Where the user's own hooks have gone: the i-th of an event before is the i-th of it after. */
const moved = (before: ReadonlyArray<Trusted>, after: ReadonlyArray<Trusted>): ReadonlyMap<string, string> => {
  const users = (hooks: ReadonlyArray<Trusted>, event: string) => hooks.filter((hook) => !hook.leap && hook.event === event)
  const pairs = [...new Set(before.map(({ event }) => event))].flatMap((event) => {
    const now = users(after, event)
    return users(before, event).flatMap(({ key }, index) => {
      const target = now[index]?.key
      return target === undefined || target === key ? [] : [[key, target] as const]
    })
  })
  return new Map(pairs)
}

const stateIn = (value: unknown): Readonly<Record<string, unknown>> => {
  const state = Toml.valueAt(value, parent)
  return typeof state === "object" && state !== null ? { ...state } : {}
}

/** Codex's `config.toml`, in which it is to trust leap's hooks in that `hooks.json`. */
export const trustFile = (path: string, hooksJson: WiredFile, { sha256 }: WiringPlace): WiredFile => {
  const hooksFile = hooksJson.path
  const edit = (
    text: string | null,
    before: string | null,
    after: Result.Result<string | null, WiringProblem>
  ): Result.Result<string | null, WiringProblem> => {
    const tree = Toml.parse(text ?? "")
    if (Result.isFailure(tree)) return Result.fail(tree.failure)
    // What is wrong with hooks.json is said of that file.
    if (Result.isFailure(after)) return Result.succeed(text)
    const old = hooksIn(before, hooksFile, sha256)
    const now = hooksIn(after.success, hooksFile, sha256)
    const rename = moved(old, now)
    const set = new Map(now.filter(({ leap }) => leap).map(({ hash, key }) => [key, { trusted_hash: hash }] as const))
    const users = new Set(now.filter(({ leap }) => !leap).map(({ key }) => key))
    const hashes = new Set([...old, ...now].filter(({ leap }) => leap).map(({ hash }) => hash))
    // Of leap's, those that stand nowhere any more: by their old place, or by their hash where the place was lost.
    const left = Object.keys(stateIn(tree.success.value)).filter((key) =>
      key.startsWith(`${hooksFile}:`) && hashes.has(String(Toml.valueAt(tree.success.value, [...parent, key, "trusted_hash"]))))
    const drop = new Set([...old.filter(({ leap }) => leap).map(({ key }) => key), ...left].filter((key) => !set.has(key) && !users.has(key)))
    return Toml.editTables(text, parent, { rename, set, drop })
  }
  return {
    path,
    install: (text, present) => edit(text, present(hooksJson.path), hooksJson.install(present(hooksJson.path), present)),
    remove: (text, present) => edit(text, present(hooksJson.path), hooksJson.remove(present(hooksJson.path), present)),
    status: (text, present): WiringStatus => {
      const tree = Toml.parse(text ?? "")
      if (Result.isFailure(tree)) {
        const { column, line, why } = tree.failure
        return { state: "unreadable", details: [line === null ? why : `line ${line}, column ${column}: ${why}`] }
      }
      const { value } = tree.success
      const own = hooksIn(present(hooksJson.path), hooksFile, sha256).filter(({ leap }) => leap)
      const states = own.map(({ event, hash, key }) => {
        const said = Toml.valueAt(value, [...parent, key, "trusted_hash"])
        return { event, enabled: Toml.valueAt(value, [...parent, key, "enabled"]), trust: said === hash ? "yes" : said === undefined ? "no" : "other" }
      })
      const isOff = Toml.valueAt(value, ["features", "hooks"]) === false
      const untrusted = states.filter(({ trust }) => trust !== "yes")
      const details = [
        ...(untrusted.length === 0 ? [] : [`Codex does not trust leap's hook for ${untrusted.map(({ event }) => event).join(", ")}`]),
        ...states.filter(({ enabled }) => enabled === false).map(({ event }) => `leap's hook for ${event} is switched off`),
        ...(isOff ? ["features.hooks is off: no hook will run"] : [])
      ]
      const state = untrusted.length === 0 && own.length > 0
        ? isOff || states.every(({ enabled }) => enabled === false) ? "disabled" : "installed"
        : states.some(({ trust }) => trust === "other")
        ? "outdated"
        : untrusted.length === states.length
        ? "missing"
        : "partly"
      return { state, details }
    }
  }
}

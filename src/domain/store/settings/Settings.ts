import { Schema } from "effect"
import { AutoSendMode, ChurnMode, NightMode, UnknownLayout, UnwiredStart } from "../../words/session/Session.ts"
import { detachKey } from "../../terminal/sequences/DetachKey.ts"
import type { LenientNode } from "../../words/formats/LenientJson.ts"
import { CliInFile, CliSettings, EndpointSettings } from "./CliSettings.ts"
import { night, notify } from "./NotifySettings.ts"
import { noPolicy, Policy, PolicyInFile } from "./PolicySettings.ts"
import { hosts } from "./HostSettings.ts"
import { clisOf, endpointsOf, idsOf } from "./readCliSettings.ts"
import { out } from "./OutSettings.ts"
import { policyOf } from "./readPolicySettings.ts"
import { isAddress } from "./PushTarget.ts"
import { amount, checked, choice, count, maybe, type Reading, setting, table, textOrNull } from "./settingKinds.ts"
import { describe, itemsAt, leafOf, text } from "./settingsNodes.ts"

export { CliSettings, EndpointSettings, KeySettings, ScreenPatterns } from "./CliSettings.ts"
export { noPolicy, Policy, PolicyRule } from "./PolicySettings.ts"

const modes = table("The modes that new sessions start with", {
  autoSend: choice("pause: a permission dialog waits for you; always: it is answered by policy", AutoSendMode, "pause"),
  churn: choice("Whether queued messages go out while background work lives", ChurnMode, "wait"),
  night: maybe("Whether a session goes on by itself when its usage limit is over", NightMode, "off")
})

const isKey = (value: string): boolean => detachKey(value) !== null
/** Only signs: letters and digits are doubled in words, and "!!" has its own meaning in a message. */
const isCapture = (value: string): boolean => /^(["-/:-@[-`{-~])\1$/.test(value)

const key = (sentence: string, otherwise: string, isOne: (value: string) => boolean, expected: string) =>
  setting(sentence, Schema.String, otherwise, (node, path, { notes }) => {
    const value = text(node, path, notes)
    if (value === null || value === "off" || isOne(value)) return value ?? otherwise
    if (node !== undefined)
      notes.warn(node, `"${path}" must be ${expected} or "off", it is "${value}"`, `"${otherwise}"`)
    return otherwise
  })

/** Whether ↑ and ↓ at the CLI's prompt recall leap's prompts: `auto` if the CLI has no recall, `on` if possible. */
const Recalling = Schema.Literals(["auto", "on", "off"])

const attach = table("The keys of an attached terminal that are not the CLI's", {
  commandKey: key(
    'The key before leap\'s menu in an attached terminal: "ctrl-]", or "off"',
    "ctrl-]",
    isKey,
    'a key like "ctrl-]"'
  ),
  capture: key(
    'What begins a message there: a character twice, "^^", or "off"',
    "^^",
    isCapture,
    'a sign twice, like "^^",'
  ),
  suspendKey: key(
    'The key that leaves it to the shell until fg: "ctrl-z", or "off"',
    "ctrl-z",
    isKey,
    'a key like "ctrl-z"'
  ),
  recall: choice(
    "Whether arrows there bring back what was typed before by leap: auto (default) where the CLI does not itself",
    Recalling,
    "auto"
  )
})
/** The keys of an attached terminal that leap takes; `off` for none. */
export type AttachSettings = typeof attach.value.Type

/** Fewer than the finished messages that a queue remembers: the messages of agents are counted among those. */
const mostPosted = 40

/** What agents may do to other sessions. An unreadable `delivery` counts as `hold`, all else as its default. */
const post = table(
  "What agents in sessions may do to other sessions (leap mcp)",
  {
    delivery: choice(
      "Messages that agents send to sessions: deliver them, hold each until you release it, refuse them, or " +
        "careful (default): hold them in sessions whose mode allows everything",
      Schema.Literals(["careful", "deliver", "hold", "refuse"]),
      "careful",
      "hold"
    ),
    answer: choice(
      "Which dialogs of other sessions agents may answer: none (default), questions, or permissions too",
      Schema.Literals(["none", "questions", "permissions"]),
      "none"
    ),
    maxHops: count("The longest chain of agents' answers to each other (default 8)", 0, mostPosted, 8),
    perHour: count(
      "Messages from agents that a session takes, and that its agent sends, within an hour (default 30)",
      0,
      mostPosted,
      30
    )
  },
  { unreadable: (standard) => ({ ...standard, delivery: "hold" }) }
)
/** What agents may do to other sessions. */
export type Post = typeof post.value.Type

const worktrees = table("git worktrees that leap makes for sessions (--worktree)", {
  directory: textOrNull(
    "Where they are put: a path from / or ~, or one that begins at the repository; null: beside the repository"
  ),
  setup: textOrNull("A line for sh that makes a new one ready; --setup goes before it")
})

const isAmount = (value: unknown): value is number | null => value === null || (typeof value === "number" && value > 0)

const mostOf = (sentence: string) =>
  checked(sentence, Schema.NullOr(Schema.Finite), null, isAmount, "a number above 0, or null", true)

/** What may be used. If any part of the table cannot be read, nothing may be used: its user relies on it. */
const budget = table(
  "What hosted sessions and headless runs may use together: beyond it no message goes out and no request is begun; " +
    "what a CLI does not tell of its use counts in none, and leap says so",
  {
    dayUsd: mostOf("US dollars a day, by this machine's clock; null (default): no limit"),
    dayTokens: mostOf("Tokens of all kinds a day"),
    conversationUsd: mostOf("US dollars for one conversation"),
    conversationTokens: mostOf("Tokens of all kinds for one conversation")
  },
  {
    unreadable: (standard) => ({ ...standard, dayTokens: 0 }),
    doubted: { says: "until it is mended, nothing is sent", then: (read) => ({ ...read, dayTokens: 0 }) }
  }
)
/** What may be used: of a day, and of a conversation. */
export type Budget = typeof budget.value.Type

const isCollector = (value: unknown): value is string | null =>
  value === null || (typeof value === "string" && isAddress(value))

const orderOf = (node: LenientNode | undefined, path: string, reading: Reading): ReadonlyArray<string> => {
  const { notes } = reading
  const known = idsOf(reading)
  const order: Array<string> = []
  for (const item of itemsAt(node, path, notes) ?? []) {
    const id = leafOf(item)
    if (typeof id !== "string") notes.warn(item, `"${path}" lists ids of CLIs, not ${describe(item)}`)
    else if (!known.includes(id)) notes.warn(item, `"${path}" names '${id}', which is no CLI`)
    else if (!order.includes(id)) order.push(id)
  }
  return order
}

/**
 * All settings, each once: its values, its default, its description, and how it is read. Reading, the file's
 * description for editors, `leap settings` and the page of its documentation are made from this.
 */
export const settings = table("Settings of leap", {
  modes,
  unknownLayout: choice(
    "A screen that leap does not know: wait (default) types nothing into it, trust goes by what all CLIs share",
    UnknownLayout,
    "wait"
  ),
  unwired: choice(
    "A CLI without leap's hooks: ask (default) at a terminal and start it elsewhere, start it, or refuse to",
    UnwiredStart,
    "ask",
    "refuse"
  ),
  attach,
  notify,
  out,
  night,
  awake: choice(
    "Whether this machine may go to sleep by itself while a session works: off (default) lets it, working does not",
    Schema.Literals(["off", "working"]),
    "off"
  ),
  policy: setting(
    "What tools may do. Every field of a rule that is given must match",
    Policy,
    noPolicy,
    policyOf,
    PolicyInFile
  ),
  post,
  budget,
  worktrees,
  clis: setting(
    "CLIs by their ids: leap's own, with flags and environment, and your variants of them",
    Schema.Record(Schema.String, CliSettings),
    {},
    clisOf,
    Schema.Record(Schema.String, CliInFile)
  ),
  order: setting(
    "The order in which CLIs are listed; those not named follow",
    Schema.Array(Schema.String),
    [],
    orderOf
  ),
  endpoints: setting(
    "Servers of OpenAI's protocol by the names that leap exec --endpoint knows them by",
    Schema.Record(Schema.String, EndpointSettings),
    {},
    endpointsOf
  ),
  hosts,
  prices: textOrNull("A file of prices that goes before the ones leap ships"),
  editor: textOrNull("What opens a session's directory: code, or nvim (default: VISUAL, EDITOR, or the desktop's own)"),
  record: choice(
    "What leap log and leap report know: full (default), meta (no texts), or off",
    Schema.Literals(["off", "meta", "full"]),
    "full"
  ),
  recordDays: amount("The record forgets what is older than so many days (90)", 1, 3_650, 90),
  telemetry: checked(
    "A collector for leap's spans and figures (OTLP over HTTP): http://127.0.0.1:4318; null (default): none",
    Schema.NullOr(Schema.String),
    null,
    isCollector,
    'an address like "http://127.0.0.1:4318", or null'
  ),
  recordMegabytes: amount("The record takes no more megabytes than this (256)", 8, 65_536, 256)
})

/** The user's settings: `settings.json` in leap's configuration directory, JSON with comments. */
export const Settings = settings.value
export type Settings = typeof Settings.Type

/** The settings of a user who has none. */
export const defaultSettings: Settings = settings.otherwise

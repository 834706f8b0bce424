import { minutesOfDay } from "../reading/DayTime.ts"
import type { LenientNode } from "../text/LenientJson.ts"
import { variableProblem } from "./CustomCli.ts"
import { quietSpan } from "./quietSpan.ts"
import {
  defaultNight,
  defaultNotify,
  NightSettings,
  NotifySettings,
  PushTarget,
  TerminalNotices
} from "./NotifySettings.ts"
import { choice, itemsAt, leafOf, membersOf, type Notes, objectAt, text } from "./settingsNodes.ts"

type Members = ReadonlyMap<string, LenientNode>

/** The value of a member that passes; warns of another, for which `otherwise` counts. */
const checked = <A>(
  found: Members,
  path: string,
  name: string,
  isOne: (value: unknown) => value is A,
  expected: string,
  otherwise: A,
  notes: Notes
): A => {
  const node = found.get(name)
  if (node === undefined) return otherwise
  const value = leafOf(node)
  if (isOne(value)) return value
  notes.warn(node, `"${path}${name}" must be ${expected}; ${JSON.stringify(otherwise)} counts`)
  return otherwise
}

const isFlag = (value: unknown): value is boolean => typeof value === "boolean"
const isPositive = (value: unknown): value is number | null =>
  value === null || (typeof value === "number" && value >= 0 && value < Infinity)
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 100
const isDayTime = (value: unknown): value is string | null =>
  value === null || (typeof value === "string" && minutesOfDay(value) !== null)
const isQuiet = (value: unknown): value is string | null =>
  value === null || (typeof value === "string" && quietSpan(value) !== null)

/** An address that can be posted to. */
export const isAddress = (url: string): boolean => /^https?:\/\/[^\s/]/i.test(url) && URL.canParse(url)

/**
 * A target; null, with a warning, for what cannot be used whole: nothing is posted to a place, or without a header,
 * that was not meant. Warnings do not repeat what is in it: an address may be a secret.
 */
const targetOf = (node: LenientNode, path: string, notes: Notes): PushTarget | null => {
  const refuse = (why: string): null => {
    notes.warn(node, `"${path}" was left out: ${why}`)
    return null
  }
  if (node.kind !== "object" || !node.whole) return refuse("it must be an object with a url")
  const found = membersOf(node, `${path}.`, new Set(Object.keys(PushTarget.fields)), notes)
  const [url, format = "ntfy", tokenFile] = ["url", "format", "tokenFile"].map((name) => {
    const member = found.get(name)
    return member === undefined ? undefined : leafOf(member)
  })
  if (typeof url !== "string" || !isAddress(url)) return refuse("its url must be an http or https address")
  if (format !== "ntfy" && format !== "json") return refuse('its format must be "ntfy" or "json"')
  if (tokenFile !== undefined && typeof tokenFile !== "string") return refuse("its tokenFile must be a path")
  const given = objectAt(found.get("headers"), `${path}.headers`, notes)
  const headers = [...(given === null ? [] : membersOf(given, `${path}.headers.`, null, notes))].map(
    ([name, value]) => [name, leafOf(value)] as const
  )
  const bad = headers.find(([name, value]) => !/^[\w-]+$/.test(name) || typeof value !== "string" || isBroken(value))
  if (bad !== undefined || (found.has("headers") && given === null)) return refuse("its headers cannot be sent")
  return {
    url,
    format,
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) as Record<string, string> })
  }
}

const isBroken = (value: string): boolean => variableProblem("HEADER", value) !== null || /[\r\n]/.test(value)

/** What the user wants to be told of; what cannot be used costs itself and a warning. */
export const notifyOf = (node: LenientNode | undefined, notes: Notes): NotifySettings => {
  const standard = defaultNotify
  const object = objectAt(node, "notify", notes)
  if (object === null) return standard
  const found = membersOf(object, "notify.", new Set(Object.keys(NotifySettings.fields)), notes)
  const flag = (name: "desktop" | "failed" | "limit" | "needsYou" | "titles"): boolean =>
    checked(found, "notify.", name, isFlag, "true or false", standard[name], notes)
  return {
    needsYou: flag("needsYou"),
    doneAfterMinutes: checked(
      found,
      "notify.",
      "doneAfterMinutes",
      isPositive,
      "a number of minutes, or null",
      standard.doneAfterMinutes,
      notes
    ),
    failed: flag("failed"),
    limit: flag("limit"),
    terminal: choice(found.get("terminal"), "notify.terminal", TerminalNotices, standard.terminal, notes),
    desktop: flag("desktop"),
    push: (itemsAt(found.get("push"), "notify.push", notes) ?? []).flatMap(
      (item, index) => targetOf(item, `notify.push[${index}]`, notes) ?? []
    ),
    quietHours: checked(
      found,
      "notify.",
      "quietHours",
      isQuiet,
      'hours like "22:30-07:00", or null',
      standard.quietHours,
      notes
    ),
    titles: flag("titles")
  }
}

/** How a session goes on at night. What cannot be understood stops it: nothing is sent that was not asked for. */
export const nightOf = (node: LenientNode | undefined, notes: Notes): NightSettings => {
  const standard = defaultNight
  const object = objectAt(node, "night", notes)
  if (object === null) return node === undefined ? standard : { ...standard, most: 0 }
  const doubts: Array<string> = []
  const strict: Notes = {
    warn: (at, why) => {
      doubts.push(why)
      notes.warn(at, `${why} (until it is mended, no session goes on by itself)`)
    }
  }
  const found = membersOf(object, "night.", new Set(Object.keys(NightSettings.fields)), strict)
  const night: NightSettings = {
    message: text(found.get("message"), "night.message", strict) ?? standard.message,
    stop: checked(found, "night.", "stop", isDayTime, 'a time like "08:00", or null', standard.stop, strict),
    most: checked(found, "night.", "most", isCount, "a number up to 100", standard.most, strict),
    ceilingUsd: checked(found, "night.", "ceilingUsd", isPositive, "a number, or null", standard.ceilingUsd, strict)
  }
  return doubts.length === 0 ? night : { ...night, most: 0 }
}

import { Schema } from "effect"
import type { LenientNode } from "../../words/formats/LenientJson.ts"
import type { RemoteHost } from "../../words/session/RemoteHost.ts"
import { part, type Reading, setting } from "./settingKinds.ts"
import { leavingOut, membersOf, objectAt, text } from "./settingsNodes.ts"

export const HostSettings = Schema.Struct({
  destination: Schema.String.annotate({ description: "As ssh takes it: me@box, or a name of ~/.ssh/config" }),
  leap: part(
    "Its leap: a name on the PATH of ssh's commands there, or a path from / or ~ (default: leap)",
    Schema.String
  )
})
export type HostSettings = typeof HostSettings.Type

/** A name has no slash, which ends it before a tag, and no letter that a shell or ssh would take for something else. */
const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const destinationPattern = /^[^\s\p{Cc}-][^\s\p{Cc}]*$/u

export const hostProblem = (name: string, { destination, leap }: HostSettings): string | null => {
  if (!namePattern.test(name)) return `'${name}' cannot be a host's name: that is letters, digits, '.', '-' and '_'`
  if (!destinationPattern.test(destination))
    return "its destination must be one word that ssh takes for a machine, like me@box: it begins with no '-'"
  return leap === undefined || /^[^\s\p{Cc}-][^\p{Cc}]*$/u.test(leap) ? null : "its leap must be a name or a path"
}

const fields = new Set(Object.keys(HostSettings.fields))

/** The usable hosts. One with an unusable part is left out: it might be another machine than was meant. */
const hostsOf = (
  node: LenientNode | undefined,
  path: string,
  { notes }: Reading
): Readonly<Record<string, HostSettings>> => {
  const hosts: Array<readonly [string, HostSettings]> = []
  const object = objectAt(node, path, notes)
  for (const [name, value] of object === null ? [] : membersOf(object, `${path}.`, null, notes)) {
    const at = `${path}.${name}`
    const leftOut = leavingOut(value, at, notes)
    if (value.kind !== "object" || !value.whole) {
      leftOut("it must be an object with a destination")
      continue
    }
    const found = membersOf(value, `${at}.`, fields, notes)
    const [destination, leap] = ["destination", "leap"].map((field) => text(found.get(field), `${at}.${field}`, notes))
    const isSure = value.members.every(({ key }) => fields.has(key)) && (leap != null || !found.has("leap"))
    const host = { destination: destination ?? "", ...(leap == null ? {} : { leap }) }
    const problem = isSure ? hostProblem(name, host) : "a part of it cannot be used"
    if (problem === null) hosts.push([name, host])
    else leftOut(problem)
  }
  return Object.fromEntries(hosts)
}

export const hosts = setting(
  "Other machines by the names that leap --host knows them by: their sessions are in leap monitor",
  Schema.Record(Schema.String, HostSettings),
  {},
  hostsOf
)

/** The hosts of the settings, in their order. */
export const remoteHosts = (hosts: Readonly<Record<string, HostSettings>>): ReadonlyArray<RemoteHost> =>
  Object.entries(hosts).map(([name, { destination, leap = "leap" }]) => ({ name, destination, leap }))

import { Schema } from "effect"
import { part, type Reading } from "./settingKinds.ts"
import type { LenientNode } from "../../words/formats/LenientJson.ts"
import { variableProblem } from "./CustomCli.ts"
import { itemsAt, leafAt, leavesAt, leavingOut, membersOf, type Notes } from "./settingsNodes.ts"

export const PushTarget = Schema.Struct({
  url: Schema.String.annotate({ description: "Where it is posted to: https://ntfy.sh/TOPIC, or any webhook" }),
  /** `ntfy`: the format of ntfy.sh and compatible servers; `json`: one object with all that is known. */
  format: Schema.Literals(["ntfy", "json"]),
  tokenFile: part("A file with a token, which is sent as Authorization: Bearer", Schema.String),
  headers: part("Sent with each request; $NAME in values is put in", Schema.Record(Schema.String, Schema.String))
})
export type PushTarget = typeof PushTarget.Type

export const isAddress = (url: string): boolean => /^https?:\/\/[^\s/]/i.test(url) && URL.canParse(url)

/**
 * A target; null, with a warning, if any part is unusable: nothing is posted to another place, or without a header,
 * than was meant. Warnings do not repeat its content: an address may be a secret.
 */
const targetOf = (node: LenientNode, path: string, notes: Notes): PushTarget | null => {
  const refuse = leavingOut(node, path, notes)
  if (node.kind !== "object" || !node.whole) return refuse("it must be an object with a url")
  const found = membersOf(node, `${path}.`, new Set(Object.keys(PushTarget.fields)), notes)
  const [url, format = "ntfy", tokenFile] = ["url", "format", "tokenFile"].map((name) => leafAt(found, name))
  if (typeof url !== "string" || !isAddress(url)) return refuse("its url must be an http or https address")
  if (format !== "ntfy" && format !== "json") return refuse('its format must be "ntfy" or "json"')
  if (tokenFile !== undefined && typeof tokenFile !== "string") return refuse("its tokenFile must be a path")
  const headers = leavesAt(found.get("headers"), `${path}.headers`, notes)
  const isSent = ([name, value]: readonly [string, unknown]): boolean =>
    /^[\w-]+$/.test(name) && typeof value === "string" && !isBroken(value)
  if (headers === null || !headers.every(isSent)) return refuse("its headers cannot be sent")
  return {
    url,
    format,
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) as Record<string, string> })
  }
}

const isBroken = (value: string): boolean => variableProblem("HEADER", value) !== null || /[\r\n]/.test(value)

export const targetsOf = (
  node: LenientNode | undefined,
  path: string,
  { notes }: Pick<Reading, "notes">
): ReadonlyArray<PushTarget> =>
  (itemsAt(node, path, notes) ?? []).flatMap((item, index) => targetOf(item, `${path}[${index}]`, notes) ?? [])

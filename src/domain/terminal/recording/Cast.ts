/**
 * Reads asciicast v2: one line of JSON for each event. A recording may come from anywhere, so its sizes are limited,
 * unknown content is tolerated, and unreadable content gets a reason.
 */

import { Option, Schema } from "effect"
import { fieldsOf } from "../../words/reading/Fields.ts"
import { parseJson } from "../../words/formats/Json.ts"

/** No terminal has more cells. A larger emulator would exhaust the machine's memory. */
const mostCells = 1_000_000
const side = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))
const fits = (cols: number, rows: number): boolean => cols <= 10_000 && rows <= 10_000 && cols * rows <= mostCells

const Size = Schema.Struct({ version: Schema.Literal(2), width: side, height: side })

export interface CastHeader {
  readonly version: 2
  readonly width: number
  readonly height: number
  /** Seconds since the epoch. */
  readonly timestamp?: number
  readonly leap?: { readonly provider?: string; readonly cli?: string }
}

/** One event line. Unknown codes are valid, because asciinema may add some. */
export type CastLine = readonly [seconds: number, code: string, data: string]

export type Parsed<A> =
  | { readonly _tag: "Parsed"; readonly value: A }
  /** An empty line or a comment. */
  | { readonly _tag: "Empty" }
  | { readonly _tag: "Malformed"; readonly why: string }

const empty: Parsed<never> = { _tag: "Empty" }
const decodeSize = Schema.decodeUnknownOption(Size)

/** The most values of a line or payload: values take far more memory than their text. */
const mostValues = 200_000

const hasTooManyValues = (text: string): boolean => {
  if (text.length <= mostValues) return false
  let values = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) quoted = !quoted
    else if (quoted) i += code === 0x5c ? 1 : 0
    // `[`, `{` or `,` stands before every item and every member.
    else if ((code === 0x5b || code === 0x7b || code === 0x2c) && ++values > mostValues) return true
  }
  return false
}

const json = (line: string): Parsed<unknown> => {
  const text = line.trim()
  if (text === "" || text.startsWith("#")) return empty
  if (hasTooManyValues(text)) return { _tag: "Malformed", why: `it holds more than ${mostValues} values` }
  return Option.match(parseJson(text), {
    onNone: () => ({ _tag: "Malformed", why: "it is not JSON" }),
    onSome: (value) => ({ _tag: "Parsed", value })
  })
}

/** In seconds. Up to here a double holds every millisecond exactly. */
const latestTimestamp = 1e12

const headerOf = (size: typeof Size.Type, { leap, timestamp }: Readonly<Record<string, unknown>>): CastHeader => {
  const { cli, provider } = fieldsOf(leap)
  return {
    ...size,
    ...(typeof timestamp === "number" && Math.abs(timestamp) <= latestTimestamp ? { timestamp } : {}),
    ...(leap === undefined
      ? {}
      : {
          leap: { ...(typeof cli === "string" ? { cli } : {}), ...(typeof provider === "string" ? { provider } : {}) }
        })
  }
}

export const parseHeader = (line: string): Parsed<CastHeader> => {
  const value = json(line)
  if (value._tag !== "Parsed") return value
  const size = Option.getOrNull(decodeSize(value.value))
  const fields = fieldsOf(value.value)
  if (size !== null) {
    return fits(size.width, size.height)
      ? { _tag: "Parsed", value: headerOf(size, fields) }
      : { _tag: "Malformed", why: `no terminal is ${size.width} columns by ${size.height} rows` }
  }
  return {
    _tag: "Malformed",
    why:
      "version" in fields && fields["version"] !== 2
        ? `it is not asciicast version 2 but ${JSON.stringify(fields["version"])}`
        : "it is not an asciicast v2 header with width and height"
  }
}

const codesWithData: ReadonlySet<string> = new Set(["o", "i", "r", "m"])

export const parseLine = (line: string): Parsed<CastLine> => {
  const value = json(line)
  if (value._tag !== "Parsed") return value
  const [seconds, code, data]: ReadonlyArray<unknown> = Array.isArray(value.value) ? value.value : []
  const hasTime = typeof seconds === "number" && Math.abs(seconds) <= 1e10
  if (!hasTime || typeof code !== "string" || (codesWithData.has(code) && typeof data !== "string")) {
    return { _tag: "Malformed", why: "it is not [seconds, code, data]" }
  }
  return { _tag: "Parsed", value: [seconds, code, typeof data === "string" ? data : ""] }
}

/** The size in the data of a resize line; null if no terminal has it. */
export const parseSize = (data: string): { readonly cols: number; readonly rows: number } | null => {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(data)
  const cols = Number(match?.[1])
  const rows = Number(match?.[2])
  return match === null || cols < 1 || rows < 1 || !fits(cols, rows) ? null : { cols, rows }
}

/** The label of an event line with the code `m`, by which a recording tells more than the terminal's bytes. */
export type Marker =
  | { readonly _tag: "Hook"; readonly event: string; readonly payload: unknown }
  | { readonly _tag: "OwnStatus"; readonly content: unknown }
  | { readonly _tag: "Signal"; readonly state: string }
  | { readonly _tag: "Transcript"; readonly record: unknown }
  /** An approval event of the state machine, without its time. */
  | { readonly _tag: "Approval"; readonly event: unknown }
  | { readonly _tag: "Modes"; readonly modes: unknown }
  /** Who pressed the keys of the next input line. */
  | { readonly _tag: "By"; readonly by: "user" | "leap" }
  | { readonly _tag: "Send" }
  | { readonly _tag: "Exit" }
  | { readonly _tag: "Other" }

const jsonOr = (text: string, otherwise: unknown): unknown => {
  const value = json(text)
  return value._tag === "Parsed" ? value.value : otherwise
}

export const parseMarker = (label: string): Marker => {
  if (label === "send") return { _tag: "Send" }
  if (label === "exit") return { _tag: "Exit" }
  const colon = label.indexOf(":")
  const rest = label.slice(colon + 1)
  switch (colon < 0 ? "" : label.slice(0, colon)) {
    case "hook": {
      const space = rest.indexOf(" ")
      const event = space < 0 ? rest : rest.slice(0, space)
      return { _tag: "Hook", event, payload: space < 0 ? null : jsonOr(rest.slice(space + 1), null) }
    }
    case "session":
      return { _tag: "OwnStatus", content: jsonOr(rest, rest.trim()) }
    case "transcript":
      return { _tag: "Transcript", record: jsonOr(rest, null) }
    case "approval":
      return { _tag: "Approval", event: jsonOr(rest, null) }
    case "modes":
      return { _tag: "Modes", modes: jsonOr(rest, null) }
    case "by":
      return rest === "leap" || rest === "user" ? { _tag: "By", by: rest } : { _tag: "Other" }
    case "signal":
      return { _tag: "Signal", state: rest.trim() }
    default:
      return { _tag: "Other" }
  }
}

import { Option, Schema } from "effect"

/** The first line of an asciicast v2 file, as far as leap reads it. */
export const Header = Schema.Struct({
  version: Schema.Literal(2),
  width: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })),
  height: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })),
  timestamp: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  leap: Schema.optionalKey(Schema.Struct({
    provider: Schema.optionalKey(Schema.String),
    cli: Schema.optionalKey(Schema.String)
  }))
})
export type Header = typeof Header.Type

/** One event line: seconds since the start, a code, and what came. asciinema may add codes; they are read and passed over. */
export const Line = Schema.Tuple([
  Schema.Finite.check(Schema.isBetween({ minimum: -1e10, maximum: 1e10 })),
  Schema.String,
  Schema.String
])
export type Line = typeof Line.Type

/** What a line of a recording turned out to be. */
export type Parsed<A> =
  | { readonly _tag: "Parsed"; readonly value: A }
  /** Nothing to do: an empty line, a comment. */
  | { readonly _tag: "Empty" }
  | { readonly _tag: "Malformed"; readonly why: string }

const empty: Parsed<never> = { _tag: "Empty" }
const decodeHeader = Schema.decodeUnknownOption(Header)
const decodeLine = Schema.decodeUnknownOption(Line)

const json = (line: string): Parsed<unknown> => {
  const text = line.trim()
  if (text === "" || text.startsWith("#")) return empty
  try {
    return { _tag: "Parsed", value: JSON.parse(text) }
  } catch {
    return { _tag: "Malformed", why: "it is not JSON" }
  }
}

const parse = <A>(line: string, decode: (value: unknown) => Option.Option<A>, why: (value: unknown) => string): Parsed<A> => {
  const value = json(line)
  if (value._tag !== "Parsed") return value
  return Option.match(decode(value.value), {
    onSome: (decoded): Parsed<A> => ({ _tag: "Parsed", value: decoded }),
    onNone: (): Parsed<A> => ({ _tag: "Malformed", why: why(value.value) })
  })
}

/** Reads the header line. Total. */
export const parseHeader = (line: string): Parsed<Header> =>
  parse(line, decodeHeader, (value) =>
    typeof value === "object" && value !== null && "version" in value && value.version !== 2
      ? `it is not asciicast version 2 but ${String(value.version)}`
      : "it is not an asciicast v2 header with width and height")

/** Reads an event line. Total. */
export const parseLine = (line: string): Parsed<Line> =>
  parse(line, decodeLine, () => "it is not [seconds, code, data]")

/** The size in the data of a resize line. */
export const parseSize = (data: string): { readonly cols: number; readonly rows: number } | null => {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(data)
  const cols = Number(match?.[1])
  const rows = Number(match?.[2])
  return match === null || cols < 1 || rows < 1 ? null : { cols, rows }
}

/** A marker that leap understands. */
export type Marker =
  | { readonly _tag: "Hook"; readonly event: string; readonly payload: unknown }
  | { readonly _tag: "OwnStatus"; readonly content: unknown }
  | { readonly _tag: "Signal"; readonly state: string }
  /** A record of the CLI's transcript. */
  | { readonly _tag: "Transcript"; readonly record: unknown }
  /** Who pressed the keys of the next input line. */
  | { readonly _tag: "By"; readonly by: "user" | "leap" }
  | { readonly _tag: "Send" }
  | { readonly _tag: "Exit" }
  | { readonly _tag: "Other" }

const jsonOr = (text: string, otherwise: unknown): unknown => {
  const value = json(text)
  return value._tag === "Parsed" ? value.value : otherwise
}

/** Reads a marker's label. Total: a label that means nothing to leap is `Other`. */
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
    case "by":
      return rest === "leap" || rest === "user" ? { _tag: "By", by: rest } : { _tag: "Other" }
    case "signal":
      return { _tag: "Signal", state: rest.trim() }
    default:
      return { _tag: "Other" }
  }
}

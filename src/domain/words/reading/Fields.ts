/** Parsed content of a file, a hook or an answer, whose shape is uncertain. All readers accept any value. */
export type Fields = Readonly<Record<string, unknown>>

/** An object's fields; none if it is no object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** A text, empty or not, or null. */
export const stringOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** A text that is not empty, or null; blanks count as text. */
export const nonEmptyOf = (value: unknown): string | null => stringOf(value) || null

/** The items of a list; none if it is no list. */
export const itemsOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** A text with more than blanks, or null. Blanks around it stay. */
export const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null

/** A number of tokens, without a fraction; 0 for all that is no positive number. */
export const countOf = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0
    ? Math.min(Math.trunc(value), Number.MAX_SAFE_INTEGER)
    : 0

/** A number that may be missing. */
export const numberOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null

/** A window's size: above 0, or null. */
export const windowOf = (value: unknown): number | null => countOf(value) || null

/** A time in milliseconds since the epoch from its ISO form, or null. */
export const timeOf = (value: unknown): number | null => {
  const at = typeof value === "string" ? Date.parse(value) : NaN
  return Number.isFinite(at) ? at : null
}

/** {@link timeOf} as an optional member `at`. */
export const momentOf = (value: unknown): { readonly at?: number } => {
  const at = timeOf(value)
  return at === null ? {} : { at }
}

/** The directory that a CLI reports, as an optional member; none if it is no absolute path. */
export const placeOf = (value: unknown): { readonly directory?: string } =>
  typeof value === "string" && value.startsWith("/") && !value.includes("\0") ? { directory: value } : {}

/** Text parts of a message's content: a string, or the texts of a list's parts of these types. */
export const textsOf = (content: unknown, types: ReadonlySet<unknown>): ReadonlyArray<string> =>
  typeof content === "string"
    ? [content]
    : Array.isArray(content)
      ? content.map(fieldsOf).flatMap(({ text, type }) => (types.has(type) && typeof text === "string" ? [text] : []))
      : []

/** The code of an operating system's error, such as ENOENT; empty for any other. */
export const errorCodeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

/** SQLite's result code, with its details, in a thrown error; null for any other error. */
export const sqliteCode = (cause: unknown): number | null =>
  typeof cause === "object" && cause !== null && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode
    : null

/** Whether the operating system's error says that nothing has this name. */
export const saysMissing = (cause: unknown): boolean => /^ENO(?:ENT|TDIR)$/.test(errorCodeOf(cause))

/** The message of a thrown error. */
export const errorTextOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** What was parsed from a file, a hook or an answer: nothing of its shape is certain. All of the readers are total. */
export type Fields = Readonly<Record<string, unknown>>

/** An object's fields; none where it is no object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** A text, empty or not, or null. */
export const stringOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

/** A text that is not empty, or null; blanks are a text. */
export const nonEmptyOf = (value: unknown): string | null => stringOf(value) || null

/** The items of a list; none where it is no list. */
export const itemsOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** A text that says something, or null: blanks say nothing. It is given as it stands, blanks around it included. */
export const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null

/** A number of tokens: whole, not negative, 0 for all that is no number. */
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

/** The same as a member of what is read of a record; none where the record has no time. */
export const momentOf = (value: unknown): { readonly at?: number } => {
  const at = timeOf(value)
  return at === null ? {} : { at }
}

/** The directory that a CLI says it is in, as a member of what is read; none where that is no absolute path. */
export const placeOf = (value: unknown): { readonly directory?: string } =>
  typeof value === "string" && value.startsWith("/") && !value.includes("\0") ? { directory: value } : {}

/** Text parts of a message's content: a string, or a list of parts of which those of these types have a text. */
export const textsOf = (content: unknown, types: ReadonlySet<unknown>): ReadonlyArray<string> =>
  typeof content === "string"
    ? [content]
    : Array.isArray(content)
      ? content.map(fieldsOf).flatMap(({ text, type }) => (types.has(type) && typeof text === "string" ? [text] : []))
      : []

/** The code that an error of the operating system carries, such as ENOENT; empty for any other. */
export const errorCodeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

/** Whether the operating system says that nothing has this name; any other error does not say so. */
export const saysMissing = (cause: unknown): boolean => /^ENO(?:ENT|TDIR)$/.test(errorCodeOf(cause))

/** What was thrown, in its own words. */
export const errorTextOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

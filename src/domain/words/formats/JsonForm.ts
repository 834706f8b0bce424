/** The form of a JSON value, in a small part of JSON Schema, with the order of an object's fields. */
export type JsonForm =
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "null"
  | { readonly enum: ReadonlyArray<unknown> }
  | { readonly anyOf: ReadonlyArray<JsonForm> }
  | { readonly items: JsonForm }
  | { readonly fields: Readonly<Record<string, JsonForm>>; readonly optional: ReadonlyArray<string> }

/** Whether a value has the form's fields in their order, perhaps without optional ones, and no others. */
const objectFits = (
  { fields, optional }: Extract<JsonForm, { readonly fields: unknown }>,
  value: Readonly<Record<string, unknown>>
): boolean => {
  const keys = Object.keys(value)
  let at = 0
  for (const [name, form] of Object.entries(fields)) {
    if (keys[at] === name) {
      if (!fits(form, value[name])) return false
      at += 1
    } else if (!optional.includes(name)) return false
  }
  return at === keys.length
}

/** Whether a value has this form exactly: decoding by the form's schema would change nothing, not even the order. */
export const fits = (form: JsonForm, value: unknown): boolean => {
  if (typeof form === "string") {
    if (form === "null") return value === null
    if (form === "integer") return Number.isSafeInteger(value)
    return form === "number" ? Number.isFinite(value) : typeof value === form
  }
  if ("enum" in form) return form.enum.includes(value)
  if ("anyOf" in form) return form.anyOf.some((one) => fits(one, value))
  if ("items" in form) return Array.isArray(value) && value.every((item) => fits(form.items, item))
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    objectFits(form, value as Readonly<Record<string, unknown>>)
  )
}

/** The value decoded by the form's schema, with the form's fields in its order; undefined if it does not match. */
export const formed = (form: JsonForm, value: unknown): unknown => {
  if (typeof form === "string" || "enum" in form) return fits(form, value) ? value : undefined
  if ("anyOf" in form) {
    for (const one of form.anyOf) {
      const found = formed(one, value)
      if (found !== undefined) return found
    }
    return undefined
  }
  if ("items" in form) {
    if (!Array.isArray(value)) return undefined
    const items = value.map((item) => formed(form.items, item))
    return items.includes(undefined) ? undefined : items
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(form.fields)) {
    if (Object.hasOwn(value, name)) {
      const found = formed(form.fields[name]!, (value as Readonly<Record<string, unknown>>)[name])
      if (found === undefined) return undefined
      fields[name] = found
    } else if (!form.optional.includes(name)) return undefined
  }
  return fields
}

/** What a JSON value looks like: a part of JSON Schema that says it whole, with the order of an object's fields. */
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

/** All fields that have to be there, in their order, and no others. */
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

/**
 * Whether a value has this form exactly: reading it by the schema that the form is made from would give the same value,
 * with its fields in the same order.
 */
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

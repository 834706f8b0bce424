import { fieldsOf, itemsOf, numberOf, textOf } from "../../../words/reading/Fields.ts"
import { namesIn } from "../../../words/text/namesIn.ts"

export interface ErrorBody {
  readonly message: string | null
  readonly codes: ReadonlyArray<string>
  readonly status: number | null
  /** The rejected fields of the request, as paths: `stream_options.include_usage`. */
  readonly fields: ReadonlyArray<string>
}

const none: ErrorBody = { message: null, codes: [], status: null, fields: [] }

const messageNames = namesIn(
  "message msg error_message errorMessage error_msg status_msg detail error_description title"
)
const codeNames = namesIn("code type status error_code reason")
const statusNames = namesIn("code status status_code statusCode http_code http_status")
const fieldNames = namesIn("param parameter loc field path")

const statusOf = (value: unknown): number | null =>
  typeof value === "string" && /^[1-5]\d\d$/.test(value.trim()) ? Number(value) : numberOf(value)

/** `["body", "stream_options"]`, `/stream_options` and `body.stream_options` are one path. */
const pathOf = (value: unknown): string | null => {
  const path = Array.isArray(value) ? value.filter((part) => typeof part !== "object").join(".") : textOf(value)
  return textOf(path?.replace(/^[/.]?body\b[/.]?/, ""))
}

const firstOf = <A>(names: ReadonlyArray<string>, read: (name: string) => A | null): A | null =>
  names.map(read).find((found) => found !== null) ?? null

const merged = (faults: ReadonlyArray<ErrorBody>): ErrorBody => ({
  message: textOf(faults.flatMap(({ message }) => message ?? []).join("; ")),
  codes: faults.flatMap(({ codes }) => codes),
  status: faults.find(({ status }) => status !== null)?.status ?? null,
  fields: faults.flatMap(({ fields }) => fields)
})

const isPresent = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== "" && value !== false

/** Fields that may contain the error, or a list of errors. */
const innerNames = ["error", "errors", "base_resp", "detail", "message", "details"]
const mostFaults = 20

/** Reads an error: an object, a list or a text. Total. */
export const errorBody = (value: unknown, depth = 0): ErrorBody => {
  if (typeof value === "string") return { ...none, message: textOf(value) }
  if (depth > 4) return none
  if (Array.isArray(value)) return merged(value.slice(0, mostFaults).map((item) => errorBody(item, depth + 1)))
  const fields = fieldsOf(value)
  const inner = merged(
    innerNames.flatMap((name) =>
      typeof fields[name] === "object" || name === "error" ? [errorBody(fields[name], depth + 1)] : []
    )
  )
  return {
    message: inner.message ?? firstOf(messageNames, (name) => textOf(fields[name])),
    codes: [...inner.codes, ...codeNames.flatMap((name) => textOf(fields[name]) ?? [])],
    status: inner.status ?? firstOf(statusNames, (name) => statusOf(fields[name])),
    fields: [...inner.fields, ...fieldNames.flatMap((name) => pathOf(fields[name]) ?? [])]
  }
}

/** The error in a response with a status of success. `whole`: a message alone makes the part an error. */
export const errorWithin = (part: unknown, whole: boolean): unknown => {
  const fields = fieldsOf(part)
  if (isPresent(fields["error"])) return fields["error"] === true ? part : fields["error"]
  const reply = fieldsOf(fields["base_resp"])
  if ((numberOf(reply["status_code"]) ?? 0) !== 0) return reply
  if (itemsOf(fields["choices"]).length > 0) return undefined
  if (isPresent(fields["errors"])) return part
  const { message } = errorBody(part)
  const isMarked =
    whole ||
    "error_message" in fields ||
    "error_msg" in fields ||
    "error_code" in fields ||
    /error/i.test(`${textOf(fields["object"]) ?? ""} ${textOf(fields["type"]) ?? ""}`) ||
    fields["choices"] === null ||
    fields["success"] === false ||
    isPresent(fields["detail"]) ||
    textOf(fields["code"]) !== null ||
    statusNames.some((name) => ![null, 0, 200].includes(statusOf(fields[name])))
  return message !== null && isMarked ? part : undefined
}

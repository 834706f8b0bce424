import { Schema } from "effect"
import { fromBase64, fromLatin1, toBase64, utf8ToLatin1 } from "../text/Bytes.ts"

/** The states of the Program Status Protocol. */
export const ReportState = Schema.Literals(["idle", "working", "blocked", "done", "error", "clear"])

/** One program-status report (OSC 7501), decoded and within the protocol's limits. `id` "" is the root record. */
export const StatusReport = Schema.Struct({
  state: ReportState,
  id: Schema.String,
  kind: Schema.NullOr(Schema.Literals(["permission", "question", "auth"])),
  progress: Schema.NullOr(Schema.Int),
  app: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String)
})
export type StatusReport = typeof StatusReport.Type

/** The query whether a terminal supports reports; the answer is the same bytes. */
export const supportQuery = "\x1b]7501;?\x1b\\"

/** The protocol's limits, in bytes. */
export const limits = {
  sequence: 4096,
  key: 16,
  app: 32,
  id: 128,
  levels: 8,
  title: { encoded: 256, decoded: 192 },
  message: { encoded: 2732, decoded: 2048 },
  records: 256
} as const

/** `ESC ] 7501 ;` and the longer of the two terminators. */
const frame = 9
const keyShape = /^[a-z]+$/
const valueShape = /^[A-Za-z0-9_.,+/=-]*$/
const segmentShape = /^[A-Za-z0-9_.+-]{1,32}$/
const base64Shape = /^[A-Za-z0-9+/]*={0,2}$/
const controlCharacter = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/
/** Characters that reorder or hide text: bidirectional controls, zero-width and other invisible formatting. */
const deceptive = new RegExp(
  String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f` +
    String.raw`\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]`,
  "gu"
)
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decodeText = (value: string, limit: { readonly encoded: number; readonly decoded: number }): string | null => {
  if (value.length > limit.encoded || !base64Shape.test(value)) return null
  const bare = value.replace(/=+$/, "")
  // Padding is optional, but must be right if given.
  if (bare.length % 4 === 1 || (bare.length < value.length && value.length % 4 !== 0)) return null
  const bytes = fromBase64(bare)
  if (bytes === null || bytes.length > limit.decoded) return null
  try {
    const text = utf8.decode(fromLatin1(bytes))
    return controlCharacter.test(text) ? null : text.replace(deceptive, "")
  } catch {
    return null
  }
}

const validId = (id: string): boolean => {
  const segments = id.split("/")
  return (
    id.length <= limits.id &&
    segments.length <= limits.levels &&
    segments.every((segment) => segmentShape.test(segment))
  )
}

const states: ReadonlySet<string> = new Set(ReportState.literals)
const kinds: ReadonlySet<string> = new Set(["permission", "question", "auth"])

/**
 * The report in the body of an OSC 7501 (the bytes after `7501;`, as latin1); null if the protocol discards it: an
 * unknown state, an exceeded limit, an id outside its grammar, text that is not base64 of one line of UTF-8.
 * Bidirectional and invisible formatting is removed from texts.
 */
export const parseReport = (body: string): StatusReport | null => {
  if (body.length + frame > limits.sequence) return null
  const pairs = new Map<string, string>()
  for (const pair of body.split(":")) {
    const equals = pair.indexOf("=")
    if (equals < 0) continue
    const key = pair.slice(0, equals)
    if (key.length > limits.key) return null
    if (!keyShape.test(key)) continue
    const value = pair.slice(equals + 1)
    // A record with an unreadable id must not become the root record.
    if (key === "id" && !validId(value)) return null
    if (!valueShape.test(value)) continue
    pairs.set(key, value)
  }
  const state = pairs.get("state")
  if (state === undefined || !states.has(state)) return null
  const texts: Record<"title" | "msg", string | null> = { title: null, msg: null }
  for (const key of ["title", "msg"] as const) {
    const value = pairs.get(key)
    if (value === undefined) continue
    const text = decodeText(value, key === "title" ? limits.title : limits.message)
    if (text === null) return null
    texts[key] = text
  }
  const app = pairs.get("app")
  if (app !== undefined && app.length > limits.app) return null
  const kind = pairs.get("kind")
  const progress = pairs.get("progress")
  const percent = progress !== undefined && /^\d{1,3}$/.test(progress) ? Number(progress) : 101
  return {
    state: state as StatusReport["state"],
    id: pairs.get("id") ?? "",
    kind: state === "blocked" && kind !== undefined && kinds.has(kind) ? (kind as StatusReport["kind"]) : null,
    progress: (state === "working" || state === "blocked") && percent <= 100 ? percent : null,
    app: app !== undefined && segmentShape.test(app) ? app : null,
    title: texts.title,
    message: texts.msg
  }
}

/** Base64 of the start of a text that fits, in one line. */
const encodeText = (text: string, limit: number): string => {
  let bytes = ""
  for (const char of text.replace(new RegExp(controlCharacter, "g"), " ")) {
    const next = utf8ToLatin1(char)
    if (bytes.length + next.length > limit) break
    bytes += next
  }
  return toBase64(bytes)
}

/** The bytes of a report, within the protocol's limits: text is cut, an id outside the grammar gives "". */
export const encodeReport = (report: StatusReport): string => {
  if (report.id !== "" && !validId(report.id)) return ""
  const pairs = [`state=${report.state}`]
  if (report.id !== "") pairs.push(`id=${report.id}`)
  if (report.state === "blocked" && report.kind !== null) pairs.push(`kind=${report.kind}`)
  if ((report.state === "working" || report.state === "blocked") && report.progress !== null) {
    pairs.push(`progress=${Math.max(0, Math.min(100, report.progress))}`)
  }
  if (report.app !== null && segmentShape.test(report.app)) pairs.push(`app=${report.app}`)
  if (report.title !== null) pairs.push(`title=${encodeText(report.title, limits.title.decoded)}`)
  if (report.message !== null) pairs.push(`msg=${encodeText(report.message, limits.message.decoded)}`)
  return `\x1b]7501;${pairs.join(":")}\x1b\\`
}

/** The last report of one program, or of a part of it. */
export interface StatusRecord extends Omit<StatusReport, "state"> {
  readonly state: Exclude<StatusReport["state"], "clear">
}

/** One terminal's records, the least recently updated first; an id occurs once. */
export type StatusRecords = ReadonlyArray<StatusRecord>

/** No records. */
export const noRecords: StatusRecords = []

/** The records after a report. A report replaces its record completely; `clear` removes the record and all below it. */
export const applyReport = (records: StatusRecords, report: StatusReport): StatusRecords => {
  const { state } = report
  if (state === "clear") {
    if (report.id === "") return noRecords
    const below = `${report.id}/`
    return records.filter(({ id }) => id !== report.id && !id.startsWith(below))
  }
  const others = records.filter(({ id }) => id !== report.id)
  return [...others.slice(Math.max(0, others.length + 1 - limits.records)), { ...report, state }]
}

/** The records after the process ended or a shell's prompt began: records of work and of questions are removed. */
export const processExited = (records: StatusRecords): StatusRecords =>
  records.filter(({ state }) => state !== "working" && state !== "blocked")

import { Schema } from "effect"

/** Why the user is notified: an answer is needed, work is over, something failed, a limit is reached, or as a test. */
export const NoticeKind = Schema.Literals(["needs", "done", "failed", "limit", "test"])
export type NoticeKind = typeof NoticeKind.Type

/** One notice about a session. Its texts are safe to show. */
export const Notice = Schema.Struct({
  kind: NoticeKind,
  tag: Schema.String,
  /** `my-feature needs you`. */
  title: Schema.String,
  text: Schema.String,
  options: Schema.Array(Schema.Struct({ number: Schema.NullOr(Schema.Int), label: Schema.String }))
})
export type Notice = typeof Notice.Type

export const bodyOf = ({ options, text }: Pick<Notice, "options" | "text">): string =>
  [text, ...options.map(({ label, number }) => `${number ?? "-"}. ${label}`)].join("\n")

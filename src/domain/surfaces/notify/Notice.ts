import { Schema } from "effect"

/**
 * Why the user is told: the session needs an answer, its work is over, something failed, or a usage limit is reached.
 */
export const NoticeKind = Schema.Literals(["needs", "done", "failed", "limit", "test"])
export type NoticeKind = typeof NoticeKind.Type

/** One notice about a session. Its texts are safe to show. */
export const Notice = Schema.Struct({
  kind: NoticeKind,
  tag: Schema.String,
  /** `my-feature needs you`. */
  title: Schema.String,
  text: Schema.String,
  /** The options of the dialog, with the numbers that choose them. */
  options: Schema.Array(Schema.Struct({ number: Schema.NullOr(Schema.Int), label: Schema.String }))
})
export type Notice = typeof Notice.Type

/** The notice in one text: what happened, and the options. */
export const bodyOf = ({ options, text }: Pick<Notice, "options" | "text">): string =>
  [text, ...options.map(({ label, number }) => `${number ?? "-"}. ${label}`)].join("\n")

import { Schema } from "effect"

/** Why the user is told: it waits for an answer, its work is over, something failed, its usage limit is reached. */
export const NoticeKind = Schema.Literals(["needs", "done", "failed", "limit", "test"])
export type NoticeKind = typeof NoticeKind.Type

/** One thing that the user is told of a session, in texts that are safe to show. */
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

import { Schema } from "effect"

/** The command-line words of a start that belong to the session: stored with the conversation, repeated on resume. */
export const StartWords = Schema.Struct({
  args: Schema.Array(Schema.String),
  /** The default flags, if the environment of the start had set them; null: they came from the settings. */
  flags: Schema.NullOr(Schema.Array(Schema.String)),
  /** The names of arguments that are not repeated, without values, which may be secrets or prompts. */
  leftOut: Schema.Array(Schema.String)
})
export type StartWords = typeof StartWords.Type

export const noWords: StartWords = { args: [], flags: null, leftOut: [] }

export const areNone = ({ args, flags, leftOut }: StartWords): boolean =>
  args.length === 0 && flags === null && leftOut.length === 0

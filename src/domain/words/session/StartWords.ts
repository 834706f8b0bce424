import { Schema } from "effect"

/**
 * The words that a session's CLI was started with, as far as they belong to the session and not to that one start: they
 * are kept with the conversation, and repeated when it is resumed.
 */
export const StartWords = Schema.Struct({
  args: Schema.Array(Schema.String),
  /** The default flags, if the environment of the start had set them; null if the settings did. */
  flags: Schema.NullOr(Schema.Array(Schema.String)),
  /** The names of what is not repeated, without values, which may be secrets or prompts. */
  leftOut: Schema.Array(Schema.String)
})
export type StartWords = typeof StartWords.Type

export const noWords: StartWords = { args: [], flags: null, leftOut: [] }

export const areNone = ({ args, flags, leftOut }: StartWords): boolean =>
  args.length === 0 && flags === null && leftOut.length === 0

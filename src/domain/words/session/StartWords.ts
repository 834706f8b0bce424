import { Schema } from "effect"

/**
 * What a session's CLI was started with, as far as it belongs to the session and not to that one start: it is kept with
 * the conversation, and given again when that goes on.
 */
export const StartWords = Schema.Struct({
  /** The user's arguments. */
  args: Schema.Array(Schema.String),
  /** The default flags, where the environment of the start had set them; null where the settings said. */
  flags: Schema.NullOr(Schema.Array(Schema.String)),
  /** What is not given again, by its name and without its value, which may be a secret or a prompt. */
  leftOut: Schema.Array(Schema.String)
})
export type StartWords = typeof StartWords.Type

/** Nothing was said at the start. */
export const noWords: StartWords = { args: [], flags: null, leftOut: [] }

/** Whether nothing is to be given again, and nothing to be said of. */
export const areNone = ({ args, flags, leftOut }: StartWords): boolean =>
  args.length === 0 && flags === null && leftOut.length === 0

import { Schema } from "effect"
import { commandNames, tagLength, tagPattern } from "./tagRules.ts"

export { commandNames } from "./tagRules.ts"

/** The user's name for one session: a letter or digit, then letters, digits, `_` and `-`. */
export const Tag = Schema.String.check(
  Schema.isPattern(tagPattern, { message: "a tag is a letter or digit followed by letters, digits, '-' or '_'" }),
  Schema.isMaxLength(tagLength, { message: `a tag has at most ${tagLength} characters` }),
  Schema.makeFilter((tag: string) => (commandNames.includes(tag) ? `'${tag}' is a command, not a tag` : undefined))
).pipe(Schema.brand("leap/Tag"))
export type Tag = typeof Tag.Type

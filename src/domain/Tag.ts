import { Schema } from "effect"

/** Names of commands; none may be used as a tag, or `leap <tag>` would mean two things. */
export const commandNames = [
  "answer", "attach", "audit", "chat", "clis", "demo", "doctor", "exec", "forget", "help", "history", "hooks", "interrupt", "last", "mode",
  "monitor", "move", "policy", "prices", "queue", "record", "replay", "resume", "screen", "send", "start", "status", "stop", "version",
  "wait", "web", "why"
] as const

/** The user's name for one session: a letter or digit, then letters, digits, `_` and `-`. */
export const Tag = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, {
    message: "a tag is a letter or digit followed by letters, digits, '-' or '_'"
  }),
  Schema.isMaxLength(200, { message: "a tag has at most 200 characters" }),
  Schema.makeFilter((tag: string) =>
    (commandNames as ReadonlyArray<string>).includes(tag) ? `'${tag}' is a command, not a tag` : undefined
  )
).pipe(Schema.brand("leap/Tag"))
export type Tag = typeof Tag.Type

import { Schema } from "effect"
import { UnwiredStart } from "../../words/session/Session.ts"
import { part } from "./settingKinds.ts"

const rows = Schema.Array(Schema.String)

const patterns = <S extends Schema.Top>(of: S) =>
  Schema.Struct({
    box: part("The input box: its row with {draft}, or with its placeholder", of),
    busy: part("Rows that are on screen while it works: '*{wheel} *esc to cancel*', 'title: {wheel} *'", of),
    done: part("Rows that are on screen only while it rests; {box} is the box with no busy row on screen", of),
    dialog: part("Rows that show that it waits for you", of)
  })

/**
 * The rows of the screen of a CLI that leap has no reader for (see `RowPattern`). `box`: the input box, with its
 * `{draft}` or its placeholder; `busy`: something works; `done`: nothing works (`{box}`: the box, with no busy row);
 * `dialog`: the CLI waits for the user.
 */
export const ScreenPatterns = patterns(rows)
export type ScreenPatterns = typeof ScreenPatterns.Type

/** Keys of a CLI, by the names that `leap keys` takes; several are pressed in turn. */
export const KeySettings = Schema.Struct({
  submit: part("Sends what is in the box: Enter", Schema.String),
  interrupt: part("Stops the turn: Esc", Schema.String),
  clear: part("Empties the box: C-u", Schema.String),
  quit: part("Ends it when nothing runs: C-c C-c", Schema.String),
  /** False: the CLI does not know pasted text, so leap types it. */
  paste: part("It knows pasted text", Schema.Boolean)
})
export type KeySettings = typeof KeySettings.Type

const texts = Schema.Record(Schema.String, Schema.String)
const screenSentence =
  "For a CLI of base generic: the rows of its screen; * is any text, {wheel} a turning character, {n} a number"

/** The user's settings for one CLI. With `base` it is the user's own CLI, a variant of a built-in one. */
export const CliSettings = Schema.Struct({
  base: part("The CLI of leap's that this one of yours is a variant of; none for leap's own", Schema.String),
  displayName: part("The name it is shown by", Schema.String),
  command: part("Its program: a name on PATH, or a path from / or ~; $NAME is put in", Schema.String),
  flags: part("Flags it is always started with, in shell words; LEAP_<NAME>_FLAGS replaces them", Schema.String),
  env: part("Variables for its environment; ~ and $NAME in values are put in, $$ is a dollar", texts),
  hidden: part("Not offered when a CLI is to be picked", Schema.Boolean),
  unwired: part("Without leap's hooks in its settings: ask, start, or refuse (default: as for all CLIs)", UnwiredStart),
  screen: part(screenSentence, ScreenPatterns),
  keys: part("Its keys where they are others than it has by default, by the names that 'leap keys' takes", KeySettings)
})
export type CliSettings = typeof CliSettings.Type

/** The same in the file, where one pattern need not be a list. */
export const CliInFile = Schema.Struct({
  ...CliSettings.fields,
  screen: part(screenSentence, patterns(Schema.Union([Schema.String, rows])))
})

/** A server of the user's that speaks OpenAI's protocol. */
export const EndpointSettings = Schema.Struct({
  baseUrl: Schema.String.annotate({ description: "Its address: https://api.example.com/v1" }),
  model: part("The model where --model names none", Schema.String),
  apiKeyEnv: part("The environment variable that has its key; without it none is sent", Schema.String),
  headers: part("Sent with each request; $NAME in values is put in", texts)
})
export type EndpointSettings = typeof EndpointSettings.Type

import { Schema } from "effect"
import { AutoSendMode, ChurnMode, NightMode, UnknownLayout } from "../session/Session.ts"
import { PushTarget, TerminalNotices } from "./NotifySettings.ts"
import { Policy, PolicyRule, Post, Recalling, Settings } from "./Settings.ts"

/** An optional member, with the description that an editor shows. */
const described = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

const rules = Schema.Array(
  Schema.Struct({
    tool: described(PolicyRule.fields.tool.schema, "The CLI's own name of the tool, as a glob: Bash, mcp__*"),
    kind: described(PolicyRule.fields.kind.schema, "The kind of tool, whatever the CLI calls it"),
    command: described(PolicyRule.fields.command.schema, "Glob over one simple command: git push*"),
    path: described(
      PolicyRule.fields.path.schema,
      "Glob over absolute paths; ~ is the home directory, a relative pattern is under the session's directory"
    ),
    url: described(PolicyRule.fields.url.schema, "Glob over the address that is fetched"),
    agent: described(PolicyRule.fields.agent.schema, "The kind of subagent; main is the main conversation"),
    cli: described(PolicyRule.fields.cli.schema, "Only for this CLI"),
    tag: described(PolicyRule.fields.tag.schema, "Only in sessions of this name, as a glob"),
    reason: described(
      PolicyRule.fields.reason.schema,
      "Told to the model that is refused, and written in the audit log"
    )
  })
)

const patterns = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const cli = Schema.Struct({
  base: described(Schema.String, "The CLI of leap's that this one of yours is a variant of; none for leap's own"),
  displayName: described(Schema.String, "The name it is shown by"),
  command: described(Schema.String, "Its program: a name on PATH, or a path from / or ~; $NAME is put in"),
  flags: described(Schema.String, "Flags it is always started with, in shell words; LEAP_<NAME>_FLAGS replaces them"),
  env: described(
    Schema.Record(Schema.String, Schema.String),
    "Variables for its environment; ~ and $NAME in values are put in, $$ is a dollar"
  ),
  hidden: described(Schema.Boolean, "Not offered when a CLI is to be picked"),
  screen: described(
    Schema.Struct({
      box: described(patterns, "The input box: its row with {draft}, or with its placeholder"),
      busy: described(
        patterns,
        "Rows that are on screen while it works: '*{wheel} *esc to cancel*', 'title: {wheel} *'"
      ),
      done: described(patterns, "Rows that prove that nothing works; {box} is the box with no busy row on screen"),
      dialog: described(patterns, "Rows that show that it waits for you")
    }),
    "For a CLI of base generic: the rows of its screen; * is any text, {wheel} a turning character, {n} a number"
  ),
  keys: described(
    Schema.Struct({
      submit: described(Schema.String, "Sends what is in the box: Enter"),
      interrupt: described(Schema.String, "Stops the turn: Esc"),
      clear: described(Schema.String, "Empties the box: C-u"),
      quit: described(Schema.String, "Ends it when nothing runs: C-c C-c"),
      paste: described(Schema.Boolean, "It knows pasted text")
    }),
    "For a CLI of base generic: its keys, by the names that 'leap keys' takes"
  )
})

const endpoint = Schema.Struct({
  baseUrl: Schema.String.annotate({ description: "Its address: https://api.example.com/v1" }),
  model: described(Schema.String, "The model where --model names none"),
  apiKeyEnv: described(Schema.String, "The environment variable that has its key; without it none is sent"),
  headers: described(Schema.Record(Schema.String, Schema.String), "Sent with each request; $NAME in values is put in")
})

const push = Schema.Struct({
  url: Schema.String.annotate({ description: "Where it is posted to: https://ntfy.sh/TOPIC, or any webhook" }),
  format: described(PushTarget.fields.format, "ntfy (default), or json: one object with all that is known"),
  tokenFile: described(Schema.String, "A file with a token, which is sent as Authorization: Bearer"),
  headers: described(Schema.Record(Schema.String, Schema.String), "Sent with each request; $NAME in values is put in")
})

const notify = Schema.Struct({
  needsYou: described(Schema.Boolean, "A session waits for your answer"),
  doneAfterMinutes: described(
    Schema.NullOr(Schema.Finite),
    "Work is over that took longer, a turn or all that was queued; null: never"
  ),
  failed: described(Schema.Boolean, "A turn failed, or the CLI ended with an error"),
  limit: described(Schema.Boolean, "The usage limit is reached"),
  terminal: described(TerminalNotices, "How attached terminals are told: auto (default) goes by which terminal it is"),
  desktop: described(Schema.Boolean, "By notify-send, or osascript on macOS"),
  push: described(Schema.Array(push), "Where a notice is posted to"),
  quietHours: described(Schema.NullOr(Schema.String), "When nothing is told: 22:30-07:00"),
  titles: described(Schema.Boolean, "The title of an attached terminal carries tag and state")
})

const texts = described(Schema.Boolean, "false: it is told what happens, and no text that was on the screen")

const webhook = Schema.Struct({
  name: Schema.String.annotate({ description: "What it is known by, in small letters: it goes on where it was" }),
  url: Schema.String.annotate({ description: "Where each event is posted to: https://example.com/leap" }),
  secretFile: described(Schema.String, "The file, of mode 600, with the secret that its requests are signed with"),
  secretEnv: described(Schema.String, "Or the variable of leap out's environment that has it"),
  texts
})

const slack = Schema.Struct({
  channel: Schema.String.annotate({ description: "The id of the channel in which each session has a thread: C…" }),
  users: Schema.Array(Schema.String).annotate({ description: "The ids of those who may answer and queue: U…" }),
  botTokenFile: described(Schema.String, "The file, of mode 600, with the bot's token (xoxb-…)"),
  botTokenEnv: described(Schema.String, "Or the variable that has it: SLACK_BOT_TOKEN (default)"),
  appTokenFile: described(Schema.String, "The file, of mode 600, with the app's token (xapp-…)"),
  appTokenEnv: described(Schema.String, "Or the variable that has it: SLACK_APP_TOKEN (default)"),
  texts
})

const out = Schema.Struct({
  webhooks: described(Schema.Array(webhook), "Where events are posted to, signed, in order, until they arrive"),
  slack: described(Schema.NullOr(slack), "The channel of Slack's in which each session has a thread; null: none"),
  keepHours: described(Schema.Finite, "So long events are kept for a receiver that takes none: 72")
})

const night = Schema.Struct({
  message: described(Schema.String, "What is sent when the limit is over: continue"),
  stop: described(Schema.NullOr(Schema.String), "From this time of day on nothing is sent any more: 08:00"),
  most: described(Schema.Int, "So often in one night at most: 3"),
  ceilingUsd: described(Schema.NullOr(Schema.Finite), "Nothing is sent once the session has cost so much")
})

/** The settings file as users write it: everything is optional. For editors; leap itself reads more leniently. */
export const SettingsFile = Schema.Struct({
  $schema: described(Schema.String, "Where this description is"),
  modes: described(
    Schema.Struct({
      autoSend: described(AutoSendMode, "pause: a permission dialog waits for you; always: it is answered by policy"),
      churn: described(ChurnMode, "Whether queued messages go out while background work lives"),
      night: described(NightMode, "Whether a session goes on by itself when its usage limit is over")
    }),
    "The modes that new sessions start with"
  ),
  unknownLayout: described(
    UnknownLayout,
    "A screen that leap does not know: wait (default) types nothing into it, trust goes by what all CLIs share"
  ),
  attach: described(
    Schema.Struct({
      commandKey: described(Schema.String, 'The key before leap\'s menu in an attached terminal: "ctrl-]", or "off"'),
      capture: described(Schema.String, 'What begins a message there: a character twice, "^^", or "off"'),
      suspendKey: described(Schema.String, 'The key that leaves it to the shell until fg: "ctrl-z", or "off"'),
      recall: described(
        Recalling,
        "Whether arrows there bring back what was typed before by leap: auto (default) where the CLI does not itself"
      )
    }),
    "The keys of an attached terminal that are not the CLI's"
  ),
  notify: described(notify, "What you are told of, how, and when not"),
  out: described(out, "Who is told what sessions do, by leap out"),
  night: described(night, "How a session of the mode night=on goes on when its usage limit is over"),
  policy: described(
    Schema.Struct({
      deny: described(rules, "What is refused; goes before everything else"),
      ask: described(rules, "What waits for you, whatever the mode is"),
      allow: described(rules, "What is allowed without asking"),
      whenSilent: described(
        Policy.fields.whenSilent.schema,
        "What a CLI is told while leap cannot answer and rules deny or ask: ask (default), deny, or leave it be"
      )
    }),
    "What tools may do. Every field of a rule that is given must match"
  ),
  post: described(
    Schema.Struct({
      delivery: described(
        Post.fields.delivery,
        "Messages that agents send to sessions: deliver them, hold each until you release it, refuse them, or " +
          "careful (default): hold them in sessions whose mode allows everything"
      ),
      answer: described(
        Post.fields.answer,
        "Which dialogs of other sessions agents may answer: none (default), questions, or permissions too"
      ),
      maxHops: described(Post.fields.maxHops, "The longest chain of agents' answers to each other (default 8)"),
      perHour: described(
        Post.fields.perHour,
        "Messages from agents that a session takes, and that its agent sends, within an hour (default 30)"
      )
    }),
    "What agents in sessions may do to other sessions (leap mcp)"
  ),
  worktrees: described(
    Schema.Struct({
      directory: described(
        Schema.NullOr(Schema.String),
        "Where they are put: a path from / or ~, or one that begins at the repository; null: beside the repository"
      ),
      setup: described(Schema.NullOr(Schema.String), "A line for sh that makes a new one ready; --setup goes before it")
    }),
    "git worktrees that leap makes for sessions (--worktree)"
  ),
  clis: described(
    Schema.Record(Schema.String, cli),
    "CLIs by their ids: leap's own, with flags and environment, and your variants of them"
  ),
  order: described(Schema.Array(Schema.String), "The order in which CLIs are listed; those not named follow"),
  endpoints: described(
    Schema.Record(Schema.String, endpoint),
    "Servers of OpenAI's protocol by the names that leap exec --endpoint knows them by"
  ),
  prices: described(Schema.NullOr(Schema.String), "A file of prices that goes before the ones leap ships"),
  record: described(
    Settings.fields.record,
    "What leap log and leap report know: full (default), meta (no texts), or off"
  ),
  recordDays: described(Settings.fields.recordDays, "The record forgets what is older than so many days (90)"),
  recordMegabytes: described(Settings.fields.recordMegabytes, "The record takes no more megabytes than this (256)")
}).annotate({ title: "Settings of leap" })

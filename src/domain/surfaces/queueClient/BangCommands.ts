import { Result } from "effect"
import { messageNamed } from "../../engine/queue/MessageName.ts"
import { isFailed } from "../../words/session/failedMessage.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import type { Modes } from "../../words/session/Session.ts"
import { heldText, messageLine, stateLine } from "../../words/wording/StateLine.ts"
import * as changes from "./changes.ts"
import {
  answering,
  type ClientState,
  doing,
  failed,
  logged,
  noticed,
  only,
  type Outgoing,
  type Updated,
  unfinished,
  waiting
} from "./ClientState.ts"
import { sent } from "./sent.ts"

/** Runs a command with the text after its name. `state`: with an empty editor; `line`: the whole line. */
type Run = (state: ClientState, rest: string, name: string, line: string) => Updated

interface BangEntry {
  readonly names: ReadonlyArray<string>
  readonly takes?: string
  readonly does: string
  readonly key?: string
  readonly run: Run
}

const wrong = (state: ClientState, why: string): Updated => only(noticed(state, why, true))

const bare =
  (run: (state: ClientState) => Updated): Run =>
  (state, rest, name) =>
    rest === "" ? run(state) : wrong(state, `!${name} takes nothing behind it`)

const withText =
  (what: string, run: Run): Run =>
  (state, rest, name, line) =>
    rest === "" ? wrong(state, `!${name} takes ${what}`) : run(state, rest, name, line)

type Find = (state: ClientState, name: string) => Result.Result<QueuedMessage, string>

const among = (messages: ReadonlyArray<QueuedMessage>, name: string): ReturnType<Find> => {
  const named = messageNamed(messages, name)
  return "message" in named ? Result.succeed(named.message) : Result.fail(named.refusal.why)
}

const waitingNamed: Find = (state, name) => among(waiting(state), name)

/** As {@link waitingNamed}, among the failed messages too. */
const seenNamed: Find = (state, name) =>
  among([...failed(state), ...waiting(state).filter((message) => !isFailed(message))], name)

/** As {@link waitingNamed}, for commands that first show the message: a number is a place among the waiting ones. */
const waitingShown: Find = (state, name) => {
  const standing = /^[1-9]\d{0,2}$/.test(name) ? waiting(state)[Number(name) - 1] : undefined
  return standing === undefined ? waitingNamed(state, name) : Result.succeed(standing)
}

const found = (
  state: ClientState,
  message: ReturnType<Find>,
  use: (state: ClientState, message: QueuedMessage) => Updated
): Updated => (Result.isSuccess(message) ? use(state, message.success) : wrong(state, message.failure))

const withMessage =
  (find: Find, use: (state: ClientState, message: QueuedMessage) => Updated): Run =>
  (state, rest, name) =>
    /^\S+$/.test(rest) ? found(state, find(state, rest), use) : wrong(state, `!${name} takes a message's id`)

/** `use` gets null without an argument: the next message, or all. */
const withMessageOrNone =
  (find: Find, use: (state: ClientState, message: QueuedMessage | null) => Updated): Run =>
  (state, rest, name) =>
    rest === ""
      ? use(state, null)
      : /^\S+$/.test(rest)
        ? found(state, find(state, rest), use)
        : wrong(state, `!${name} takes one message's id, or nothing`)

/** Sets a mode, after `default` for new sessions too; without an argument it shows the mode. */
const withMode =
  <M extends string>(
    values: Readonly<Record<string, M>>,
    set: (value: M) => Partial<Modes>,
    said: (modes: Modes) => string
  ): Run =>
  (state, rest, name) => {
    const words = rest
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "")
    if (words.length === 0) {
      const modes = state.status?.modes
      return only(noticed(state, modes === undefined ? "nothing is known of the session yet" : said(modes)))
    }
    const everywhere = words[0] === "default"
    const [word = "", ...more] = everywhere ? words.slice(1) : words
    const value = values[word]
    if (value === undefined || more.length > 0) {
      const known = Object.keys(values).slice(0, 2).join(" or ")
      return wrong(state, `!${name} takes ${known}, with 'default' before it for new sessions too`)
    }
    const call = { _tag: "SetModes", modes: set(value) } as const
    return doing(state, { _tag: "Do", call, ...(everywhere ? { everywhere: true } : {}) })
  }

const send = (state: ClientState, message: Partial<Outgoing> & { readonly text: string }): Updated =>
  sent(state, { images: [], front: false, force: false, ...message })

/** State, modes and queue in full, as lines of the log. */
export const listing = (state: ClientState): ClientState => {
  const { status } = state
  if (status === null) return noticed(state, "nothing is known of the session yet", true)
  const { autoSend, churn } = status.modes
  const messages = unfinished(state)
  const held = heldText(messages)
  const lines = [
    stateLine({ ...status, message: null, queue: [] }, false),
    status.reason,
    `auto-approve: ${autoSend === "always" ? "auto" : "ask"} · while background work lives: ${churn}`,
    ...(messages.length === 0 ? ["nothing waits in the queue"] : messages.map((message) => messageLine(message))),
    ...(status.pause ? [`the queue waits: ${status.pause.text}`] : []),
    ...(held === null ? [] : [`${held}: !release lets them go`]),
    ...(failed(state).length === 0 ? [] : ["!retry sends again what failed"])
  ]
  return { ...logged(state, { kind: "note", text: lines.join("\n") }), scroll: 0 }
}

/** All commands, in the order of the help. Names of the program that leap replaces work as they did there. */
export const bangCommands: ReadonlyArray<BangEntry> = [
  {
    names: ["h", "help"],
    does: "this help",
    key: "?",
    run: bare((state) => only({ ...state, mode: { _tag: "Help", top: 0 } }))
  },
  {
    names: ["l", "list"],
    does: "state, modes and queue in full",
    key: "l",
    run: bare((state) => only(listing(state)))
  },
  {
    names: ["e", "edit"],
    takes: "ID",
    does: "change a message",
    key: "e",
    run: withMessage(waitingShown, changes.edit)
  },
  {
    names: ["r", "remove"],
    takes: "ID",
    does: "take a message out",
    key: "d",
    run: withMessage(seenNamed, changes.remove)
  },
  {
    names: ["m", "move"],
    takes: "ID N",
    does: "to place N among those that wait",
    key: "K J",
    run: (state, rest, name) => {
      const [, id = "", position = ""] = /^(\S+)\s+(\d{1,4})$/.exec(rest) ?? []
      if (id === "" || Number(position) === 0)
        return wrong(state, `!${name} takes a message's id and a place, counted from 1`)
      return found(state, waitingNamed(state, id), (_, message) => changes.move(state, message, Number(position)))
    }
  },
  {
    names: ["f", "force"],
    takes: "[ID]",
    does: "type it now, into a running turn too",
    key: "f",
    run: withMessageOrNone(waitingNamed, (state, message) =>
      changes.force(state, message ?? waiting(state).find(({ status }) => status === "queued"))
    )
  },
  {
    names: ["hold"],
    takes: "[ID]",
    does: "keep one back, or all",
    key: "h",
    run: withMessageOrNone(waitingNamed, changes.hold)
  },
  {
    names: ["release"],
    takes: "[ID]",
    does: "send a held message, or all",
    key: "h",
    run: withMessageOrNone(waitingNamed, changes.release)
  },
  {
    names: ["retry"],
    takes: "[ID]",
    does: "send one again whose turn failed, or all",
    key: "t T",
    run: withMessageOrNone(seenNamed, changes.retry)
  },
  { names: ["c", "clear"], does: "empty the queue", key: "c", run: bare(changes.clear) },
  {
    names: ["d", "direct"],
    takes: "TEXT",
    does: "send past the queue, now",
    run: withText("a message", (state, text) => send(state, { text, force: true }))
  },
  {
    names: ["n", "next"],
    takes: "TEXT",
    does: "queue it before all others",
    run: withText("a message", (state, text) => send(state, { text, front: true }))
  },
  {
    names: ["a", "answer"],
    takes: "TEXT",
    does: "answer the dialog, also with a text",
    run: withText("an answer", (state, text) => doing(state, answering(text, state.status?.question ?? null)))
  },
  {
    names: ["i", "image"],
    takes: "[FILE]",
    does: "attach a picture; without FILE the clipboard's",
    run: (state, path, _, line) =>
      doing(state, path === "" ? { _tag: "TakeImage", line } : { _tag: "FindImage", path, text: "", line })
  },
  {
    names: ["int", "interrupt"],
    does: "interrupt the turn",
    key: "i",
    run: bare((state) => doing(state, { _tag: "Do", call: { _tag: "Interrupt" } }))
  },
  { names: ["dismiss"], does: "dismiss what it needs from you", key: "z", run: bare(changes.dismiss) },
  {
    names: ["k", "keys"],
    takes: "KEY…",
    does: "press keys in the CLI: Esc, Enter, C-c",
    run: withText("names of keys", (state, names) =>
      doing(state, { _tag: "Do", call: { _tag: "Keys", keys: names.split(/\s+/), force: false } })
    )
  },
  {
    names: ["aa", "autoapprove", "autosend", "as"],
    takes: "[ask|auto]",
    does: "whether policy answers permissions",
    key: "a",
    run: withMode(
      { ask: "pause", auto: "always", pause: "pause", always: "always" } as const,
      (autoSend) => ({ autoSend }),
      ({ autoSend }) =>
        autoSend === "always"
          ? "auto-approve is auto: policy answers permissions (!aa ask)"
          : "auto-approve is ask: permissions wait for you (!aa auto)"
    )
  },
  {
    names: ["ch", "churn"],
    takes: "[wait|send]",
    does: "whether to send while background work lives",
    run: withMode(
      { wait: "wait", send: "send" } as const,
      (churn) => ({ churn }),
      ({ churn }) =>
        churn === "send"
          ? "messages are sent while background work runs (!churn wait)"
          : "messages wait while background work lives (!churn send)"
    )
  },
  {
    names: ["asm", "auto-sent"],
    takes: "[on|off]",
    does: "log messages when they are sent",
    run: (state, rest, name) => {
      if (!/^(on|off|)$/i.test(rest)) return wrong(state, `!${name} takes on or off`)
      const tellsSent = rest === "" ? state.tellsSent : rest.toLowerCase() === "on"
      const said = tellsSent ? "sent messages are logged (!asm off)" : "sent messages are not logged (!asm on)"
      return only(noticed({ ...state, tellsSent }, said))
    }
  },
  {
    names: ["slack"],
    does: "not in this leap",
    run: (state) => wrong(state, "this leap has no Slack bot")
  },
  {
    names: ["x", "quit", "exit"],
    does: "leave; the session goes on",
    key: "q",
    run: bare((state) => only({ ...state, left: true }))
  }
]

/** Runs a line that begins with `!`; null for a message (` !` begins one). `emptied`: the client without the line. */
export const runBang = (state: ClientState, emptied: ClientState, text: string): Updated | null => {
  const [, name = "", rest = ""] = /^!(\S*)\s*([\s\S]*)$/.exec(text.trimEnd()) ?? []
  if (!text.startsWith("!")) return null
  const entry = bangCommands.find(({ names }) => names.includes(name.toLowerCase()))
  if (entry === undefined)
    return wrong(state, `there is no !${name}; !h lists all, and a blank before the ! sends it as it is`)
  const done = entry.run({ ...emptied, notice: null }, rest, name.toLowerCase(), text)
  const { notice } = done.state
  // A wrong line stays in the editor, to be corrected.
  return done.commands.length === 0 && notice?.bad === true ? only({ ...state, notice }) : done
}

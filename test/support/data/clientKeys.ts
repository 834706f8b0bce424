import * as Client from "../../../src/domain/surfaces/queueClient/QueueClient.ts"
import type { QueuedMessage } from "../../../src/domain/words/session/Message.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import type { Key } from "../../../src/domain/surfaces/tui/Keys.ts"
import { sessionStatus } from "./sessionStatus.ts"

/** A message of a queue; its short id is the end of `id`. */
export const message = (id: string, text: string, more: Partial<QueuedMessage> = {}): QueuedMessage => ({
  id: `01K000000000000000000${id}`,
  text,
  images: [],
  queuedAt: "2026-01-01T00:00:00.000Z",
  status: "queued",
  force: false,
  why: null,
  ...more
})

export const question = {
  title: "Write notes.md?",
  subject: "notes.md",
  options: [
    { number: 1, label: "Yes" },
    { number: 2, label: "Yes, and don't ask again" },
    { number: 3, label: "No" }
  ]
}

/** A dialog on the CLI's screen. */
export const asking: Partial<SessionStatus> = { state: "needs_permission", dialog: true, question }

/** Keys: names stand in angle brackets. */
export const keysOf = (keys: string): ReadonlyArray<Key> =>
  [...keys.matchAll(/<([a-z][^>]*)>|((?:[^<]|<(?![a-z]))+)/g)].map(([, name, text]) =>
    name === undefined ? { key: "text", text: text ?? "" } : { key: name }
  )

/** A client that joined a session, and what it wanted done since. */
export class DrivenClient {
  state: Client.ClientState
  commands: Array<Client.ClientCommand> = []
  at = 100_000

  constructor(status: Partial<SessionStatus> | null = {}, size = { cols: 80, rows: 24 }) {
    this.state = Client.start("demo", size, this.at)
    if (status !== null) this.came(status)
    this.commands = []
  }

  take(event: Client.ClientEvent): this {
    const { commands, state } = Client.update(this.state, event)
    this.state = state
    this.commands.push(...commands)
    return this
  }

  /** The session's status is now this one. */
  came(status: Partial<SessionStatus>): this {
    return this.take({ _tag: "Came", status: sessionStatus(status), at: this.at })
  }

  /** Time passes, in milliseconds. */
  later(milliseconds: number): this {
    this.at += milliseconds
    return this.take({ _tag: "TimePassed", at: this.at })
  }

  press(keys: string): this {
    for (const key of keysOf(keys)) this.take({ _tag: "Pressed", key, at: this.at })
    return this
  }

  paste(text: string): this {
    return this.take({ _tag: "Pressed", key: { key: "paste", text }, at: this.at })
  }

  /** What was wanted since this was asked last, but for names and what is remembered. */
  wanted(): ReadonlyArray<Client.ClientCommand> {
    const wanted = this.commands.filter(({ _tag }) => _tag !== "Remember" && _tag !== "Complete")
    this.commands = []
    return wanted
  }

  get notice(): string {
    return this.state.notice?.text ?? ""
  }

  get log(): ReadonlyArray<string> {
    return this.state.log.map(({ kind, text }) => `${kind}: ${text}`)
  }
}

import { besideDialog, needLine } from "../../words/attention/needWords.ts"
import type { OutEvent, OutSession } from "./OutEvent.ts"
import { maskSecrets } from "../../words/text/Secrets.ts"
import { plainText } from "../web/plainText.ts"

/** A session's text without markup, invisible or reordering characters and secrets, at most `limit` characters. */
const slackPlain = (text: string, limit: number): string => {
  const clean = maskSecrets(plainText(text.slice(0, 4 * limit + 1_000), 4 * limit + 1_000)).toWellFormed()
  if (clean.length <= limit) return clean
  const cut = clean.slice(0, limit - 1)
  // Do not cut a surrogate pair in half.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

const textMost = 300

/** A line for fields with markup, escaped. Names with an `@` are broken, so that nobody is mentioned. */
export const slackText = (text: string): string =>
  slackPlain(text.replace(/\s+/g, " "), textMost)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/@(?=\S)/g, "@\u200a")
    .replace(/[*_~`]/g, (mark) => `${mark}\u200a`)

export interface SlackMessage {
  readonly text: string
  readonly blocks: ReadonlyArray<SlackBlock>
}

interface PlainText {
  readonly type: "plain_text"
  readonly text: string
  readonly emoji: false
}

/** A person, shown by name: the only markup that leap writes. */
interface Person {
  readonly type: "mrkdwn"
  readonly text: `<@${string}>`
}

/** The kinds of blocks that leap posts. Slack reads no markup, names or links in them, except a {@link Person}. */
export type SlackBlock =
  | { readonly type: "section"; readonly text: PlainText }
  | { readonly type: "context"; readonly elements: ReadonlyArray<PlainText | Person> }
  | {
      readonly type: "rich_text"
      readonly elements: ReadonlyArray<{
        readonly type: "rich_text_preformatted"
        readonly elements: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
      }>
    }
  | {
      readonly type: "actions"
      readonly elements: ReadonlyArray<{
        readonly type: "button"
        readonly action_id: string
        readonly value: string
        readonly text: PlainText
      }>
    }

/** A little less than Slack allows: characters of a section, a preformatted part and a button, buttons of a row. */
const sectionMost = 2_900
const preformattedMost = 2_900
const labelMost = 70
const buttonsMost = 20
const partsMost = 3

const plain = (text: string, limit = sectionMost): PlainText => ({
  type: "plain_text",
  // Slack rejects an empty text.
  text: slackPlain(text, limit) || "—",
  emoji: false
})

const section = (text: string): SlackBlock => ({ type: "section", text: plain(text) })
const context = (text: string): SlackBlock => ({ type: "context", elements: [plain(text, 300)] })

/** The first `limit` characters, without half a surrogate pair. */
const beginning = (text: string, limit: number): string => {
  const cut = text.slice(0, limit)
  return text.length > limit && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

const quoted = (text: string): ReadonlyArray<SlackBlock> => {
  const blocks: Array<SlackBlock> = []
  for (let rest = slackPlain(text, preformattedMost * partsMost); rest !== "";) {
    const part = beginning(rest, preformattedMost)
    const elements = [{ type: "text", text: part }] as const
    blocks.push({ type: "rich_text", elements: [{ type: "rich_text_preformatted", elements }] })
    rest = rest.slice(part.length)
  }
  return blocks
}

export const lineMessage = (text: string): SlackMessage => ({ text: slackText(text), blocks: [section(text)] })

export const threadMessage = ({ cli, cwd, tag }: OutSession): SlackMessage => ({
  text: slackText(`${tag} (${cli})`),
  blocks: [section(tag), context(`${cli} in ${cwd}. What is written in this thread is queued for it.`)]
})

const outcomes = { completed: "has answered", interrupted: "was interrupted", failed: "failed", ended: "has ended" }

/** A button's value: the dialog that it answers, and the option. */
export const buttonValue = (dialog: string, number: number): string => `${number} ${dialog}`

export const readButton = (value: string): { readonly dialog: string; readonly number: number } | null => {
  const found = /^(\d{1,4}) ([\w-]{1,300})$/.exec(value)
  return found === null ? null : { dialog: found[2] ?? "", number: Number(found[1]) }
}

export type Opened = Extract<OutEvent, { readonly type: "dialog.opened" }>

const dialogTexts = ({ data }: Opened): ReadonlyArray<SlackBlock> => [
  section(data.title ?? "It waits for an answer"),
  ...(data.subject === null ? [] : quoted(data.subject))
]

export const dialogMessage = (event: Opened): SlackMessage => {
  const { data, id, session } = event
  const buttons = data.options.flatMap(({ label, number }) =>
    number === null
      ? []
      : [
          {
            type: "button",
            action_id: `answer-${number}`,
            value: buttonValue(id, number),
            text: plain(label === "" ? String(number) : `${number}. ${label}`, labelMost)
          } as const
        ]
  )
  return {
    text: slackText(`${session?.tag ?? ""} needs you: ${data.title ?? "it waits for an answer"}`),
    blocks: [
      ...dialogTexts(event),
      ...(buttons.length === 0
        ? [
            context(
              `It is answered here by '!a TEXT', at the session's terminal, or by 'leap answer ${session?.tag ?? ""}'.`
            )
          ]
        : [{ type: "actions", elements: buttons.slice(0, buttonsMost) } as const])
    ]
  }
}

/** How a dialog ended: with the option that a user chose in Slack. */
export interface Closed {
  readonly user: string
  readonly option: string
}

export const closedMessage = (event: Opened, by: Closed | null): SlackMessage => {
  const how = by === null ? "It is over: it was answered elsewhere, or went away." : `Answered: ${by.option}`
  const person = by !== null && /^[UW][A-Z0-9]{2,20}$/.test(by.user) ? [by.user] : []
  return {
    text: slackText(`${event.session?.tag ?? ""}: ${event.data.title ?? "a dialog"}: ${how}`),
    blocks: [
      ...dialogTexts(event),
      {
        type: "context",
        elements: [plain(how, 300), ...person.map((user): Person => ({ type: "mrkdwn", text: `<@${user}>` }))]
      }
    ]
  }
}

/** The post of an event into the session's thread; null for events that a thread does not show. */
export const eventMessage = (event: OutEvent): SlackMessage | null => {
  const tag = event.session?.tag ?? ""
  switch (event.type) {
    case "dialog.opened":
      return dialogMessage(event)
    case "turn.ended": {
      const { outcome, response } = event.data
      const line = `${tag} ${outcomes[outcome]}`
      return { text: slackText(line), blocks: response === null ? [section(line)] : quoted(response) }
    }
    case "session.needs": {
      // A dialog has its own post with buttons.
      const lines = besideDialog(event.data.needs).map(({ kind, text }) => needLine({ kind, text: text ?? "" }))
      return lines.length === 0 ? null : lineMessage(`${tag}\n${lines.join("\n")}`)
    }
    case "session.started":
      return lineMessage(`${tag} has started`)
    case "session.ended": {
      const { exit, lost } = event.data
      const how = exit === null ? "" : exit.signal === null ? ` (exit code ${exit.code})` : ` (${exit.signal})`
      return lineMessage(lost ? `${tag} has ended without a word` : `${tag} has ended${how}`)
    }
    case "session.forgotten":
      return lineMessage(`${tag} was forgotten: this thread is over`)
    case "events.dropped":
      return lineMessage(`${event.data.count} events were given up: Slack took none for too long`)
    case "test":
      return lineMessage("leap out test: this is what leap posts")
    case "dialog.closed":
    case "session.state":
    // The part for the user is among the needs.
    case "session.problem":
      return null
  }
}

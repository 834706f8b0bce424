import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readIncoming } from "../../../../src/domain/surfaces/outgoing/slackIncoming.ts"
import {
  closedMessage,
  dialogMessage,
  eventMessage,
  lineMessage,
  type Opened,
  readButton,
  type SlackMessage,
  threadMessage
} from "../../../../src/domain/surfaces/outgoing/slackMessage.ts"
import { slackText } from "../../../../src/domain/surfaces/outgoing/slackMessage.ts"
import type { OutEvent } from "../../../../src/domain/surfaces/outgoing/OutEvent.ts"

const session = { tag: "one", cli: "demo", cwd: "/work", startedAt: "2026-01-01T00:00:00.000Z" }
const base = { schema: 1, timestamp: "2026-01-01T00:00:00.000Z", session } as const

const opened = (title: string, labels: ReadonlyArray<string>, subject: string | null = null): Opened => ({
  ...base,
  id: "dialog_one_abc",
  type: "dialog.opened",
  data: { title, subject, options: labels.map((label, n) => ({ number: n + 1, label })) }
})

/** What a CLI, or who talks through it, might write to be read as markup. */
const Hostile = Schema.Array(
  Schema.Union([
    Schema.String,
    Schema.Literals([
      "<!channel>",
      "<!here|x>",
      "<@U012345>",
      "<#C012345>",
      "<https://evil.example|your bank>",
      "@channel ",
      "@everyone",
      "&lt;!channel&gt;",
      "*bold* _it_ ~no~ `code`",
      "```",
      "\u202egnp.exe",
      "\u200b",
      "\u0007",
      "🎉",
      "x".repeat(3_000)
    ])
  ])
)

/** All texts of a message, with whether Slack reads markup there. */
const textsOf = (message: SlackMessage): ReadonlyArray<{ readonly markup: boolean; readonly text: string }> => {
  const found = [{ markup: true, text: message.text }]
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk)
    if (typeof value !== "object" || value === null) return
    if ("text" in value && typeof value.text === "string")
      found.push({ markup: "type" in value && value.type === "mrkdwn", text: value.text })
    Object.values(value).forEach(walk)
  }
  walk(message.blocks)
  return found
}

const sizes = (message: SlackMessage) => {
  assert.isAtMost(message.blocks.length, 50)
  assert.isAtMost(JSON.stringify(message.blocks).length, 40_000)
  for (const { text } of textsOf(message)) {
    assert.isAbove(text.length, 0)
    assert.isAtMost(text.length, 3_000)
    assert.isTrue(text.isWellFormed())
  }
}

describe("what is posted to Slack", () => {
  it.prop(
    "is read as no markup, calls nobody, hides nothing, and is no larger than Slack takes",
    [Hostile],
    ([parts]) => {
      const text = parts.join("")
      const events: ReadonlyArray<OutEvent> = [
        opened(text, parts.slice(0, 5), text),
        {
          ...base,
          id: "t",
          type: "turn.ended",
          data: { outcome: "completed", startedAt: base.timestamp, response: text }
        },
        { ...base, id: "p", type: "session.problem", data: { kind: "auth", message: text, until: null } }
      ]
      const messages = [
        ...events.flatMap((event) => eventMessage(event) ?? []),
        closedMessage(opened(text, []), { user: "U012345", option: `1. ${text}` }),
        threadMessage({ ...session, cwd: text, cli: text }),
        lineMessage(text)
      ]
      for (const message of messages) {
        for (const one of textsOf(message)) {
          assert.isFalse(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b]/.test(one.text))
          if (!one.markup || one.text === "<@U012345>") continue
          assert.isFalse(/[<>]/.test(one.text), one.text)
          assert.isFalse(/&(?!(?:amp|lt|gt);)/.test(one.text), one.text)
          assert.isFalse(/@\S/.test(one.text.replaceAll("\u200a", " ")), one.text)
        }
        if (text.trim() !== "") sizes({ ...message, text: message.text || "-" })
      }
    }
  )

  it("writes the markup of names and links as it stands", () => {
    assert.strictEqual(slackText("<!channel> & <https://a|b>"), "&lt;!channel&gt; &amp; &lt;https://a|b&gt;")
    assert.notInclude(slackText("@channel *x*"), "@channel")
  })

  it("masks what looks like a secret", () => {
    const token = `xoxb-${"1".repeat(12)}-${"a".repeat(24)}`
    const key = `sk-ant-api03-${"b".repeat(60)}`
    const text = `SLACK_BOT_TOKEN=${token} curl -H 'Authorization: Bearer ${key}'`
    const message = eventMessage({
      ...base,
      id: "t",
      type: "turn.ended",
      data: { outcome: "completed", startedAt: base.timestamp, response: text }
    })
    assert.notInclude(JSON.stringify([message, lineMessage(text)]), token)
    assert.notInclude(JSON.stringify([message, lineMessage(text)]), key)
  })

  it("has a button for each option that has a number, which says what it answers", () => {
    const { blocks } = dialogMessage(opened("Write notes.md?", ["Yes", "No"]))
    const buttons = blocks.flatMap((block) => (block.type === "actions" ? block.elements : []))
    assert.deepStrictEqual(
      buttons.map(({ text, value }) => [text.text, value]),
      [
        ["1. Yes", "1 dialog_one_abc"],
        ["2. No", "2 dialog_one_abc"]
      ]
    )
    const none = dialogMessage(opened("Say something", []))
    assert.notInclude(JSON.stringify(none.blocks), "actions")
    assert.include(JSON.stringify(none.blocks), "leap answer one")
  })

  it("has no buttons when the dialog is over, and says who answered", () => {
    const event = opened("Write notes.md?", ["Yes", "No"])
    const by = closedMessage(event, { user: "U012345", option: "1. Yes" })
    assert.notInclude(JSON.stringify(by.blocks), "button")
    assert.include(JSON.stringify(by.blocks), "Answered: 1. Yes")
    assert.include(JSON.stringify(by.blocks), "<@U012345>")
    assert.notInclude(JSON.stringify(closedMessage(event, { user: "!channel", option: "1" }).blocks), "!channel")
    assert.include(JSON.stringify(closedMessage(event, null).blocks), "It is over")
  })

  it("keeps the whole of a long answer within its parts, in order", () => {
    const text = Array.from({ length: 700 }, (_, n) => `line ${n}`).join("\n")
    const message = eventMessage({
      ...base,
      id: "t",
      type: "turn.ended",
      data: { outcome: "completed", startedAt: base.timestamp, response: text }
    })
    const parts = textsOf(message!)
      .slice(1)
      .map((one) => one.text)
    assert.strictEqual(parts.join(""), text)
    assert.isAbove(parts.length, 1)
  })
})

describe("a button's value", () => {
  it.each(["", "1", "x dialog_a_1", "1 a b", "-1 dialog_a_1", `1 ${"a".repeat(400)}`])("is none: %j", (value) =>
    assert.isNull(readButton(value))
  )
})

const message = (event: object) => ({
  type: "event_callback",
  event: { type: "message", channel: "C01", ts: "2.0", thread_ts: "1.0", user: "U01", text: "hello", ...event }
})
const press = (change: object = {}) => ({
  type: "block_actions",
  user: { id: "U01", name: "ann" },
  channel: { id: "C01" },
  message: { ts: "3.0", thread_ts: "1.0" },
  actions: [{ value: "2 dialog_one_abc", action_ts: "9.1", type: "button" }],
  ...change
})

describe("what people do in Slack", () => {
  const written = { channel: "C01", thread: "1.0", time: "2.0", user: "U01" }

  it.each<readonly [what: string, event: object, more: ReadonlyArray<string>]>([
    ["alone", {}, []],
    ["shown in the channel too", { subtype: "thread_broadcast" }, []],
    ["by /me", { subtype: "me_message" }, []],
    [
      "with a file",
      { subtype: "file_share", files: [{ name: "a.png" }, { name: null }, {}] },
      ["a.png", "a file", "a file"]
    ],
    ["with a message that is passed on", { attachments: [{ is_share: true }] }, ["what is attached to it"]]
  ])("is a reply in a thread: %s", (_, event, more) =>
    assert.deepStrictEqual(readIncoming("events_api", message(event)), {
      _tag: "Reply",
      key: "reply C01 2.0",
      ...written,
      text: "hello",
      more
    })
  )

  it.each<readonly [text: string, typed: string]>([
    ["a &lt;b&gt; &amp;amp; &amp;lt; &lt;@U02&gt;", "a <b> &amp; &lt; <@U02>"],
    ["<https://x.y|x.y> <http://x.y/|X.y> <https://x.y/a>", "x.y X.y https://x.y/a"],
    ["see <https://x.y/a?b=1&amp;c=2|the &lt;ticket&gt;>!", "see the <ticket> (https://x.y/a?b=1&c=2)!"],
    ["<https://evil.example|https://bank.example>", "https://bank.example (https://evil.example)"],
    ["<slack://user?id=1|me> <https://x.y|a|b>", "me (slack://user?id=1) a|b (https://x.y)"],
    ["<mailto:a@b.c|a@b.c> <mailto:a@b.c|write> <tel:+12|+12>", "a@b.c write (mailto:a@b.c) +12"],
    ["<@U02> <@U02|ann> <#C01|general> <#C01|> <#C01>", "@U02 @ann #general #C01 #C01"],
    ["<!here> <!channel|channel> <!everyone|@everyone>", "@here @channel @everyone"],
    ["<!subteam^S01|@team> <!subteam^S01>", "@team @S01"],
    [
      "<!date^1392734382^{date}|Feb 18> <!date^1^{time}^https://x.y|noon> <!date^7^{ago}>",
      "Feb 18 noon (https://x.y) 7"
    ],
    ["*bold* `<https://x.y>` a > b | c ^ d", "*bold* `https://x.y` a > b | c ^ d"]
  ])("is what was typed: %s", (text, typed) =>
    assert.deepInclude(readIncoming("events_api", message({ text })), { text: typed })
  )

  const changed = (now: object, before?: object): unknown =>
    JSON.parse(
      JSON.stringify({
        event: {
          type: "message",
          subtype: "message_changed",
          channel: "C01",
          ts: "5.0",
          message: { ts: "2.0", thread_ts: "1.0", user: "U01", text: "hello &amp; all", edited: { ts: "4.0" }, ...now },
          ...(before === undefined ? {} : { previous_message: { text: "hello", ...before } })
        }
      })
    )

  it.each([
    ["known", {}],
    ["unknown", undefined]
  ])("is another text of a reply whose former text is %s", (_, before) =>
    assert.deepStrictEqual(readIncoming("events_api", changed({}, before)), {
      _tag: "Edited",
      key: "edit 4.0 C01 2.0",
      ...written,
      text: "hello & all"
    })
  )

  it("is a reply that was deleted", () =>
    assert.deepStrictEqual(
      readIncoming("events_api", {
        event: {
          type: "message",
          subtype: "message_deleted",
          channel: "C01",
          deleted_ts: "2.0",
          previous_message: { ts: "2.0", thread_ts: "1.0", user: "U01", text: "hello" }
        }
      }),
      { _tag: "Deleted", key: "delete C01 2.0", ...written }
    ))

  it("is a button", () => {
    assert.deepStrictEqual(readIncoming("interactive", press()), {
      _tag: "Pressed",
      key: "press 3.0 U01 9.1",
      channel: "C01",
      thread: "1.0",
      time: "3.0",
      user: "U01",
      dialog: "dialog_one_abc",
      number: 2
    })
  })

  it.each<readonly [what: string, kind: string, payload: unknown]>([
    ["a message beside all threads", "events_api", message({ thread_ts: undefined })],
    ["leap's own message", "events_api", message({ bot_id: "B01" })],
    ["a link that Slack unfolds", "events_api", changed({ text: "hello", attachments: [{}] }, {})],
    ["a count of replies", "events_api", changed({ edited: undefined })],
    ["an edit of leap's own message", "events_api", changed({ bot_id: "B01" }, {})],
    ["an edit beside all threads", "events_api", changed({ thread_ts: undefined }, {})],
    ["someone who joined", "events_api", message({ subtype: "channel_join" })],
    ["another event", "events_api", { event: { type: "reaction_added" } }],
    ["another program's button", "interactive", press({ actions: [{ value: "approve" }] })],
    ["a form", "interactive", { type: "view_submission" }],
    ["a command", "slash_commands", { command: "/leap" }],
    ["nothing", "events_api", null]
  ])("is nothing to leap: %s", (_, kind, payload) => assert.isNull(readIncoming(kind, payload)))
})

import { assert, describe, it } from "@effect/vitest"
import { deliveredText } from "../../../../src/domain/engine/queue/MessageText.ts"
import { Schema } from "effect"
import { view } from "../../../../src/domain/surfaces/queueClient/QueueClientView.ts"
import type { ClientCommand, ClientEvent } from "../../../../src/domain/surfaces/queueClient/QueueClient.ts"
import { because } from "../../../../src/domain/words/wording/causeWords.ts"
import { lineWidth } from "../../../../src/domain/surfaces/tui/Paint.ts"
import { asking, keysOf, DrivenClient, message, question } from "../../../support/data/clientKeys.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"
import { each } from "../../../support/data/fields.ts"

const two = [message("AAAAA", "first"), message("BBBBB", "second")]
const send = (text: string, more: object = {}): Partial<ClientCommand> => ({
  _tag: "Send",
  text,
  images: [],
  front: false,
  force: false,
  ...more
})
/** Commands without the numbers of requests. */
const bare = (commands: ReadonlyArray<ClientCommand>): ReadonlyArray<object> =>
  commands.map((command) => {
    const { ref: _, said: __, ...rest } = { ref: 0, said: "", ...command }
    return rest
  })

describe("what is entered", () => {
  it.each<readonly [string, Partial<ClientCommand> | null]>([
    ["   <enter>", null],
    ["!d now<enter>", send("now", { force: true })],
    ["!n next<enter>", send("next", { front: true })],
    [" !ls -l<enter>", send("!ls -l")],
    ["!int<enter>", { _tag: "Do", call: { _tag: "Interrupt" } }],
    ["!k Esc C-c<enter>", { _tag: "Do", call: { _tag: "Keys", keys: ["Esc", "C-c"], force: false } }],
    ["!aa auto<enter>", { _tag: "Do", call: { _tag: "SetModes", modes: { autoSend: "always" } } }],
    [
      "!AS default pause<enter>",
      { _tag: "Do", call: { _tag: "SetModes", modes: { autoSend: "pause" } }, everywhere: true }
    ],
    ["!churn send<enter>", { _tag: "Do", call: { _tag: "SetModes", modes: { churn: "send" } } }],
    ["!f<enter>", { _tag: "Do", call: { _tag: "QueueForce", id: two[0]!.id } }],
    ["!force BBBBB<enter>", { _tag: "Do", call: { _tag: "QueueForce", id: two[1]!.id } }],
    ["!r bbbbb<enter>", { _tag: "Do", call: { _tag: "QueueRemove", id: two[1]!.id } }],
    ["!m BBBBB 1<enter>", { _tag: "Do", call: { _tag: "QueueMove", id: two[1]!.id, position: 1 } }],
    ["!hold<enter>", { _tag: "Do", call: { _tag: "QueueHold", id: null } }],
    ["!release<enter>", { _tag: "Do", call: { _tag: "QueueRelease", id: null } }],
    ["!c<enter>y", { _tag: "Do", call: { _tag: "QueueClear" } }],
    ["!c<enter>n", null],
    ["!e 2<enter><ctrl+u>changed<enter>", { _tag: "Do", call: { _tag: "QueueEdit", id: two[1]!.id, text: "changed" } }],
    ["!i ~/a.png<enter>", { _tag: "FindImage", path: "~/a.png", text: "", line: "!i ~/a.png" }],
    ["!i<enter>", { _tag: "TakeImage", line: "!i" }],
    ["<ctrl+v>", { _tag: "TakeImage", line: "" }],
    // a position is no name for what cannot be undone, and what is wrong does nothing
    ["!r 1<enter>", null],
    ["!nonsense<enter>", null],
    ["!f CCCCC<enter>", null],
    ["!slack<enter>", null],
    ["!aa perhaps<enter>", null]
  ])("%s", (keys, command) => {
    const client = new DrivenClient({ queue: two }).press(keys)
    assert.deepStrictEqual(bare(client.wanted()), command === null ? [] : [command])
  })

  const withFailed = [message("CCCCC", "it failed", { status: "done", outcome: "failed", why: "no" }), ...two]
  it.each<readonly [string, object | null]>([
    ["!retry<enter>", { _tag: "QueueRetry", id: null }],
    ["!retry CCCCC<enter>", { _tag: "QueueRetry", id: withFailed[0]!.id }],
    ["<tab><up>t", { _tag: "QueueRetry", id: withFailed[0]!.id }],
    ["<tab><up>d", { _tag: "QueueRemove", id: withFailed[0]!.id }],
    ["<tab>T", { _tag: "QueueRetry", id: null }],
    // nothing else can be done with what is given up, and what has not failed is not sent again
    ["<tab><up>e", null],
    ["<tab><up>h", null],
    ["<tab>t", null],
    ["!retry AAAAA<enter>", null],
    ["!e CCCCC<enter>", null]
  ])("%s where a message has failed", (keys, change) => {
    const client = new DrivenClient({ queue: withFailed }).press(keys)
    const changes = client.wanted().flatMap((command) => (command._tag === "Do" ? [command.call] : []))
    assert.deepStrictEqual<ReadonlyArray<object>>(changes, change === null ? [] : [change])
  })

  it("!retry says that nothing has failed", () => {
    const client = new DrivenClient({ queue: two }).press("!retry<enter>")
    assert.deepStrictEqual([client.wanted(), client.notice], [[], "no message has failed"])
  })

  it("a command that is entered where its help is read is no message", () => {
    const client = new DrivenClient({ queue: two }).press("!help<enter>").press("!release<enter>")
    assert.notInclude(each(client.wanted(), "_tag"), "Send")
    assert.strictEqual(new DrivenClient().press("!help<enter>").press("x").state.editor.text, "")
  })

  it("a message whose turn failed is told once, as queued again or held, and what is held behind it is not", () => {
    const failed = { outcome: "failed", why: "its turn failed: full" } as const
    const behind = because({ _tag: "BehindFailure", problem: "context" })
    const client = new DrivenClient({ queue: [message("AAAAA", "first", { status: "started" }), two[1]!] })
    const told = () => client.state.log.filter(({ kind }) => kind === "bad").map(({ text }) => text)
    client.came({ queue: [message("AAAAA", "first", { status: "queued", ...failed }), two[1]!] })
    assert.deepStrictEqual(told(), ["queued again: AAAAA first (its turn failed: full)"])
    client.came({ queue: [message("AAAAA", "first", { status: "started" }), two[1]!] })
    client.came({
      queue: [
        message("AAAAA", "first", { status: "held", ...failed }),
        message("BBBBB", "second", { status: "held", ...behind })
      ]
    })
    assert.deepStrictEqual(told().slice(1), ["held: AAAAA first (its turn failed: full)"])
  })

  it("a message that is sent again is answered again", () => {
    const done = (more: object) => [message("AAAAA", "first", { status: "done", ...more })]
    const client = new DrivenClient({ queue: [message("AAAAA", "first", { status: "started" })] })
    client.came({ queue: done({ outcome: "failed", why: "its turn failed: x" }) })
    client.came({ queue: [message("AAAAA", "first", { status: "queued" })] })
    client.came({ queue: done({ outcome: "completed" }) })
    const asked = client.wanted().filter(({ _tag }) => _tag === "Ask")
    assert.strictEqual(asked.length, 2)
  })

  it("a message that is sent while the user's word is waited for is told as held", () => {
    const pause = { kind: "auth", since: "2026-01-01T00:00:00.000Z", until: null, text: "log in first" } as const
    const client = new DrivenClient({ queue: [message("AAAAA", "first", { status: "held" })], pause }).press("x<enter>")
    client.take({ _tag: "Sent", ref: 1, id: message("DDDDD", "").id })
    assert.strictEqual(client.notice, "DDDDD is held: log in first (!retry, !release)")
  })

  it.each(["!x<enter>", "!QUIT<enter>", "!exit<enter>", "<ctrl+d>", "<ctrl+c>", "<tab>q"])("%s leaves", (keys) => {
    assert.isTrue(new DrivenClient({ queue: two }).press(keys).state.left)
  })

  it("a pasted 50 KB is shown as one word and sent whole; a picture's path becomes the picture", () => {
    const long = "a line of pasted text\n".repeat(2_500)
    const client = new DrivenClient().press("see ").paste(long)
    assert.include(JSON.stringify(view(client.state)), "[pasted text, 2501 lines]")
    assert.deepStrictEqual(bare(client.press("<enter>").wanted()), [send(`see ${long}`)])
    client.paste("'/tmp/a shot.png'")
    assert.deepStrictEqual(bare(client.wanted()), [
      { _tag: "FindImage", path: "/tmp/a shot.png", text: "'/tmp/a shot.png'", line: "" }
    ])
    client.take({ _tag: "Pictured", path: "/tmp/a shot.png", text: "", line: "", why: "" }).press("what is it?<enter>")
    assert.deepStrictEqual(bare(client.wanted()), [send("what is it?", { images: ["/tmp/a shot.png"] })])
  })

  it.each(["!e CCCCC", "!r 1", "!m CCCCC 1", "!nonsense x", "!aa perhaps"])(
    "%s is wrong, and stays to be corrected",
    (line) => {
      const client = new DrivenClient({ queue: two }).press(`${line}<enter>`)
      assert.strictEqual(client.state.editor.text, line)
      assert.isTrue(client.state.notice?.bad)
      assert.deepStrictEqual(client.wanted(), [])
    }
  )

  it("a picture's line comes back when there is none, unless something else was begun", () => {
    const why = "there is no file ~/a.png"
    const client = new DrivenClient().press("!i ~/a.png<enter>")
    assert.strictEqual(client.state.editor.text, "")
    client.take({ _tag: "Pictured", path: null, text: "", line: "!i ~/a.png", why })
    assert.deepStrictEqual([client.state.editor.text, client.notice], ["!i ~/a.png", why])
    client.press("<enter>what").take({ _tag: "Pictured", path: null, text: "", line: "!i ~/a.png", why })
    assert.deepStrictEqual([client.state.editor.text, client.notice], ["what", why])
  })

  it("comes back into the editor when it is refused, and is not doubled when nobody knows", () => {
    const client = new DrivenClient().press("hello<enter>")
    client.take({ _tag: "NotSent", ref: 1, why: "the queue is full", inDoubt: false })
    assert.strictEqual(client.state.editor.text, "hello")
    assert.include(client.notice, "the queue is full")
    client.press("<enter>").take({ _tag: "NotSent", ref: 2, why: "it may have been queued", inDoubt: true })
    assert.strictEqual(client.state.editor.text, "")
    assert.include(client.notice, "it may have been queued; ↑")
    assert.strictEqual(client.press("<up>").state.editor.text, "hello")
  })

  it("stays while the session does not run", () => {
    const client = new DrivenClient().take({ _tag: "Left", why: "it ended" }).press("hello<enter>")
    assert.deepStrictEqual(client.wanted(), [])
    assert.strictEqual(client.state.editor.text, "hello")
    assert.strictEqual(client.notice, "not sent, the text stays here: it ended")
    assert.deepStrictEqual(bare(client.came({}).press("<enter>").wanted()), [send("hello")])
    assert.deepStrictEqual(client.log, ["bad: it ended", "note: 'demo' runs again"])
  })
})

describe("while a dialog is open", () => {
  const open = () => new DrivenClient(asking).later(5_000)

  it("another text is neither: the user says what it is", () => {
    const client = open().press("please go on<enter>")
    assert.deepStrictEqual(client.wanted(), [])
    assert.deepStrictEqual(client.press("<escape>").state.editor.text, "please go on")
    assert.deepStrictEqual(bare(client.press("<enter>q").wanted()), [send("please go on")])
    assert.strictEqual(client.state.editor.text, "")
    assert.deepStrictEqual(client.press("a text<enter>a").wanted(), [
      { _tag: "Do", call: { _tag: "Answer", answer: "a text", question } }
    ])
    assert.deepStrictEqual(client.press("y<enter>").wanted(), [], "the beginning of two options")
    assert.include(client.notice, "say more")
    assert.deepStrictEqual(client.press("<ctrl+c>!a my own words<enter>").wanted(), [
      { _tag: "Do", call: { _tag: "Answer", answer: "my own words", question } }
    ])
  })

  it("which has only just come, Enter was meant for something else", () => {
    const client = new DrivenClient({ state: "running" }).press("yes").came(asking).press("<enter>")
    assert.deepStrictEqual(client.wanted(), [])
    assert.include(client.notice, "just come")
    assert.deepStrictEqual(client.press("<enter>").wanted(), [
      { _tag: "Do", call: { _tag: "Answer", answer: "yes", question } }
    ])
  })

  it("which goes while the user is asked, the text stays", () => {
    const client = open().press("more<enter>").came({ state: "running" })
    assert.strictEqual(client.state.mode._tag, "Compose")
    assert.strictEqual(client.state.editor.text, "more")
    assert.include(client.notice, "the dialog is gone")
  })
})

describe("the list of messages", () => {
  it("has plain keys: select, edit, hold, force, remove", () => {
    const client = new DrivenClient({ queue: two }).press("<tab>j")
    const [first, second] = two
    const table: ReadonlyArray<readonly [string, object]> = [
      ["h", { _tag: "QueueHold", id: second!.id }],
      ["f", { _tag: "QueueForce", id: second!.id }],
      ["<up>d", { _tag: "QueueRemove", id: first!.id }],
      ["H", { _tag: "QueueHold", id: null }]
    ]
    for (const [keys, call] of table)
      assert.deepStrictEqual(bare(client.press(keys).wanted()), [{ _tag: "Do", call }], keys)
    client.press("<escape>draft<tab>")
    assert.strictEqual(client.state.mode._tag, "Compose", "with a text in the editor Tab is not for the list")
    client.press("<ctrl+c><tab>e more<enter>")
    assert.deepStrictEqual(bare(client.wanted()), [
      { _tag: "Do", call: { _tag: "QueueEdit", id: first!.id, text: "first more" } }
    ])
    assert.strictEqual(client.press("<tab>e changed<escape>").state.editor.text, "")
    assert.deepStrictEqual(client.wanted(), [])
  })

  it("does not put an edit over a text that came from elsewhere meanwhile without a word", () => {
    const [first, second] = two
    const client = new DrivenClient({ queue: two }).press("<tab>e mine")
    client.came({ queue: [{ ...first!, text: "theirs" }, second!] })
    assert.deepStrictEqual(bare(client.press("<enter>").wanted()), [])
    assert.include(client.notice, "changed meanwhile to “theirs”")
    assert.strictEqual(client.state.editor.text, "first mine", "nothing of it is lost")
    assert.deepStrictEqual(bare(client.press("<enter>").wanted()), [
      { _tag: "Do", call: { _tag: "QueueEdit", id: first!.id, text: "first mine" } }
    ])
  })

  it("moves on from where a message was moved, before the session has told", () => {
    const three = [...two, message("CCCCC", "third")]
    const client = new DrivenClient({ queue: three }).press("<tab>jjKK")
    const places = client.wanted().map((command) => (command._tag === "Do" ? command.call : null))
    assert.deepStrictEqual(places, [
      { _tag: "QueueMove", id: three[2]!.id, position: 2 },
      { _tag: "QueueMove", id: three[2]!.id, position: 1 }
    ])
  })

  it("keeps its selection at the message, wherever that stands, and at another when it is gone", () => {
    const client = new DrivenClient({ queue: two }).press("<tab>j").came({ queue: [two[1]!, two[0]!] })
    assert.deepInclude(client.state.mode, { selected: two[1]!.id })
    assert.deepInclude(client.came({ queue: [two[0]!] }).state.mode, { selected: two[0]!.id })
    assert.deepInclude(client.came({ queue: [] }).state.mode, { selected: null })
    assert.deepStrictEqual(client.press("d").wanted(), [])
  })

  it("changes nothing that is on its way", () => {
    const client = new DrivenClient({ queue: [message("AAAAA", "first", { status: "started" })] }).press("<tab>d")
    assert.deepStrictEqual(client.wanted(), [])
    assert.include(client.notice, "on its way")
  })
})

describe("what is told", () => {
  const of = (status: "started" | "done" | "removed" | "held", more: object = {}) => ({
    queue: [message("AAAAA", "first", { status, ...more })]
  })

  it("a message as it goes out, its answer as it ends, each once", () => {
    const client = new DrivenClient({ queue: [two[0]!] }).came(of("started")).came(of("done")).came(of("done"))
    assert.deepStrictEqual(client.wanted(), [{ _tag: "Ask", id: two[0]!.id }])
    client.take({ _tag: "Answered", id: two[0]!.id, text: "my answer", failure: null })
    client.came({ ...of("done"), lastResponse: "my answer" }).came({ lastResponse: "my answer" })
    assert.deepStrictEqual(client.log, ["sent: first", "answer: my answer"])
  })

  it("an agent's message under that one's name, once, whatever line was typed before it", () => {
    const letter = message("AAAAA", "> hello", { from: "alpha", hops: 2 })
    const typed = { lastMessage: deliveredText(letter) }
    const client = new DrivenClient({ queue: [letter] }).came({ queue: [{ ...letter, status: "started" }] })
    client.came({ queue: [{ ...letter, status: "started" }], ...typed })
    client.came({ queue: [{ ...letter, status: "done" }], ...typed }).came(typed)
    assert.deepStrictEqual(client.log, ["sent: from alpha: > hello"])
  })

  it.each([
    ["idle", [], "the prompt\nan answer"],
    ["interrupted", [], "the prompt"],
    ["idle", [{ ...two[0]!, status: "started" as const }], "the prompt"]
  ] as const)("as it joins, the last answer is told only under its own prompt: %s", (state, queue, told) => {
    const client = new DrivenClient(null)
    client.came({ state, queue, lastMessage: "the prompt", lastResponse: "an answer" })
    assert.strictEqual(client.state.log.map(({ text }) => text).join("\n"), told)
    // it is no news later either
    client.came({ state: "idle", lastMessage: "the prompt", lastResponse: "an answer" })
    assert.strictEqual(client.state.log.map(({ text }) => text).join("\n"), told)
    client.came({ state: "idle", lastMessage: "the prompt", lastResponse: "its answer" })
    assert.strictEqual(client.state.log.at(-1)?.text, "its answer")
  })

  it("a slash command that answers nothing repeats no older answer; a turn typed at the CLI is told too", () => {
    const help = message("AAAAA", "/help")
    const client = new DrivenClient({ queue: [help], lastResponse: "old" })
    client.came({ queue: [{ ...help, status: "done" }], lastResponse: "old" })
    client.take({ _tag: "Answered", id: help.id, text: "old", failure: null })
    assert.deepStrictEqual(client.log, ["answer: old", "sent: /help"])
    client.came({ state: "running", lastMessage: "typed there", lastResponse: "part" })
    client.came({ lastMessage: "typed there", lastResponse: "new" })
    assert.deepStrictEqual(client.log.slice(2), ["sent: typed there", "answer: new"])
  })

  it("why a message is held, that one was removed, and how a turn failed", () => {
    const client = new DrivenClient({ queue: [two[0]!] }).came(of("held", { why: "in doubt" })).came(of("removed"))
    assert.deepStrictEqual(client.log, ["bad: held: AAAAA first (in doubt)", "note: removed: AAAAA first"])
    client.came({ queue: [two[1]!] }).came({ queue: [{ ...two[1]!, status: "done" }] })
    client.take({ _tag: "Answered", id: two[1]!.id, text: null, failure: "rate limited" })
    assert.strictEqual(client.log.at(-1), "bad: second: rate limited")
  })

  it("that a new message goes before what is held", () => {
    const client = new DrivenClient({ queue: [{ ...two[0]!, status: "held" }] }).press("new<enter>")
    client.take({ _tag: "Sent", ref: 1, id: "01K00000CCCCC" })
    assert.match(client.notice, /CCCCC goes before what is held \(1 message is held; !release\)/)
  })
})

describe("history and completion", () => {
  it("an arrow brings back what was entered, and the draft after it", () => {
    const client = new DrivenClient().take({ _tag: "Recalled", entries: ["older", "old"] }).press("new<enter>draft")
    const texts = ["<up>", "<up>", "<up>", "<up>", "<down>", "<down>", "<down>"].map(
      (key) => client.press(key).state.editor.text
    )
    assert.deepStrictEqual(texts, ["new", "old", "older", "older", "old", "new", "draft"])
  })

  it("names are offered for the word before the cursor, ranked, and taken by Tab", () => {
    const client = new DrivenClient().press("see @sr")
    const asked = client.commands.filter(({ _tag }) => _tag === "Complete").at(-1)
    assert.deepInclude(asked, { kind: "file", word: "sr" })
    const ref = asked?._tag === "Complete" ? asked.ref : 0
    client.take({ _tag: "Found", ref: ref - 1, items: ["src/late.ts"] })
    assert.deepStrictEqual(client.state.completion?.items, [], "an answer to an older question is none")
    client.take({ _tag: "Found", ref, items: ["lib/src.ts", "README.md", "src/", "src/a b.ts"] })
    assert.deepStrictEqual(client.state.completion?.items, ["src/", "src/a b.ts", "lib/src.ts"])
    assert.strictEqual(client.press("<down><tab>").state.editor.text, 'see @"src/a b.ts" ')
    const command = new DrivenClient().press("/mo").take({ _tag: "Found", ref: 1, items: ["help", "model"] })
    assert.strictEqual(command.press("<enter>").state.editor.text, "/model ")
    assert.deepStrictEqual(bare(command.press("<enter>").wanted()), [send("/model ")])
    // a text that only looks like a name is sent as it stands; what was looked for is taken
    const like = new DrivenClient().press("ask @bob").take({ _tag: "Found", ref: 4, items: ["blob.ts", "bob.ts"] })
    for (const ref of [1, 2, 3, 5]) like.take({ _tag: "Found", ref, items: ["blob.ts", "bob.ts"] })
    assert.isNotNull(like.state.completion)
    assert.deepStrictEqual(bare(like.press("<enter>").wanted()), [send("ask @bob")])
    like.press("ask @bob").take({ _tag: "Found", ref: like.state.ref - 1, items: ["blob.ts", "bob.ts"] })
    assert.strictEqual(like.press("<down><enter>").state.editor.text, "ask @blob.ts ")
  })
})

const Events = Schema.Array(
  Schema.Union([
    Schema.Struct({
      keys: Schema.Literals([
        "a",
        "word ",
        "日本",
        "/",
        "@",
        "!",
        "1",
        "y",
        "q",
        "<enter>",
        "<tab>",
        "<escape>",
        "<up>",
        "<down>",
        "<left>",
        "<alt+enter>",
        "<page-up>",
        "<f1>",
        "!e 1<enter>",
        "!c<enter>",
        "!l<enter>"
      ])
    }),
    Schema.Struct({ paste: Schema.Literals(["short", "line\n".repeat(40), "/a/b.png"]) }),
    Schema.Struct({ status: Schema.Literals(["idle", "running", "asking", "queue", "held", "gone"]) }),
    Schema.Struct({ answer: Schema.Literals(["short", "long ".repeat(300), "日本語 ".repeat(60), "a\n\n\tb"]) }),
    Schema.Struct({ names: Schema.Literals(["src/a.ts", "日本/ファイル.txt"]) }),
    Schema.Struct({
      cols: Schema.Int.check(Schema.isBetween({ minimum: 30, maximum: 160 })),
      rows: Schema.Int.check(Schema.isBetween({ minimum: 4, maximum: 40 }))
    })
  ])
)
type Happening = (typeof Events.Type)[number]

const statuses = {
  idle: {},
  running: { state: "running" as const, message: "Reading a file with a long name ".repeat(5) },
  asking,
  queue: { queue: [...two, message("CCCCC", "日本語の長いメッセージ ".repeat(20))] },
  held: {
    queue: [
      { ...two[0]!, status: "held" as const, why: "you held it" },
      { ...two[1]!, status: "started" as const }
    ]
  }
}

const eventsOf = (happening: Happening, ref: number): ReadonlyArray<ClientEvent> => {
  const at = 200_000
  if ("keys" in happening) return keysOf(happening.keys).map((key) => ({ _tag: "Pressed", key, at }))
  if ("paste" in happening) return [{ _tag: "Pressed", key: { key: "paste", text: happening.paste }, at }]
  if ("answer" in happening) return [{ _tag: "Answered", id: "x", text: happening.answer, failure: null }]
  if ("names" in happening) return [{ _tag: "Found", ref: ref - 1, items: [happening.names] }]
  if ("cols" in happening) return [{ _tag: "Resized", size: happening }]
  if (happening.status === "gone") return [{ _tag: "Left", why: "it ended" }]
  return [{ _tag: "Came", status: sessionStatus(statuses[happening.status]), at }]
}

describe("whatever happens", () => {
  it.prop("the screen is filled exactly, and the cursor is on it", [Events], ([happenings]) => {
    const client = new DrivenClient()
    for (const happening of happenings) {
      for (const event of eventsOf(happening, client.state.ref)) client.take(event)
      const { cols, rows } = client.state.size
      const { cursor, lines } = view(client.state)
      assert.strictEqual(lines.length, rows)
      for (const line of lines) assert.isAtMost(lineWidth(line), cols)
      assert.isTrue(cursor!.x >= 0 && cursor!.x < cols && cursor!.y >= 0 && cursor!.y < rows)
    }
  })

  it.prop(
    "what is typed at an idle session reaches it whole, in order, once",
    [Schema.Array(Schema.Literals(["one", "two words", "日本", "/slash", "multi<alt+enter>line", "@file"]))],
    ([texts]) => {
      const client = new DrivenClient()
      for (const text of texts) client.press(`${text}<enter>`)
      assert.deepStrictEqual(
        client.wanted().map((command) => (command._tag === "Send" ? command.text : command._tag)),
        texts.map((text) => text.replace("<alt+enter>", "\n"))
      )
    }
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { AgentEvent } from "../../../../../src/domain/cli/headless/AgentEvent.ts"
import type { Chat } from "../../../../../src/domain/cli/headless/http/Chat.ts"
import { type Secrets, secretsInAnswers } from "../../../../../src/domain/cli/headless/Masking.ts"
import {
  endBody,
  excerptBytes,
  isReadEnough,
  noBody,
  readBody
} from "../../../../../src/domain/cli/headless/http/ChatBody.ts"
import { chunk, stream, usage, whole } from "../../../../support/headless/chatServer.ts"

const encoder = new TextEncoder()
const none: Secrets = { values: [], answers: [] }

interface Read {
  readonly chat: Chat
  readonly events: ReadonlyArray<AgentEvent>
  readonly text: string
}

const read = (
  pieces: ReadonlyArray<Uint8Array | string>,
  { cut = false, secrets = none, type = null as string | null } = {}
): Read => {
  const events: Array<AgentEvent> = []
  let body = noBody
  for (const piece of pieces) {
    if (isReadEnough(body)) break
    const [next, more] = readBody(body, typeof piece === "string" ? encoder.encode(piece) : piece, secrets)
    body = next
    events.push(...more)
  }
  const [ended, last] = endBody(body, type, cut, secrets)
  events.push(...last)
  return { chat: ended.chat, events, text: events.map((event) => (event._tag === "Text" ? event.text : "")).join("") }
}

const text = (text: string, delta = true): AgentEvent => ({ _tag: "Text", text, delta, message: "c1", agent: null })
const tags = ({ events }: Read) => events.map(({ _tag }) => _tag)

const cutAt = (bytes: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const points = [
    0,
    ...cuts.map((part) => Math.floor((part * bytes.length) / 1_000)).sort((a, b) => a - b),
    bytes.length
  ]
  return points.slice(1).map((to, i) => bytes.slice(points[i] ?? 0, to))
}
const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })))

describe("chunks of an answer", () => {
  it.each<readonly [string, string, ReadonlyArray<AgentEvent>]>([
    ["plain", chunk({ content: "hi" }), [text("hi")]],
    ["lines, unicode, quotes", chunk({ content: 'a\nb "é🎉"' }), [text('a\nb "é🎉"')]],
    ["role only", chunk({ role: "assistant" }), []],
    ["finish only", chunk({}, "stop"), []],
    ["the end", "data: [DONE]\n\n", []],
    ["no choices", usage(1, 1).replace(/,"usage.*\}/, "}"), []],
    ["nothing in it", "data: \n\n", []],
    ["empty content", chunk({ content: "" }), []],
    [
      "a whole message instead of a delta",
      'data: {"id":"c1","choices":[{"index":0,"message":{"content":"hi"}}]}\n\n',
      [text("hi", false)]
    ],
    [
      "parts instead of text",
      chunk({ content: [{ type: "text", text: "a" }, "b", { type: "refusal", refusal: "c" }, 7] }),
      [text("abc")]
    ],
    ["a refusal is an answer", chunk({ refusal: "I will not" }), [text("I will not")]],
    [
      "a thought by its other name",
      chunk({ reasoning: "hm" }),
      [{ _tag: "Thought", text: "hm", delta: true, agent: null }]
    ],
    ["another choice is not ours", 'data: {"choices":[{"index":1,"delta":{"content":"no"}}]}\n\n', []]
  ])("%s", (_, piece, events) => assert.deepStrictEqual(read([piece], { cut: true }).events, events))

  it("what is no part of an answer is told, so many times", () => {
    const { chat, events } = read(['data: "plain"\n\n'.repeat(50)], { cut: true })
    assert.strictEqual(events.length, 20)
    assert.include(events[0], { _tag: "Notice", text: 'the server sent what is no part of an answer: "plain"' })
    assert.isNull(chat.broken)
  })

  it("a whole message at the end of a stream does not say all of it again", () => {
    const told = read([
      chunk({ content: "hi" }),
      'data: {"choices":[{"index":0,"finish_reason":"stop","message":{"content":"hi"}}]}\n\n'
    ])
    assert.strictEqual(told.text, "hi")
    assert.strictEqual(told.chat.finish, "stop")
  })

  it("the finish, the model and the last usage are kept", () => {
    const { chat, events } = read([usage(1, 1), stream("a", "b"), usage(7, 7)])
    assert.include(chat, { finish: "stop", model: "m-1", text: "ab", done: true, emitted: true })
    assert.deepStrictEqual(chat.usage, {
      tokens: { input: 10, cacheRead: 0, cacheWrite: 0, output: 8 },
      total: 18,
      context: 18,
      reasoning: null,
      usd: null
    })
    const tokens = { input: 10, cacheRead: 0, cacheWrite: 0, output: 8 }
    assert.deepStrictEqual(events, [
      text("a"),
      text("b"),
      { _tag: "RequestEnded", tokens, reasoning: null, stopReason: "stop", agent: null },
      { _tag: "Used", tokens, reasoning: null }
    ])
  })
})

describe("an answer of Mistral's thinking models", () => {
  it("has its thoughts apart from its text", () => {
    const thinking = (text: string) => [{ type: "thinking", thinking: [{ type: "text", text }] }]
    const { chat, events } = read([
      chunk({ content: thinking("so ") }),
      chunk({ content: thinking("far") }),
      chunk({ content: [{ type: "text", text: "a" }] }),
      chunk({ content: "b" }, "stop")
    ])
    assert.strictEqual(chat.text, "ab")
    const thoughts = events.flatMap((event) => (event._tag === "Thought" ? [event.text] : []))
    assert.strictEqual(thoughts.join(""), "so far")
  })
})

describe("thoughts in the text of an answer", () => {
  const said = (told: Read) => ({
    text: told.chat.text,
    thought: told.events.map((event) => (event._tag === "Thought" ? event.text : "")).join("")
  })
  const pieces = (texts: ReadonlyArray<string>) =>
    read([...texts.map((content) => chunk({ content })), chunk({}, "stop")])

  it.each<readonly [string, string, string, string]>([
    ["whole", "<think>hm</think>\n\nyes", "yes", "hm"],
    ["behind blanks", "\n<think>\nhm\n</think>\nyes", "yes", "\nhm\n"],
    ["by its longer name", "<thinking>hm</thinking>yes", "yes", "hm"],
    ["of Gemini", "<thought>hm</thought>yes", "yes", "hm"],
    ["of Magistral", "[THINK]hm[/THINK]yes", "yes", "hm"],
    ["of Seed", "<seed:think>hm</seed:think>yes", "yes", "hm"],
    ["of Kimi", "◁think▷hm◁/think▷yes", "yes", "hm"],
    ["empty", "<think>\n\n</think>\n\nyes", "yes", "\n\n"],
    ["that never end", "<think>hm, on and on", "", "hm, on and on"],
    ["with a tag in them", "<think>a <b> </thin c</think>yes", "yes", "a <b> </thin c"],
    ["none, but a tag that begins so", "<thin air", "<thin air", ""],
    ["none, but blanks", "  yes ", "  yes ", ""],
    [
      "none: the tag is spoken of",
      "It is <think>hm</think> that it writes.",
      "It is <think>hm</think> that it writes.",
      ""
    ],
    ["none: the closing tag is quoted", "It ends with `</think>`, mostly.", "It ends with `</think>`, mostly.", ""],
    ["none: the closing tag is code", "```\na</think>b\n```", "```\na</think>b\n```", ""],
    ["none: a comparison", "a < b", "a < b", ""],
    ["none: it ends with a bracket", "a <", "a <", ""]
  ])("%s", (_, answer, text, thought) => {
    assert.deepStrictEqual(said(pieces([answer])), { text, thought })
    assert.deepStrictEqual(said(pieces([...answer])), { text, thought })
    assert.deepStrictEqual(said(read([whole({ content: answer })])), { text, thought })
  })

  it("end with a tag that nothing opened: it is thought where it is not given out yet, and is called so where it is", () => {
    const answer = "hm, so\n</think>\n\nyes"
    assert.deepStrictEqual(said(read([whole({ content: answer })])), { text: "yes", thought: "hm, so\n" })
    const told = pieces([...answer])
    assert.strictEqual(told.chat.text, "yes")
    assert.include(tags(told), "Notice")
    const parts = new Map<string | null, string>()
    for (const event of told.events)
      if (event._tag === "Text") parts.set(event.message, (parts.get(event.message) ?? "") + event.text)
    assert.deepStrictEqual([...parts.values()], ["hm, so\n", "yes"])
  })

  it.each<readonly [string, object]>([
    ["DeepSeek, vLLM, LM Studio", { reasoning_content: "hm" }],
    ["OpenRouter, Groq, Ollama", { reasoning: "hm", reasoning_details: [{ type: "reasoning.text", text: "hm" }] }],
    ["details alone", { reasoning_details: [{ type: "reasoning.summary", summary: "hm" }] }],
    ["LiteLLM", { thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "x" }] }],
    ["Copilot", { reasoning_text: "hm" }],
    ["another name", { thinking: "hm" }]
  ])("beside it: %s", (_, delta) =>
    assert.deepStrictEqual(said(read([chunk(delta), chunk({ content: "yes" }), chunk({}, "stop")])), {
      text: "yes",
      thought: "hm"
    })
  )
})

describe("a refusal", () => {
  it.each<readonly [string, string, boolean]>([
    ["in deltas", chunk({ refusal: "I will" }) + chunk({ refusal: " not" }) + chunk({}, "stop"), true],
    ["in parts", chunk({ content: [{ type: "refusal", refusal: "I will not" }] }) + chunk({}, "stop"), true],
    ["whole", whole({ content: null, refusal: "I will not" }), true],
    ["none", chunk({ content: "I will not", refusal: null }) + chunk({}, "stop"), false],
    ["none, whole", whole({ content: "I will not", refusal: null }), false]
  ])("%s", (_, body, refused) => {
    const { chat } = read([body])
    assert.deepInclude(chat, { text: "I will not", refused })
  })
})

describe("calls of tools", () => {
  const call = (index: number | undefined, id: string | undefined, name: string | undefined, args: unknown) =>
    chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: args } }] })
  const calls = (...pieces: ReadonlyArray<string>) =>
    read([...pieces, chunk({}, "tool_calls")]).events.flatMap((event): ReadonlyArray<unknown> =>
      event._tag === "ToolStarted" ? [[event.id, event.tool, event.input]] : event._tag === "Notice" ? [event.text] : []
    )

  it.each<readonly [string, ReadonlyArray<string>, ReadonlyArray<unknown>]>([
    ["one chunk", [call(0, "c", "read", '{"file_path":"F"}')], [["c", "read", { file_path: "F" }]]],
    [
      "two at once",
      [
        call(0, "c", "x", "{"),
        call(1, "d", "y", "{"),
        call(0, undefined, undefined, "}"),
        call(1, undefined, undefined, "}")
      ],
      [
        ["c", "x", {}],
        ["d", "y", {}]
      ]
    ],
    [
      "sorted by index",
      [call(1, "d", "y", "{}"), call(0, "c", "x", "{}")],
      [
        ["c", "x", {}],
        ["d", "y", {}]
      ]
    ],
    [
      "arguments that are no JSON are given as they are",
      [call(0, "c", "x", '{"a":')],
      [["c", "x", '{"a":'], "the arguments of x are not valid JSON"]
    ],
    ["none", [call(0, "c", "x", undefined)], [["c", "x", {}]]],
    ["an empty name in a later chunk", [call(0, "c", "x", "{"), call(0, "", "", "}")], [["c", "x", {}]]],
    ["nested", [call(0, "c", "x", '{"a":{"b":[1]}}')], [["c", "x", { a: { b: [1] } }]]],
    ["no name", [call(0, "c", "", "{}")], [["c", "", {}]]],
    ["an object instead of text", [call(0, "c", "x", { a: 1 })], [["c", "x", { a: 1 }]]],
    [
      "all of number 0",
      [call(0, "c", "x", "{}"), call(0, "d", "y", "{}")],
      [
        ["c", "x", {}],
        ["d", "y", {}]
      ]
    ],
    ["another id in each chunk", [call(0, "c", "x", "{"), call(0, "d", undefined, "}")], [["c", "x", {}]]],
    [
      "the old form",
      [chunk({ function_call: { name: "x", arguments: '{"a":' } }), chunk({ function_call: { arguments: "1}" } })],
      [[null, "x", { a: 1 }]]
    ]
  ])("%s", (_, pieces, expected) => assert.deepStrictEqual(calls(...pieces), expected))

  it("one that was cut is not told", () =>
    assert.deepStrictEqual(tags(read([call(0, "c", "x", '{"a":')], { cut: true })), []))
})

describe("how an answer ends", () => {
  it.each<
    readonly [
      string,
      ReadonlyArray<string | Uint8Array>,
      { readonly cut?: boolean; readonly type?: string | null },
      string | null,
      string
    ]
  >([
    ["well", [stream("a")], {}, null, "a"],
    ["without [DONE], but finished", [chunk({ content: "a" }), chunk({}, "stop")], {}, null, "a"],
    ["finished without a blank line", [chunk({ content: "a" }), chunk({}, "stop").trimEnd()], {}, null, "a"],
    [
      "with a chunk that is no JSON",
      [chunk({ content: "a" }), 'data: {"choices": oops}\n\n', chunk({ content: "b" })],
      {},
      'a part of the answer is no JSON: {"choices": oops}',
      "a"
    ],
    [
      "with an HTML page",
      ["<html><style>p{}</style><h1>Log in</h1>"],
      { type: "text/html" },
      "the server answers text/html which is not an answer of a model; check the base URL. It says: Log in",
      ""
    ],
    [
      "with bytes of something else",
      [Uint8Array.of(0x1f, 0x8b, 8, 0, 0)],
      { type: "application/gzip" },
      "the server answers application/gzip which is not an answer of a model; check the base URL. It says: \ufffd",
      ""
    ],
    ["with no choices", [usage(1, 1), "data: [DONE]\n\n"], {}, "the answer has no choices", ""],
    ["whole with no choices", ['{"choices":[]}'], {}, "the answer has no choices", ""],
    ["whole, but cut", ['{"choices":[{"mess'], { cut: true }, null, ""],
    ["whole, and broken", ['{"choices":[{"mess'], {}, "the answer is no whole JSON", ""]
  ])("%s", (_, pieces, how, broken, said) => {
    const told = read(pieces, how)
    assert.strictEqual(told.chat.broken?.trim() ?? null, broken)
    assert.strictEqual(told.text, said)
  })

  it.each<readonly [string, string, string]>([
    ["a word", "data: ping\n\n", "ping"],
    ["a comment behind the name of a field (OpenRouter through a proxy)", "data: : PROCESSING\n\n", ": PROCESSING"],
    ["a comment", ": OPENROUTER PROCESSING\n\n", ""],
    ["an event without data", "event: ping\n\n", ""],
    ["an event with a word", "event: ping\ndata: alive\n\n", "alive"],
    ["an event with an object", 'event: ping\ndata: {"type":"ping"}\n\n', '{"type":"ping"}'],
    ["a message that is no error", 'data: {"message":"queued"}\n\n', '{"message":"queued"}']
  ])("a sign of life is passed over: %s", (_, sign, told) => {
    for (const body of [sign + stream("a", "b"), chunk({ content: "a" }) + sign + stream("b")]) {
      const { chat, events } = read([body])
      assert.deepInclude(chat, { text: "ab", broken: null, done: true })
      assert.deepStrictEqual(
        events.flatMap((event) => (event._tag === "Notice" ? [event.text] : [])),
        told === "" ? [] : [`the server sent what is no part of an answer: ${told}`]
      )
    }
  })

  it("an error that is told in the middle ends it", () => {
    const told = read([
      chunk({ content: "a" }),
      'data: {"error":{"message":"overloaded","code":503}}\n\n',
      chunk({ content: "b" })
    ])
    assert.deepStrictEqual(told.chat.error, { message: "overloaded", code: 503 })
    assert.strictEqual(told.text, "a")
    assert.deepStrictEqual(read(['event: error\ndata: {"message":"x"}\n\n']).chat.error, { message: "x" })
    assert.deepStrictEqual(read(['{"error":"x"}']).chat.error, "x")
  })

  it("a whole answer is read up to a bound, and nothing of one beyond it is kept", () => {
    const piece = encoder.encode(`{${" ".repeat(1 << 20)}`)
    let body = noBody
    for (let i = 0; i < 150 && !isReadEnough(body); i++) body = readBody(body, piece, none)[0]
    assert.strictEqual(body.chat.broken, "the answer is longer than 128 MiB")
    assert.deepStrictEqual(body.pieces, [])
  })

  it("something else is looked at only so far", () => {
    let body = noBody
    for (let i = 0; i < 100; i++) body = readBody(body, encoder.encode(`<p>${"x".repeat(4_096)}`), none)[0]
    assert.isTrue(isReadEnough(body))
    assert.isBelow(
      body.pieces.reduce((sum, { length }) => sum + length, 0),
      excerptBytes + 5_000
    )
  })
})

describe("a secret in an answer", () => {
  const key = "sk-test-ABCDEFGH12345678"
  const secrets: Secrets = { values: [key], answers: secretsInAnswers([key]) }

  it("is masked wherever it stands, in however many pieces it comes", () => {
    for (let at = 0; at <= key.length; at++) {
      const told = read(
        [
          chunk({ content: `it is ${key.slice(0, at)}` }),
          chunk({ content: `${key.slice(at)}.`, reasoning: key }),
          chunk({ tool_calls: [{ id: key, function: { name: "x", arguments: JSON.stringify({ a: key }) } }] }),
          chunk({}, "tool_calls")
        ],
        { secrets }
      )
      assert.strictEqual(told.text, "it is ***.")
      assert.strictEqual(told.chat.text, "it is ***.")
      assert.notInclude(JSON.stringify(told.events), key)
    }
  })

  it("a character whose halves come apart stays whole", () => {
    const told = read(
      [
        'data: {"choices":[{"delta":{"content":"a\\ud83c"}}]}\n\n',
        'data: {"choices":[{"delta":{"content":"\\udf89b"}}]}\n\n'
      ],
      { cut: true }
    )
    assert.deepStrictEqual(
      told.events.flatMap((event) => (event._tag === "Text" ? [event.text] : [])),
      ["a", "🎉b"]
    )
  })

  it("what only begins like one is not lost", () => {
    assert.strictEqual(
      read([chunk({ content: `a ${key.slice(0, 10)}` })], { secrets, cut: true }).text,
      `a ${key.slice(0, 10)}`
    )
    assert.strictEqual(
      read([chunk({ content: "sk-" }), chunk({ content: "test is a prefix" }), chunk({}, "stop")], { secrets }).text,
      "sk-test is a prefix"
    )
  })

  it("a broken chunk that quotes it does not show it", () =>
    assert.notInclude(read([`data: {${key}\n\n`], { secrets }).chat.broken ?? "", "ABCDEFGH"))
})

describe("streams cut and garbled", () => {
  const parts = [
    stream("héllo ", "wörld 🎉"),
    chunk({ content: "a" }),
    chunk({ reasoning: "b" }),
    ": ping\r\n\r\n",
    'data: {"bro',
    "\n\n",
    "data: [DONE]\n\n",
    chunk({}, "stop"),
    chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "x", arguments: '{"a":1}' } }] }),
    usage(3, 4),
    "{",
    "[]",
    "<html>",
    'data: {"error":{"message":"no"}}\n\n',
    "\ufeff",
    "event: x\r"
  ] as const
  const Parts = Schema.Array(Schema.Literals(parts))

  it.prop(
    "are told the same wherever they are cut",
    { parts: Parts, cuts: Cuts, cut: Schema.Boolean },
    ({ cut, cuts, parts }) => {
      const bytes = encoder.encode(parts.join(""))
      assert.deepStrictEqual(read(cutAt(bytes, cuts), { cut }), read([bytes], { cut }))
    }
  )

  it.prop(
    "garbage never throws, and takes no text from before it",
    { texts: Schema.Array(Schema.String), garbage: Schema.Uint8Array, cuts: Cuts, cut: Schema.Boolean },
    ({ cut, cuts, garbage, texts }) => {
      const before = encoder.encode(texts.map((content) => chunk({ content })).join(""))
      const all = read(cutAt(Uint8Array.of(...before, ...garbage), cuts), { cut })
      assert.isTrue(all.text.startsWith(texts.join("")))
    }
  )

  it.prop("no JSON at all throws", { value: Schema.Json }, ({ value }) => {
    for (const body of [
      JSON.stringify(value),
      `data: ${JSON.stringify(value)}\n\n`,
      `data: ${JSON.stringify({ choices: [value, { index: 0, delta: value, message: value, finish_reason: value }], usage: value })}\n\n`
    ]) {
      assert.isString(read([body]).text)
    }
  })
})

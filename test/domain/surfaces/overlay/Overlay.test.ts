import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Capture from "../../../../src/domain/surfaces/overlay/Capture.ts"
import * as Menu from "../../../../src/domain/surfaces/overlay/Menu.ts"
import * as Overlay from "../../../../src/domain/surfaces/overlay/Overlay.ts"
import { addSaved, readSaved, withoutSaved } from "../../../../src/domain/surfaces/overlay/savedMessages.ts"
import * as InputTokens from "../../../../src/domain/terminal/sequences/InputTokens.ts"
import { type Key, keysIn, type PartState, start } from "../../../../src/domain/surfaces/tui/Keys.ts"
import { lineWidth } from "../../../../src/domain/surfaces/tui/Paint.ts"
import { Pieces } from "../../../support/data/inputs.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"
import { cut, Cuts } from "../../../support/data/streams.ts"

const question = {
  title: "Which way?",
  options: [
    { number: 1, label: "Short" },
    { number: 2, label: "Scenic" },
    { number: null, label: "Neither" }
  ]
}
const context: Overlay.OverlayContext = {
  tag: "one",
  cols: 80,
  status: { ...sessionStatus({ tag: "one" }), question },
  readOnly: false,
  saved: ["older", "newer\nwith two lines"],
  left: false,
  names: { command: "ctrl-]", capture: "^^", detach: "ctrl-\\", suspend: "ctrl-z" },
  captureKey: "^"
}

const keysOf = (chunks: ReadonlyArray<string>): ReadonlyArray<Key> => {
  let tokens = InputTokens.start
  let state: PartState = start
  const keys: Array<Key> = []
  const take = (next: InputTokens.Tokens): void => {
    tokens = next.state
    for (const token of next.tokens) {
      const decoded = keysIn(state, token)
      state = decoded.state
      keys.push(...decoded.keys)
    }
  }
  for (const chunk of chunks) take(InputTokens.take(tokens, Buffer.from(chunk).toString("latin1"), 0))
  while (InputTokens.timeout(tokens) !== null) take(InputTokens.flushHeld(tokens, 0))
  return keys
}

/** What becomes of an overlay by chunks of bytes, one every `gap` milliseconds. */
const type = (
  begun: Overlay.Overlay,
  chunks: ReadonlyArray<string>,
  gap: number | ReadonlyArray<number> = 500,
  own = context
) => {
  let now = 0
  let overlay: Overlay.Overlay | null = begun
  const doing: Array<Overlay.OverlayDoing> = []
  chunks.forEach((chunk, i) => {
    for (const key of keysOf([chunk])) {
      if (overlay === null) return
      const turned = Overlay.press(overlay, key, own, now)
      overlay = turned.overlay
      doing.push(...turned.doing)
    }
    now += typeof gap === "number" ? gap : (gap[i] ?? 100)
  })
  return { overlay: overlay as Overlay.Overlay | null, doing }
}
const written = (chunks: ReadonlyArray<string>, gap?: number) => {
  const { overlay } = type(Capture.start, chunks, gap)
  return overlay?._tag === "Capture"
    ? `${overlay.written.text.slice(0, overlay.written.cursor)}|${overlay.written.text.slice(overlay.written.cursor)}`
    : null
}

describe("the help over the screen", () => {
  it.each([20, 40, 80, 120])("has all its words in %i columns", (cols) => {
    const shown = (at: number) =>
      Overlay.rowsOf({ _tag: "Help", note: null, top: 0 }, { ...context, cols: at }, { cols: at, rows: 200 })
        .lines.slice(1)
        .flatMap((line) => line.map(({ text }) => text))
        .join("")
        .replaceAll(/\s+/g, "")
    assert.strictEqual(shown(cols), shown(1_000))
  })
})

it.each([
  ["ctrl-z", true],
  [null, false]
])("the help names the key that leaves to the shell (%s) where there is one", (suspend, isNamed) => {
  const shown = Overlay.rowsOf(
    { _tag: "Help", note: null, top: 0 },
    { ...context, names: { ...context.names, suspend } },
    { cols: 120, rows: 200 }
  ).lines.map((line) =>
    line
      .map(({ text }) => text)
      .join("")
      .trim()
  )
  assert.strictEqual(shown.includes(`${suspend}    leave to the shell; 'fg' comes back`), isNamed)
})

describe("the keys of a message over the screen", () => {
  it.each([20, 40, 60, 79, 80, 200])("are whole in %i columns", (cols) => {
    const { lines } = Overlay.rowsOf({ ...Capture.start, begun: "^^" }, context, { cols, rows: 5 })
    const hint = lines
      .at(-1)!
      .map(({ text }) => text)
      .join("")
      .trim()
      .split(" · ")
    assert.isTrue(hint.length > 0 && lineWidth(lines.at(-1)!) <= cols)
    const all = [
      "Enter queues",
      "Esc back",
      "⌫ types ^^",
      "Ctrl+J new line",
      "!! at once",
      "↑ earlier ones",
      "^^ saves"
    ]
    assert.deepStrictEqual(hint, all.slice(0, hint.length))
  })
})

describe("an answer over the screen", () => {
  it.each([3, 4, 5, 8])("has the option that is marked, and the cursor where one writes, in %i rows", (rows) => {
    for (const keys of [[], ["\x1b[B"], ["so"]]) {
      const { overlay } = type(Menu.menu, ["a", ...keys])
      for (const note of [null, "said"]) {
        const { cursor, lines } = Overlay.rowsOf({ ...overlay!, note }, context, { cols: 40, rows })
        const shown = lines.map((line) => line.map(({ text }) => text).join(""))
        if (cursor !== null) assert.match(shown[cursor.y]!, /^ {2}in words: /, shown.join("\n"))
        if (keys[0] === "so") assert.include(shown[cursor!.y], "so")
        else assert.include(shown.join("\n"), keys.length === 0 ? "❯ 1 Short" : "❯ 2 Scenic")
      }
    }
  })
})

describe("keys over the screen", () => {
  it.each<readonly [bytes: string, key: string]>([
    ["\r", "enter"],
    ["\x1b[13u", "enter"],
    ["\x1b[13;2u", "shift+enter"],
    ["\x1b[27;2;13~", "shift+enter"],
    ["\x1b\r", "alt+enter"],
    ["\n", "ctrl+j"],
    ["\x1b", "escape"],
    ["\x1b[27u", "escape"],
    ["\x03", "ctrl+c"],
    ["\x1b[99;5u", "ctrl+c"],
    ["\x1b[A", "up"],
    ["\x1bOB", "down"],
    ["\x1b[1;5D", "ctrl+left"],
    ["\x1bf", "alt+f"],
    ["\x1b[3~", "delete"],
    ["\x1b[127;3u", "alt+backspace"],
    ["\x1b[1089::99;5u", "ctrl+c"],
    ["\x1b[1089;5u", "ctrl+c"],
    ["\x1b[1086::106;5u", "ctrl+j"],
    ["\x1b[1080::98;3u", "alt+b"],
    ["\x1bи", "alt+b"],
    ["\x1b[1092::97;;1092u", "text:ф"],
    ["\x1b[1092:1060:97;2u", "text:Ф"],
    ["\x1b[97u", "text:a"],
    ["\x1b[97:65;2u", "text:A"],
    ["é日🎉", "text:é日🎉"],
    ["\x1bOq", "text:1"],
    ["\x1b[200~a\r\nb^^\x1b[201~", "paste:a\nb^^"]
  ])("%j is %s", (bytes, key) => {
    const found = keysOf([bytes]).map((one) => ("text" in one ? `${one.key}:${one.text}` : one.key))
    assert.deepStrictEqual(found, [key])
  })

  it.prop(
    "are the same however their bytes are cut",
    { pieces: Pieces, cuts: Cuts },
    ({ cuts, pieces }) => {
      const text = Buffer.from(pieces.join(""), "latin1").toString()
      const whole = (chunks: ReadonlyArray<string>) =>
        keysOf(chunks).reduce<ReadonlyArray<string>>((all, one) => {
          if (!("text" in one)) return [...all, one.key]
          const last = all.at(-1)
          return one.key === "text" && last?.startsWith("text:") === true
            ? [...all.slice(0, -1), last + one.text]
            : [...all, `${one.key}:${one.text}`]
        }, [])
      // between characters: the harness turns text into bytes
      assert.deepStrictEqual(whole(cut(text, cuts)), whole([text]))
    },
    { arbitrary: { runs: 300 } }
  )
})

describe("a message written over the screen", () => {
  it.each<readonly [what: string, chunks: ReadonlyArray<string>, text: string | null]>([
    ["is edited", ["helo", "\x1b[D", "l", "\x1b[F", "!"], "hello!|"],
    ["has lines", ["one", "\n", "two", "\x1b[A", "X"], "oneX|\ntwo"],
    ["takes a paste as it is", ["\x1b[200~a\nb!!^^\x1b[201~"], "a\nb!!^^|"],
    ["loses words and lines", ["one two", "\x17", "x", "\n", "yy", "\x15"], "one x\n|"],
    ["counts characters as people do", ["a🎉👩‍👩‍👧", "\x7f", "\x7f"], "a|"],
    ["is left by Escape", ["text", "\x1b"], null],
    ["and by Ctrl+C", ["text", "\x03"], null]
  ])("%s", (_, chunks, text) => assert.strictEqual(written(chunks), text))

  it("is queued by Enter, or goes at once behind !!; alone that means the one that waits", () => {
    assert.deepStrictEqual(type(Capture.start, ["two\nlines", "\r"]), {
      overlay: null,
      doing: [{ _tag: "Send", text: "two\nlines", force: false }]
    })
    const forced = type(Capture.start, ["!", "!", "now", "\r"], 100)
    assert.deepStrictEqual(forced.doing, [{ _tag: "Send", text: "now", force: true }])
    assert.deepStrictEqual(type(Capture.start, ["!", "!", "\r"], 100).doing, [{ _tag: "ForceNext" }])
    assert.deepStrictEqual(type(Capture.start, ["!", "!", "now", "\r"], 300).doing, [
      { _tag: "Send", text: "!!now", force: false }
    ])
    assert.deepStrictEqual(type(Capture.start, ["  ", "\r"]), { overlay: null, doing: [] })
  })

  it("is saved by the key that begins one, and saved ones come back", () => {
    const saved = type(Capture.start, ["keep", "^", "^"], [400, 100])
    assert.deepStrictEqual(saved.doing, [{ _tag: "Save", text: "keep" }])
    assert.strictEqual(saved.overlay?._tag === "Capture" ? saved.overlay.written.text : null, "")
    assert.strictEqual(written(["x", "^", "^"], 300), "x^^|", "too slowly it is text")
    assert.strictEqual(written(["2", "^", "^", "3"], 120), "2^^3|", "and within a text")
    assert.deepStrictEqual(type(Capture.start, ["keep", "^^"], 60).doing, [{ _tag: "Save", text: "keep" }], "one read")
    assert.strictEqual(written(["keep", "^^"], 20), "keep^^|", "but in a burst")
    assert.strictEqual(written(["^^"]), "^^|", "where nothing is to be saved it is text")
    assert.strictEqual(written(["^", "^"], 100), "^^|")
    assert.deepStrictEqual(type(Capture.start, ["!!", "now\r"]).doing, [{ _tag: "Send", text: "now", force: true }])
    assert.strictEqual(written(["mine", "\x1b[A"]), "newer\nwith two lines|")
    assert.strictEqual(written(["mine", "\x1b[A", "\x1b[A"]), "older|")
    assert.strictEqual(written(["mine", "\x1b[A", "\x1b[A", "\x1b[A"]), "older|", "there is none before it")
    assert.strictEqual(written(["mine", "\x1b[A", "\x1b[A", "\x1b[B", "\x1b[B"]), "mine|", "what was written is there")
    assert.strictEqual(written(["\x1b[A", "+"]), "newer\nwith two lines+|", "and can be changed")
  })
})

describe("what is long in a message", () => {
  const many = Array.from({ length: 5000 }, (_, i) => `line ${i}`).join("\n")
  const shown = (overlay: Overlay.Overlay | null, size = { cols: 60, rows: 12 }) =>
    Overlay.rowsOf(overlay!, context, size).lines.map((line) => line.map(({ text }) => text).join(""))

  it("is folded where it is pasted, and sent whole", () => {
    const pasted = type(Capture.start, ["see ", `\x1b[200~${many}\x1b[201~`, " please"])
    assert.deepStrictEqual(shown(pasted.overlay).slice(1), [" ❯ see [pasted text, 5000 lines] please"])
    assert.deepStrictEqual(type(pasted.overlay!, ["\r"]).doing, [
      { _tag: "Send", text: `see ${many} please`, force: false }
    ])
    assert.deepStrictEqual(type(pasted.overlay!, ["\x1b"]).doing, [{ _tag: "Keep", text: `see ${many} please` }])
    assert.strictEqual(Capture.draftOf(pasted.overlay as Capture.Capture), `see ${many} please`)
    const less = type(pasted.overlay!, ["\x1b[D".repeat(7), "\x7f", "\r"])
    assert.deepStrictEqual(
      less.doing,
      [{ _tag: "Send", text: "see  please", force: false }],
      "it goes as one character"
    )
  })

  it("is folded where it comes back", () => {
    const back = type(Capture.start, ["mine", "\x1b[A"], 500, { ...context, saved: [many] }).overlay
    assert.include(shown(back).join("\n"), "[pasted text, 5000 lines]")
    assert.deepStrictEqual(type(back!, ["\x1b[B", "\r"], 500, { ...context, saved: [many] }).doing, [
      { _tag: "Send", text: "mine", force: false }
    ])
    assert.deepStrictEqual(type(Capture.again(many, false, "no"), ["\r"]).doing, [
      { _tag: "Send", text: many, force: false }
    ])
  })
})

describe("a sentence with carets in a message", () => {
  it.prop(
    "is sent as it was typed, 20 to 300 ms a key",
    {
      words: Schema.NonEmptyArray(Schema.Literals(["2^^3", "job", "^^", "^", "^_^", "x^2", "^^^", "(^^)", "日本^^"])),
      gaps: Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 20, maximum: 300 })))
    },
    ({ gaps, words }) => {
      const text = words.join(" ")
      const typed = [...text, "\r"]
      const { doing } = type(
        Capture.start,
        typed,
        typed.map((_, i) => gaps[i % gaps.length] ?? 20)
      )
      assert.deepStrictEqual(doing, [{ _tag: "Send", text, force: false }])
    },
    { arbitrary: { runs: 2000 } }
  )
})

describe("the menu", () => {
  const from = (chunks: ReadonlyArray<string>, own = context) => type(Menu.menu, chunks, 500, own)

  it("leads where its letters say", () => {
    assert.strictEqual(from(["q"]).overlay?._tag, "Queue")
    // nothing has failed there
    assert.deepStrictEqual(from(["q", "t"]).doing, [])
    assert.strictEqual(from(["?"]).overlay?._tag, "Help")
    assert.strictEqual(from(["m"]).overlay?._tag, "Capture")
    assert.strictEqual(from(["ь"]).overlay?._tag, "Capture", "the key of m on a Russian keyboard")
    assert.strictEqual(from(["μ"]).overlay?._tag, "Capture", "and on a Greek one")
    assert.deepStrictEqual(from(["d"]), { overlay: null, doing: [{ _tag: "Detach" }] })
    assert.deepStrictEqual(from(["n"]).doing, [{ _tag: "Next" }])
    assert.deepStrictEqual(from(["k"]).doing, [{ _tag: "PressCommandKey" }])
    // Escape leaves the menu for good, from each of its views: what is typed next is the CLI's
    for (const view of ["?", "q", "w", "o", "x", "a"]) assert.isNull(from([view, "\x1b"]).overlay, view)
    assert.isNull(from(["\x1b"]).overlay)
    assert.isNull(from(["q", "\x03"]).overlay)
  })

  const waits = (id: string, more: object = {}) =>
    ({
      id,
      text: `text of ${id}`,
      images: [],
      queuedAt: "",
      status: "queued",
      force: false,
      why: null,
      ...more
    }) as const
  const queued: Overlay.OverlayContext = {
    ...context,
    status: { ...context.status!, queue: [waits("AAAA"), waits("BBBB", { status: "held" }), waits("CCCC")] }
  }
  it.each<readonly [keys: ReadonlyArray<string>, call: object]>([
    [["d"], { _tag: "QueueRemove", id: "AAAA" }],
    [["\x1b[3~"], { _tag: "QueueRemove", id: "AAAA" }],
    [["h"], { _tag: "QueueHold", id: "AAAA" }],
    [["f"], { _tag: "QueueForce", id: "AAAA" }],
    [["J"], { _tag: "QueueMove", id: "AAAA", position: 2 }],
    [["\x1b[B", "h"], { _tag: "QueueRelease", id: "BBBB" }],
    [["\x1b[B", "\x1b[B", "\x1b[B", "K"], { _tag: "QueueMove", id: "CCCC", position: 2 }],
    [["H"], { _tag: "QueueHold", id: null }],
    [["R"], { _tag: "QueueRelease", id: null }],
    [["c", "y"], { _tag: "QueueClear" }],
    [["e", " and more", "\r"], { _tag: "QueueEdit", id: "AAAA", text: "text of AAAA and more" }],
    [["e", "!", "!", "\r"], { _tag: "QueueEdit", id: "AAAA", text: "text of AAAA!!" }]
  ])("changes the queue, and stays there: %j", (keys, call) => {
    const { doing, overlay } = from(["q", ...keys], queued)
    assert.deepStrictEqual(doing, [{ _tag: "Do", call } as Overlay.OverlayDoing])
    assert.strictEqual(overlay?._tag, "Queue")
  })

  it("asks before the queue is emptied, and leaves a message as it was where nothing was changed", () => {
    const asked = from(["q", "c"], queued)
    assert.deepStrictEqual([asked.overlay?._tag, asked.doing], ["Choose", []])
    assert.deepStrictEqual(from(["q", "c", "x"], queued).doing, [])
    assert.deepStrictEqual(from(["q", "c", "n"], queued).overlay?._tag, "Queue")
    for (const keys of [["\r"], ["\x1b"], ["\x15", "\r"]]) {
      const { doing, overlay } = from(["q", "e", ...keys], queued)
      assert.deepStrictEqual([overlay?._tag, doing], ["Queue", []], JSON.stringify(keys))
    }
    assert.deepStrictEqual(from(["q", "e", " more", "\x1b"], queued).doing, [
      { _tag: "Keep", text: "text of AAAA more" }
    ])
  })

  it("puts no edit over a text that came from elsewhere meanwhile without a word", () => {
    const { overlay } = from(["q", "e", " mine"], queued)
    const theirs = { ...queued, status: { ...queued.status!, queue: [waits("AAAA", { text: "theirs" })] } }
    const once = type(overlay!, ["\r"], 0, theirs)
    assert.include(once.overlay?.note ?? "", "changed meanwhile to “theirs”")
    assert.deepStrictEqual(once.doing, [])
    assert.deepStrictEqual(type(once.overlay!, ["\r"], 0, theirs).doing, [
      { _tag: "Do", call: { _tag: "QueueEdit", id: "AAAA", text: "text of AAAA mine" } }
    ])
  })

  it("sets modes, mutes, interrupts, stops when that is confirmed, and says why", () => {
    const calls = (keys: ReadonlyArray<string>, own = context) =>
      from(keys, own).doing.map((doing) => ("call" in doing ? doing.call : doing))
    assert.deepStrictEqual(calls(["o", "a"]), [{ _tag: "SetModes", modes: { autoSend: "always" } }])
    assert.deepStrictEqual(calls(["o", "m"]), [{ _tag: "SetModes", modes: { mute: "on" } }])
    assert.deepStrictEqual(calls(["o", "h"]), [{ _tag: "SetModes", modes: { mute: "1970-01-01T01:00:00.000Z" } }])
    assert.deepStrictEqual(calls(["x"]), [])
    assert.deepStrictEqual(calls(["x", "n"]), [])
    assert.deepStrictEqual(calls(["x", "y"]), [{ _tag: "Stop", force: false }])
    assert.deepStrictEqual(calls(["x", "k"]), [{ _tag: "Stop", force: true }])
    const runs = { ...context, status: { ...context.status!, state: "running" as const } }
    assert.deepStrictEqual(calls(["i"], runs), [{ _tag: "Interrupt" }])
    assert.deepStrictEqual(calls(["i"], { ...context, status: { ...context.status!, state: "idle" } }), [])
    const asked = from(["w"])
    assert.deepStrictEqual(asked.doing, [{ _tag: "Ask", call: { _tag: "Why" } }])
    const read = Overlay.read(asked.overlay!, "idle  the rule\nready yes")
    const { lines } = Overlay.rowsOf(read, context, { cols: 60, rows: 10 })
    assert.include(lines.map((line) => line.map(({ text }) => text).join("")).join("\n"), "the rule")
    assert.deepStrictEqual(Overlay.read(Menu.menu, "late"), Menu.menu)
  })

  it("lists what failed with why, and tries it again; not where one only watches", () => {
    const message = (text: string, more: object) =>
      ({ id: `01A${text}`, text, images: [], queuedAt: "", status: "held", force: false, why: null, ...more }) as const
    const pause = { kind: "auth", since: "", until: null, text: "log in first" } as const
    const why = "its turn failed: no"
    const queue = [message("lost", { status: "done", outcome: "failed", why }), message("behind", {})]
    const failing = { ...context, status: { ...context.status!, queue, pause } }
    const view = from(["q"], failing).overlay
    const { lines } = Overlay.rowsOf(view!, failing, { cols: 100, rows: 12 })
    const text = lines
      .map((line) =>
        line
          .map(({ text }) => text)
          .join("")
          .trimEnd()
      )
      .join("\n")
    assert.match(text, /waits: log in first\n❯1\. \S+ failed lost \(its turn failed: no\)/)
    assert.match(text, / 2\. \S+ held behind/)
    assert.match(text, / t retry\s+d remove\s+T retry what failed\s+R release all\s+c clear$/)
    const done = (keys: ReadonlyArray<string>, own = failing) =>
      from(keys, own).doing.map((doing) => (doing._tag === "Do" ? doing.call : doing))
    assert.deepStrictEqual(done(["q", "t"]), [{ _tag: "QueueRetry", id: "01Alost" }])
    assert.deepStrictEqual(done(["q", "T"]), [{ _tag: "QueueRetry", id: null }])
    assert.deepStrictEqual(done(["q", "\x1b[B", "h"]), [{ _tag: "QueueRelease", id: "01Abehind" }])
    for (const key of ["t", "T", "d", "R", "c", "e"])
      assert.deepStrictEqual(from(["q", key, "y"], { ...failing, readOnly: true }).doing, [], key)
  })

  /** The dialog that was seen goes with its answer. */
  const answered = (answer: string): Overlay.OverlayDoing => ({
    _tag: "Do",
    call: { _tag: "Answer", answer, question }
  })

  it("answers only with Enter: a number marks, an arrow moves, words are words", () => {
    assert.deepStrictEqual(from(["a", "2"]).doing, [])
    assert.deepStrictEqual(from(["a", "2", "\r"]), { overlay: null, doing: [answered("2")] })
    assert.deepStrictEqual(from(["a", "\x1b[B", "\x1b[B", "\x1b[B", "\r"]).doing, [answered("Neither")])
    assert.deepStrictEqual(from(["a", "go home", "\r"]).doing, [answered("go home")])
  })

  it("answers nothing that is not asked any more, and nothing where one only watches", () => {
    const gone = { ...context, status: { ...context.status!, question: null } }
    assert.deepStrictEqual(from(["a"], gone), {
      overlay: { _tag: "Menu", note: "nothing is asked that can be answered from here" },
      doing: []
    })
    const other = { ...context, status: { ...context.status!, question: { ...question, title: "Delete all?" } } }
    const { overlay } = from(["a"])
    const late = type(overlay!, ["\r"], 0, other)
    assert.deepStrictEqual([late.overlay?._tag, late.doing], ["Menu", []])
    for (const letter of ["a", "m", "i", "o", "x"]) {
      const read = from([letter], { ...context, readOnly: true })
      assert.deepStrictEqual([read.overlay?._tag, read.doing], ["Menu", []])
    }
  })

  it.prop(
    "and all that lies over a screen fits it",
    {
      cols: Schema.Int.check(Schema.isBetween({ minimum: 20, maximum: 90 })),
      rows: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 20 })),
      keys: Schema.Array(
        Schema.Literals([
          "a",
          "m",
          "q",
          "e",
          "c",
          "o",
          "w",
          "x",
          "?",
          "\x1b",
          "word ",
          "日本語",
          "\n",
          "\x1b[A",
          "\x1b[D",
          "\x7f",
          "!",
          "^",
          "2"
        ])
      )
    },
    ({ cols, keys, rows }) => {
      const { overlay } = type(Menu.menu, keys, 100, queued)
      if (overlay === null) return
      const { cursor, lines } = Overlay.rowsOf(overlay, queued, { cols, rows })
      assert.isAtLeast(lines.length, 1)
      assert.isAtMost(lines.length, rows)
      for (const line of lines) assert.isAtMost(lineWidth(line), cols)
      if (cursor !== null) assert.isTrue(cursor.x >= 0 && cursor.x < cols && cursor.y >= 0 && cursor.y < lines.length)
    },
    { arbitrary: { runs: 300 } }
  )
})

it("keeps its height where a row less is needed, so that the session is not drawn anew for a hint", () => {
  const rows = (count: number) => ({ lines: Array.from({ length: count }, () => []), cursor: null })
  const heights = [0, 2, 3, 4, 5].map((before) => Overlay.steady(rows(3), before).lines.length)
  assert.deepStrictEqual(heights, [3, 3, 3, 4, 3])
})

describe("a message that takes over what stood in the CLI's box", () => {
  const back = { _tag: "PutBack", text: "in the box" }

  it.each<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>, ReadonlyArray<object>]>([
    ["Enter sends it", [], ["\r"], [{ _tag: "Send", text: "in the box", force: false }]],
    ["behind it stands what was written", ["more"], ["\r"], [{ _tag: "Send", text: "in the box more", force: false }]],
    ["the cursor stays", ["a\x1b[D"], ["b\r"], [{ _tag: "Send", text: "in the box ba", force: false }]],
    ["Esc keeps nothing of it where nothing was written", [], ["\x1b"], [back]],
    ["Ctrl+C too", [], ["\x03"], [back]],
    ["emptied, Enter puts it back", [], ["\x15\r"], [back]],
    ["saved, it is not put back", [], ["^^", "\x1b"], [{ _tag: "Save", text: "in the box" }]],
    [
      "it is before a saved one that is shown",
      ["\x1b[A"],
      ["\x1b[B\r"],
      [{ _tag: "Send", text: "in the box", force: false }]
    ]
  ])("%s", (_, chunks, after, doing) => {
    const own = { ...context }
    const begun = type(Capture.start, chunks, 500, own).overlay
    if (begun?._tag !== "Capture") throw new Error("it is closed")
    const gap = after.length > 1 ? 100 : 500
    assert.deepStrictEqual<ReadonlyArray<object>>(type(Capture.takenOver(begun, "in the box"), after, gap).doing, doing)
  })
})

describe("saved messages", () => {
  it("are kept in their order, each once, whatever is in the file", () => {
    const one = addSaved(null, "one")
    const two = addSaved(addSaved(one, "two\n日本"), "one")
    assert.deepStrictEqual(readSaved(two), ["two\n日本", "one"])
    assert.deepStrictEqual(readSaved(new TextEncoder().encode('{"messages": ["a", 5, "b"')), ["a", "b"])
    assert.deepStrictEqual(readSaved(new TextEncoder().encode("nonsense")), [])
    let many: Uint8Array | null = null
    for (let i = 0; i < 105; i++) many = addSaved(many, `${i}`)
    assert.deepStrictEqual([readSaved(many).length, readSaved(many)[0]], [100, "5"])
    assert.deepStrictEqual(readSaved(addSaved(many, "left", 20)).length, 20)
    assert.deepStrictEqual(readSaved(withoutSaved(two, "one")), ["two\n日本"])
  })
})

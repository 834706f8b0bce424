import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as InputPath from "../../../../src/domain/surfaces/overlay/InputPath.ts"
import { detachKey } from "../../../../src/domain/terminal/sequences/DetachKey.ts"
import * as InputTokens from "../../../../src/domain/terminal/sequences/InputTokens.ts"
import { Pieces } from "../../../support/data/inputs.ts"
import { cut, Cuts } from "../../../support/data/streams.ts"

const keys: InputPath.AttachKeys = {
  detach: detachKey()!,
  command: detachKey("ctrl-]"),
  capture: "^",
  suspend: detachKey("ctrl-z"),
  recall: false
}
const recalling = { ...keys, recall: true }

/** What becomes of chunks that come so many milliseconds after each other, and of what is held in the end. */
const path = (
  chunks: ReadonlyArray<string>,
  gaps: number | ReadonlyArray<number>,
  own = keys,
  open = false
): ReadonlyArray<string> => {
  /** When each comes, and when the last has been waited for. */
  const times = [0]
  for (const i of chunks.keys()) times.push((times[i] ?? 0) + (typeof gaps === "number" ? gaps : (gaps[i] ?? 100)))
  const end = times.at(-1) ?? 0
  let tokens = InputTokens.start
  let state = InputPath.start
  const actions: Array<InputPath.PathAction> = []
  const take = (next: InputTokens.Tokens, now: number): void => {
    tokens = next.state
    for (const token of next.tokens) {
      const routed = InputPath.route(own, state, token, open, now)
      state = routed.state
      actions.push(...routed.actions)
    }
  }
  chunks.forEach((chunk, i) => {
    const now = times[i] ?? 0
    take(InputTokens.take(tokens, chunk, now), now)
    if (InputPath.timeout(state, times[i + 1] ?? now) === 0) {
      const routed = InputPath.flushHeld(state)
      state = routed.state
      actions.push(...routed.actions)
    }
  })
  while (InputTokens.timeout(tokens) !== null) take(InputTokens.flushHeld(tokens, end), end)
  actions.push(...InputPath.flushHeld(state).actions)
  const out: Array<string> = []
  for (const action of actions) {
    const text =
      action._tag === "Forward"
        ? action.data
        : action._tag === "Overlay"
          ? `<over ${action.token.data}>`
          : action._tag === "Capture"
            ? "<Capture>"
            : action._tag === "Arrow"
              ? `<${action.older ? "older" : "newer"} ${action.data}>`
              : `<${action._tag}>`
    if (action._tag === "Forward" && out.length > 0 && !out.at(-1)!.startsWith("<")) out[out.length - 1] += text
    else out.push(text)
  }
  return out
}

describe("the way of what is typed", () => {
  it.each<
    readonly [
      what: string,
      chunks: ReadonlyArray<string>,
      gap: number | ReadonlyArray<number>,
      out: ReadonlyArray<string>
    ]
  >([
    ["keys are the CLI's", ["he", "llo\r", "\x1b[A\x1b[<0;1;1M\x1b[I"], 5, ["hello\r\x1b[A\x1b[<0;1;1M\x1b[I"]],
    ["the detach key, in each encoding", ["a\x1c"], 5, ["a", "<Detach>"]],
    ["cut in the middle", ["a\x1b", "[92;", "5u", "b"], 5, ["a", "<Detach>", "b"]],
    ["the key that leaves to the shell", ["a\x1a", "b"], 5, ["a", "<Suspend>", "b"]],
    ["as kitty has it, cut", ["\x1b[122", ";5u"], 5, ["<Suspend>"]],
    ["in a paste it is text", ["\x1b[200~\x1a\x1b[201~"], 5, ["\x1b[200~\x1a\x1b[201~"]],
    ["arrows, however they are written", ["\x1b[A\x1bOB", "\x1b[1;1A\x1b[1;5B"], 5, ["\x1b[A\x1bOB\x1b[1;1A\x1b[1;5B"]],
    ["an arrow behind a caret", ["^\x1b[A"], 5, ["^\x1b[A"]],
    ["the command key", ["a\x1d", "b"], 5, ["a", "<Command>", "b"]],
    ["as kitty has it", ["\x1b[93;5u"], 5, ["<Command>"]],
    ["on a Russian keyboard", ["\x1b[1098::93;5u\x1b[1103::122;5u"], 5, ["<Command>", "<Suspend>"]],
    ["on a Ukrainian one", ["\x1b[1169::92;5u", "\x1b[1111;5u"], 5, ["<Detach>", "<Command>"]],
    ["two carets begin a message", ["^", "^", "y"], 100, ["<Capture>", "y"]],
    ["in one read, too", ["^^"], 5, ["<Capture>"]],
    ["behind a text they are text", ["x", "^", "^", "y"], 100, ["x^^y"]],
    ["behind a blank they are, too", ["job ", "^", "^", "\r"], 100, ["job ^^\r"]],
    ["unless that was a while ago", ["x", "^", "^", "y"], [400, 100], ["x", "<Capture>", "y"]],
    ["or was sent", ["x\r", "^", "^"], 50, ["x\r", "<Capture>"]],
    ["or left", ["x", "\x03", "^", "^"], 50, ["x\x03", "<Capture>"]],
    ["in one read they are text in a burst alone", ["x", "^^", "y"], 20, ["x^^y"]],
    ["as fingers do not type them", ["x", "^^"], 60, ["x", "<Capture>"]],
    ["behind an arrow, which moves in a text", ["x", "\x1b[D", "^", "^"], 100, ["x\x1b[D^^"]],
    ["behind one that was typed too slowly", ["^", "^", "^"], [250, 100], ["^^^"]],
    [
      "as kitty has them, with releases between",
      ["\x1b[94u", "\x1b[94;1:3u", "\x1b[94u"],
      50,
      ["\x1b[94;1:3u", "<Capture>"]
    ],
    ["as kitty has them, in one read", ["\x1b[54:94;2u\x1b[54:94;2u"], 50, ["<Capture>"]],
    ["shifted from another key", ["\x1b[54:94;2u", "\x1b[54:94;2u"], 50, ["<Capture>"]],
    ["two carets too slowly are two", ["^", "^"], 201, ["^^"]],
    ["one is the CLI's", ["^", "x"], 50, ["^x"]],
    ["one alone, too", ["^"], 50, ["^"]],
    ["with other keys between", ["^", "\x1b[D", "^"], 50, ["^\x1b[D^"]],
    ["in a text that comes at once they are text", ["a ^^ b"], 5, ["a ^^ b"]],
    ["in a paste everything is", ["\x1b[200~^^\x1c\x1d\x1b[201~"], 5, ["\x1b[200~^^\x1c\x1d\x1b[201~"]],
    ["Ctrl+^ is another key", ["\x1e", "\x1e", "\x1b[94;5u", "\x1b[94;5u"], 5, ["\x1e\x1e\x1b[94;5u\x1b[94;5u"]],
    ["a focus report between keeps its place", ["^", "\x1b[I", "^"], 50, ["\x1b[I", "<Capture>"]]
  ])("%s", (_, chunks, gap, out) => assert.deepStrictEqual(path(chunks, gap), out))

  it.each<readonly [what: string, chunks: ReadonlyArray<string>, gap: number, out: ReadonlyArray<string>]>([
    ["an arrow, in its place", ["a\x1b[A\x1bOBb"], 5, ["a", "<older \x1b[A>", "<newer \x1bOB>", "b"]],
    ["cut anywhere", ["\x1b", "[", "A\x1bO", "B"], 5, ["<older \x1b[A>", "<newer \x1bOB>"]],
    [
      "as kitty has it, with Num Lock, and held",
      ["\x1b[1;129A\x1b[1;1:2B"],
      5,
      ["<older \x1b[1;129A>", "<newer \x1b[1;1:2B>"]
    ],
    ["its release is the CLI's", ["\x1b[1;1:3A"], 5, ["\x1b[1;1:3A"]],
    ["with a modifier it is the CLI's", ["\x1b[1;2A\x1b[1;5B\x1b[1;3A"], 5, ["\x1b[1;2A\x1b[1;5B\x1b[1;3A"]],
    ["in a paste it is text", ["\x1b[200~\x1b[A\x1b[201~"], 5, ["\x1b[200~\x1b[A\x1b[201~"]],
    ["behind a caret", ["^\x1b[A"], 5, ["^", "<older \x1b[A>"]],
    ["other keys are the CLI's", ["\x1b[C\x1b[5~\x10\x0e"], 5, ["\x1b[C\x1b[5~\x10\x0e"]]
  ])("where what was typed may come back: %s", (_, chunks, gap, out) =>
    assert.deepStrictEqual(path(chunks, gap, recalling), out)
  )

  it("arrows are the overlay's where something lies over the screen", () =>
    assert.deepStrictEqual(path(["\x1b[A"], 5, recalling, true), ["<over \x1b[A>"]))

  it("a message that is being written is not left behind for the shell", () =>
    assert.deepStrictEqual(path(["a\x1a"], 5, keys, true), ["<over a>", "<over \x1a>"]))

  it.each(["\x1b[<0;5;5M", "\x1b[<0;5;5m", "\x1b[<64;5;5M", "\x1b[32;5;5M", "\x1b[M !!"])(
    "what lies over the screen takes clicks, which would hit what the CLI shows below: %j",
    (report) => {
      assert.deepStrictEqual(path([`a${report}\x1b[I`], 5, keys, true), ["<over a>", `<over ${report}>`, "\x1b[I"])
      assert.deepStrictEqual(path([report], 5, keys), [report])
    }
  )

  it("what lies over the screen takes the keys, and the CLI still gets the terminal's own words", () => {
    assert.deepStrictEqual(path(["a\x1b[I\x1d\x1b[5;5R^", "^\x1c"], 5, keys, true), [
      "<over a>",
      "\x1b[I",
      "<over \x1d>",
      "\x1b[5;5R",
      "<over ^>",
      "<over ^>",
      "<Detach>"
    ])
  })

  it.prop(
    "is the CLI's byte for byte where no key of leap's is in it, whenever it comes and however it is cut",
    {
      pieces: Pieces,
      cuts: Cuts,
      gap: Schema.Literals([0, 10, 150, 300]),
      held: Schema.Boolean,
      recall: Schema.Boolean
    },
    ({ cuts, gap, held, pieces, recall }) => {
      const text = pieces.join("").replaceAll("^", held ? "^" : "")
      const own = { ...keys, ...(held ? { capture: null, command: null, suspend: null } : {}), recall }
      const out = path(cut(text, cuts), gap, own)
      // an arrow is the CLI's, too, unless its host has something to bring back
      const passed = out.flatMap(
        (one) => /^<(?:older|newer) ([^]*)>$/.exec(one)?.[1] ?? (one.startsWith("<") ? [] : one)
      )
      assert.strictEqual(passed.join(""), text)
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "leaves typed sentences with carets in them as they are, 20 to 300 ms a key",
    {
      words: Schema.NonEmptyArray(
        Schema.Literals([
          "2^^3",
          "great",
          "job",
          "^^",
          "^",
          "^_^",
          "x^2",
          "^^^",
          "a",
          "3.",
          "é^^é",
          "(^^)",
          "^^;",
          "日本^^"
        ])
      ),
      gaps: Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 20, maximum: 300 })))
    },
    ({ gaps, words }) => {
      const typed = [...`${words.join(" ")}\r`].map((char) => Buffer.from(char).toString("latin1"))
      const out = path(
        typed,
        typed.map((_, i) => gaps[i % gaps.length] ?? 20)
      )
      const begins = typed[0] === "^" && typed[1] === "^" && (gaps[0] ?? 20) <= InputPath.captureMs
      // at the beginning, with nothing before them, they are the key
      assert.deepStrictEqual(out, begins ? ["<Capture>", typed.slice(2).join("")] : [typed.join("")])
    },
    { arbitrary: { runs: 2000 } }
  )

  it.prop(
    "loses nothing but the keys that leap takes",
    { pieces: Schema.Array(Schema.Literals(["^", "^^", "a", "\x1d", "\x1b[I", "\x1b[A", "\x1b[200~^\x1b[201~", "é"])) },
    ({ pieces }) => {
      const out = path(
        pieces.map((piece) => Buffer.from(piece).toString("latin1")),
        100
      )
      const taken = out.reduce((sum, one) => sum + (one === "<Capture>" ? 2 : one === "<Command>" ? 1 : 0), 0)
      const text = Buffer.from(pieces.join("")).toString("latin1")
      const forwarded = out.filter((one) => !one.startsWith("<")).join("")
      assert.strictEqual(forwarded.length + taken, text.length)
      assert.strictEqual(forwarded.replaceAll("^", ""), text.replaceAll("^", "").replaceAll("\x1d", ""), "in order")
    },
    { arbitrary: { runs: 500 } }
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decode, type DemoKey, flushPending } from "../../src/demoCli/keys.ts"

/** Everything that a stream of chunks means, text joined over chunk borders. */
const read = (...chunks: ReadonlyArray<string>): ReadonlyArray<DemoKey> => {
  let pending = ""
  const keys: Array<DemoKey> = []
  const take = (key: DemoKey) => {
    const last = keys.at(-1)
    if (key.key === "text" && last?.key === "text") keys[keys.length - 1] = { key: "text", text: last.text + key.text }
    else keys.push(key)
  }
  for (const chunk of chunks) {
    const decoded = decode(pending, chunk)
    decoded.keys.forEach(take)
    pending = decoded.pending
  }
  flushPending(pending).keys.forEach(take)
  return keys
}

const session =
  "hé漢🎉\r\x1b[200~two\r\nlines\x1b[31m\x1b[201~\x1b[A\x1bOB\x1b[Z\x1b[I\x1b[O\x1b[?1u\x1b]7501;?\x1b\\\x1b]11;rgb:0/0/0\x07\x1bP>|xterm\x1b\\\x1b[27u\x1b[13;2u\n\x7f\x03x"

describe("keys", () => {
  it("reads text, keys, pastes and replies", () => {
    assert.deepStrictEqual(read(session), [
      { key: "text", text: "hé漢🎉" },
      { key: "enter" },
      { key: "paste", text: "two\nlines\x1b[31m" },
      { key: "up" },
      { key: "down" },
      { key: "shift-tab" },
      { key: "focus" },
      { key: "blur" },
      { key: "reply", to: "keyboard" },
      { key: "reply", to: "status" },
      { key: "escape" },
      { key: "newline" },
      { key: "newline" },
      { key: "backspace" },
      { key: "ctrl-c" },
      { key: "text", text: "x" }
    ])
  })

  it.prop(
    "chunk borders change nothing",
    { cuts: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: session.length }))) },
    ({ cuts }) => {
      const ends = [...cuts].sort((a, b) => a - b).concat(session.length)
      assert.deepStrictEqual(read(...ends.map((end, i) => session.slice(ends[i - 1] ?? 0, end))), read(session))
    }
  )

  it.prop(
    "nothing it reads makes it throw or hang",
    {
      bytes: Schema.Array(Schema.Literals(["\x1b", "[", "]", "O", "2", "00~", "1~", ";", "u", "\x07", "\\", "a", "\r"]))
    },
    ({ bytes }) => {
      const { pending } = decode("", bytes.join(""))
      assert.isTrue(pending === "" || pending.startsWith("\x1b"))
    }
  )

  it("a lone ESC is Escape only when nothing follows", () => {
    assert.deepStrictEqual(decode("", "\x1b"), { keys: [], pending: "\x1b" })
    assert.deepStrictEqual(flushPending("\x1b").keys, [{ key: "escape" }])
    assert.deepStrictEqual(read("\x1b", "[A"), [{ key: "up" }])
    assert.deepStrictEqual(read("\x1b\x1b"), [{ key: "escape" }, { key: "escape" }])
  })

  it("an unfinished paste waits for its end", () => {
    assert.strictEqual(flushPending("\x1b[200~abc").pending, "\x1b[200~abc")
  })
})

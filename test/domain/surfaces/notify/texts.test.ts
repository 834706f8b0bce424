import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { Notice } from "../../../../src/domain/surfaces/notify/Notice.ts"
import { mutedUntil } from "../../../../src/domain/surfaces/notify/mutedUntil.ts"
import { pushRequest, targetName } from "../../../../src/domain/surfaces/notify/pushRequest.ts"
import { noticeForm, terminalNotice } from "../../../../src/domain/surfaces/notify/terminalNotice.ts"
import { momentNamed, nextMoment } from "../../../../src/domain/words/reading/DayTime.ts"
import { spanOf } from "../../../../src/domain/words/reading/span.ts"
import { quietUntil } from "../../../../src/domain/store/settings/quietSpan.ts"

const notice: Notice = {
  kind: "needs",
  tag: "one",
  title: "one needs you",
  text: "Größe; ok?",
  options: [{ number: 1, label: "Yes; now" }]
}
const text = (bytes: string): string => Buffer.from(bytes, "latin1").toString()

describe("a notice", () => {
  it("is told a terminal by what it reads", () => {
    assert.strictEqual(terminalNotice(notice, "bell", {}), "\x07")
    assert.strictEqual(terminalNotice(notice, "off", {}), "")
    assert.strictEqual(
      text(terminalNotice(notice, "osc9", {})),
      "\x1b]9;leap: one needs you: Größe; ok? · 1. Yes; now\x1b\\"
    )
    assert.strictEqual(
      text(terminalNotice(notice, "osc777", {})),
      "\x1b]777;notify;leap: one needs you;Größe, ok? · 1. Yes, now\x1b\\"
    )
    const [, title, body] = /p=title;(\S+)\x1b\\.*p=body;(\S+)\x1b\\/.exec(terminalNotice(notice, "osc99", {})) ?? []
    assert.deepStrictEqual(
      [title, body].map((part) => Buffer.from(part ?? "", "base64").toString()),
      ["leap: one needs you", "Größe; ok? · 1. Yes; now"]
    )
  })

  it.each([
    [{ TERM: "xterm-kitty" }, "osc99"],
    [{ TERM_PROGRAM: "iTerm.app" }, "osc9"],
    [{ TERM: "xterm-256color", LC_TERMINAL: "iTerm2" }, "osc9"],
    [{ TERM_PROGRAM: "ghostty" }, "osc777"],
    [{ TERM: "xterm-256color" }, "bell"],
    [{ TERM: "tmux-256color", TMUX: "/tmp/x", TERM_PROGRAM: "iTerm.app" }, "bell"]
  ] as const)("%o reads %s", (env, form) => assert.strictEqual(noticeForm(env), form))

  it.prop("holds nothing that ends its sequence, whatever a CLI wrote", { said: Schema.String }, ({ said }) => {
    const nasty = { ...notice, title: said, text: `${said}\x1b\\\x07\x9c\n;`, options: [{ number: null, label: said }] }
    for (const form of ["osc9", "osc777", "osc99"] as const) {
      const bytes = text(terminalNotice(nasty, form, {}))
      // oxlint-disable-next-line no-control-regex
      const inner = bytes.replaceAll(/\x1b\][^\x1b]*\x1b\\/g, "")
      assert.strictEqual(inner, "")
      // oxlint-disable-next-line no-control-regex
      assert.notMatch(bytes.replaceAll(/\x1b[\]\\]/g, ""), /[\x00-\x1f\x7f-\x9f]/)
    }
  })

  it("is posted as ntfy takes it, or as one object, with its token in a header alone", () => {
    const ntfy = pushRequest(notice, { url: "https://h/t", format: "ntfy" }, { "X-A": "b" }, "TOKEN", 0)
    assert.deepStrictEqual(ntfy.headers, {
      Title: "one needs you",
      Tags: "question",
      Priority: "high",
      "X-A": "b",
      Authorization: "Bearer TOKEN"
    })
    assert.strictEqual(ntfy.body, "Größe; ok?\n1. Yes; now")
    assert.strictEqual(
      pushRequest({ ...notice, title: "Größe" }, { url: "https://h/t", format: "ntfy" }, {}, null, 0).headers["Title"],
      "=?UTF-8?B?R3LDtsOfZQ==?="
    )
    const json = pushRequest(notice, { url: "https://h/t", format: "json" }, {}, "TOKEN", 0)
    assert.notInclude(json.body, "TOKEN")
    assert.deepInclude(JSON.parse(json.body), { kind: "needs", tag: "one", at: "1970-01-01T00:00:00.000Z" })
    assert.strictEqual(targetName({ url: "https://me:SECRET@h:8/SECRET?k=SECRET" }), "h:8")
  })
})

describe("times of day", () => {
  it("are in the user's zone, over the change of its clocks too", () => {
    const noon = Date.UTC(2026, 0, 1, 12)
    assert.strictEqual(nextMoment(7 * 60, noon, "Europe/Zurich"), Date.UTC(2026, 0, 2, 6))
    assert.strictEqual(nextMoment(13 * 60, noon, "Europe/Zurich"), Date.UTC(2026, 0, 2, 12), "not this very moment")
    assert.strictEqual(nextMoment(13 * 60 + 1, noon, "Europe/Zurich"), noon + 60_000)
    // clocks go from 2 to 3 o'clock
    assert.strictEqual(nextMoment(150, Date.UTC(2026, 2, 28, 20), "Europe/Zurich"), Date.UTC(2026, 2, 29, 1, 30))
    assert.strictEqual(quietUntil("22:30-07:00", Date.UTC(2026, 0, 1, 22), "Europe/Zurich"), Date.UTC(2026, 0, 2, 6))
    assert.isNull(quietUntil("22:30-07:00", Date.UTC(2026, 0, 1, 21), "UTC"))
  })

  it("name the next such moment, in the user's zone unless they say which", () => {
    const noon = Date.UTC(2026, 0, 1, 12)
    const named = (text: string) => momentNamed(text, noon, "Europe/Zurich")
    assert.strictEqual(named("06:30"), Date.UTC(2026, 0, 2, 5, 30))
    assert.strictEqual(named("90m"), noon + 5_400_000)
    assert.strictEqual(named("2026-07-01T06:30"), Date.UTC(2026, 6, 1, 4, 30))
    assert.strictEqual(named("2026-07-01T06:30Z"), Date.UTC(2026, 6, 1, 6, 30))
    for (const text of ["", "25:00", "2026-01-01T12:00", "2026-02-31T06:30", "tomorrow", "6"])
      assert.isNull(named(text))
  })

  it("and spans are read as users write them", () => {
    assert.deepStrictEqual(["90s", "1h30m", "2d", "", "h", "5", "0m"].map(spanOf), [
      90_000,
      5_400_000,
      172_800_000,
      null,
      null,
      null,
      null
    ])
    assert.strictEqual(mutedUntil("2026-01-01T00:00:00.000Z", 0), Date.UTC(2026, 0, 1))
    assert.isNull(mutedUntil("2026-01-01T00:00:00.000Z", Date.UTC(2027, 0, 1)))
    assert.isNull(mutedUntil("nonsense", 0))
  })
})

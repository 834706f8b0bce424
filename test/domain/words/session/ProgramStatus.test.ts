import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  applyReport,
  encodeReport,
  limits,
  noRecords,
  parseReport,
  processExited,
  StatusReport
} from "../../../../src/domain/words/session/ProgramStatus.ts"

const b64 = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""))
const plain = { id: "", kind: null, progress: null, app: null, title: null, message: null } as const
const report = (change: Partial<StatusReport>): StatusReport => ({ state: "working", ...plain, ...change })

describe("parseReport", () => {
  it("reads what today's CLIs write", () => {
    assert.deepStrictEqual(parseReport("state=idle:app=claude-code"), report({ state: "idle", app: "claude-code" }))
    assert.deepStrictEqual(
      parseReport("state=blocked:app=claude-code:kind=permission:msg=dHJ1c3QgdGhpcyBmb2xkZXI="),
      report({ state: "blocked", app: "claude-code", kind: "permission", message: "trust this folder" })
    )
    assert.deepStrictEqual(
      parseReport("state=working:app=claude-code:id=bs112wygx:title=UnVuIHRoZSBidWlsZA=="),
      report({ app: "claude-code", id: "bs112wygx", title: "Run the build" })
    )
    assert.deepStrictEqual(parseReport("state=clear:id=a/b"), report({ state: "clear", id: "a/b" }))
  })

  it("skips malformed pairs, ignores unknown keys, and lets the last of duplicates win", () => {
    assert.deepStrictEqual(
      parseReport("junk::=x:A=b:state=idle:state=working:future=1:app=a b:app=ok:progress=1:progress=2"),
      report({ app: "ok", progress: 2 })
    )
    assert.deepStrictEqual(parseReport("state=working:state=id\xe9le"), report({}))
  })

  it("keeps kind to blocked and progress to work", () => {
    assert.isNull(parseReport("state=working:kind=question")?.kind)
    assert.isNull(parseReport("state=blocked:kind=coffee")?.kind)
    assert.isNull(parseReport("state=done:progress=50")?.progress)
    assert.strictEqual(parseReport("state=blocked:progress=100")?.progress, 100)
    for (const progress of ["101", "-1", "1.5", "x", "", "0100"]) {
      assert.isNull(parseReport(`state=working:progress=${progress}`)?.progress, progress)
    }
  })

  it("discards the whole report at a bad id: it must not become the root's", () => {
    for (const id of [
      "",
      "a//b",
      "/a",
      "a/",
      "a b",
      "ä",
      "x".repeat(33),
      Array.from({ length: 9 }, () => "a").join("/"),
      `${"a".repeat(32)}/`.repeat(4).slice(0, -1)
    ]) {
      assert.isNull(parseReport(`state=idle:id=${id}`), id)
    }
    const deep = Array.from({ length: 8 }, () => "a".repeat(15)).join("/")
    assert.strictEqual(parseReport(`state=idle:id=${deep}`)?.id, deep)
  })

  it("discards the whole report at any limit exceeded", () => {
    const fits = b64("m".repeat(limits.message.decoded))
    assert.strictEqual(parseReport(`state=idle:msg=${fits}`)?.message?.length, limits.message.decoded)
    assert.isNull(parseReport(`state=idle:msg=${b64("m".repeat(limits.message.decoded + 1))}`))
    assert.strictEqual(parseReport(`state=idle:title=${b64("t".repeat(192))}`)?.title?.length, 192)
    assert.isNull(parseReport(`state=idle:title=${b64("t".repeat(193))}`))
    assert.strictEqual(parseReport(`state=idle:app=${"a".repeat(32)}`)?.app?.length, 32)
    assert.isNull(parseReport(`state=idle:app=${"a".repeat(33)}`))
    assert.isNotNull(parseReport(`state=idle:${"k".repeat(16)}=1`))
    assert.isNull(parseReport(`state=idle:${"k".repeat(17)}=1`))
    const padded = (length: number) => `state=idle:${"x:".repeat(3000)}`.slice(0, length)
    assert.isNotNull(parseReport(padded(limits.sequence - 9)))
    assert.isNull(parseReport(padded(limits.sequence - 8)))
  })

  it("discards text that is not base64 of one line of UTF-8", () => {
    for (const msg of ["a", "a===", "SGk==", "QQ=", "_-8=", btoa("\xff"), btoa("\xc0\x80")]) {
      assert.isNull(parseReport(`state=idle:msg=${msg}`), msg)
    }
    for (const text of ["two\nlines", "tab\t", "\x1b[m", "\x7f", "\x85", "a\u2028b"]) {
      assert.isNull(parseReport(`state=idle:msg=${b64(text)}`), text)
      assert.isNull(parseReport(`state=idle:title=${b64(text)}`), text)
    }
    assert.strictEqual(parseReport("state=idle:msg=SGk")?.message, "Hi")
    assert.strictEqual(parseReport("state=idle:msg=")?.message, "")
    assert.strictEqual(parseReport(`state=idle:msg=${b64("größer 日本 🎉")}`)?.message, "größer 日本 🎉")
  })

  it("takes characters out that reorder or hide text", () => {
    const text = "a\u202eb\u2066c\u200bd\ufeffe\u00adf\u061cg\u{e0041}h\u200f"
    assert.strictEqual(parseReport(`state=idle:msg=${b64(text)}`)?.message, "abcdefgh")
    assert.strictEqual(parseReport(`state=idle:title=${b64(text)}`)?.title, "abcdefgh")
  })

  const Body = Schema.Array(
    Schema.Literals([
      "state=idle",
      "state=working",
      "state=clear",
      "state=",
      ":",
      "=",
      "id=a",
      "id=a/b",
      "id=",
      "kind=question",
      "progress=7",
      "progress=999",
      "app=x",
      "title=SGk=",
      "title=%",
      "msg=SGk=",
      "msg=Cg==",
      "\x00",
      "\xff",
      "\x1b",
      "?",
      "k".repeat(20),
      "A".repeat(300),
      "/",
      ";"
    ])
  )
  it.prop(
    "never throws, and what it reads keeps the protocol's limits",
    { body: Body, separated: Schema.Boolean },
    ({ body, separated }) => {
      const parsed = parseReport(body.join(separated ? ":" : ""))
      if (parsed === null) return
      assert.isAtMost(parsed.id.length, limits.id)
      assert.isAtMost(parsed.app?.length ?? 0, limits.app)
      assert.notMatch(`${parsed.id}${parsed.app}${parsed.title}${parsed.message}`, /[\x00-\x1f\x7f-\x9f]/)
      assert.isTrue(parsed.progress === null || (parsed.progress >= 0 && parsed.progress <= 100))
      assert.isTrue(parsed.kind === null || parsed.state === "blocked")
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop("reads any string without harm", { body: Schema.String }, ({ body }) => {
    const parsed = parseReport(body)
    assert.isTrue(parsed === null || typeof parsed.state === "string")
  })

  const Text = Schema.NullOr(Schema.Array(Schema.Literals(["a", " ", "é", "日", "🎉", ":", "=", ";"])))
  it.prop(
    "reads back what encodeReport writes",
    {
      state: StatusReport.fields.state,
      id: Schema.Literals(["", "a", "a/b.c/d+e", "x_-1"]),
      kind: StatusReport.fields.kind,
      progress: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 }))),
      app: Schema.NullOr(Schema.Literals(["claude-code", "x"])),
      title: Text,
      message: Text
    },
    ({ message, title, ...rest }) => {
      const whole: StatusReport = { ...rest, title: title?.join("") ?? null, message: message?.join("") ?? null }
      const bytes = encodeReport(whole)
      assert.match(bytes, /^\x1b\]7501;[\x20-\x7e]*\x1b\\$/)
      const works = whole.state === "working" || whole.state === "blocked"
      assert.deepStrictEqual(parseReport(bytes.slice(7, -2)), {
        ...whole,
        kind: whole.state === "blocked" ? whole.kind : null,
        progress: works ? whole.progress : null
      })
    }
  )

  it("encodes within the limits, whatever it is given", () => {
    const bytes = encodeReport(
      report({ title: "é".repeat(500), message: "two\nlines 🎉".repeat(500), app: "no spaces", progress: 400 })
    )
    const parsed = parseReport(bytes.slice(7, -2))
    assert.isNotNull(parsed)
    assert.match(parsed?.message ?? "", /^two lines/)
    assert.strictEqual(parsed?.app, null)
    assert.strictEqual(encodeReport(report({ id: "a b" })), "")
  })
})

describe("records", () => {
  const all = (...reports: ReadonlyArray<StatusReport>) => reports.reduce(applyReport, noRecords)
  const ids = (records: ReturnType<typeof all>) => records.map(({ id }) => id)

  it("a report replaces its record whole", () => {
    const records = all(report({ id: "a", message: "old", progress: 3 }), report({ id: "a", state: "done" }))
    assert.deepStrictEqual(records, [{ ...plain, id: "a", state: "done" }])
  })

  it("clear takes a record and all below it; at the root, all", () => {
    const records = all(
      report({}),
      report({ id: "a" }),
      report({ id: "a/b" }),
      report({ id: "ab" }),
      report({ id: "c" })
    )
    assert.deepStrictEqual(ids(applyReport(records, report({ state: "clear", id: "a" }))), ["", "ab", "c"])
    assert.deepStrictEqual(applyReport(records, report({ state: "clear" })), [])
  })

  it("evicts the least recently updated", () => {
    let records = noRecords
    for (let i = 0; i < limits.records; i++) records = applyReport(records, report({ id: `r${i}` }))
    records = applyReport(records, report({ id: "r0", state: "done" }))
    records = applyReport(records, report({ id: "new" }))
    assert.strictEqual(records.length, limits.records)
    assert.isFalse(ids(records).includes("r1"))
    assert.isTrue(ids(records).includes("r0"))
    assert.strictEqual(records.at(-1)?.id, "new")
  })

  it("an exit ends work and questions, not results", () => {
    const records = all(
      report({}),
      report({ id: "b", state: "blocked" }),
      report({ id: "d", state: "done" }),
      report({ id: "e", state: "error" }),
      report({ id: "i", state: "idle" })
    )
    assert.deepStrictEqual(ids(processExited(records)), ["d", "e", "i"])
  })
})

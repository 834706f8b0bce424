import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  applyReport,
  encodeReport,
  noRecords,
  ReportState,
  type StatusReport
} from "../../../../src/domain/words/session/ProgramStatus.ts"
import * as OutputScanner from "../../../../src/domain/terminal/sequences/OutputScanner.ts"
import { toLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { dealOut } from "../../../../src/domain/terminal/relay/OutputShares.ts"
import * as ReportRelay from "../../../../src/domain/terminal/relay/ReportRelay.ts"
import { each } from "../../../support/data/fields.ts"

const none = { id: "", kind: null, progress: null, app: null, title: null, message: null } as const
const own = (state: StatusReport["state"]): StatusReport => ({ ...none, state, app: "leap-says" })

/** What a terminal holds that got these bytes. */
const records = (bytes: string) =>
  OutputScanner.scan(OutputScanner.start, bytes).segments.reduce(
    (held, segment) =>
      segment._tag === "Report" && segment.report !== null ? applyReport(held, segment.report) : held,
    noRecords
  )

type Step = { readonly cli: string } | { readonly own: StatusReport }

/** The bytes of a terminal that was there from the beginning, and the relay at the end. */
const play = (steps: ReadonlyArray<Step>) => {
  let relay = ReportRelay.start
  let scan = OutputScanner.start
  let bytes = ""
  for (const step of steps) {
    if ("own" in step) {
      const [next, more] = ReportRelay.state(relay, step.own)
      relay = next
      bytes += more
    } else {
      const scanned = OutputScanner.scan(scan, step.cli)
      scan = scanned.state
      const shares = dealOut(relay, scanned.segments)
      relay = shares.relay
      bytes += toLatin1(shares.of(false, true))
      assert.notInclude(
        toLatin1(shares.of(true, false)),
        "7501",
        "a terminal that does not know the protocol gets none of it"
      )
    }
  }
  return { relay, bytes }
}

const cli = (report: StatusReport): Step => ({ cli: encodeReport(report) })

describe("what terminals that read program status are told", () => {
  it("is leap's own word while the CLI says nothing, each once", () => {
    const { bytes } = play([{ own: own("idle") }, { cli: "text" }, { own: own("idle") }, { own: own("working") }])
    assert.strictEqual(bytes, `${encodeReport(own("idle"))}text${encodeReport(own("working"))}`)
  })

  it("is the CLI's alone from its first report on: leap's record goes with it", () => {
    const { bytes, relay } = play([
      { own: own("working") },
      cli({ ...none, state: "working", id: "task" }),
      { own: own("idle") },
      { own: own("clear") }
    ])
    assert.deepStrictEqual(records(bytes), [{ ...none, state: "working", id: "task" }])
    assert.deepStrictEqual(records(ReportRelay.redraw(relay)), records(bytes))
  })

  it("stays true after a full reset, and nothing is said of what the protocol discards", () => {
    const { bytes } = play([{ own: own("blocked") }, { cli: "\x1bc" }, { cli: "\x1b]7501;state=nonsense\x1b\\" }])
    assert.isTrue(bytes.startsWith(`${encodeReport(own("blocked"))}\x1bc${encodeReport(own("blocked"))}`))
    assert.deepStrictEqual(each(records(bytes), "app"), ["leap-says"])
  })

  const Script = Schema.Array(
    Schema.Union([
      Schema.Struct({ by: Schema.Literal("cli"), state: ReportState, id: Schema.Literals(["", "a", "a/b"]) }),
      Schema.Struct({ by: Schema.Literal("leap"), state: Schema.Literals(["idle", "working", "clear"]) }),
      Schema.Struct({ by: Schema.Literal("reset") })
    ])
  )
  it.prop("is the same for a terminal that comes late, and never doubled", [Script], ([script]) => {
    const { bytes, relay } = play(
      script.map((step) =>
        step.by === "reset"
          ? { cli: "\x1bc" }
          : step.by === "leap"
            ? { own: own(step.state) }
            : cli({ ...none, state: step.state, id: step.id })
      )
    )
    const held = records(bytes)
    assert.deepStrictEqual(records(ReportRelay.redraw(relay)), held)
    assert.isTrue(held.length === 1 || held.every(({ app }) => app === null), "leap's record stands alone")
  })
})

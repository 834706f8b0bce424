import { assert, describe } from "@effect/vitest"
import { applyReport, noRecords, type StatusRecords } from "../../../src/domain/words/session/ProgramStatus.ts"
import * as OutputScanner from "../../../src/domain/terminal/sequences/OutputScanner.ts"
import { hosted } from "../../support/host/hosted.ts"
import { attach, hostDemo, passing, settle, until } from "../../support/host/stage.ts"
import { rowsOf } from "../../support/data/fields.ts"

/** The records of a terminal that was sent this. */
const records = (text: string): StatusRecords =>
  OutputScanner.scan(OutputScanner.start, Buffer.from(text).toString("latin1")).segments.reduce(
    (held, segment) =>
      segment._tag === "Report" && segment.report !== null ? applyReport(held, segment.report) : held,
    noRecords
  )

describe("a terminal that reads program status", () => {
  hosted("is told by leap of a session whose CLI tells nothing: at once, at each change, and at its end", function* () {
    const { client, send } = yield* hostDemo({}, { reports: false })
    const viewer = yield* attach(client, "reads", { programStatus: true })
    const other = yield* attach(client, "plain")
    const says = (state: string) =>
      until(
        () => records(viewer.text())[0]?.state === state,
        () => `${state}: ${JSON.stringify(records(viewer.text()))}`
      )
    yield* says("idle")
    yield* send("permission please")
    yield* says("working")
    yield* says("blocked")
    assert.deepInclude(records(viewer.text())[0], { id: "", kind: "permission", title: "one", app: "demo" })
    const late = yield* attach(client, "late", { programStatus: true })
    yield* settle
    assert.deepStrictEqual(records(late.text()), records(viewer.text()))
    yield* passing(client.Answer({ answer: "1" }))
    yield* says("done")
    yield* send("/exit")
    yield* until(
      () => viewer.isOver(),
      () => viewer.text().slice(-200)
    )
    assert.deepStrictEqual(records(viewer.text()), [])
    assert.notInclude(other.text(), "7501")
  })

  hosted("has the CLI's own records where that tells, also if it comes late, and none of leap's", function* () {
    const { client, send, status } = yield* hostDemo()
    yield* send("permission please")
    yield* status.until(({ state }) => state === "needs_permission", "a dialog")
    const viewer = yield* attach(client, "reads", { programStatus: true })
    yield* settle
    const held = records(viewer.text())
    assert.deepStrictEqual(rowsOf(held, "app", "state", "kind", "title"), [
      ["leap-demo", "blocked", "permission", null]
    ])
  })
})

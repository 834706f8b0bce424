import { assert, describe, it } from "@effect/vitest"
import { logPage, reportPage } from "../../../../src/domain/engine/history/recordPages.ts"
import { nothing } from "../../../../src/layers/files/recordReader.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const life = {
  id: 1,
  tag: "a",
  cli: "demo",
  cwd: "/work",
  hostPid: 7,
  since: 1_000,
  seen: 3_000,
  until: null,
  code: null,
  signal: null
}
const running = [sessionStatus({ tag: "a", hostPid: 7 })]

describe("a page of the record", () => {
  it("has the last lines of the log, and no end of a life whose host runs", () => {
    const source = { ...nothing.log, lives: [life] }
    const page = (limit: number, statuses = running) => {
      const { document } = logPage(source, { from: 0, limit }, statuses, false)
      return (document as { readonly entries: ReadonlyArray<{ readonly at: string }> }).entries
    }
    assert.deepStrictEqual(
      page(10).map(({ at }) => at),
      ["1970-01-01T00:00:01.000Z"]
    )
    const dead = page(10, [])
    assert.lengthOf(dead, 2)
    assert.deepStrictEqual(page(1, []), dead.slice(1))
  })

  it("reports from the first span's beginning until now, with what waits for the user", () => {
    const spans = [
      { from: 1_000, to: 2_000 },
      { from: 2_000, to: 3_000 }
    ]
    const options = { by: "day", spans, names: ["one", "two"], now: 3_000, colour: false } as const
    const source = { ...nothing.report, lives: [life] }
    const { document, text } = reportPage(source, { ...options, statuses: running })
    const { needs, since, until } = document as Readonly<Record<string, unknown>>
    assert.deepStrictEqual([since, until, needs], ["1970-01-01T00:00:01.000Z", "1970-01-01T00:00:03.000Z", []])
    assert.notInclude(text(), "needs you")
  })
})

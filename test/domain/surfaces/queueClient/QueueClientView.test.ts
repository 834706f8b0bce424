import { assert, describe, it } from "@effect/vitest"
import { ageText } from "../../../../src/domain/surfaces/queueClient/panels.ts"
import { view } from "../../../../src/domain/surfaces/queueClient/QueueClientView.ts"
import { asking, DrivenClient, message } from "../../../support/data/clientKeys.ts"

const rowsOf = (client: DrivenClient): ReadonlyArray<string> =>
  view(client.state).lines.map((line) =>
    line
      .map(({ text }) => text)
      .join("")
      .trimEnd()
  )

const busy = {
  state: "running" as const,
  message: "Reading files",
  since: new Date(100_000 - 185_000).toISOString(),
  queue: [
    message("AAAAA", "first, which runs", { status: "started" }),
    message("BBBBB", "second"),
    message("CCCCC", "third", { status: "held", why: "you held it" })
  ]
}

describe("the queue client's screen", () => {
  it.each([30, 80, 160])("at %i columns: state with reason and since when, queue with ids, and the text", (cols) => {
    const client = new DrivenClient(busy, { cols, rows: 24 }).press("a text that is being written and wraps somewhere")
    const rows = rowsOf(client)
    const screen = rows.join("\n")
    assert.match(rows[0]!, /^demo ● running 3m · 1 queued/)
    assert.match(rows[1]!, /^Reading files · test/)
    assert.match(screen, / ▶ AAAAA first, which/)
    assert.match(screen, / {3}BBBBB second/)
    assert.match(screen, / ‖ CCCCC third \(you/)
    const written = rows.slice(rows.findIndex((row) => row.startsWith("› "))).map((row) => row.slice(2))
    assert.include(written.join(" ").replaceAll(/ +/g, " "), "a text that is being written and wraps somewhere")
    const { cursor } = view(client.state)
    assert.isTrue(rows[cursor!.y]!.endsWith("somewhere"))
    assert.strictEqual(cursor!.x, rows[cursor!.y]!.length)
  })

  it.each([30, 80])("at %i columns: a dialog with what it is about and all its options", (cols) => {
    const screen = rowsOf(new DrivenClient({ ...busy, ...asking }, { cols, rows: 24 })).join("\n")
    for (const text of ["Write notes.md?", "  notes.md", "  1 Yes", "  2 Yes, and don't ask", "  3 No"])
      assert.include(screen, text)
  })

  it("in few rows: the options of a dialog come before all else but the text", () => {
    const rows = rowsOf(new DrivenClient({ ...busy, ...asking }, { cols: 40, rows: 8 }).press("1"))
    for (const text of ["  1 Yes", "  3 No", "› 1"]) assert.include(rows.join("\n"), text)
  })

  it.each([[20, 5]])("in %i columns and %i rows: all options of a dialog, or how many more there are", (cols, rows) => {
    const screen = rowsOf(new DrivenClient({ ...busy, ...asking }, { cols, rows })).join("\n")
    assert.include(screen, "  1 Yes")
    assert.match(screen, /  3 No|… \d+ more/)
  })

  it("of a long text the rows around the cursor", () => {
    const client = new DrivenClient({}, { cols: 40, rows: 12 })
    for (let i = 0; i < 20; i++) client.press(`line ${i}<alt+enter>`)
    assert.include(rowsOf(client).join("\n"), "line 19")
    client.press("<ctrl+home>")
    assert.include(rowsOf(client).join("\n"), "› line 0")
  })

  it("scrolls back over answers, and tells who waits for a session that has gone", () => {
    const client = new DrivenClient({}, { cols: 40, rows: 12 })
    client.take({
      _tag: "Answered",
      id: "x",
      failure: null,
      text: Array.from({ length: 60 }, (_, i) => `row ${i}`).join("\n")
    })
    assert.include(rowsOf(client).join("\n"), "row 59")
    client.press("<page-up>")
    assert.notInclude(rowsOf(client).join("\n"), "row 59")
    // the list has the same keys for it
    client.press("<page-down><tab>")
    assert.include(rowsOf(client).join("\n"), "row 59")
    client.press("<page-up>")
    assert.notInclude(rowsOf(client).join("\n"), "row 59")
    client.press("<page-down><page-up><tab>")
    client.take({ _tag: "Left", why: "its host is stopped", runs: true })
    assert.match(rowsOf(client)[0]!, /^demo ● no answer/)
    client.take({ _tag: "Left", why: "session 'demo' ended" })
    assert.match(rowsOf(client)[0]!, /^demo ● not running/)
    // scrolled beyond the beginning, it stays at the beginning
    for (let i = 0; i < 40; i++) client.press("<page-up>")
    assert.include(rowsOf(client).join("\n"), "row 0")
    client.press("<page-down>")
    assert.notInclude(rowsOf(client).join("\n"), "row 0\n", "the next page is not the first again")
  })

  it.each<readonly [number, string]>([
    [0, "0s"],
    [60_000, "1m"],
    [3_600_000, "1h00"],
    [200_000_000, "2d"]
  ])("%i ms are %s", (milliseconds, text) => assert.strictEqual(ageText(milliseconds), text))
})

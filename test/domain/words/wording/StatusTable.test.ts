import { assert, describe, it } from "@effect/vitest"
import { columnsOf } from "../../../../src/domain/words/text/columns.ts"
import { statusTable } from "../../../../src/domain/words/wording/StatusTable.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const plain = { colour: false, columns: null }
const used = sessionStatus({
  tag: "a",
  cwd: "/home/dev/app",
  context: { usedTokens: 86_000, window: 200_000, percent: 43 },
  cost: { usd: 1.234, estimated: true }
})
const other = sessionStatus({ tag: "longer-tag", cwd: "/" })

describe("the table of sessions", () => {
  it("says how to begin when there is none", () => assert.include(statusTable([], plain), "leap <tag>"))

  it("has no columns of figures that nobody has", () =>
    assert.deepStrictEqual(statusTable([other], plain).split("\n"), [
      "TAG         CLI   DIRECTORY  STATE",
      "longer-tag  demo  /          ● idle"
    ]))

  it("shows a cost without a context, and the other way round", () => {
    assert.notInclude(statusTable([{ ...used, context: null }], plain), "CONTEXT")
    assert.include(statusTable([{ ...used, context: null }], plain), "~$1.23")
    assert.notInclude(statusTable([{ ...used, cost: null }], plain), "COST")
  })

  it.each([
    [120, ["CONTEXT", "COST"]],
    [70, ["CONTEXT", "COST"]],
    [69, ["CONTEXT"]],
    [62, ["CONTEXT"]],
    [61, []],
    [20, []]
  ])("in %i columns has those there is room for", (columns, shown) => {
    const head = statusTable([used, other], { colour: false, columns }).split("\n")[0] ?? ""
    assert.deepStrictEqual(
      ["CONTEXT", "COST"].filter((name) => head.includes(name)),
      shown
    )
    assert.isTrue(head.startsWith("TAG") && head.endsWith("STATE"))
  })

  it.each([70, 80, 132])(
    "keeps to %i columns with long tags and wide characters, and no cell beside its head",
    (columns) => {
      const long = sessionStatus({
        tag: `first-${"x".repeat(120)}`,
        cwd: "/home/dev/日本語/プロジェクト/とても長いディレクトリ名/アプリ"
      })
      const busy = sessionStatus({
        tag: "b",
        cwd: "/",
        state: "running",
        message: "テストを実行しています、少々お待ちください".repeat(3)
      })
      const lines = statusTable([long, busy], { colour: false, columns }).split("\n")
      for (const line of lines) assert.isAtMost(columnsOf(line), columns, line)
      assert.isTrue(lines[2]!.startsWith("first-x") && lines[2]!.includes("…"))
      const column = columnsOf(lines[0]!.slice(0, lines[0]!.indexOf("STATE")))
      for (const line of lines.slice(1)) assert.strictEqual(columnsOf(line.slice(0, line.indexOf("●"))), column, line)
      assert.include(statusTable([long], plain), "x".repeat(120), "where a line has no end, a tag is whole")
    }
  )

  it.each([80, 100, 132])("keeps each session to one line of %i columns, and its home short", (columns) => {
    const wordy = sessionStatus({
      tag: "a-rather-long-tag",
      cwd: "/home/dev/some/where/deep/in/a/tree/of/many/directories/app",
      state: "needs_permission",
      message: "Bash: npm run a-script-with-a-long-name -- --and --flags --of --its --own",
      cost: { usd: 1.234, estimated: true }
    })
    const lines = statusTable([wordy, used], { colour: false, columns, home: "/home/dev" }).split("\n")
    for (const line of lines) assert.isAtMost([...line].length, columns, line)
    assert.include(lines[2], "/app")
    assert.include(lines[2], "● needs permission")
    assert.include(lines[1], "~/app")
    // oxlint-disable-next-line no-control-regex
    const unpainted = (text: string) => text.replaceAll(/\u001b\[\d+m/g, "")
    assert.deepStrictEqual(
      unpainted(statusTable([wordy, used], { colour: true, columns, home: "/home/dev" })).split("\n"),
      lines
    )
  })
})

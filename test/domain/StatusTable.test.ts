import { assert, describe, it } from "@effect/vitest"
import { statusTable } from "../../src/domain/StatusTable.ts"
import { sessionStatus } from "../support/sessionStatus.ts"

const plain = { colour: false, columns: null }
const used = sessionStatus({
  tag: "a", cwd: "/home/dev/app", context: { usedTokens: 86_000, window: 200_000, percent: 43 }, cost: { usd: 1.234, estimated: true }
})
const other = sessionStatus({ tag: "longer-tag", cwd: "/" })

describe("the table of sessions", () => {
  it("says how to begin when there is none", () => assert.include(statusTable([], plain), "leap <tag>"))

  it("has no columns of figures that nobody has", () =>
    assert.deepStrictEqual(statusTable([other], plain).split("\n"), ["TAG         CLI   DIRECTORY  STATE", "longer-tag  demo  /          ● idle"]))

  it("shows what one session uses, and blanks for those of which it is not known", () =>
    assert.deepStrictEqual(statusTable([used, other], plain).split("\n"), [
      "TAG         CLI   DIRECTORY      CONTEXT  COST    STATE",
      "a           demo  /home/dev/app  43%      ~$1.23  ● idle",
      "longer-tag  demo  /                               ● idle"
    ]))

  it("shows a cost without a context, and the other way round", () => {
    assert.notInclude(statusTable([{ ...used, context: null }], plain), "CONTEXT")
    assert.include(statusTable([{ ...used, context: null }], plain), "~$1.23")
    assert.notInclude(statusTable([{ ...used, cost: null }], plain), "COST")
  })

  it.each([[120, ["CONTEXT", "COST"]], [70, ["CONTEXT", "COST"]], [69, ["CONTEXT"]], [62, ["CONTEXT"]], [61, []], [20, []]])(
    "in %i columns has those there is room for", (columns, shown) => {
      const head = statusTable([used, other], { colour: false, columns }).split("\n")[0] ?? ""
      assert.deepStrictEqual(["CONTEXT", "COST"].filter((name) => head.includes(name)), shown)
      assert.isTrue(head.startsWith("TAG") && head.endsWith("STATE"))
    })

  it("paints its head, and moves nothing by it", () => {
    // oxlint-disable-next-line no-control-regex
    const painted = statusTable([used, other], { colour: true, columns: null }).replaceAll(/\u001b\[\d+m/g, "")
    assert.strictEqual(painted, statusTable([used, other], plain))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { webSession } from "../../../../src/domain/surfaces/web/webSession.ts"
import { whyLine } from "../../../../src/domain/words/wording/nowText.ts"
import type { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { statusDetails } from "../../../../src/domain/words/wording/statusDetails.ts"
import { stateLine } from "../../../../src/domain/words/wording/StateLine.ts"
import { troublesOf } from "../../../../src/domain/words/wording/troublesOf.ts"
import { sessionFinding } from "../../../../src/programs/client/sessionFindings.ts"
import { monitorOf } from "../../../support/data/monitorKeys.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const since = "2026-01-01T00:00:00.000Z"
const unwired = { since, text: "its hooks have stopped calling leap", rules: 0 }
const queueProblem = { kind: "damaged", message: "3 lines of it could not be read", file: "/q" } as const
const all: ReadonlyArray<readonly [Partial<SessionStatus>, short: string, text: string]> = [
  [{ unwired }, "not wired here", "not wired here: its hooks have stopped calling leap"],
  [{ notifyProblem: "ntfy: no answer" }, "notices fail", "you are not told of it: ntfy: no answer"],
  [{ recordProblem: "the disk is full" }, "not recorded", "it is not recorded: the disk is full"],
  [{ uncounted: { _tag: "NotTold" } }, "not in budgets", "no budget counts it: its CLI does not tell what it uses"],
  [
    { uncounted: { _tag: "NoPrice", model: "m" } },
    "not in budgets",
    "no budget of cost counts it: leap has no price for 'm'"
  ],
  [{ queueProblem }, "queue damaged", "3 lines of it could not be read"]
]

/** How each surface tells what is wrong with a session and stops it in nothing. */
const surfaces: Readonly<Record<string, (status: SessionStatus) => string>> = {
  "leap status TAG": (status) => statusDetails(status, { colour: false, whole: true }),
  "monitor's detail": (status) => monitorOf([{ link: "live", status }], { cols: 160, rows: 60 }).screen(),
  page: (status) => webSession({ link: "live", status }).problem ?? "",
  "leap doctor": (status) =>
    [...sessionFinding(status, "leap demo", "/settings.json").map(({ detail }) => detail), status.queueProblem?.message]
      .filter((line) => line != null)
      .join("\n")
}

describe("what is wrong with a session and is no need of it", () => {
  it.each(all)("%j is told by every surface", (changes, short, text) => {
    // where nothing else is to be said, the monitor says this as why
    const status = sessionStatus({ ...changes, message: "Waiting" })
    assert.strictEqual(stateLine(status, false), `● idle · Waiting · ${short}`)
    for (const [name, told] of Object.entries(surfaces)) assert.include(told(status), text, name)
  })

  it("is told of what has ended where it is still so", () => {
    const changes = Object.assign({}, ...all.map(([one]) => one), { state: "exited" }) as Partial<SessionStatus>
    assert.deepStrictEqual(
      troublesOf(sessionStatus(changes)).map(({ what }) => what),
      ["queue"]
    )
  })

  it("is said once where a queue waits for the hooks", () => {
    const pause = { kind: "unwired", since, until: null, text: "not wired here: no hook calls; messages wait" } as const
    const status = sessionStatus({ unwired, pause })
    assert.strictEqual(stateLine(status, false), `● idle, held · ${pause.text}`)
    assert.notInclude(statusDetails(status, { colour: false, whole: true }), unwired.text)
  })

  it("stands behind what the session does in the monitor's list, as what its queue waits for does", () => {
    const pause = { kind: "auth", since, until: null, text: "messages wait for your word" } as const
    const works = sessionStatus({ state: "running", message: "Reading files", unwired, pause })
    assert.strictEqual(whyLine(works), "Reading files")
    assert.strictEqual(
      whyLine({ ...works, message: null }),
      troublesOf(works)
        .map(({ text }) => text)
        .join("")
    )
  })
})

import { assert, it } from "@effect/vitest"
import { applyReport, noRecords, type StatusReport } from "../../../src/domain/session/ProgramStatus.ts"
import { statusSeen } from "../../../src/programs/host/statusSeen.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"

/** When a turn is recorded as failed whose CLI reports this at 70, and whose hooks told of a failure at `hook`. */
const failedAt = (state: StatusReport["state"], hook: number | null) =>
  statusSeen(
    sessionStatus({}),
    {
      records: applyReport(noRecords, {
        state,
        id: "",
        kind: null,
        progress: null,
        app: null,
        title: null,
        message: null
      }),
      reportedSince: 70,
      respondedAt: null,
      turnFailedAt: hook,
      turnStartedAt: 50,
      userKeyAt: null
    },
    { cost: null, model: null, session: null }
  ).turnFailedAt

it("a turn that ends with an error by program status has failed, before a hook says so", () => {
  assert.strictEqual(failedAt("error", null), 70)
  assert.strictEqual(failedAt("error", 20), 70)
  assert.isNull(failedAt("done", null))
  assert.strictEqual(failedAt("idle", 60), 60)
})

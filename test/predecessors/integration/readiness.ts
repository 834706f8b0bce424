import { assert } from "@effect/vitest"
import { defaultModes } from "../../../src/domain/words/session/Session.ts"
import { acts, asks, at, ends, exits, look, questions, sends, stops } from "../support/ClaudeActor.ts"
import { numbered, type ScenarioRow } from "../support/scenarioTable.ts"
import { begin, dialog, frame, own, play, started, type Trace, working } from "../../support/session/trace.ts"

const atRest: Trace = [
  [0.5, frame()],
  [0.6, own("rest")]
]
const busy: Trace = [...atRest, [4, started()], [4.1, own("work")], [4.2, working()]]
const asking: Trace = [...busy, [5, own("wait", { waitingFor: "permission" })], [5.1, dialog()]]

const inMode = (autoSend: "pause" | "always", trace: Trace, ready: boolean) => () => {
  const { view } = play(trace, 60, { modes: { ...defaultModes, autoSend } })
  assert.deepStrictEqual([view.ready, view.since >= begin], [ready, true], view.reason)
}

/** test_auto_send_readiness.py */
export const ids = numbered("ASR", 12)

export const rows: ReadonlyArray<ScenarioRow> = [
  { id: "ASR-01", says: "idle is ready", check: acts(at("idle", { ready: true })) },
  { id: "ASR-02", says: "running is not", check: acts(sends, look("running", { ready: false })) },
  {
    id: "ASR-03",
    says: "nor is a permission dialog",
    check: acts(sends, asks, look("needs_permission", { ready: false, dialog: true }))
  },
  {
    id: "ASR-04",
    says: "nor a question",
    check: acts(sends, questions, look("needs_input", { ready: false, dialog: true }))
  },
  { id: "ASR-05", says: "nor interrupted", check: acts(sends, stops, look("interrupted", { ready: false })) },
  { id: "ASR-06", says: "ready in pause mode", check: inMode("pause", atRest, true) },
  { id: "ASR-07", says: "ready in always mode", check: inMode("always", atRest, true) },
  { id: "ASR-08", says: "always makes no running session ready", check: inMode("always", busy, false) },
  { id: "ASR-09", says: "always makes no asking session ready", check: inMode("always", asking, false) },
  {
    id: "ASR-10",
    says: "readiness is of this moment",
    check: acts(
      at("idle", { ready: true }),
      sends,
      look("running", { ready: false }),
      ends,
      look("idle", { ready: true })
    )
  },
  {
    id: "ASR-11",
    says: "an ended CLI",
    differs: "is `exited` and never ready: there is nothing to type into; its queue is kept",
    check: acts(sends, exits, look("exited", { ready: false, dialog: false }))
  },
  {
    id: "ASR-12",
    says: "modes are read back as they were set",
    check: () => {
      const modesAfter = (...set: ReadonlyArray<"pause" | "always">) =>
        play(
          [
            ...atRest,
            ...set.map(
              (autoSend, i) => [1 + i, { _tag: "ModesChanged", modes: { ...defaultModes, autoSend } }] as const
            )
          ],
          10
        ).facts.modes.autoSend
      assert.deepStrictEqual(
        [modesAfter(), modesAfter("always"), modesAfter("always", "pause")],
        ["pause", "always", "pause"]
      )
    }
  }
]

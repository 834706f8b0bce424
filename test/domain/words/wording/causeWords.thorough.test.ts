import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as path from "node:path"

const root = path.resolve(import.meta.dirname, "../../../..")
const env = { ...process.env, LEAP_NONSENSE: "1", LEAP_THOROUGH: undefined }
const run = (...words: ReadonlyArray<string>) =>
  spawnSync(process.execPath, words, { cwd: root, env, encoding: "utf8" })

describe("words of which nothing but nonsense is left", () => {
  it("are what is told then", () => {
    const told = [
      'import { needLine, needWords } from "./src/domain/words/attention/needWords.ts"',
      'import { shownNeeds } from "./src/domain/words/attention/shownNeeds.ts"',
      'import { exitText } from "./src/domain/words/session/exitText.ts"',
      'import { stuck, unreachedText } from "./src/domain/words/session/hostUnreached.ts"',
      'import { budgetWords } from "./src/domain/words/wording/budgetWords.ts"',
      'import { because, problemWords } from "./src/domain/words/wording/causeWords.ts"',
      'import { nightNote } from "./src/domain/words/wording/limitPlanText.ts"',
      'import { stateReasonWords } from "./src/domain/words/wording/reasonWords.ts"',
      'import { failedText } from "./src/domain/words/wording/StateLine.ts"',
      "const held = because({ _tag: 'HeldByUser' })",
      "for (const words of [problemWords.auth, stateReasonWords({ _tag: 'BoxShown' }), needWords.held, exitText({ code: 1 }),",
      "  needLine({ kind: 'held', text: '' }), shownNeeds.held.title, unreachedText({ _tag: 'Hangs' }), budgetWords(null),",
      "  stuck('', { message: 'x' }).reason, nightNote(['off']), failedText([{ status: 'failed' }]), held.why])",
      "  console.log(words)",
      "console.log(held.cause._tag, shownNeeds.held.sign, failedText([]))"
    ].join("\n")
    const { stderr, stdout } = run("--import", "./test/support/run/nonsense.ts", "--input-type=module", "-e", told)
    assert.match(stdout, /^(?:you held it; its turn failed: \d+\n){12}HeldByUser ‖ null\n$/, stderr)
  })

  it("change no decision: the laws of queues, permissions, notices and sessions hold", () => {
    const machine = ["weatherLives.test.ts", "weatherHost.prop.test.ts", "approvals.prop.test.ts"]
    const laws = [
      ...machine.map((name) => `test/domain/engine/machine/${name}`),
      "test/domain/engine/delivery/Delivery.prop.test.ts",
      "test/domain/engine/tracker/Tracker.prop.test.ts",
      "test/domain/surfaces/notify/Notifications.test.ts",
      "test/support/session/SessionLaws.test.ts"
    ]
    const { status, stderr, stdout } = run("node_modules/vitest/vitest.mjs", "run", "--project", "pure", ...laws)
    assert.strictEqual(status, 0, `${stdout}${stderr}`)
  })
})

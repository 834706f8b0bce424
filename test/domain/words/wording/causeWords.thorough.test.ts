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
      'import { problemWords } from "./src/domain/words/wording/causeWords.ts"',
      'import { stateReasonWords } from "./src/domain/words/wording/reasonWords.ts"',
      'for (const words of [problemWords.auth, stateReasonWords({ _tag: "BoxShown" })]) console.log(words)'
    ].join("\n")
    const { stdout } = run("--import", "./test/support/run/nonsense.ts", "--input-type=module", "-e", told)
    assert.match(stdout, /^(?:you held it; its turn failed: \d+\n){2}$/)
  })

  it("change no decision: the laws of queues, permissions and sessions hold", () => {
    const machine = ["weatherLives.test.ts", "weatherHost.prop.test.ts", "approvals.prop.test.ts"]
    const laws = [
      ...machine.map((name) => `test/domain/engine/machine/${name}`),
      "test/support/session/SessionLaws.test.ts"
    ]
    const { status, stderr, stdout } = run("node_modules/vitest/vitest.mjs", "run", "--project", "pure", ...laws)
    assert.strictEqual(status, 0, `${stdout}${stderr}`)
  })
})

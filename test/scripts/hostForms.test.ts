import { assert, describe, it } from "@effect/vitest"
import * as fs from "node:fs"
import { file, frameFile, frameText, queueFile, queueText, text } from "../../scripts/host-forms.ts"

describe("the forms of what hosts answer", () => {
  it("are current: 'node scripts/host-forms.ts' writes them", () =>
    assert.strictEqual(fs.readFileSync(file, "utf8"), text()))
  it("and of the records in a queue's log", () => assert.strictEqual(fs.readFileSync(queueFile, "utf8"), queueText()))
  it("and of what the page is told", () => assert.strictEqual(fs.readFileSync(frameFile, "utf8"), frameText()))
})

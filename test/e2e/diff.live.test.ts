import { assert, describe } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

describe("leap diff", () => {
  live("tells what a session has changed, while it runs and when it has ended, quickly and not", function* () {
    const room = yield* makeRoom()
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: room.dir, env: room.env })
    git("init", "-q", "-b", "main")
    fs.writeFileSync(`${room.dir}/.gitignore`, "leap\ncli*\n.*\n")
    fs.writeFileSync(`${room.dir}/a.txt`, "one\ntwo\n")
    git("add", "-f", ".gitignore", "a.txt")
    git("commit", "-qm", "first")
    yield* startDemo(room, "one")
    assert.match((yield* room.leap(["diff", "one"])).stdout, /^nothing differs from the last commit/)
    fs.writeFileSync(`${room.dir}/a.txt`, "one\n2\n")
    fs.writeFileSync(`${room.dir}/long.txt`, "a line of a long file\n".repeat(9_000))
    const all = [yield* room.leap(["diff", "one"]), yield* room.program(["diff", "one"])]
    yield* room.leap(["stop", "one"])
    all.push(yield* room.leap(["diff", "one"]))
    for (const { code, stdout } of all) {
      assert.strictEqual(code, 0)
      assert.include(stdout, "2 files differ from the last commit")
      assert.include(stdout, "M a.txt  +1 −1\nA long.txt  +9000 −0\n")
      assert.include(stdout, "-two\n+2\n")
      assert.strictEqual(stdout.split("+a line of a long file").length, 9_001)
    }
    const document = JSON.parse((yield* room.program(["diff", "one", "--json", "--against", "HEAD"])).stdout)
    assert.deepInclude(document, { schema: 1 })
    assert.include(JSON.stringify(document), '"name":"HEAD"')
    const none = yield* room.leap(["diff", "one", "--against", "nothing"])
    assert.strictEqual(none.code, 1)
    assert.include(none.stderr, "there is no commit 'nothing' in")
  })
})

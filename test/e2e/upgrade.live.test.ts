import { assert } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { runInProcess } from "../support/processes/inProcess.ts"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

live("an installed build names the sessions of another one, and hands a file to its install.sh", function* () {
  const room = yield* makeRoom("0.1", { hosts: "apart" })
  const { HOME: home = "" } = room.env
  const build = path.join(home, "it's here/builds/9.9.1-0")
  fs.mkdirSync(path.join(build, "program"), { recursive: true })
  const script = path.join(build, "program/leap.js")
  fs.writeFileSync(script, "")
  const told = path.join(home, "told")
  const install = `printf '%s\\n' "$@" >'${told}'\nexit 7\n`
  const linked = path.join(build, "../../current/program/leap.js")
  const upgrade = (...args: ReadonlyArray<string>) =>
    runInProcess(["upgrade", ...args], { self: [process.execPath, linked], env: room.env, cwd: home })

  fs.writeFileSync(path.join(build, "install.sh"), install)
  // a clone, what npm installed, and a build that was unpacked by hand, whose folder is the user's
  for (const self of [script, path.join(home, "elsewhere/leap.js")]) {
    const where = { self: [process.execPath, self], env: room.env, cwd: home }
    const other = yield* runInProcess(["upgrade", "x.tar.gz"], where)
    assert.strictEqual(other.code, 5)
    assert.match(other.stderr, /^leap: this leap was not installed by install\.sh: .*git pull.*npm install -g[^\n]*\n$/)
  }
  assert.isFalse(fs.existsSync(told))
  fs.symlinkSync("builds/9.9.1-0", path.join(build, "../../current"))
  yield* startDemo(room, "one")
  const found = yield* upgrade()
  assert.strictEqual(found.stdout, "one  leap stop one && leap resume --tag one --last --there --detach\n")
  assert.match(found.stderr, /^leap: these go on with an earlier build/)
  const { hostPid } = yield* room.until("one", ({ ready }) => ready, "ready")
  const json = yield* upgrade("--json")
  assert.deepStrictEqual(JSON.parse(json.stdout), { schema: 1, build: "9.9.1-0", sessions: [{ tag: "one", hostPid }] })

  const handed = yield* upgrade("./x y.tar.gz")
  assert.strictEqual(handed.code, 7)
  assert.deepStrictEqual(fs.readFileSync(told, "utf8").trimEnd().split("\n"), [
    "--to",
    path.join(home, "it's here"),
    "--bin",
    "-",
    "./x y.tar.gz"
  ])

  yield* room.leap(["stop", "one"])
  // the demo CLI has no conversation to go on with; a command line that leap did not take would be 2
  const [, words = ""] = found.stdout.trim().split(" && leap ")
  assert.strictEqual((yield* room.leap(words.split(" "))).code, 3)
  const none = yield* upgrade()
  assert.strictEqual(none.stdout, "every session that runs is hosted by this build (9.9.1-0)\n")
})

import { assert } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { alive, eventually, makeRoom, runToEnd, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

live("a session whose directory is deleted ends with its CLI, says why, and its name can be used again", function* () {
  const room = yield* makeRoom("0.1", { hosts: "apart" })
  const { hostPid, pid } = yield* startDemo(room, "s")
  const log = fs.openSync(path.join(room.session("s"), "host.log"), "r")
  // whoever deletes it may not get all of it: the host writes in it meanwhile
  fs.mkdirSync(path.join(room.session("s"), "spool", "new"))
  for (const name of fs.readdirSync(room.session("s")))
    if (name !== "spool") fs.rmSync(path.join(room.session("s"), name), { recursive: true, force: true })
  yield* eventually(() => !alive(hostPid!) && !alive(pid!), "host and CLI end")
  assert.match(fs.readFileSync(log, "utf8"), /the directory of session 's' was deleted/)
  fs.closeSync(log)
  assert.match((yield* room.leap(["log", "s"])).stdout, /ended: its directory was deleted or moved \(exit code 0\)/)
  assert.notInclude((yield* room.leap(["status"])).stdout, "idle")
  yield* room.leap(["hooks", "install", "--cli", "demo"])
  yield* startDemo(room, "s")
})

live("a command in a directory that was deleted does what needs none, wherever its files are said to be", function* () {
  const room = yield* makeRoom("0.1", { hosts: "apart" })
  for (const [home, words, told] of [
    [room.env["LEAP_HOME"], ["status"], /^no sessions/],
    ["in/it", ["status"], /^no sessions/],
    [
      room.env["LEAP_HOME"],
      ["start", "s", "--cli", "demo", "--detach"],
      /directory that you are in .* is not there any/
    ]
  ] as const) {
    const gone = ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", ...room.command] as const
    const { code, stderr, stdout } = yield* runToEnd([...gone, ...words], {
      env: { ...room.env, LEAP_HOME: home ?? "" },
      cwd: room.dir
    })
    assert.match(stdout + stderr, told)
    assert.strictEqual(code, words[0] === "status" ? 0 : 2, stderr)
  }
})

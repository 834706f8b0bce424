import { assert } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { alive, makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

live("leaves no hook, ends no session unasked, and removes all of its own files and nothing beside them", function* () {
  const room = yield* makeRoom("0.1", { hosts: "apart" })
  const home = room.env["LEAP_HOME"]!
  const inHome = () => fs.readdirSync(home).toSorted()
  const settings = path.join(room.env["LEAP_DEMO_HOME"]!, "settings.json")
  const { hostPid } = yield* startDemo(room, "s")
  yield* room.leap(["settings", "set", "record", "meta"])
  yield* room.leap(["send", "s", "hello"])
  assert.include(fs.readFileSync(settings, "utf8"), "leap-hook.sh")
  for (const name of ["notes.txt", "yarn.lock", "settings.local.json"]) fs.writeFileSync(path.join(home, name), "mine")
  const before = inHome()

  const refused = yield* room.leap(["uninstall", "--all"])
  assert.deepStrictEqual([refused.code, inHome()], [5, before])
  assert.match(refused.stderr, /1 session runs \(s\); 'leap stop --all' ends it/)
  assert.include(fs.readFileSync(settings, "utf8"), "leap-hook.sh")

  const left = yield* room.leap(["uninstall", "--json"])
  const told = JSON.parse(left.stdout) as { running: unknown; left: ReadonlyArray<{ paths: ReadonlyArray<string> }> }
  assert.deepStrictEqual([left.code, told.running], [0, ["s"]])
  assert.notInclude(fs.existsSync(settings) ? fs.readFileSync(settings, "utf8") : "", "leap-hook.sh")
  assert.isTrue(alive(hostPid!))
  assert.includeMembers(
    told.left.flatMap(({ paths }) => paths),
    ["sessions", "hooks", "record.db", "settings.json"].map((name) => path.join(home, name))
  )

  yield* room.leap(["stop", "s"])
  const removed = yield* room.leap(["uninstall", "--all"])
  assert.strictEqual(removed.code, 0, removed.stderr)
  assert.match(removed.stderr, /left, as they are not leap's: .*notes\.txt.*settings\.local\.json.*yarn\.lock/)
  assert.deepStrictEqual(inHome(), ["notes.txt", "settings.local.json", "yarn.lock"])
  const nothing = yield* room.leap(["uninstall"])
  assert.match(nothing.stdout, /^leap is in no CLI's settings, and keeps nothing/)
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeRoom } from "../support/processes/Room.ts"

describe("leap settings", () => {
  it.live("lists, sets, takes out and checks, and keeps the comments of the file", () =>
    Effect.gen(function* () {
      const room = yield* makeRoom()
      const file = path.join(room.env["LEAP_HOME"]!, "settings.json")
      fs.writeFileSync(file, '{\n  // mine\n  "record": "meta"\n}\n')
      const done = Effect.fnUntraced(function* (args: ReadonlyArray<string>, code = 0) {
        const ran = yield* room.leap(["settings", ...args])
        assert.strictEqual(ran.code, code, `${args.join(" ")}: ${ran.stderr}`)
        return ran
      })
      assert.match((yield* done([])).stdout, /^record +\* "meta" +off\|meta\|full/m)
      assert.match((yield* done(["set", "modes.autoSend", "always"])).stderr, /^modes\.autoSend is "always" now$/m)
      assert.match(
        (yield* done(["set", "modes.autoSend", "never"], 2)).stderr,
        /must be "pause" or "always".*left as it is/
      )
      assert.match((yield* done(["get", "nonsense"], 2)).stderr, /no setting 'nonsense'.*leap settings list/)
      assert.strictEqual((yield* done(["get", "modes.autoSend"])).stdout, '"always"\n')
      assert.match(fs.readFileSync(file, "utf8"), /\/\/ mine\n {2}"record": "meta"/)
      assert.match((yield* room.leap(["mode", "--default"])).stdout, /auto-send always/)
      yield* done(["unset", "modes.autoSend"])
      const { value } = JSON.parse((yield* done(["get", "modes.autoSend", "--json"])).stdout) as { value: unknown }
      assert.strictEqual(value, "pause")
      yield* done(["check"])
      fs.appendFileSync(file, "}")
      assert.match(
        (yield* done(["check"], 1)).stdout,
        /settings\.json: line 6, column \d+: something stands behind the end/
      )
      assert.match((yield* done(["set", "record", "off"], 2)).stderr, /left as it is/)
    }).pipe(Effect.scoped)
  )
})

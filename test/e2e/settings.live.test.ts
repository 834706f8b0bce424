import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

describe("leap edit", () => {
  live("opens a session's directory in the editor that is named, and says why it does not", function* () {
    const room = yield* makeRoom("0.1")
    const { cwd } = yield* startDemo(room, "s")
    const seen = path.join(room.dir, "seen")
    const script = (name: string, more = "") => {
      const file = path.join(room.dir, name)
      fs.writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$PWD" "$@" > '${seen}'\n${more}`, { mode: 0o755 })
      return file
    }
    const opened = Effect.fnUntraced(function* (own: string | null, env: Readonly<Record<string, string>> = {}) {
      if (own !== null) yield* room.leap(["settings", "set", "editor", own])
      const { code, stderr } = yield* room.leap(["edit", "s"], "", env)
      return [code, stderr.trim()] as const
    })
    assert.match((yield* opened(null))[1], /no editor is named: 'leap settings set editor COMMAND'/)
    assert.deepStrictEqual(yield* opened(null, { EDITOR: `${script("mine")} --new` }), [0, ""])
    assert.deepStrictEqual(fs.readFileSync(seen, "utf8").split("\n").slice(0, 3), [cwd, "--new", cwd])
    assert.match((yield* opened(null, { VISUAL: "nvim" }))[1], /nvim \(VISUAL\) needs a terminal/)
    assert.deepStrictEqual(yield* opened("no-such-editor", { VISUAL: "true" }), [
      7,
      "leap: no-such-editor (the setting 'editor') is no program that can be run"
    ])
    assert.match((yield* opened(script("fails", "exit 3\n")))[1], /ended with exit code 3/)
  })
})

describe("leap settings", () => {
  live("lists, sets, takes out and checks, and keeps the comments of the file", function* () {
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
  })
})

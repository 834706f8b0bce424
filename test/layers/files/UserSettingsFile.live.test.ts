import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Queue, Result, Stream } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setModes } from "../../../src/domain/store/settings/editSettings.ts"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import * as DirectoryWatchNode from "../../../src/layers/files/DirectoryWatchNode.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as SharedFileNode from "../../../src/layers/files/SharedFileNode.ts"
import * as UserSettingsFile from "../../../src/layers/files/UserSettingsFile.ts"
import { type LoadedSettings, UserSettings } from "../../../src/services/UserSettings.ts"
import { patience } from "../../support/run/patience.ts"
import { live } from "../../support/run/effects.ts"

const place = Effect.gen(function* () {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-settings-"))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const home = path.join(dir, "home")
  const settings = yield* UserSettings.pipe(
    Effect.provide(
      UserSettingsFile.layerOf(["claude", "codex"]).pipe(
        Layer.provide([
          DirectoryWatchNode.layer,
          PathsXdg.layerFrom({ LEAP_HOME: home }),
          SharedFileNode.layer.pipe(Layer.provide(FileLockSqlite.layer))
        ])
      ),
      { local: true }
    )
  )
  return { dir, home, settings, text: () => fs.readFileSync(settings.file, "utf8") }
})

describe("the settings file", () => {
  live("that is not there is the defaults, and is made in a directory of the user's alone", function* () {
    const { home, settings, text } = yield* place
    assert.deepStrictEqual(yield* settings.read, { settings: defaultSettings, warnings: [] })
    assert.isFalse(fs.existsSync(home), "reading makes nothing")
    yield* settings.change(setModes({ autoSend: "always" }))
    assert.deepStrictEqual(JSON.parse(text()), { modes: { autoSend: "always" } })
    assert.strictEqual(fs.statSync(home).mode & 0o777, 0o700)
    assert.strictEqual(fs.statSync(settings.file).mode & 0o777, 0o600)
    assert.strictEqual((yield* settings.read).settings.modes.autoSend, "always")
  })

  live("is changed through its link, with its mode, byte-order mark and comments", function* () {
    const { dir, home, settings } = yield* place
    const target = path.join(dir, "dotfiles.json")
    fs.mkdirSync(home)
    fs.writeFileSync(target, '\uFEFF{\r\n\t// mine\r\n\t"x": 1\r\n}\r\n')
    fs.chmodSync(target, 0o640)
    fs.symlinkSync("../dotfiles.json", settings.file)
    yield* settings.change(setModes({ churn: "send" }))
    assert.strictEqual(
      fs.readFileSync(target, "utf8"),
      '\uFEFF{\r\n\t// mine\r\n\t"x": 1,\r\n\t"modes": {\r\n\t\t"churn": "send"\r\n\t}\r\n}\r\n'
    )
    assert.strictEqual(fs.statSync(target).mode & 0o777, 0o640)
    assert.strictEqual(fs.readlinkSync(settings.file), "../dotfiles.json")
    assert.deepStrictEqual(fs.readdirSync(dir).sort(), ["dotfiles.json", "home"])
  })

  live("that cannot be read as it stands is never written over", function* () {
    const { home, settings } = yield* place
    fs.mkdirSync(home)
    const contents: ReadonlyArray<readonly [content: string | Uint8Array, why: RegExp]> = [
      ['{"modes": {"autoSend": "always"', /line 1, column 32: a } is missing/],
      ['{\n  "a": 1\n  "b": 2\n}', /line 3, column 3: a comma is missing/],
      ["[]", /not an object/],
      ["{} trailing", /something stands behind the end/],
      [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not UTF-8/],
      ['{"modes": 5}', /"modes" is no object/]
    ]
    for (const [content, why] of contents) {
      fs.writeFileSync(settings.file, content)
      const error = yield* Effect.flip(settings.change(setModes({ churn: "send" })))
      assert.match(error.message, why)
      assert.match(error.message, /settings.json: .*; the file was left as it is$/)
      assert.deepStrictEqual(fs.readFileSync(settings.file), Buffer.from(content))
    }
    fs.writeFileSync(settings.file, "{}")
    assert.match((yield* Effect.flip(settings.change(() => Result.fail("no")))).message, /settings.json: no;/)
  })

  live("that is a directory is read as none, and everything is asked", function* () {
    const { settings } = yield* place
    fs.mkdirSync(settings.file, { recursive: true })
    const { settings: read, warnings } = yield* settings.read
    assert.deepStrictEqual(warnings, ["it cannot be read: it is a directory"])
    assert.strictEqual(read.policy.ask.length, 1)
    assert.match((yield* Effect.flip(settings.change(setModes({ churn: "send" })))).message, /it is a directory/)
  })

  /** What is told of changes, one after the other, each waited for with a bound. */
  const follow = Effect.fnUntraced(function* (settings: UserSettings["Service"]) {
    const told = yield* Queue.unbounded<LoadedSettings>()
    yield* Effect.forkScoped(Stream.runForEach(yield* settings.changes, (read) => Queue.offer(told, read)))
    return Effect.timeout(Queue.take(told), patience)
  })

  live("whose link leads to nothing is read as none, and everything is asked", function* () {
    const { home, settings } = yield* place
    fs.mkdirSync(home)
    fs.symlinkSync("elsewhere", settings.file)
    const { settings: found, warnings } = yield* settings.read
    assert.deepStrictEqual(warnings, ["it cannot be read: its link leads to nothing"])
    assert.strictEqual(found.policy.unread, "leap's settings cannot be read (its link leads to nothing)")
    assert.strictEqual(found.policy.ask.length, 1)
  })

  live("tells of each change, however it comes about", function* () {
    const { dir, home, settings } = yield* place
    const next = yield* follow(settings)
    assert.deepStrictEqual((yield* next).settings, defaultSettings)
    yield* settings.change(setModes({ churn: "send" }))
    assert.strictEqual((yield* next).settings.modes.churn, "send")
    fs.writeFileSync(settings.file, '{"modes": {"autoSend": "always"}}')
    assert.deepStrictEqual((yield* next).settings.modes, { autoSend: "always", churn: "wait" })
    fs.writeFileSync(path.join(home, "other"), "")
    fs.writeFileSync(path.join(dir, "new.json"), '{"modes": 5}')
    fs.renameSync(path.join(dir, "new.json"), settings.file)
    assert.deepStrictEqual((yield* next).warnings, ['line 1, column 11: "modes" must be an object, it is 5'])
    fs.rmSync(settings.file)
    assert.deepStrictEqual((yield* next).settings, defaultSettings)
  })

  live("tells of changes where its link leads", function* () {
    const { dir, home, settings } = yield* place
    fs.mkdirSync(home)
    fs.mkdirSync(path.join(dir, "far"))
    fs.writeFileSync(path.join(dir, "far/s.json"), "{}")
    fs.symlinkSync("../far/s.json", settings.file)
    const next = yield* follow(settings)
    assert.deepStrictEqual((yield* next).settings, defaultSettings)
    fs.writeFileSync(path.join(dir, "far/s.json"), '{"modes": {"churn": "send"}}')
    assert.strictEqual((yield* next).settings.modes.churn, "send")
  })

  live("half written by an editor is not told before the editor has had its time", function* () {
    const { settings } = yield* place
    yield* settings.change(setModes({ autoSend: "always" }))
    const whole = fs.readFileSync(settings.file, "utf8")
    const next = yield* follow(settings)
    yield* next
    fs.writeFileSync(settings.file, "")
    yield* Effect.sleep("20 millis")
    fs.writeFileSync(settings.file, whole.replace("always", "pause"))
    assert.deepStrictEqual(yield* next, { settings: defaultSettings, warnings: [] })
    // left like that it counts as it stands
    fs.writeFileSync(settings.file, "{")
    assert.strictEqual((yield* next).settings.policy.ask.length, 1)
  })
})

import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type FileSystem, Layer, Result } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { settingsFile } from "../../../src/domain/cli/wiring/HookSettings.ts"
import { groupedHooks } from "../../../src/domain/cli/wiring/HookShapes.ts"
import type { HookWiring, WiredEvent } from "../../../src/domain/cli/wiring/HookWiring.ts"
import * as HookInstallerFile from "../../../src/layers/files/HookInstallerFile.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import type { Provider } from "../../../src/services/CLIProvider.ts"
import { HookInstaller } from "../../../src/services/HookInstaller.ts"
import * as FaultyFileSystem from "../../support/fakes/faultyFileSystem.ts"
import { namedPipe } from "../../support/processes/namedPipe.ts"
import { script } from "../../support/wiring/hookScript.ts"
import { patience } from "../../support/run/patience.ts"
import { live, liveOfEach } from "../../support/run/effects.ts"

/** What these tests need of a provider is its wiring. */
const events: ReadonlyArray<WiredEvent> = [
  { event: "Stop", canAnswer: false, timeout: 5, matcher: null },
  { event: "PermissionRequest", canAnswer: true, timeout: 10, matcher: "^(?!Ask$).*" }
]
const providerWith = (files: HookWiring["files"]) =>
  ({
    id: "test",
    base: "test",
    displayName: "Test",
    hooks: { events, files },
    launch: () => ({ command: "test", args: [], env: {} })
  }) as Partial<Provider> as Provider
const provider = providerWith(({ env, script }) => [
  settingsFile(path.join(env["HOME"] ?? "", ".cli", "settings.json"), { events, script, shape: groupedHooks })
])

const place = Effect.gen(function* () {
  const dir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap installer "))),
    (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
  )
  const home = path.join(dir, "home")
  const settings = path.join(home, ".cli", "settings.json")
  fs.mkdirSync(path.dirname(settings), { recursive: true })
  const installer = (
    files: Layer.Layer<FileSystem.FileSystem> = NodeFileSystem.layer,
    env: Record<string, string> = { HOME: home }
  ) =>
    HookInstaller.pipe(
      Effect.provide(
        HookInstallerFile.layerWith({ env, script }).pipe(
          Layer.provide([PathsXdg.layerFrom({ LEAP_HOME: path.join(dir, "leap home") }), files])
        ),
        { local: true }
      )
    )
  const put = (text: string | Uint8Array, mode = 0o644) => {
    fs.writeFileSync(settings, text)
    fs.chmodSync(settings, mode)
  }
  const text = () => fs.readFileSync(settings, "utf8")
  const files = () => fs.readdirSync(path.dirname(settings)).sort()
  return { dir, settings, hook: path.join(dir, "leap home", "hooks", "leap-hook.sh"), installer, put, text, files }
})

const user = '{\n  // mine\n  "model": "opus",\n}\n'

describe("HookInstallerFile", () => {
  live("installs, tells so, and removes without a trace", function* () {
    const { files, hook, installer, put, settings, text } = yield* place
    const { install, remove, status } = yield* installer()
    assert.deepStrictEqual((yield* status(provider)).state, "missing")
    put(user, 0o640)
    assert.deepStrictEqual(yield* install(provider), { file: settings, changed: true })
    assert.deepStrictEqual(yield* status(provider), {
      state: "installed",
      receivesEvents: true,
      file: settings,
      files: [settings],
      detail: ""
    })
    assert.strictEqual(fs.statSync(settings).mode & 0o7777, 0o640)
    assert.strictEqual(fs.statSync(hook).mode & 0o7777, 0o700)
    assert.strictEqual(fs.readFileSync(hook, "utf8"), fs.readFileSync(script, "utf8"))
    const once = text()
    assert.deepStrictEqual(yield* install(provider), { file: settings, changed: false })
    assert.strictEqual(text(), once)
    assert.deepStrictEqual(yield* remove(provider), { file: settings, changed: true })
    assert.strictEqual(text(), user)
    assert.strictEqual(fs.statSync(settings).mode & 0o7777, 0o640)
    assert.deepStrictEqual(yield* remove(provider), { file: settings, changed: false })
    assert.deepStrictEqual(files(), ["settings.json"])
  })

  live("writes a command that a shell runs as the script, whatever its path", function* () {
    const { dir, installer, text } = yield* place
    yield* (yield* installer()).install(provider)
    const { hooks } = JSON.parse(text()) as {
      hooks: { Stop: ReadonlyArray<{ hooks: ReadonlyArray<{ command: string }> }> }
    }
    const spool = path.join(dir, "spool")
    fs.mkdirSync(spool)
    execFileSync("sh", ["-c", hooks.Stop[0]?.hooks[0]?.command ?? ""], {
      input: "{}",
      env: { PATH: process.env["PATH"], LEAP_SIGNAL_DIR: spool }
    })
    assert.match(fs.readdirSync(spool).at(-1) ?? "", /^Stop,/)
  })

  live("makes the file where there is none, for the user alone, and takes it away again", function* () {
    const { installer, settings } = yield* place
    const { install, remove } = yield* installer()
    fs.rmdirSync(path.dirname(settings))
    yield* install(provider)
    assert.strictEqual(fs.statSync(settings).mode & 0o7777, 0o600)
    yield* remove(provider)
    assert.isFalse(fs.existsSync(path.dirname(settings)))
  })

  live("takes the directories away that it made, but none with anything in it, and none of the user's", function* () {
    const { dir, files, installer, settings } = yield* place
    const home = path.join(dir, "home")
    const { install, remove } = yield* installer(NodeFileSystem.layer, { HOME: path.join(home, "a", "b") })
    yield* install(provider)
    assert.deepStrictEqual(fs.readdirSync(path.join(home, "a", "b", ".cli")), ["settings.json"])
    // as after a kill between the file and its directory
    fs.rmSync(path.join(home, "a", "b", ".cli", "settings.json"))
    yield* remove(provider)
    assert.deepStrictEqual(fs.readdirSync(home), [".cli"])

    yield* install(provider)
    fs.writeFileSync(path.join(home, "a", "mine"), "")
    yield* remove(provider)
    assert.deepStrictEqual(fs.readdirSync(path.join(home, "a")), ["mine"])

    const own = yield* installer()
    yield* own.install(provider)
    yield* own.remove(provider)
    assert.deepStrictEqual(files(), [])
    fs.rmdirSync(path.dirname(settings))
    yield* own.install(provider)
    fs.renameSync(path.dirname(settings), path.join(home, "moved"))
    fs.mkdirSync(path.dirname(settings))
    yield* own.remove(provider)
    assert.deepStrictEqual(files(), [])
  })

  it.live("neither waits for nor replaces what is no regular file", () =>
    Effect.gen(function* () {
      const { dir, files, installer, settings } = yield* place
      const { install, remove, status } = yield* installer()
      const pipe = path.join(dir, "pipe")
      yield* namedPipe(pipe)
      fs.symlinkSync(pipe, settings)
      const { detail, receivesEvents, state } = yield* status(provider)
      assert.deepStrictEqual([state, receivesEvents], ["unreadable", false])
      assert.match(detail, /a named pipe, not a regular file/)
      for (const act of [install, remove])
        assert.match((yield* Effect.flip(act(provider))).message, /a named pipe, not a regular file; put a regular/)
      assert.isTrue(fs.lstatSync(pipe).isFIFO())
      assert.isTrue(fs.lstatSync(settings).isSymbolicLink())
      assert.deepStrictEqual(files(), ["settings.json"])
    }).pipe(Effect.timeout(patience))
  )

  live("takes away what killed writers left of the file, and nothing else", function* () {
    const { files, installer, put, settings } = yield* place
    const { install, remove } = yield* installer()
    put(user)
    const beside = (name: string, age: number) => {
      const file = path.join(path.dirname(settings), name)
      fs.writeFileSync(file, "half")
      const then = Date.now() / 1000 - age
      fs.utimesSync(file, then, then)
    }
    beside(".settings.json.leap-killed", 3600)
    beside(".settings.json.leap-at-work", 0)
    beside(".other.json.leap-killed", 3600)
    beside("settings.json.backup", 3600)
    yield* install(provider)
    const kept = [".other.json.leap-killed", ".settings.json.leap-at-work", "settings.json", "settings.json.backup"]
    assert.deepStrictEqual(files(), kept)
    beside(".settings.json.leap-killed", 3600)
    yield* remove(provider)
    assert.deepStrictEqual(files(), kept)
  })

  live("writes through links and keeps them", function* () {
    const { dir, installer, settings } = yield* place
    const { install, remove } = yield* installer()
    const real = path.join(dir, "dotfiles", "cli.json")
    fs.mkdirSync(path.dirname(real))
    const middle = path.join(dir, "middle")
    fs.symlinkSync("dotfiles/cli.json", middle)
    fs.symlinkSync("../../middle", settings)
    // Also while they lead nowhere yet.
    yield* install(provider)
    assert.include(fs.readFileSync(real, "utf8"), "leap-hook.sh")
    yield* remove(provider)
    assert.isFalse(fs.existsSync(real))
    fs.writeFileSync(real, user, { mode: 0o604 })
    yield* install(provider)
    yield* remove(provider)
    assert.strictEqual(fs.readFileSync(real, "utf8"), user)
    assert.strictEqual(fs.readlinkSync(settings), "../../middle")
    assert.strictEqual(fs.readlinkSync(middle), "dotfiles/cli.json")
    assert.deepStrictEqual(fs.readdirSync(path.dirname(real)), ["cli.json"])
  })

  liveOfEach<readonly [string, string | Uint8Array, RegExp]>([
    [
      "broken JSON",
      '{\n  "a": 1\n  "b": 2\n}\n',
      /settings\.json:3:3: comma expected; the file was left as it is: mend it/
    ],
    ["hooks of the wrong type", '{"hooks": []}', /settings\.json:1:11: "hooks" must be an object, it is an array/],
    ["no UTF-8", Uint8Array.of(0x7b, 0xff, 0x7d), /settings\.json: it is not UTF-8 text/]
  ])("leaves a file it cannot read as it is: %s", function* ([, content, message]) {
    const { files, installer, put, settings } = yield* place
    const { install, status } = yield* installer()
    put(content)
    const error = yield* Effect.flip(install(provider))
    assert.strictEqual(error.reason, "corrupt")
    assert.match(error.message, message)
    assert.deepStrictEqual(fs.readFileSync(settings), Buffer.from(content as string))
    assert.deepStrictEqual(files(), ["settings.json"])
    const found = yield* status(provider)
    assert.strictEqual(found.state, "unreadable")
    assert.isAbove(found.detail.length, 5)
  })

  live("keeps what somebody else writes meanwhile", function* () {
    const { files, installer, put, settings, text } = yield* place
    put('{"n":0}')
    let writes = 0
    // Each time the new content is on the disk and about to be put in place, another program is quicker.
    const busy = (times: number) =>
      installer(
        FaultyFileSystem.layer((operation) =>
          Effect.sync(() => {
            if (operation === "file.sync" && writes < times) fs.writeFileSync(settings, `{"n":${++writes}}`)
          })
        ).pipe(Layer.provide(NodeFileSystem.layer))
      )
    // The script is there already: what follows is the settings' alone.
    yield* (yield* installer()).install(provider)
    yield* (yield* installer()).remove(provider)
    const { install } = yield* busy(2)
    yield* install(provider)
    assert.deepInclude(JSON.parse(text()), { n: 2 })
    assert.include(text(), "leap-hook.sh")

    writes = 0
    put('{"n":0}')
    const error = yield* Effect.flip((yield* busy(100)).install(provider))
    assert.match(error.message, /another program keeps changing it; close that program/)
    assert.strictEqual(text(), '{"n":5}')
    assert.deepStrictEqual(files(), ["settings.json"])
  })

  liveOfEach(["EACCES", "EROFS", "ENOSPC", "EIO"])("fails whole at any operation, and says why: %s", function* (code) {
    const { files, installer, put, settings, text } = yield* place
    // Once for a file that is there, once for one that is not; the script is there already.
    yield* (yield* installer()).install(provider)
    const after = { there: "", fresh: text() }
    yield* (yield* installer()).remove(provider)
    put(user)
    yield* (yield* installer()).install(provider)
    after.there = text()
    for (const [start, end] of [
      [user, after.there],
      [null, after.fresh]
    ] as const) {
      let failures = 0
      for (let n = 0, isDone = false; !isDone; n++) {
        if (start === null) fs.rmSync(settings, { force: true })
        else put(start)
        const seen: Array<string> = []
        const { install } = yield* installer(
          FaultyFileSystem.layer((operation, count) => {
            seen.push(operation)
            return count === n ? Effect.fail(FaultyFileSystem.failure(operation, code)) : Effect.void
          }).pipe(Layer.provide(NodeFileSystem.layer))
        )
        const result = yield* Effect.result(install(provider))
        const now = fs.existsSync(settings) ? text() : null
        if (Result.isSuccess(result)) {
          assert.strictEqual(now, end)
          isDone = n >= seen.length
        } else {
          failures++
          assert.strictEqual(now, start, `${code} at ${seen[n]}`)
          assert.deepInclude(result.failure, { store: "wiring", reason: "failed" })
          assert.match(
            result.failure.message,
            /^could not change \/.*(settings\.json|leap-(hook|statusline)\.sh): .+; .*run this again/
          )
        }
        // What could not be deleted stays; nothing else does.
        if (seen[n] !== "remove")
          assert.deepStrictEqual(
            files().filter((file) => file !== "settings.json"),
            []
          )
        for (const file of files()) if (file !== "settings.json") fs.rmSync(path.join(path.dirname(settings), file))
      }
      assert.isAbove(failures, 6)
    }
  })

  // only root can give a file to another user
  it.live.skipIf(process.getuid?.() !== 0)("leaves a file of another user's that cannot stay that user's", () =>
    Effect.gen(function* () {
      const { files, installer, put, settings, text } = yield* place
      put(user)
      fs.chownSync(settings, 4321, 4321)
      const denied = FaultyFileSystem.layer((operation) =>
        operation === "chown" ? Effect.fail(FaultyFileSystem.failure(operation, "EPERM")) : Effect.void
      ).pipe(Layer.provide(NodeFileSystem.layer))
      const { message } = yield* Effect.flip((yield* installer(denied)).install(provider))
      assert.match(message, /another user \(uid 4321; .*left as it is; run this as that user/s)
      assert.deepStrictEqual([text(), files()], [user, ["settings.json"]])
      yield* (yield* installer()).install(provider)
      assert.strictEqual(fs.statSync(settings).uid, 4321)
    })
  )

  live("sees that the script is gone, changed, or cannot run", function* () {
    const { hook, installer } = yield* place
    const { install, refreshScripts, status } = yield* installer()
    const statusLine = path.join(path.dirname(hook), "leap-statusline.sh")
    const spoil: ReadonlyArray<readonly [() => void, RegExp]> = [
      [() => fs.rmSync(hook), /is missing/],
      [() => fs.writeFileSync(hook, "#!/bin/sh\n"), /another version/],
      [() => fs.chmodSync(hook, 0o600), /not executable/],
      [() => fs.rmSync(statusLine), /status line script .* is missing/],
      [() => fs.writeFileSync(statusLine, ""), /status line script .* another version/]
    ]
    for (const [act, detail] of spoil) {
      yield* install(provider)
      assert.strictEqual((yield* status(provider)).state, "installed")
      act()
      const found = yield* status(provider)
      assert.strictEqual(found.state, "outdated")
      assert.match(found.detail, detail)
      yield* refreshScripts
      assert.strictEqual((yield* status(provider)).state, "installed")
      for (const file of [hook, statusLine]) {
        assert.strictEqual(fs.statSync(file).mode & 0o7777, 0o700)
        assert.strictEqual(
          fs.readFileSync(file, "utf8"),
          fs.readFileSync(path.join(path.dirname(script), path.basename(file)), "utf8")
        )
      }
      act()
    }
  })

  describe("with several files", () => {
    /** A list that the settings need, in a file of its own beside them; it says which settings it was made for. */
    const two = (dir: string) => {
      const list = path.join(dir, "list.txt")
      const line = (settings: string | null) => `for ${settings === null ? "none" : settings.length}\n`
      return {
        list,
        line,
        provider: providerWith(({ env, script }) => {
          const settings = settingsFile(path.join(env["HOME"] ?? "", ".cli", "settings.json"), {
            events,
            script,
            shape: groupedHooks
          })
          return [
            {
              path: list,
              install: (text, present) =>
                text?.startsWith("broken") === true
                  ? Result.fail({ line: 1, column: 1, why: "it is broken" })
                  : Result.succeed(
                      text?.includes("for ") === true ? text : `${text ?? ""}${line(present(settings.path))}`
                    ),
              remove: (text) =>
                Result.succeed(text?.replace(/for .*\n/, "") === "" ? null : (text?.replace(/for .*\n/, "") ?? null)),
              status: (text) =>
                text?.startsWith("broken") === true
                  ? { state: "unreadable", details: ["it is broken"] }
                  : text?.includes("for ") === true
                    ? { state: "installed", details: [] }
                    : { state: "missing", details: ["it is not listed"] }
            },
            settings
          ]
        })
      }
    }

    live("writes all of them, each with the others as they were, and takes all of them back", function* () {
      const { dir, installer, put, settings, text } = yield* place
      const { line, list, provider } = two(dir)
      const { install, remove, status } = yield* installer()
      put(user)
      fs.writeFileSync(list, "mine\n")
      assert.deepStrictEqual(yield* install(provider), { file: settings, changed: true })
      assert.strictEqual(fs.readFileSync(list, "utf8"), `mine\n${line(user)}`)
      assert.deepStrictEqual(yield* status(provider), {
        state: "installed",
        receivesEvents: true,
        file: settings,
        files: [list, settings],
        detail: ""
      })
      assert.deepStrictEqual(yield* install(provider), { file: settings, changed: false })
      assert.deepStrictEqual(yield* remove(provider), { file: settings, changed: true })
      assert.deepStrictEqual([fs.readFileSync(list, "utf8"), text()], ["mine\n", user])
    })

    live("says of each what is wrong, and which cannot be read", function* () {
      const { dir, installer, settings } = yield* place
      const { list, provider } = two(dir)
      const { install, status } = yield* installer()
      yield* install(provider)
      fs.rmSync(list)
      assert.deepStrictEqual(yield* status(provider), {
        state: "partly",
        receivesEvents: false,
        file: settings,
        files: [list, settings],
        detail: "list.txt: it is not listed"
      })
      fs.writeFileSync(list, "broken\n")
      assert.deepStrictEqual(yield* status(provider), {
        state: "unreadable",
        receivesEvents: false,
        file: list,
        files: [list, settings],
        detail: "it is broken"
      })
      fs.rmSync(list)
      fs.mkdirSync(list)
      const { detail, file, state } = yield* status(provider)
      assert.deepStrictEqual([state, file, detail], ["unreadable", list, "it is a directory"])
    })

    live("writes none while one cannot be read", function* () {
      const { dir, installer, put, text } = yield* place
      const { list, provider } = two(dir)
      const { install } = yield* installer()
      put(user)
      fs.writeFileSync(list, "broken\n")
      assert.strictEqual(
        (yield* Effect.flip(install(provider))).message,
        `${list}:1:1: it is broken; the file was left as it is: mend it, then run this again`
      )
      assert.strictEqual(text(), user)
      fs.rmSync(list)
      put("{")
      assert.match((yield* Effect.flip(install(provider))).message, /settings\.json:1:2/)
      assert.isFalse(fs.existsSync(list))
    })

    live("writes the one that names the hooks last, and takes it back first", function* () {
      const { dir, installer, settings } = yield* place
      const { list, provider } = two(dir)
      const order: Array<string> = []
      const watched = FaultyFileSystem.layer((operation) =>
        Effect.sync(() => {
          if (operation === "rename" || operation === "remove") {
            order.push(
              `${operation} ${fs.existsSync(list) ? "list" : "-"} ${fs.existsSync(settings) ? "settings" : "-"}`
            )
          }
        })
      ).pipe(Layer.provide(NodeFileSystem.layer))
      yield* (yield* installer()).install(provider)
      yield* (yield* installer()).remove(provider)
      const { install, remove } = yield* installer(watched)
      yield* install(provider)
      assert.deepStrictEqual(
        order.filter((it) => it.startsWith("rename")),
        ["rename - -", "rename list -"]
      )
      order.length = 0
      yield* remove(provider)
      assert.deepStrictEqual(order.filter((it) => it.startsWith("remove")).slice(0, 2), [
        "remove list settings",
        "remove list -"
      ])
    })

    liveOfEach(["install", "remove"] as const)("fails whole at any operation: %s", function* (act) {
      const { dir, installer, put, settings, text } = yield* place
      const { list, provider } = two(dir)
      const state = () => [
        fs.existsSync(list) ? fs.readFileSync(list, "utf8") : null,
        fs.existsSync(settings) ? text() : null
      ]
      const sound = yield* installer()
      put(user)
      fs.writeFileSync(list, "mine\n")
      yield* sound.install(provider)
      const there = state()
      const from = act === "install" ? ["mine\n", user] : there
      const to = act === "install" ? there : ["mine\n", user]
      let failures = 0
      for (let n = 0, isDone = false; !isDone; n++) {
        put(from[1] ?? "")
        fs.writeFileSync(list, from[0] ?? "")
        const seen: Array<string> = []
        const faulty = yield* installer(
          FaultyFileSystem.layer((operation, count) => {
            seen.push(operation)
            return count === n ? Effect.fail(FaultyFileSystem.failure(operation, "ENOSPC")) : Effect.void
          }).pipe(Layer.provide(NodeFileSystem.layer))
        )
        const result = yield* Effect.result(faulty[act](provider))
        if (Result.isSuccess(result)) {
          assert.deepStrictEqual(state(), to)
          isDone = n >= seen.length
        } else {
          failures++
          assert.deepStrictEqual(state(), from, `${n}: ${seen[n]}`)
        }
      }
      assert.isAbove(failures, 12)
    })

    live("plans anew when one of them changes meanwhile", function* () {
      const { dir, installer, put, settings, text } = yield* place
      const { list, provider } = two(dir)
      yield* (yield* installer()).install(provider)
      yield* (yield* installer()).remove(provider)
      put('{"n":0}')
      let syncs = 0
      // The list is in place when somebody else writes the settings.
      const { install, status } = yield* installer(
        FaultyFileSystem.layer((operation) =>
          Effect.sync(() => {
            if (operation === "file.sync" && ++syncs === 3) fs.writeFileSync(settings, '{"n":1}')
          })
        ).pipe(Layer.provide(NodeFileSystem.layer))
      )
      yield* install(provider)
      assert.deepInclude(JSON.parse(text()), { n: 1 })
      assert.strictEqual((yield* status(provider)).state, "installed")
      assert.isTrue(fs.existsSync(list))
    })
  })

  live("has nothing to do for a CLI without hooks", function* () {
    const { dir, installer } = yield* place
    const { install, remove, status } = yield* installer()
    const without = { ...provider, hooks: null }
    assert.deepStrictEqual(yield* install(without), { file: null, changed: false })
    assert.deepStrictEqual(yield* remove(without), { file: null, changed: false })
    assert.strictEqual((yield* status(without)).state, "unsupported")
    assert.isFalse(fs.existsSync(path.join(dir, "leap home")))
  })

  live("finds its script beside the sources", function* () {
    const { dir, hook, settings } = yield* place
    const { status } = yield* HookInstaller.pipe(
      Effect.provide(
        HookInstallerFile.layer.pipe(
          Layer.provide([
            PathsXdg.layerFrom({ LEAP_HOME: path.join(dir, "leap home") }),
            SystemNode.layerWith({ version: "0", self: [] })
          ])
        )
      )
    )
    const own = providerWith(({ script }) => [settingsFile(settings, { events, script, shape: groupedHooks })])
    fs.mkdirSync(path.dirname(hook), { recursive: true })
    fs.copyFileSync(script, hook)
    assert.strictEqual((yield* status(own)).state, "missing")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { leapHomeIn } from "../../../src/domain/words/environment/leapHome.ts"
import { Tag } from "../../../src/domain/words/session/Tag.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { Paths } from "../../../src/services/Paths.ts"
import { System } from "../../../src/services/System.ts"
import { effect, effectWith } from "../../support/run/effects.ts"

const tag = Schema.decodeUnknownSync(Tag)
const temporary = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-paths-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

/** A session's directory under this root. */
const ensured = (root: string) =>
  Paths.use((paths) => paths.ensureSession(tag("one"))).pipe(Effect.provide(PathsXdg.layerFrom({ LEAP_HOME: root })))

describe("where leap keeps things", () => {
  it.effect.each([
    { env: { LEAP_HOME: "/l", HOME: "/h" }, state: "/l", config: "/l" },
    { env: { HOME: "/h" }, state: "/h/.local/state/leap", config: "/h/.config/leap" },
    { env: { HOME: "/h", XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c" }, state: "/s/leap", config: "/c/leap" },
    // of XDG's variables what is not absolute is nothing
    {
      env: { HOME: "/h", XDG_STATE_HOME: "~/.local/state", XDG_CONFIG_HOME: "c" },
      state: "/h/.local/state/leap",
      config: "/h/.config/leap"
    },
    // leap's own is meant from where the command stands, and is the same for a host that stands elsewhere
    { env: { LEAP_HOME: "l", HOME: "/h" }, state: "/at/l", config: "/at/l" },
    { env: { LEAP_HOME: "../l/./m", HOME: "/h" }, state: "/l/m", config: "/l/m" },
    { env: { LEAP_HOME: "~/l", HOME: "/h" }, state: "/h/l", config: "/h/l" },
    { env: { LEAP_HOME: "~", HOME: "/h" }, state: "/h", config: "/h" }
  ])("$env", ({ config, env, state }) =>
    Effect.gen(function* () {
      const paths = yield* Paths
      assert.strictEqual(paths.state, state)
      assert.strictEqual(paths.config, config)
      const { env: handedOn } = yield* System
      assert.deepStrictEqual(handedOn, "LEAP_HOME" in env ? { ...env, LEAP_HOME: state } : env)
    }).pipe(
      Effect.provide([
        PathsXdg.layerFrom(env, "/at"),
        SystemNode.layerWith({ version: "0", self: [], env, cwd: "/at" })
      ])
    )
  )

  effectWith(PathsXdg.layerFrom({ LEAP_HOME: `/${"deep/".repeat(40)}` }))(
    "a socket's address fits, however long the directory and the tag",
    function* () {
      const paths = yield* Paths
      for (const name of ["a", "b".repeat(199)]) {
        assert.isAtMost(Buffer.byteLength(paths.session(tag(name)).socket), 103)
      }
      assert.notStrictEqual(paths.session(tag("a")).socket, paths.session(tag("b")).socket)
    }
  )

  effect("directories are made 0700, and open ones are closed", function* () {
    const home = yield* temporary
    fs.chmodSync(home, 0o755)
    yield* Effect.gen(function* () {
      const paths = yield* (yield* Paths).ensureSession(tag("one"))
      for (const dir of [home, paths.dir, paths.spool]) assert.strictEqual(fs.statSync(dir).mode & 0o777, 0o700, dir)
      assert.deepStrictEqual(yield* (yield* Paths).tags, [tag("one")])
    }).pipe(Effect.provide(PathsXdg.layerFrom({ LEAP_HOME: home })))
  })

  effect("no start in a directory that is a link or another user's", function* () {
    const home = yield* temporary
    fs.mkdirSync(path.join(home, "elsewhere"))
    fs.symlinkSync(path.join(home, "elsewhere"), path.join(home, "sessions"))
    const error = yield* Effect.flip(ensured(home))
    assert.deepInclude(error, { _tag: "StoreError", store: "directory", exitCode: 5 })
    assert.include(error.message, "sessions")
  })

  effect("and where none can be made says why, and which variable names another", function* () {
    const home = yield* temporary
    fs.writeFileSync(path.join(home, "file"), "")
    const wanted = path.join(home, "file", "state", "leap")
    const error = yield* Effect.flip(
      Paths.use((paths) => paths.ensureBase).pipe(Effect.provide(PathsXdg.layerFrom({ LEAP_HOME: wanted })))
    )
    assert.strictEqual(
      error.message,
      `cannot create ${wanted}: it is not a directory; set LEAP_HOME to a folder that you can write to`
    )
  })

  effect("nor where something else is in the place of a session's directory", function* () {
    for (const put of [(at: string) => fs.writeFileSync(at, ""), (at: string) => fs.symlinkSync("nowhere", at)]) {
      const home = yield* temporary
      fs.mkdirSync(path.join(home, "sessions", "one"), { recursive: true, mode: 0o700 })
      put(path.join(home, "sessions", "one", "spool"))
      assert.include((yield* Effect.flip(ensured(home))).message, "spool: something else is in its place")
    }
  })

  effect("nor in one that others may write in", function* () {
    const home = yield* temporary
    fs.chmodSync(home, 0o1777)
    const error = yield* Effect.flip(ensured(home))
    assert.include(error.message, "others may write in it")
    assert.strictEqual(fs.statSync(home).mode & 0o1777, 0o1777, "it was left as it is")
  })

  effect("a root that is the user's own link is followed", function* () {
    const home = yield* temporary
    fs.mkdirSync(path.join(home, "real"))
    fs.symlinkSync(path.join(home, "real"), path.join(home, "link"))
    yield* ensured(path.join(home, "link"))
    assert.isTrue(fs.existsSync(path.join(home, "real", "sessions", "one", "spool")))
  })

  // Only root can make a directory that belongs to somebody else
  it.effect.skipIf(process.getuid?.() !== 0)("nor in one that belongs to somebody else", () =>
    Effect.gen(function* () {
      const home = yield* temporary
      fs.mkdirSync(path.join(home, "sessions"), { mode: 0o777 })
      fs.chownSync(path.join(home, "sessions"), 12345, 12345)
      const error = yield* Effect.flip(ensured(home))
      assert.include(error.message, "another user")
    }).pipe(Effect.scoped)
  )

  effect("sessions that cannot be listed are told, and none yet is no trouble", function* () {
    const home = yield* temporary
    const check = Paths.use(({ readable, writable }) => Effect.andThen(readable, writable)).pipe(
      Effect.provide(PathsXdg.layerFrom({ LEAP_HOME: home }))
    )
    yield* check
    assert.deepStrictEqual(fs.readdirSync(home), [])
    fs.writeFileSync(path.join(home, "sessions"), "")
    const error = yield* Effect.flip(check)
    assert.match(error.message, /sessions cannot be read: it is not a directory/)
  })

  it.each([
    ["ENOSPC", /cannot be written: the disk is full/, "df -h /s"],
    ["EROFS", /cannot be written: the file system is read-only/, "mount"],
    ["EWHAT", /cannot be written: what/, null]
  ])("%s is told as what it is", (code, says, mend) => {
    const error = PathsXdg.unusable("/s", "unwritable", Object.assign(new Error("what"), { code }))
    assert.match(error.message, says)
    assert.strictEqual(error.mend ?? null, mend)
  })
})

it("where its files are does not depend on a directory that may have been deleted, where that is said absolutely", () => {
  const nowhere = (): never => {
    throw new Error("ENOENT: uv_cwd")
  }
  for (const [value, home] of [
    ["/l", "/l"],
    ["/l/../m", "/m"],
    ["~/l", "/h/l"],
    ["~", "/h"],
    ["", undefined]
  ])
    assert.strictEqual(leapHomeIn({ LEAP_HOME: value }, nowhere, "/h"), home)
  assert.throws(() => leapHomeIn({ LEAP_HOME: "l" }, nowhere, "/h"))
})

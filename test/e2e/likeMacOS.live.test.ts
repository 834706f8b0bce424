import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { makePlace } from "../support/processes/pastSessions.ts"
import { makeRepository } from "../support/processes/Repository.ts"
import { eventually, makeRoom, type Room, runToEnd } from "../support/processes/Room.ts"
import { openWindow, inWindows } from "../support/processes/Window.ts"
import { longTestPatience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

const imitation = fileURLToPath(new URL("../support/processes/likeMacOS.mjs", import.meta.url))

/** What macOS has in leap's way: a home and a directory for temporary files behind links, and what likeMacOS.mjs has. */
const asOnMacOS = (room: Pick<Room, "command" | "dir">, env: Readonly<Record<string, string>>) => {
  const real = fs.realpathSync(room.dir)
  const linked = path.join(real, "private")
  fs.symlinkSync(".", linked)
  fs.mkdirSync(path.join(real, "T"))
  const started = path.join(real, "started")
  const its: Readonly<Record<string, string>> = {
    ...env,
    HOME: linked,
    TMPDIR: path.join(linked, "T"),
    NODE_OPTIONS: `--import=${imitation}`,
    LEAP_TEST_CASELESS: real,
    LEAP_TEST_STARTED: started
  }
  const leap = (cwd: string, ...args: ReadonlyArray<string>) => runToEnd([...room.command, ...args], { env: its, cwd })
  const done = (cwd: string, ...args: ReadonlyArray<string>) =>
    Effect.flatMap(leap(cwd, ...args), (ran) =>
      ran.code === 0 ? Effect.succeed(ran) : Effect.die(new Error(`${args.join(" ")}: ${ran.stderr}${ran.stdout}`))
    )
  return {
    real,
    linked,
    env: its,
    leap,
    done,
    /** The programs that leap has started, each with its arguments. */
    started: () =>
      fs
        .readFileSync(started, "utf8")
        .trim()
        .split("\n")
        .map((line): ReadonlyArray<string> => JSON.parse(line))
  }
}

/** The options of these that both systems' programs have, as leap uses them. */
const portable: Readonly<Record<string, RegExp>> = {
  ps: /^(?:-A( -o [a-z]+=)+|-o stat= -p \d+)$/,
  lsof: /^-nP -w (?:-F pDi|-d cwd -F pcn)$/,
  sh: /^-c /,
  git: /^/,
  claude: /^/,
  node: /^/
}

const assertPortable = (started: ReadonlyArray<ReadonlyArray<string>>): void => {
  for (const [program = "", ...args] of started)
    assert.match(args.join(" "), portable[path.basename(program)] ?? /^ /, `${program} is not on macOS, or not so`)
}

describe("as on macOS", () => {
  inWindows(
    "a session starts, takes messages and answers, is watched, stopped and brought back, in a home behind a link",
    function* () {
      const room = yield* makeRoom(undefined, { hosts: "apart" })
      const mac = asOnMacOS(room, room.env)
      fs.mkdirSync(path.join(mac.real, "work"))
      const work = path.join(mac.real, "work")
      yield* mac.done(path.join(mac.linked, "work"), "one", "--cli", "demo", "--detach")
      const ready = yield* room.until("one", (status) => status.ready, "ready")
      assert.strictEqual(ready.cwd, work)
      // the same directory, spelled in another case
      yield* mac.done(mac.real, "two", "--cli", "demo", "--detach", "--cwd", path.join(mac.real, "WORK"))
      assert.strictEqual((yield* room.until("two", (status) => status.ready, "ready")).cwd, work)

      yield* mac.done(work, "send", "one", "permission")
      yield* room.until("one", ({ dialog }) => dialog, "it asks")
      assert.include((yield* mac.done(work, "answer", "one", "1")).stdout, "Yes")
      yield* mac.done(work, "wait", "one")
      assert.include((yield* mac.done(work, "last", "one")).stdout, "That is my answer")
      assert.match((yield* mac.done(work, "why", "one")).stdout, /hooks +a turn ended/)
      const doctor = yield* mac.leap(work, "doctor")
      assert.notMatch(doctor.stdout, /stale|broken|\/proc/)

      const window = yield* openWindow({ ...room, dir: work }, ["attach", "two"], undefined, mac.env)
      yield* window.shows("ask anything")
      yield* window.type("hello\r")
      yield* window.shows("You asked “hello”")
      yield* window.type("\x1c")
      assert.strictEqual((yield* window.exit).code, 0)

      const { hostPid } = yield* room.until("two", ({ state }) => state === "idle", "at rest")
      yield* mac.done(work, "stop", "one")
      yield* mac.done(work, "stop", "two", "--force")
      yield* eventually(() => !fs.existsSync(`/proc/${hostPid}`), "its host is gone")
      assertPortable(mac.started())
    },
    longTestPatience
  )

  live(
    "a conversation moves with what its CLI keeps of it, and directories are the same whatever they are called",
    function* () {
      const place = yield* makePlace("apart")
      const mac = asOnMacOS(place.room, place.env)
      const [a, b] = [place.at("a"), place.at("b")]
      fs.writeFileSync(place.at("next-id"), "aaaa-1")
      yield* mac.done(path.join(mac.linked, "a"), "one", "--cli", "claude", "--detach")
      const begun = yield* place.until("one", ({ sessionId }) => sessionId === "aaaa-1", "it has begun")
      assert.strictEqual(begun.cwd, a)
      assert.isNull(begun.unwired)
      yield* eventually(() => place.records("one").length > 0, "it is recorded")
      assert.strictEqual(place.records("one")[0]?.cwd, a)

      // one that runs is where it is asked to be, however that is spelled
      const already = yield* mac.done(mac.real, "move", "one", path.join(mac.linked, "A"))
      assert.include(already.stdout, "lives in")
      assert.include(already.stdout, "already")
      yield* mac.done(mac.linked, "move", "one", "B", "--restart", "--force")
      assert.strictEqual((yield* place.until("one", ({ cwd }) => cwd === b, "it is there")).sessionId, "aaaa-1")
      yield* eventually(() => place.log().at(-1) === "resume in /b", "its CLI is there")
      assert.isTrue(fs.existsSync(place.transcript("b", "aaaa-1")))
      assert.isFalse(fs.existsSync(place.transcript("a", "aaaa-1")))
      yield* mac.done(mac.linked, "stop", "one", "--force")

      // from its directory, through the link
      yield* mac.done(path.join(mac.linked, "b"), "resume", "--tag", "one", "--last", "--detach")
      assert.strictEqual((yield* place.until("one", ({ state }) => state !== "starting", "it runs")).cwd, b)
      yield* mac.done(mac.linked, "stop", "one", "--force")
      assert.include((yield* mac.done(mac.linked, "uninstall")).stdout, "claude")
      assertPortable(mac.started())
    },
    longTestPatience
  )

  live(
    "a worktree is made in a repository behind a link, and forgotten; a socket's address has room for 103 bytes",
    function* () {
      const deep = path.join("h".repeat(60), "i".repeat(60))
      const room = yield* makeRoom("0.3", { hosts: "apart", place: deep })
      const repository = yield* Effect.acquireRelease(Effect.sync(makeRepository), ({ end }) => Effect.sync(end))
      const mac = asOnMacOS(room, { ...room.env, GIT_CONFIG_NOSYSTEM: "1" })
      fs.symlinkSync(repository.root, path.join(mac.real, "repos"))
      const main = path.join(mac.linked, "repos/proj")
      const made = path.join(repository.root, "proj.worktrees/fix")
      yield* mac.done(main, "fix", "--cli", "demo", "--detach", "--worktree")
      const { cwd } = yield* room.until("fix", (status) => status.ready, "ready")
      assert.strictEqual(cwd, made)
      yield* mac.done(mac.linked, "send", "fix", "hello")
      yield* mac.done(mac.linked, "wait", "fix")
      yield* mac.done(mac.linked, "stop", "fix")
      assert.include((yield* mac.done(mac.linked, "forget", "--worktree", "fix")).stdout, made)
      assert.isFalse(fs.existsSync(made))
      assertPortable(mac.started())
    },
    longTestPatience
  )
})

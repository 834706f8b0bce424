import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { LoginLinks } from "../../src/services/LoginLinks.ts"
import * as LoginLinksNode from "../../src/layers/files/LoginLinksNode.ts"
import { eventually, makeRoom } from "../support/processes/Room.ts"
import { openWindow, windows } from "../support/processes/Window.ts"
import { longTestPatience } from "../support/run/patience.ts"

const hasAgent = spawnSync("ssh-agent", ["-h"]).error === undefined

/** An agent with one key, whose comment is its name; it ends with the scope. */
const startAgent = Effect.fnUntraced(function* (dir: string, name: string) {
  const own = path.join(dir, name)
  fs.mkdirSync(own, { mode: 0o700 })
  const socket = path.join(own, "agent")
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", `key-${name}`, "-f", path.join(own, "key")])
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => spawn("ssh-agent", ["-D", "-a", socket], { stdio: "ignore" })),
    (agent) => Effect.sync(() => void agent.kill("SIGKILL"))
  )
  yield* eventually(() => fs.existsSync(socket), `agent ${name} is up`)
  execFileSync("ssh-add", ["-q", path.join(own, "key")], { env: { ...process.env, SSH_AUTH_SOCK: socket } })
  return { socket, end: Effect.sync(() => void agent.kill("SIGTERM")) }
})

layer(Layer.mergeAll(...windows, LoginLinksNode.layer), { excludeTestServices: true })("a login", (it) => {
  describe("that a session outlasts", () => {
    it.effect.skipIf(!hasAgent)(
      "leaves it the agent of the login that attached last, and of an earlier one when that ends",
      () =>
        Effect.gen(function* () {
          const room = yield* makeRoom()
          const seen = path.join(room.dir, "keys")
          const program = `while :; do ssh-add -l >${seen}.new 2>&1; mv ${seen}.new ${seen}; sleep 0.2; done`
          const shows = (text: string) =>
            eventually(
              () => fs.existsSync(seen) && fs.readFileSync(seen, "utf8").includes(text),
              `ssh-add -l has ${text}`
            )
          const [one, two, three] = [
            yield* startAgent(room.dir, "one"),
            yield* startAgent(room.dir, "two"),
            yield* startAgent(room.dir, "three")
          ]
          const started = yield* room.leap(["t", "--cli", "generic", "--detach", "--", "sh", "-c", program], "", {
            SSH_AUTH_SOCK: one.socket
          })
          assert.strictEqual(started.code, 0, started.stderr)
          yield* shows("key-one")
          yield* one.end
          yield* shows("Error")

          for (const { agent, name } of [
            { agent: two, name: "two" },
            { agent: three, name: "three" }
          ]) {
            const window = yield* openWindow(
              room,
              ["attach", "t"],
              { cols: 60, rows: 10 },
              { SSH_AUTH_SOCK: agent.socket }
            )
            yield* shows(`key-${name}`)
            yield* window.type("\x1c")
            yield* window.exit
          }
          // with the later of two logins gone, the earlier one serves
          yield* three.end
          yield* shows("key-two")
          yield* room.leap(["stop", "t", "--force"])
          yield* eventually(
            () => !fs.readdirSync(path.join(room.dir, "leap/sessions/t")).some((name) => name.startsWith("host.ssh")),
            "no link is left"
          )
        }).pipe(Effect.scoped),
      longTestPatience
    )

    it.effect(
      "does not lead its git to the place that a hook was at",
      () =>
        Effect.gen(function* () {
          const room = yield* makeRoom()
          const repository = path.join(room.dir, "r")
          const git = (...args: ReadonlyArray<string>) =>
            execFileSync("git", ["-C", repository, ...args], {
              encoding: "utf8",
              env: { ...room.env, GIT_CONFIG_GLOBAL: path.join(room.dir, "gitconfig") }
            }).trim()
          fs.mkdirSync(repository)
          fs.writeFileSync(
            path.join(room.dir, "gitconfig"),
            "[user]\nname = U\nemail = u@x\n[init]\ndefaultBranch = main\n"
          )
          git("init", "-q")
          git("commit", "-q", "--allow-empty", "-m", "first")
          const command =
            "echo x >n && git add n && git commit -qm work && git log -1 --format=%an/%ad --date=iso >../done; exec cat"
          const started = yield* room.leap(
            ["t", "--cli", "generic", "--detach", "--cwd", repository, "--worktree=own", "--", "sh", "-c", command],
            "",
            {
              GIT_CONFIG_GLOBAL: path.join(room.dir, "gitconfig"),
              GIT_AUTHOR_DATE: "@1000000000 +0000",
              GIT_AUTHOR_EMAIL: "o@x",
              GIT_AUTHOR_NAME: "Other",
              GIT_DIR: path.join(repository, ".git"),
              GIT_EXEC_PATH: execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(),
              GIT_INDEX_FILE: ".git/index",
              GIT_PREFIX: ""
            }
          )
          assert.strictEqual(started.code, 0, started.stderr)
          const { cwd } = yield* room.until("t", () => true, "it runs")
          const done = path.join(path.dirname(cwd), "done")
          yield* eventually(() => fs.existsSync(done) && fs.readFileSync(done, "utf8") !== "", "it has committed")
          assert.match(fs.readFileSync(done, "utf8"), /^U\/20(?!01)/)
          assert.strictEqual(git("log", "-1", "--format=%s", "own"), "work")
          assert.strictEqual(git("log", "-1", "--format=%s", "main"), "first")
          assert.strictEqual(git("status", "--porcelain"), "")
          yield* room.leap(["stop", "t", "--force"])
        }).pipe(Effect.scoped),
      longTestPatience
    )

    it.effect("is followed to what is the user's own, and what nobody else can replace", () =>
      Effect.gen(function* () {
        const links = yield* LoginLinks
        const { dir } = yield* makeRoom()
        const file = path.join(dir, "own")
        fs.writeFileSync(file, "")
        const found = (place: string, kind: "socket" | "file" = "file") => links.find(place, kind, true)
        const real = fs.realpathSync(file)
        assert.deepStrictEqual(yield* found(file), { _tag: "Lives", path: real })
        // by its own path, whatever led to it
        const link = path.join(dir, "link")
        assert.isTrue(yield* links.point(link, file))
        assert.isTrue(yield* links.point(link, file), "again")
        assert.deepStrictEqual(yield* found(link), { _tag: "Lives", path: real })
        assert.deepStrictEqual(yield* found(file, "socket"), { _tag: "Foreign" })
        assert.deepStrictEqual(yield* found(path.join(dir, "none")), { _tag: "Gone", isSafe: true })
        assert.deepStrictEqual(yield* found(path.join(dir, "none/none")), { _tag: "Gone", isSafe: false })
        assert.deepStrictEqual(yield* found("/tmp/leap-none"), { _tag: "Gone", isSafe: false })
        const shared = path.join(dir, "shared")
        fs.mkdirSync(shared)
        fs.chmodSync(shared, 0o777)
        fs.writeFileSync(path.join(shared, "own"), "")
        assert.deepStrictEqual(yield* found(path.join(shared, "own")), { _tag: "Foreign" })
        yield* links.point(link, path.join(shared, "own"))
        assert.deepStrictEqual(yield* found(link), { _tag: "Foreign" })
        if (process.getuid?.() === 0) {
          fs.chownSync(file, 65534, 65534)
          assert.deepStrictEqual(yield* found(file), { _tag: "Foreign" })
        }
        yield* links.remove(link)
        assert.isFalse(fs.existsSync(link))
        assert.isFalse(yield* links.point(path.join(dir, "none/link"), file))
      }).pipe(Effect.scoped)
    )
  })
})

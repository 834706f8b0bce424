import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

const codexHooks = ".codex/hooks.json"
const codexToml = ".codex/config.toml"

/** It ends at once where leap asks it for its version or tries its hooks. */
const program = '#!/bin/sh\ncase "$1" in --version) exit 1 ;; --help | -p | exec) exit 0 ;; esac\nsleep 600\n'

/** A room with programs on PATH that do not tell their version, and do nothing but wait, by the names of CLIs. */
const withClis = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const room = yield* makeRoom()
  const bin = path.join(room.dir, "bin")
  fs.mkdirSync(bin)
  for (const name of names) fs.writeFileSync(path.join(bin, name), program, { mode: 0o755 })
  const env = { PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin` }
  const file = (name: string) => path.join(room.dir, name)
  return {
    room,
    leap: (args: ReadonlyArray<string>) => room.leap(args, "", env),
    read: (name: string) => fs.readFileSync(file(name), "utf8"),
    write: (name: string, text: string) => {
      fs.mkdirSync(path.dirname(file(name)), { recursive: true })
      fs.writeFileSync(file(name), text)
    },
    remove: (name: string) => fs.rmSync(file(name))
  }
})

const findings = (
  stdout: string
): ReadonlyArray<{ subject: string; state: string; detail: string; mend: string | null }> => JSON.parse(stdout).findings

const stop = (room: Room, tag: string) => room.leap(["stop", tag, "--force"])

describe("the gate", () => {
  live(
    "of a CLI with several files: told of, and shut on demand, while it would hear nothing, open with a line when less is amiss",
    function* () {
      const { leap, read, remove, room, write } = yield* withClis(["copilot", "codex"])
      const start = (cli: string, ...more: ReadonlyArray<string>) => leap(["one", "--cli", cli, "--detach", ...more])
      const shut = Effect.fnUntraced(function* (cli: string, says: RegExp) {
        const ran = yield* start(cli, "--require-hooks")
        assert.strictEqual(ran.code, 6, ran.stderr)
        assert.match(ran.stderr, says)
        assert.include(ran.stderr, `leap hooks install --cli ${cli}`)
        assert.strictEqual(ran.stderr.trim().split("\n").length, 1)
        assert.strictEqual(ran.stdout, "")
      })
      yield* shut("copilot", /^leap: GitHub Copilot is not to be started without leap's hooks/)
      const unwired = yield* start("copilot")
      assert.strictEqual(unwired.code, 0, unwired.stderr)
      assert.match(
        unwired.stderr,
        /^GitHub Copilot runs without leap's hooks .*'leap hooks install --cli copilot' adds them\n$/
      )
      yield* stop(room, "one")
      for (const cli of ["copilot", "codex"])
        assert.strictEqual((yield* leap(["hooks", "install", "--cli", cli])).code, 0)
      // The hooks are there, but Codex is not to trust one of them.
      const trusted = read(codexToml)
      remove(codexToml)
      yield* shut("codex", /Codex does not trust leap's hook/)
      // An older version of leap wanted less.
      write(codexToml, trusted)
      write(codexHooks, read(codexHooks).replace(/"timeout": 5\b/, '"timeout": 4'))
      const older = yield* start("codex")
      assert.strictEqual(older.code, 0, older.stderr)
      assert.match(
        older.stderr,
        /^OpenAI Codex is wired as by another version of leap .*run 'leap hooks install --cli codex'\n$/
      )
      yield* stop(room, "one")
    }
  )

  live(
    "leaves a file with comments alone where its CLI ignores such a one, says so, and wires the others",
    function* () {
      const { leap, read, room, write } = yield* withClis(["claude", "codex", "gemini", "copilot"])
      const commented = '{\n  // mine\n  "theme": "dark",\n}\n'
      for (const file of [".claude/settings.json", codexHooks, ".gemini/settings.json", ".copilot/settings.json"])
        write(file, commented)
      const ran = yield* leap(["hooks", "install"])
      assert.strictEqual(ran.code, 1)
      assert.match(
        ran.stderr,
        /^leap: \S+\/\.claude\/settings\.json: it has comments or trailing commas; the CLI ignores such a file; the file was left as it is/
      )
      for (const file of [".claude/settings.json", codexHooks]) assert.strictEqual(read(file), commented)
      for (const cli of ["claude", "codex"]) {
        const one = yield* leap(["hooks", "install", "--cli", cli])
        assert.strictEqual(one.code, 1, one.stdout)
        assert.match(one.stdout, new RegExp(`^${cli} +unreadable`))
      }
      // these read comments: their own stay
      for (const [cli, file] of [
        ["gemini", ".gemini/settings.json"],
        ["copilot", ".copilot/hooks/leap.json"]
      ] as const) {
        assert.match(ran.stdout, new RegExp(`^${cli} +installed`, "m"))
        assert.include(read(file), "leap-hook.sh")
      }
      assert.include(read(".gemini/settings.json"), "// mine")
      // what was never wired starts all the same, and says which file it is
      const started = yield* leap(["one", "--cli", "claude", "--detach"])
      assert.strictEqual(started.code, 0, started.stderr)
      assert.match(started.stderr, /runs without leap's hooks \(\S+settings\.json, it has comments .*mend the file/)
      yield* stop(room, "one")
    }
  )

  live("mends leap's own scripts, so that an upgrade needs no other step", function* () {
    const { leap, room } = yield* withClis([])
    const script = path.join(room.dir, "leap", "hooks", "leap-hook.sh")
    const sound = fs.readFileSync(script, "utf8")
    fs.writeFileSync(script, "#!/bin/sh\n# of an older version\n")
    fs.chmodSync(script, 0o600)
    assert.match(
      (yield* leap(["hooks", "status", "--cli", "demo"])).stdout,
      /outdated .*leap-hook\.sh is not executable/
    )
    yield* startDemo(room, "up")
    assert.strictEqual(fs.readFileSync(script, "utf8"), sound)
    assert.strictEqual(fs.statSync(script).mode & 0o777, 0o700)
    yield* stop(room, "up")
  })
})

describe("the doctor", () => {
  live("shows each state of each CLI, and what mends it", function* () {
    const { leap, read, room, write } = yield* withClis(["claude", "codex", "gemini", "copilot"])
    const script = path.join(room.dir, "leap", "hooks", "leap-hook.sh")
    const look = Effect.fnUntraced(function* () {
      const ran = yield* leap(["doctor", "--json"])
      const told = findings(ran.stdout)
      return { code: ran.code, of: (subject: string) => told.find((it) => it.subject === subject) }
    })
    assert.strictEqual((yield* leap(["hooks", "install"])).code, 0)
    const well = yield* look()
    assert.strictEqual(well.code, 0)
    for (const cli of ["claude", "codex", "gemini", "copilot"])
      assert.deepInclude(well.of(cli), { state: "ok", mend: null })
    assert.deepInclude(well.of("opencode"), {
      state: "absent",
      detail: "not installed",
      mend: "install it with: npm install -g opencode-ai"
    })

    const claude = ".claude/settings.json"
    const sound = read(claude)
    write(claude, sound.replace(/\{/, '{\n  "statusLine": {"type": "command", "command": "mine"},'))
    const lined = (yield* look()).of("claude")
    assert.deepInclude(lined, { state: "warning", mend: "leap hooks install --cli claude" })
    const program = `${path.join(room.dir, "bin/claude")}, its version cannot be read (leap was checked with `
    assert.isTrue(lined?.detail.startsWith(program), lined?.detail)
    assert.match(lined?.detail ?? "", /\d\), wired; your status line does not run through leap$/)
    write(claude, `${sound.trimEnd()},`)
    write(".gemini/settings.json", read(".gemini/settings.json").replace("{", '{ "hooksConfig": {"enabled": false},'))
    write(".copilot/hooks/leap.json", '{"version": 1}')
    write(".codex/hooks.json", read(".codex/hooks.json").replaceAll("/leap/hooks/", "/older/"))
    const ill = yield* look()
    assert.strictEqual(ill.code, 1)
    assert.strictEqual(ill.of("claude")?.state, "broken")
    assert.match(
      ill.of("claude")?.detail ?? "",
      /settings\.json, line \d+, column \d+: .*; mend it, then run 'leap hooks install --cli claude'$/
    )
    assert.deepInclude(ill.of("gemini"), { state: "warning", mend: null })
    assert.match(ill.of("gemini")?.detail ?? "", /hooksConfig\.enabled is off/)
    assert.deepInclude(ill.of("copilot"), { state: "warning", mend: "leap hooks install --cli copilot" })
    assert.match(ill.of("copilot")?.detail ?? "", /not wired/)
    assert.match(ill.of("codex")?.detail ?? "", /another installation of leap/)

    write(claude, sound)
    fs.rmSync(script)
    const finding = (yield* look()).of("claude")
    assert.deepInclude(finding, { state: "warning", mend: "leap hooks install --cli claude" })
    assert.match(finding?.detail ?? "", /the hook script \S+ is missing/)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { isThorough } from "../support/run/thorough.ts"
import { endsWell, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

/** One line that says what happened; no stack trace, no help page. */
const oneLine = (text: string) => text.trim().split("\n").length === 1 && text.startsWith("leap: ")

type Refused = readonly [args: ReadonlyArray<string>, code: number, says: RegExp]

/** Each command line ends with its code, and says in one line what is wrong. */
const refused = (room: Room, cases: ReadonlyArray<Refused>) =>
  Effect.forEach(
    cases,
    Effect.fnUntraced(function* ([args, code, says]) {
      const ran = yield* room.leap(args)
      assert.strictEqual(ran.code, code, `${args.join(" ")}: ${ran.stderr}`)
      assert.match(ran.stderr, says, args.join(" "))
      assert.isTrue(oneLine(ran.stderr), `${args.join(" ")}: ${ran.stderr}`)
      return ran
    })
  )

describe("bad input gets one clear line and its exit code", () => {
  live("without a session", function* () {
    const room = yield* makeRoom()
    const cases: ReadonlyArray<Refused> = [
      [["start"], 2, /which session/],
      [["no/tag"], 2, /a tag is/],
      [["send"], 2, /Missing required argument/],
      [["send", "nobody", "hi"], 3, /no session 'nobody'/],
      [["status", "nobody"], 3, /no session 'nobody'/],
      [["status", "--bogus"], 2, /bogus/],
      [["wait", "nobody", "--until", "sleeping"], 2, /sleeping/],
      [["wait", "nobody", "--timeout", "-1"], 2, /timeout/],
      [["queue", "nobody"], 3, /no session 'nobody'/],
      [["retry", "one"], 2, /there is no command 'retry'; did you mean 'leap queue retry one'\?/],
      [["one", "two"], 2, /'leap one' takes no text \('two'\): 'leap send one <text>'/],
      [["one", "--cli", "nonesuch", "--detach"], 2, /no CLI is called 'nonesuch'; known: claude/],
      [["one", "--cli", "demo", "--cwd", "/no/such/dir", "--detach"], 2, /no directory/],
      [["one", "--cli", "demo"], 2, /needs a terminal/],
      [["replay", "/no/such/file.cast"], 1, /there is no such file/],
      [["replay", room.dir], 1, /it is a directory/],
      [["replay", "-"], 1, /it ends before its header/],
      [["replay"], 2, /Missing required argument/],
      [["replay", "-", "--provider", "nonesuch"], 1, /it ends before its header/],
      [["sned", "x"], 2, /no command 'sned'; did you mean 'leap send'/],
      [["staus", "x", "y"], 2, /no command 'staus'; did you mean 'leap status'/],
      [["send", "--log-level", "none", "nobody", "hi"], 3, /no session 'nobody'/],
      [["sned"], 2, /did you mean 'leap send'/],
      [["-x", "mine"], 2, /no flag -x to begin with: .*'leap <tag> -- -x'/],
      [["--cli", "demo", "mine"], 2, /no flag --cli to begin with: .*'leap <tag> --cli NAME'/],
      [["forget", "nobody"], 3, /no session 'nobody'/],
      [["acp", "mine", "--cli", "nonesuch"], 2, /no CLI is called 'nonesuch'; known: claude/]
    ]
    for (const { stdout } of yield* refused(room, cases)) assert.strictEqual(stdout, "")
    const help = yield* room.leap(["send", "--help"])
    assert.include(help.stdout, "--force")
    assert.notInclude(help.stdout, "--log-level")
    assert.match((yield* room.leap(["--help"])).stdout, /\n {2}leap <tag> .*start a session/)
    for (const state of ["removed", "not wired"]) {
      const { stdout } = yield* room.leap(["hooks", "remove", "--cli", "demo"])
      assert.match(stdout, new RegExp(`^demo  ${state}  `))
    }
    // a CLI that is not there, and one that is not wired
    const bin = path.join(room.dir, "bin")
    fs.mkdirSync(bin)
    const missing = yield* room.leap(["one", "--cli", "claude", "--detach"], "", { PATH: bin })
    assert.strictEqual(missing.code, 7, missing.stderr)
    fs.writeFileSync(path.join(bin, "claude"), "#!/bin/sh\n", { mode: 0o755 })
    const unwired = yield* room.leap(["one", "--cli", "claude", "--detach", "--require-hooks"], "", { PATH: bin })
    assert.strictEqual(unwired.code, 6, unwired.stderr)
    assert.include(unwired.stderr, "leap hooks install --cli claude")
    assert.isTrue(oneLine(missing.stderr) && oneLine(unwired.stderr))
  })

  it.live.skipIf(!fs.existsSync("/dev/full"))("where its output is lost", () =>
    Effect.gen(function* () {
      const room = yield* makeRoom()
      for (const args of ["--help", "send --help", "--version", "version", "status --version", "completions bash"]) {
        const { status, stderr } = spawnSync(
          "sh",
          ["-c", 'exec "$@" > /dev/full', "sh", ...room.command, ...args.split(" ")],
          { env: room.env, encoding: "utf8" }
        )
        assert.strictEqual(status, 1, `${args}: ${stderr}`)
        assert.match(stderr, /^leap: the output could not be written: ENOSPC.*\n$/, args)
      }
    }).pipe(Effect.scoped)
  )

  it.live.runIf(isThorough)("where too few files may be open, unless Node itself ends of it", () =>
    Effect.gen(function* () {
      const room = yield* makeRoom()
      const said: Array<string> = []
      for (let limit = 20; limit < 64; limit++) {
        const { signal, status, stderr } = spawnSync(
          "sh",
          [
            "-c",
            'ulimit -n "$1"; shift; exec "$@"',
            "sh",
            `${limit}`,
            ...room.command,
            ..."t --cli demo --detach".split(" ")
          ],
          { env: room.env, encoding: "utf8" }
        )
        if (status === 0) break
        if (signal !== null) continue
        said.push(stderr)
      }
      assert.match(said.join(""), /^leap: .*'ulimit -n' allows too few \(EMFILE\)$/m)
      assert.notMatch(said.join(""), /a bug in leap/)
    }).pipe(Effect.scoped)
  )
})

describe("with a session", () => {
  live("bad input gets its line too, and a process of its own prints and ends as any other", function* () {
    const room = yield* makeRoom(undefined, { hosts: "apart" })
    yield* startDemo(room, "s")
    const cases: ReadonlyArray<Refused> = [
      [["s"], 5, /runs already/],
      [["s", "--detach"], 5, /runs already/],
      [["answer", "s", "1"], 5, /no dialog to answer: 's' is idle/],
      [["interrupt", "s"], 5, /no turn to interrupt/],
      [["send", "s", ""], 2, /empty/],
      [["queue", "edit", "s", "NOID", "x"], 3, /no message NOID/],
      [["queue", "remove", "s", "NOID"], 3, /no message NOID/],
      [["queue", "move", "s", "NOID", "1"], 3, /no message NOID/],
      [["queue", "move", "s", "NOID", "first"], 2, /position/],
      [["queue", "release", "s", "NOID"], 3, /no message NOID/],
      [["wait", "s", "--until", "running", "--timeout", "0.2"], 4, /within 0.2 seconds/]
    ]
    yield* refused(room, cases)
    const lines: ReadonlyArray<readonly [line: string, code: number]> = [
      ["status s --json", 0],
      ["queue list s", 0],
      ["hooks status --cli demo", 0],
      ["help send", 0],
      ["sned x", 2],
      ["queue move s NOID first", 2],
      ["wait nobody", 3],
      ["wait s --until running --timeout 0.2", 4],
      ["s --detach", 5]
    ]
    for (const [line, code] of lines) {
      const own = yield* room.program(line.split(" "))
      assert.strictEqual(own.code, code, `${line}: ${own.stderr}`)
      assert.deepStrictEqual(own, yield* room.leap(line.split(" ")), line)
    }
    yield* endsWell(room.program(["send", "s", "-"], "out of a pipe"))
    yield* room.until("s", ({ queue }) => queue.some(({ text }) => text === "out of a pipe"), "the piped message")
    // what is no text is told, and nothing is put in its place
    const latin1 = Buffer.from("caf\xe9\n", "latin1")
    fs.writeFileSync(path.join(room.dir, "prompt.txt"), latin1)
    for (const [args, what] of [
      [["send", "s", "-"], "standard input"],
      [["exec", "--provider", "claude", "-"], "standard input"],
      [["exec", "--provider", "claude", "--prompt-file", "prompt.txt"], "--prompt-file: 'prompt.txt'"]
    ] as const) {
      const { code, stderr } = yield* room.program(args, what === "standard input" ? latin1 : "")
      assert.deepStrictEqual([code, oneLine(stderr)], [2, true], stderr)
      assert.include(stderr, `leap: ${what} is no text in UTF-8: byte 4 is part of no character`)
    }
    // Node has put another character in its place by then: where the system keeps what was given, that tells
    const given = (bytes: string) =>
      spawnSync("sh", ["-c", `exec "$0" "$1" send s "$(printf '${bytes}')"`, ...room.command], {
        env: room.env,
        encoding: "utf8"
      })
    if (process.platform === "linux") {
      const { status, stderr } = given("caf\\351")
      assert.deepStrictEqual([status, oneLine(stderr)], [2, true], stderr)
      assert.include(stderr, "an argument is no text in UTF-8")
    }
    assert.strictEqual(given("meant \\357\\277\\275").status, 0)
  })
})

describe("machine-readable output", () => {
  live("is one JSON document on standard output, and nothing else there", function* () {
    const room = yield* makeRoom("0.2")
    const none = yield* room.leap(["status", "--json"])
    assert.deepStrictEqual(JSON.parse(none.stdout), { schema: 1, sessions: [] })
    yield* startDemo(room, "j")
    const sent = JSON.parse(
      (yield* room.leap(["send", "j", "-", "--force", "--wait", "--json"], "from\nstandard input\n")).stdout
    )
    assert.strictEqual(sent.status, "done")
    assert.include(sent.response, "standard input")
    const status = JSON.parse((yield* room.leap(["status", "j", "--json"])).stdout)
    assert.strictEqual(status.schema, 1)
    assert.strictEqual(status.sessions.length, 1)
    assert.strictEqual(status.sessions[0].lastMessage, "from\nstandard input")
    assert.strictEqual(status.sessions[0].lastResponse, sent.response)
    assert.strictEqual(status.sessions[0].cwd, fs.realpathSync(room.dir))
    for (const args of [
      ["queue", "j"],
      ["wait", "j"],
      ["screen", "j"],
      ["last", "j"],
      ["mode", "j"],
      ["hooks", "status"],
      ["doctor"]
    ]) {
      const ran = yield* room.leap([...args, "--json"])
      assert.strictEqual(JSON.parse(ran.stdout).schema, 1, args.join(" "))
    }
    // modes are per session and change what is sent
    const changed = JSON.parse((yield* room.leap(["mode", "j", "--churn", "send", "--json"])).stdout)
    assert.deepStrictEqual(changed.modes, { autoSend: "pause", churn: "send" })
    const after = JSON.parse((yield* room.leap(["status", "j", "--json"])).stdout)
    assert.deepStrictEqual(after.sessions[0].modes, { autoSend: "pause", churn: "send" })
    const stopped = JSON.parse((yield* room.leap(["stop", "j", "--json"])).stdout)
    assert.deepStrictEqual(stopped.exit, { code: 0, signal: null })
  })
})

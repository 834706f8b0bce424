import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { dataName, parseFile, parseName } from "../../../src/domain/store/hookSpool/HookFile.ts"
import { commandFor } from "../../../src/domain/cli/wiring/StatusLine.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { shells } from "../../support/wiring/hookScript.ts"
import { effect } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"

const script = path.resolve(import.meta.dirname, "../../../hooks/leap-statusline.sh")
const payload = '{"session_id":"s",\n "cwd": "/tmp\\n"}\n\n'

const makeSpool = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap status "))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

const environment = (spool: string | null) => ({
  PATH: process.env["PATH"] ?? "",
  KEEP: "me",
  ...(spool === null ? {} : { LEAP_SIGNAL_DIR: spool })
})

const run = (command: ReadonlyArray<string>, spool: string | null, input = payload) => {
  const { status, stderr, stdout } = spawnSync(command[0] ?? "", command.slice(1), {
    input,
    env: environment(spool),
    encoding: "utf8"
  })
  return { code: status, out: stdout, err: stderr }
}

/** What the host would find: whole events, and what is in them. */
const delivered = (spool: string) =>
  fs.readdirSync(spool).flatMap((mark) => {
    const name = parseName(mark)
    return name === null ? [] : [parseFile(name, fs.readFileSync(path.join(spool, dataName(mark)), "utf8"))]
  })

// Which more there are is the machine's.
const tried = isThorough ? shells : shells.slice(0, 2)

describe.each(tried.map((shell) => [shell.join(" "), shell] as const))("leap-statusline.sh in %s", (_, shell) => {
  effect("leaves a copy for the host, and becomes the user's command with the same input", function* () {
    const spool = yield* makeSpool
    const ran = run([...shell, script, "cat; echo mine; exit 3"], spool)
    assert.deepStrictEqual(ran, { code: 3, out: `${payload}mine\n`, err: "" })
    const [event, ...others] = delivered(spool)
    assert.deepStrictEqual(others, [])
    assert.deepInclude(event, {
      event: "StatusLine",
      raw: payload,
      parent: process.pid,
      payload: { session_id: "s", cwd: "/tmp\n" }
    })
    if (fs.existsSync("/proc/self/stat")) assert.strictEqual(event?.caller?.pid, process.pid)
    for (const name of fs.readdirSync(spool))
      if (name.startsWith(".")) assert.strictEqual(fs.statSync(path.join(spool, name)).mode & 0o777, 0o600)
  })

  effect("changes nothing of what the command runs in", function* () {
    const spool = yield* makeSpool
    // what a shell sets for itself (zsh LOGNAME and OLDPWD) is not the script's doing
    const look =
      "env | grep -v -e '^_=' -e '^SHLVL=' -e '^LOGNAME=' -e '^OLDPWD=' | sort; umask; trap; ls -l /dev/fd/ | wc -l; grep -e SigIgn -e SigBlk /proc/self/status"
    assert.strictEqual(run([...shell, script, look], spool).out, run(["sh", "-c", look], spool).out)
    assert.strictEqual(run([...shell, script, look], null).out, run(["sh", "-c", look], null).out)
  })

  effect("is the user's command alone outside leap, and where the spool is gone", function* () {
    const spool = yield* makeSpool
    const file = path.join(spool, "file")
    fs.writeFileSync(file, "")
    for (const dir of [null, "", path.join(spool, "gone"), file]) {
      assert.deepStrictEqual(run([...shell, script, "cat; exit 4"], dir), { code: 4, out: payload, err: "" })
      assert.deepStrictEqual(run([...shell, script], dir), { code: 0, out: "", err: "" })
    }
    assert.deepStrictEqual(fs.readdirSync(spool), ["file"])
  })

  effect("prints nothing where the user has no command", function* () {
    const spool = yield* makeSpool
    assert.deepStrictEqual(run([...shell, script], spool), { code: 0, out: "", err: "" })
    assert.deepStrictEqual(each(delivered(spool), "raw"), [payload])
  })

  effect("takes a large input for a command that reads none of it", function* () {
    const spool = yield* makeSpool
    const large = JSON.stringify({ text: "x".repeat(300_000) })
    assert.deepStrictEqual(run([...shell, script, "echo fixed"], spool, large), { code: 0, out: "fixed\n", err: "" })
    assert.strictEqual(delivered(spool)[0]?.raw, large)
  })
})

describe("the command in a CLI's settings", () => {
  const users = "printf '%s|' 'it'\\''s' \"$KEEP\"; cat"
  effect("is run by a shell as the user's own, and heard", function* () {
    const spool = yield* makeSpool
    const there = path.join(spool, "a leap's", "leap-statusline.sh")
    fs.mkdirSync(path.dirname(there))
    const command = commandFor(there, { command: users, literal: JSON.stringify(users) })
    const own = run(["sh", "-c", users], null)
    // Where the script is not, it is the user's command all the same.
    assert.deepStrictEqual(run(["sh", "-c", command], spool), own)
    assert.deepStrictEqual(delivered(spool), [])
    fs.copyFileSync(script, there)
    assert.deepStrictEqual(run(["sh", "-c", command], spool), own)
    assert.deepStrictEqual(each(delivered(spool), "event"), ["StatusLine"])
  })

  it("keeps the way it was written where no shell reads it", () => {
    const odd = commandFor(script, { command: "echo mine", literal: '"\\u0065cho mine"' })
    assert.deepStrictEqual(run(["sh", "-c", odd], null), { code: 0, out: "mine\n", err: "" })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll } from "vitest"

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const home = realpathSync(mkdtempSync(join(tmpdir(), "leap-exec-")))

beforeAll(() => {
  mkdirSync(join(home, "bin"))
  const fake = join(home, "bin", "gemini")
  writeFileSync(fake, `#!/bin/sh\nexec "${process.execPath}" "${at("test/support/fakeAgent.mjs")}" "$@"\n`)
  chmodSync(fake, 0o755)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const start = (scene: string, args: ReadonlyArray<string>) =>
  spawn(process.execPath, [process.env["LEAP_TEST_BUNDLE"] ?? at("src/bin.ts"), ...args], {
    cwd: home,
    env: { PATH: `${join(home, "bin")}:/usr/bin:/bin`, HOME: home, LEAP_HOME: join(home, "leap"), AGENT_SCENE: scene, AGENT_TOKEN: "tok-1234567890" }
  })

const leap = (scene: string, args: ReadonlyArray<string>, stdin = ""): Promise<Ran> =>
  new Promise((resolve) => {
    const child = start(scene, args)
    let out = ""
    let err = ""
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece))
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece))
    child.on("close", (code) => resolve({ code, out, err }))
    child.stdin.on("error", () => {}).end(stdin)
  })

const told = (line: string) => JSON.parse(line) as { prompt: string; args: ReadonlyArray<string> }
/** Dead, or only not yet buried by its new parent. */
const isGone = (pid: number): boolean => {
  try {
    return /^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return true
  }
}
const gone = async (pid: number) => {
  const deadline = Date.now() + 15_000
  while (!isGone(pid)) {
    if (Date.now() > deadline) throw new Error(`${pid} is still there`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe("leap exec", () => {
  it("prints the answer and nothing else", async () => {
    const { code, err, out } = await leap("echo", ["exec", "--provider", "gemini", "--model", "m", "hello", "--", "--extra", "-x"])
    assert.deepStrictEqual([code, err], [0, ""])
    assert.deepStrictEqual([told(out).prompt, told(out).args], ["hello", ["--output-format", "stream-json", "--model", "m", "--extra", "-x"]])
    assert.isTrue(out.endsWith("}\n"))
  })
  it("takes its prompt from standard input", async () => {
    for (const args of [["-"], []] as const) assert.strictEqual(told((await leap("echo", ["exec", "--provider", "gemini", ...args], "-p a\nb\n")).out).prompt, "-p a\nb")
  })
  it("prints one document, or each event, in one form for all providers", async () => {
    const document = JSON.parse((await leap("echo", ["exec", "--provider", "gemini", "--json", "hello"])).out) as Record<string, unknown>
    assert.deepInclude(document, { schema: 1, provider: "gemini", model: "fake", json: null, stopReason: "end_turn" })
    const { out } = await leap("json", ["exec", "--provider", "gemini", "--output", "stream-json", "--answer", "json", "hello"])
    const events = out.trimEnd().split("\n").map((line) => JSON.parse(line) as { _tag: string; json?: unknown })
    assert.deepStrictEqual(events.map(({ _tag }) => _tag), ["Started", "Text", "Used", "Answered", "Result"])
    assert.deepStrictEqual(events.at(-1)?.json, { a: 1 })
  })
  const ends: ReadonlyArray<readonly [string, string, ReadonlyArray<string>, number, RegExp]> = [
    ["no provider", "echo", ["exec", "x"], 2, /--provider claude\|/],
    ["an unknown one", "echo", ["exec", "--provider", "nope", "x"], 2, /no provider is called 'nope'/],
    ["nothing to ask", "echo", ["exec", "--provider", "gemini"], 2, /the prompt is empty/],
    ["a CLI that is not there", "echo", ["exec", "--provider", "codex", "x"], 7, /codex is not installed: .*npm install/],
    ["a time-out", "hang", ["exec", "--provider", "gemini", "--timeout", "1.5", "x"], 4, /took longer than 1500 ms/],
    ["a limit", "reported", ["exec", "--provider", "gemini", "x"], 11, /slow down \*\*\*/],
    ["a crash", "crash", ["exec", "--provider", "gemini", "x"], 12, /exit code 3: boom: api_key=\*\*\* \*\*\*/],
    ["an output that is none", "plain", ["exec", "--provider", "gemini", "x"], 13, /could not be understood/],
    ["an answer that is no JSON", "prose", ["exec", "--provider", "gemini", "--answer", "json", "x"], 13, /no JSON/]
  ]
  it("ends with an exit code that says why, and one line", async () => {
    await Promise.all(ends.map(async ([what, scene, args, code, says]) => {
      const ran = await leap(scene, args)
      assert.deepStrictEqual([what, ran.code, ran.out], [what, code, ""])
      assert.match(ran.err, says, what)
      assert.strictEqual(ran.err.trimEnd().split("\n").length, 1, ran.err)
    }))
  })
  it("tells a failure as a document too, with what had come before it", async () => {
    const { code, out } = await leap("crash", ["exec", "--provider", "gemini", "--json", "x"])
    const { error } = JSON.parse(out) as { error: Record<string, unknown> }
    assert.deepInclude(error, { tag: "AgentExitError", exitCode: 12, text: "half an answer", code: 3 })
    assert.strictEqual(code, 12)
    assert.notInclude(out, "tok-1234567890")
  })
  it("ends its CLI when it is interrupted, and when nobody reads any more", async () => {
    for (const end of ["SIGINT", "reader"] as const) {
      const child = start(end === "SIGINT" ? "hang" : "talk", ["exec", "--provider", "gemini", "--output", "stream-json", "x"])
      let err = ""
      child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece))
      const pid = await new Promise<number>((resolve) => {
        child.stdout.once("data", (piece: Buffer) => resolve(Number((JSON.parse(piece.toString().split("\n")[0] ?? "") as { sessionId: string }).sessionId)))
      })
      const code = new Promise((resolve) => child.on("exit", resolve))
      if (end === "SIGINT") child.kill("SIGINT")
      else child.stdout.destroy()
      assert.deepStrictEqual([await code, err], [end === "SIGINT" ? 130 : 0, ""])
      await gone(pid)
    }
  }, 30_000)
})

describe("leap chat", () => {
  const file = "state.json"
  const kept = () => JSON.parse(readFileSync(join(home, file), "utf8")) as { sessionId: string; turns: ReadonlyArray<{ role: string }>; stoppedBy: string | null; cwd: string }
  it("carries a conversation from call to call, over a failure too", async () => {
    const one = await leap("echo", ["chat", "--provider", "gemini", "--state", file, "--system-prompt", "SYS", "one"])
    assert.deepStrictEqual([one.code, one.err, told(one.out).prompt], [0, "", "SYS\n\none"])
    assert.strictEqual(statSync(join(home, file)).mode & 0o777, 0o600)
    const { cwd, sessionId } = kept()
    assert.strictEqual(cwd, home)
    const two = await leap("echo", ["chat", "--state", file, "two"])
    assert.deepStrictEqual([told(two.out).prompt, told(two.out).args.slice(-2)], ["two", ["--resume", sessionId]])
    assert.deepStrictEqual(kept().turns.map(({ role }) => role), ["system", "user", "assistant", "user", "assistant"])
    const before = kept()
    const failed = await leap("crash", ["chat", "--state", file, "three"])
    assert.deepStrictEqual([failed.code, kept().turns.length, kept().sessionId, kept().stoppedBy], [12, 5, before.sessionId, "error"])
    const four = await leap("echo", ["chat", "--state", file, "--json", "-"], "four\n")
    const document = JSON.parse(four.out) as { conversation: unknown; text: string }
    assert.deepStrictEqual(document.conversation, { turns: 7, totalTokens: 36 })
    assert.strictEqual(kept().stoppedBy, null)
    const others = await leap("echo", ["chat", "--provider", "codex", "--state", file, "five"])
    assert.deepStrictEqual([others.code, /begun with gemini/.test(others.err)], [2, true])
  }, 30_000)
  it("leaves alone a file that is none of its own", async () => {
    writeFileSync(join(home, "other.json"), "{\"a\":1}")
    const ran = await leap("echo", ["chat", "--provider", "gemini", "--state", "other.json", "x"])
    assert.deepStrictEqual([ran.code, readFileSync(join(home, "other.json"), "utf8")], [2, "{\"a\":1}"])
    assert.match(ran.err, /no conversation/)
    assert.isFalse(existsSync(join(home, "none.json")))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { type ChildProcess, execFile as execFileCallback, spawn } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { promisify } from "node:util"
import { afterAll, beforeAll } from "vitest"
import { StreamLine } from "../../../src/domain/cli/headless/StreamLine.ts"
import { runInProcess } from "../../support/processes/inProcess.ts"
import { stream } from "../../support/headless/chatServer.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { patience } from "../../support/run/patience.ts"
import { each, rowsOf } from "../../support/data/fields.ts"

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const execFile = promisify(execFileCallback)
const home = realpathSync(mkdtempSync(join(tmpdir(), "leap-exec-")))

beforeAll(() => {
  mkdirSync(join(home, "bin"))
  const fake = join(home, "bin", "gemini")
  writeFileSync(fake, `#!/bin/sh\nexec "${process.execPath}" "${at("test/support/headless/fakeAgent.mjs")}" "$@"\n`)
  chmodSync(fake, 0o755)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const env = (scene: string) => ({
  PATH: `${join(home, "bin")}:/usr/bin:/bin`,
  HOME: home,
  LEAP_HOME: join(home, "leap"),
  AGENT_SCENE: scene,
  AGENT_TOKEN: "tok-1234567890"
})
const command = (args: ReadonlyArray<string>) => [
  process.execPath,
  process.env["LEAP_TEST_BUNDLE"] ?? at("src/bin.ts"),
  ...args
]

const start = (scene: string, args: ReadonlyArray<string>) => {
  const [program = "", ...words] = command(args)
  const child = spawn(program, words, { cwd: home, env: env(scene) })
  child.stdin.end()
  return child
}

/** Runs a command line to its end, in this process. */
const leap = async (scene: string, args: ReadonlyArray<string>, stdin = ""): Promise<Ran> => {
  const where = { self: command([]), env: env(scene), cwd: home }
  const { code, stderr, stdout } = await Effect.runPromise(runInProcess(args, where, stdin))
  return { code, out: stdout, err: stderr }
}

/** The same in a process of its own, whose standard input nobody closes. */
const program = (args: ReadonlyArray<string>): Promise<Ran> =>
  new Promise((resolve) => {
    const [program = "", ...words] = command(args)
    const child = spawn(program, words, { cwd: home, env: env("echo") })
    let out = ""
    let err = ""
    child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece))
    child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece))
    child.on("close", (code) => resolve({ code, out, err }))
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
  const deadline = Date.now() + patience
  while (!isGone(pid)) {
    if (Date.now() > deadline) throw new Error(`${pid} is still there`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe("leap exec", () => {
  it("prints the answer and nothing else", async () => {
    const { code, err, out } = await leap("echo", [
      "exec",
      "--provider",
      "gemini",
      "--model",
      "m",
      "hello",
      "--",
      "--extra",
      "-x"
    ])
    assert.deepStrictEqual([code, err], [0, ""])
    assert.deepStrictEqual(
      [told(out).prompt, told(out).args],
      ["hello", ["--output-format", "stream-json", "--model", "m", "--extra", "-x"]]
    )
    assert.isTrue(out.endsWith("}\n"))
  })
  it("prints the CLI's own lines where they are asked for, and nothing of leap's", async () => {
    const asked = ["exec", "--provider", "gemini", "--output"]
    const [own, events] = await Promise.all([
      leap("echo", [...asked, "native", "hello"]),
      leap("echo", [...asked, "stream-json", "hello"])
    ])
    assert.deepStrictEqual([own.code, own.err, events.code], [0, "", 0])
    const lines = own.out.trimEnd().split("\n")
    const told = lines.map((line) => (JSON.parse(line) as { type: string }).type)
    assert.deepStrictEqual([told[0], told.at(-1)], ["init", "result"])
    assert.notInclude(events.out, '"Native"')
  })
  it("takes its prompt from standard input", async () => {
    for (const args of [["-"], []] as const)
      assert.strictEqual(
        told((await leap("echo", ["exec", "--provider", "gemini", ...args], "-p a\nb\n")).out).prompt,
        "-p a\nb"
      )
  })
  it("takes what is piped in behind its argument, or behind a file's prompt", async () => {
    writeFileSync(join(home, "prompt.txt"), "from a file\n")
    const asked = ["exec", "--provider", "gemini"]
    const [both, file, chat, one, none] = await Promise.all([
      leap("echo", [...asked, "what is this?"], "a\nb\n"),
      leap("echo", [...asked, "--prompt-file", "prompt.txt"], "a"),
      leap("echo", ["chat", ...asked.slice(1), "what is this?"], "a"),
      leap("echo", [...asked, "--prompt-file", "prompt.txt", "x"]),
      leap("echo", [...asked, "--prompt-file", "nowhere"])
    ])
    assert.deepStrictEqual(
      [both, file, chat].map(({ out }) => told(out).prompt),
      ["what is this?\na\nb", "from a file\na", "what is this?\na"]
    )
    assert.deepStrictEqual([one.code, none.code, /no such file/.test(none.err)], [2, 2, true])
  })
  it.runIf(isThorough)(
    "waits for a slow program of its pipeline, and not for an input that is only left open",
    async () => {
      const line = command(["exec", "--provider", "gemini", "what?"]).map((word) => `'${word}'`)
      const piped = execFile("sh", ["-c", `(sleep 4; echo late) | ${line.join(" ")}`], { cwd: home, env: env("echo") })
      const [slow, open] = await Promise.all([piped, program(["exec", "--provider", "gemini", "what?"])])
      assert.deepStrictEqual([told(slow.stdout).prompt, told(open.out).prompt], ["what?\nlate", "what?"])
      assert.strictEqual(open.err, "")
    }
  )
  it("prints one document, or each event, in one form for all providers", async () => {
    const document = JSON.parse(
      (await leap("echo", ["exec", "--provider", "gemini", "--json", "hello"])).out
    ) as Record<string, unknown>
    assert.deepInclude(document, { schema: 1, provider: "gemini", model: "fake", json: null, stopReason: "end_turn" })
    const { out } = await leap("json", [
      "exec",
      "--provider",
      "gemini",
      "--output",
      "stream-json",
      "--answer",
      "json",
      "hello"
    ])
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { _tag: string; json?: unknown; schema: number; at: string })
    assert.deepStrictEqual(each(events, "_tag"), ["Started", "Text", "Used", "Answered", "Result"])
    const isLine = Schema.is(StreamLine)
    for (const event of events) {
      assert.isTrue(isLine(event), JSON.stringify(event))
      assert.deepInclude(event, { schema: 1, at: new Date(event.at).toISOString() })
    }
    assert.deepStrictEqual(events.at(-1)?.json, { a: 1 })
  })
  it("prints the value of a JSON answer, without its fence", async () => {
    const asked = await Promise.all(
      [["exec"], ["chat"]].map((args) => leap("json", [...args, "--provider", "gemini", "--answer", "json", "hello"]))
    )
    for (const { code, err, out } of asked) assert.deepStrictEqual([code, out, err], [0, '{"a": 1}\n', ""])
    assert.strictEqual((await leap("json", ["exec", "--provider", "gemini", "x"])).out, '```json\n{"a": 1}\n```\n')
  })
  it.runIf(isThorough)("takes a prompt that looks like a flag, and one of some megabytes", async () => {
    const list = "- mend a\n- mend b --help -h"
    const [dash, system, long, beyond] = await Promise.all([
      leap("echo", ["exec", "--provider", "gemini", list, "--model", "m", "--", "--last"]),
      leap("echo", ["exec", "--provider", "gemini", "--system-prompt", "-be brief", "hello"]),
      leap("echo", ["exec", "--provider", "gemini"], "é".repeat(2_500_000)),
      leap("echo", ["exec", "--provider", "gemini"], "x".repeat((16 << 20) + 1))
    ])
    assert.deepStrictEqual([told(dash.out).prompt, told(dash.out).args.slice(-3)], [list, ["--model", "m", "--last"]])
    assert.strictEqual(told(system.out).prompt, "-be brief\n\nhello")
    assert.strictEqual(told(long.out).prompt.length, 2_500_000)
    assert.deepStrictEqual([beyond.code, beyond.out, /longer than 16 MiB/.test(beyond.err)], [2, "", true])
  })
  const ends: ReadonlyArray<readonly [string, string, ReadonlyArray<string>, number, RegExp]> = [
    ["no provider", "echo", ["exec", "x"], 2, /--provider claude\|/],
    ["an unknown one", "echo", ["exec", "--provider", "nope", "x"], 2, /no provider is called 'nope'/],
    ["nothing to ask", "echo", ["exec", "--provider", "gemini"], 2, /the prompt is empty/],
    ["a prompt with a NUL", "echo", ["exec", "--provider", "gemini", "-"], 2, /NUL/],
    [
      "an empty session",
      "echo",
      ["exec", "--provider", "gemini", "--resume", "", "x"],
      2,
      /--resume: the session is empty/
    ],
    ["a copy of nothing", "echo", ["exec", "--provider", "gemini", "--fork", "x"], 2, /--resume names it/],
    ["no turns at all", "echo", ["exec", "--provider", "gemini", "--max-turns", "0", "x"], 2, /above 0/],
    [
      "a directory that is not there",
      "echo",
      ["exec", "--provider", "gemini", "--cwd", "/nope", "x"],
      2,
      /'\/nope' is no directory/
    ],
    [
      "a state file in a directory that is not there",
      "echo",
      ["chat", "--provider", "gemini", "--state", "nowhere/s.json", "x"],
      2,
      /there is no directory .*nowhere/
    ],
    ["a state file without a name", "echo", ["chat", "--provider", "gemini", "--state", "", "x"], 2, /empty/],
    [
      "a CLI that is not there",
      "echo",
      ["exec", "--provider", "codex", "x"],
      7,
      /codex is not installed: .*npm install/
    ],
    [
      "a tool that it cannot deny",
      "pid",
      ["exec", "--provider", "gemini", "--denied-tools", "x", "x"],
      2,
      /deniedTools/
    ],
    [
      "a rule that is none",
      "pid",
      ["exec", "--provider", "gemini", "--deny", "Bash(rm *)", "x"],
      2,
      /--deny 'Bash\(rm \*\)': expected command/
    ],
    [
      "a rule about less than it seems, of a CLI that would not heed it",
      "pid",
      ["exec", "--provider", "gemini", "--deny", "url(https://x.example/*)", "x"],
      2,
      /--deny url\(.*one scheme alone[^]*deny: Gemini CLI would not heed .*leap hooks install/
    ],
    [
      "a sandbox of a CLI that does not ask",
      "pid",
      ["exec", "--provider", "gemini", "--sandbox", "read-only", "x"],
      2,
      /sandbox: Gemini CLI would not heed .*leap hooks install/
    ],
    [
      "more turns than it may have",
      "turns",
      ["exec", "--provider", "gemini", "--max-turns", "2", "x"],
      12,
      /limit of model turns \(2\), and leap ended it/
    ],
    ["no answer", "nothing", ["exec", "--provider", "gemini", "x"], 8, /the answer is empty/],
    ["no answer in a chat", "nothing", ["chat", "--provider", "gemini", "x"], 8, /the answer is empty/],
    ["a time-out", "hang", ["exec", "--provider", "gemini", "--timeout", "1.5", "x"], 4, /took longer than 1500 ms/],
    ["a limit", "reported", ["exec", "--provider", "gemini", "x"], 11, /slow down \*\*\*/],
    ["a crash", "crash", ["exec", "--provider", "gemini", "x"], 12, /exit code 3: boom: api_key=\*\*\* \*\*\*/],
    ["an output that is none", "plain", ["exec", "--provider", "gemini", "x"], 13, /could not be understood/],
    [
      "an answer that is no JSON",
      "prose",
      ["exec", "--provider", "gemini", "--answer", "json", "x"],
      13,
      /no JSON: “.+”/
    ]
  ]
  it.runIf(isThorough)("ends with an exit code that says why, and one line", async () => {
    await Promise.all(
      ends.map(async ([what, scene, args, code, says]) => {
        const ran = await leap(scene, args, what.includes("NUL") ? "a\0b" : "")
        assert.deepStrictEqual([what, ran.code, ran.out], [what, code, ""])
        assert.match(ran.err, says, what)
        assert.strictEqual(ran.err.trimEnd().split("\n").length, 1, ran.err)
      })
    )
  })
  it.runIf(isThorough)(
    "prints the answer as it comes where it is told to, and the answer alone otherwise",
    async () => {
      const go = join(home, "go")
      const asked = ["exec", "--provider", "gemini", "x"]
      const alone = await leap("steps", asked)
      assert.deepStrictEqual([alone.code, alone.out], [0, "an answer\n"])
      const [program = "", ...words] = command([...asked, "--stream"])
      const child = spawn(program, words, { cwd: home, env: { ...env("steps"), AGENT_GO: go } })
      child.stdin.end()
      let out = ""
      child.stdout.setEncoding("utf8").on("data", (piece: string) => {
        out += piece
        if (out === "I look.\n\nan ") writeFileSync(go, "")
      })
      assert.strictEqual(await new Promise((resolve) => child.on("close", resolve)), 0)
      assert.strictEqual(out, "I look.\n\nan answer\n")
    }
  )
  it("ends a silent CLI when nobody reads any more", async () => {
    const own = (name: string) => mkdtempSync(join(home, name))
    const args = command(["exec", "--provider", "gemini", "x"])
    let err = ""
    /** What is in this file, once it is there. */
    const soon = async (file: string) => {
      for (const end = Date.now() + patience; !existsSync(file);) {
        if (Date.now() > end) throw new Error(`no ${file}: ${err}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return readFileSync(file, "utf8")
    }
    const started = (cwd: string, program: string, words: ReadonlyArray<string>) => {
      const child = spawn(program, words, { cwd, env: env("pid") })
      child.stdin.end()
      child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece))
      return child
    }
    const socket = own("socket")
    const child = started(socket, args[0] ?? "", args.slice(1))
    const code = new Promise((resolve) => child.on("exit", resolve))
    const pipe = own("pipe")
    const line = args.map((word) => `'${word}'`).join(" ")
    const reader = "while [ ! -e pid ]; do sleep 0.1; done"
    started(pipe, "sh", ["-c", `{ ${line} < /dev/null; echo $? > part; mv part code; } | { ${reader}; }`])
    const pid = Number(await soon(join(socket, "pid")))
    child.stdout.destroy()
    assert.deepStrictEqual([await soon(join(pipe, "code")), err], ["141\n", ""])
    assert.deepStrictEqual([await code, err], [141, ""])
    await Promise.all([gone(pid), gone(Number(await soon(join(pipe, "pid"))))])
  })
  it.runIf(isThorough)("tells a failure as a document too, with what had come before it", async () => {
    const { code, out } = await leap("crash", ["exec", "--provider", "gemini", "--json", "x"])
    const { error } = JSON.parse(out) as { error: Record<string, unknown> }
    assert.deepInclude(error, { tag: "AgentExitError", exitCode: 12, text: "half an answer", code: 3 })
    assert.strictEqual(code, 12)
    assert.notInclude(out, "tok-1234567890")
  })
  it.runIf(isThorough)("tells each other failure so too", async () => {
    const failures = await Promise.all(
      [
        ["exec", "--provider", "nope", "--json", "x"],
        ["chat", "--provider", "gemini", "--json", "--state", "none/x", "x"],
        ["exec", "--json", "x"]
      ].map(async (args) => ({ args, ran: await leap("echo", args) }))
    )
    for (const { args, ran } of failures) {
      const { error } = JSON.parse(ran.out) as { error: { tag: string; exitCode: number; message: string } }
      assert.deepStrictEqual([args, ran.code, error.exitCode], [args, 2, 2])
      assert.strictEqual(ran.err, `leap: ${error.message}\n`)
    }
  })
  it("ends its CLI when it is interrupted, and when nobody reads any more", async () => {
    for (const end of ["SIGINT", "reader"] as const) {
      const child = start(end === "SIGINT" ? "hang" : "talk", [
        "exec",
        "--provider",
        "gemini",
        "--output",
        "stream-json",
        "x"
      ])
      let err = ""
      child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece))
      const pid = await new Promise<number>((resolve) => {
        child.stdout.once("data", (piece: Buffer) =>
          resolve(Number((JSON.parse(piece.toString().split("\n")[0] ?? "") as { sessionId: string }).sessionId))
        )
      })
      const code = new Promise((resolve) => child.on("exit", resolve))
      if (end === "SIGINT") child.kill("SIGINT")
      else child.stdout.destroy()
      assert.deepStrictEqual([await code, err], [end === "SIGINT" ? 130 : 141, ""])
      await gone(pid)
    }
  })
})

describe("a server without a CLI", () => {
  const file = join(home, "leap", "settings.json")
  afterAll(() => rmSync(file, { force: true }))
  it.runIf(isThorough)(
    "is asked by flags, or by its name in the settings, with the key that is meant for it",
    async () => {
      const asked: Array<{ readonly headers: IncomingHttpHeaders; readonly body: Record<string, unknown> }> = []
      const server = createServer((request, response) => {
        let body = ""
        request.setEncoding("utf8").on("data", (piece: string) => (body += piece))
        request.on("end", () => {
          asked.push({ headers: request.headers, body: JSON.parse(body) as Record<string, unknown> })
          response.writeHead(200, { "content-type": "text/event-stream" })
          response.end(stream("fine"))
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
      mkdirSync(join(home, "leap"), { recursive: true })
      const lab = { baseUrl, model: "lab-model", apiKeyEnv: "AGENT_TOKEN", headers: { "X-Lab": "$AGENT_SCENE" } }
      const endpoints = { lab, keyless: { baseUrl, model: "k" }, lost: { baseUrl, model: "m", apiKeyEnv: "NO_SUCH" } }
      writeFileSync(file, JSON.stringify({ endpoints }))
      const flags = ["--base-url", baseUrl, "--model", "m", "--temperature", "0", "--top-p", "0.5", "--max-tokens", "9"]
      const by = (...args: ReadonlyArray<string>) => leap("echo", ["exec", ...args, "x"])
      try {
        const flagged = await by("--provider", "openai_compatible", ...flags, "--header", "X-A: b: c")
        const named = await by("--endpoint", "lab", "--header", "X-B: d")
        writeFileSync(join(home, "headers"), "X-A: from a file: so\r\n\n  X-C : c  \n")
        const filed = await by("--endpoint", "lab", "--header", `@${join(home, "headers")}`, "--header", "X-B: d")
        assert.deepStrictEqual([filed.code, filed.err], [0, ""])
        assert.deepInclude(asked.pop()?.headers, { "x-a": "from a file: so", "x-b": "d", "x-c": "c" })
        const keyless = await by("--provider", "keyless")
        assert.deepStrictEqual(
          rowsOf([flagged, named, keyless], "code", "err", "out"),
          [flagged, named, keyless].map(() => [0, "", "fine\n"])
        )
        const [first, second, third] = asked
        assert.deepInclude(first?.body, { model: "m", temperature: 0, top_p: 0.5, max_completion_tokens: 9 })
        assert.strictEqual(first?.headers["x-a"], "b: c")
        assert.strictEqual(second?.body["model"], "lab-model")
        assert.deepInclude(second?.headers, { authorization: "Bearer tok-1234567890", "x-lab": "echo", "x-b": "d" })
        assert.isUndefined(third?.headers.authorization)
        const refused = await Promise.all([
          by("--endpoint", "nope"),
          by("--endpoint", "lab", "--provider", "gemini"),
          by("--endpoint", "lost"),
          by("--endpoint", "lab", "--base-url", baseUrl),
          by("--provider", "gemini", "--temperature", "0"),
          by("--provider", "gemini", "--header", "nothing"),
          by("--endpoint", "lab", "--header", "@nowhere"),
          leap("echo", ["exec", "--endpoint", "lab", "x", "--", "--flag"])
        ])
        const says = [/no endpoint 'nope'; they have lab/, /which one/, /NO_SUCH, which is not set/, /--base-url/]
        for (const [at, { code, err }] of refused.entries()) {
          assert.strictEqual(code, 2, err)
          assert.match(err, says[at] ?? /--temperature|--header|what follows --/)
        }
        assert.strictEqual(asked.length, 3)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    }
  )
})

describe("the user's own CLIs without a terminal", () => {
  const own = (clis: object) => {
    mkdirSync(join(home, "leap"), { recursive: true })
    writeFileSync(join(home, "leap", "settings.json"), JSON.stringify({ clis }))
  }
  afterAll(() => rmSync(join(home, "leap", "settings.json"), { force: true }))

  it("run with their program, flags and environment, and their base's decoder", async () => {
    own({
      work: {
        base: "gemini",
        command: "$HOME/bin/gemini",
        flags: "--sandbox --model 'a b'",
        env: { EXTRA: "~/extra" },
        displayName: "Gemini (work)"
      },
      gemini: { flags: "--own" },
      missing: { base: "codex", command: "no-such-program" },
      odd: { base: "gemini", flags: "'open" }
    })
    const [plain, asked, unknown, missing, base, odd] = await Promise.all([
      leap("echo", ["exec", "--provider", "work", "--json", "hello"]),
      leap("echo", ["exec", "--provider", "work", "--model", "m", "hello", "--", "--last"]),
      leap("echo", ["exec", "--provider", "nope", "hello"]),
      leap("echo", ["exec", "--provider", "missing", "hello"]),
      leap("echo", ["exec", "--provider", "gemini", "hello"]),
      leap("echo", ["exec", "--provider", "odd", "--output", "stream-json", "hello"])
    ])
    const document = JSON.parse(plain.out) as { provider: string; text: string }
    assert.strictEqual(document.provider, "work")
    const { args, extra } = JSON.parse(document.text) as { args: ReadonlyArray<string>; extra: string }
    assert.deepStrictEqual(
      [args, extra],
      [["--sandbox", "--model", "a b", "--output-format", "stream-json"], join(home, "extra")]
    )
    // what the run asks for goes before what is always asked for
    assert.deepStrictEqual(told(asked.out).args, [
      "--sandbox",
      "--output-format",
      "stream-json",
      "--model",
      "m",
      "--last"
    ])
    assert.deepStrictEqual(
      [unknown.code, /known: .*openai_compatible, work, missing, odd$/m.test(unknown.err)],
      [2, true]
    )
    assert.deepStrictEqual(
      [missing.code, /no-such-program is not installed: .*leap clis edit missing --command/.test(missing.err)],
      [7, true]
    )
    assert.deepStrictEqual(told(base.out).args, ["--own", "--output-format", "stream-json"])
    assert.match(odd.out, /"_tag":"Notice","text":"ignored the flags of 'odd' in leap's settings: a ' is never closed"/)
  })

  it.runIf(isThorough)("keep their conversations apart from their base's", async () => {
    own({ work: { base: "gemini", env: { EXTRA: "1" } } })
    const one = await leap("echo", ["chat", "--provider", "work", "--state", "work.json", "one"])
    assert.deepStrictEqual([one.code, one.err], [0, ""])
    const kept = JSON.parse(readFileSync(join(home, "work.json"), "utf8")) as { provider: string; sessionId: string }
    assert.strictEqual(kept.provider, "work")
    const two = await leap("echo", ["chat", "--state", "work.json", "two"])
    assert.deepStrictEqual(told(two.out).args.slice(-2), ["--resume", kept.sessionId])
    const others = await leap("echo", ["chat", "--provider", "gemini", "--state", "work.json", "three"])
    assert.deepStrictEqual([others.code, /begun with work, not with gemini/.test(others.err)], [2, true])
    own({})
    const gone = await leap("echo", ["chat", "--state", "work.json", "four"])
    assert.deepStrictEqual([gone.code, /no provider is called 'work'/.test(gone.err)], [2, true])
  })
})

describe("leap chat", () => {
  const file = "state.json"
  const kept = () =>
    JSON.parse(readFileSync(join(home, file), "utf8")) as {
      sessionId: string
      turns: ReadonlyArray<{ role: string }>
      stoppedBy: string | null
      cwd: string
    }
  it.runIf(isThorough)("carries a conversation from call to call, over a failure too", async () => {
    const one = await leap("echo", ["chat", "--provider", "gemini", "--state", file, "--system-prompt", "SYS", "one"])
    assert.deepStrictEqual([one.code, one.err, told(one.out).prompt], [0, "", "SYS\n\none"])
    assert.strictEqual(statSync(join(home, file)).mode & 0o777, 0o600)
    assert.deepStrictEqual(
      readdirSync(home).filter((name) => name.endsWith(".lock")),
      []
    )
    const { cwd, sessionId } = kept()
    assert.strictEqual(cwd, home)
    const two = await leap("echo", ["chat", "--state", file, "two"])
    assert.deepStrictEqual([told(two.out).prompt, told(two.out).args.slice(-2)], ["two", ["--resume", sessionId]])
    assert.deepStrictEqual(each(kept().turns, "role"), ["system", "user", "assistant", "user", "assistant"])
    const before = kept()
    const failed = await leap("crash", ["chat", "--state", file, "three"])
    assert.deepStrictEqual(
      [failed.code, kept().turns.length, kept().sessionId, kept().stoppedBy],
      [12, 5, before.sessionId, "error"]
    )
    const four = await leap("echo", ["chat", "--state", file, "--json", "-"], "four\n")
    const document = JSON.parse(four.out) as { conversation: unknown; text: string }
    assert.deepStrictEqual(document.conversation, { turns: 7, totalTokens: 36 })
    assert.strictEqual(kept().stoppedBy, null)
    const others = await leap("echo", ["chat", "--provider", "codex", "--state", file, "five"])
    assert.deepStrictEqual([others.code, /begun with gemini/.test(others.err)], [2, true])
  })
  it.each([
    ["of another kind", '{"a":1}', /no conversation that 'leap chat' has kept/],
    ["cut in the middle", '{"schema":1,"provider":"gem', /no conversation that 'leap chat' has kept/],
    ["of a newer leap", '{"schema":2,"provider":"gemini"}', /kept by a newer leap/]
  ])("leaves alone a file %s", async (_, content, says) => {
    writeFileSync(join(home, "other.json"), content)
    const ran = await leap("echo", ["chat", "--provider", "gemini", "--state", "other.json", "x"])
    assert.deepStrictEqual([ran.code, ran.out, readFileSync(join(home, "other.json"), "utf8")], [2, "", content])
    assert.match(ran.err, says)
  })
  it("is at one turn of a conversation at a time, and keeps its session when it is interrupted in the middle of one", async () => {
    await Promise.all(
      (
        [
          ["SIGINT", 130],
          ["SIGTERM", 143]
        ] as const
      ).map(async ([signal, code]) => {
        const name = `${signal}.json`
        const child = start("hang", ["chat", "--provider", "gemini", "--state", name, "--output", "stream-json", "one"])
        let out = ""
        await new Promise<void>((resolve) =>
          child.stdout.setEncoding("utf8").on("data", (piece: string) => {
            out += piece
            if (out.includes("so far")) resolve()
          })
        )
        const second = await leap("echo", ["chat", "--provider", "gemini", "--state", name, "two"])
        assert.deepStrictEqual(
          [second.code, second.out, /another 'leap chat' is at a turn/.test(second.err)],
          [5, "", true]
        )
        const ended = new Promise((resolve) => child.on("close", resolve))
        child.kill(signal)
        assert.strictEqual(await ended, code)
        const { sessionId } = JSON.parse(out.split("\n")[0] ?? "") as { sessionId: string }
        const last = JSON.parse(out.trimEnd().split("\n").at(-1) ?? "") as { _tag: string; error: object }
        assert.deepInclude(last.error, { tag: "Interrupted", sessionId, text: "so far" })
        assert.deepInclude(JSON.parse(readFileSync(join(home, name), "utf8")), {
          sessionId,
          cwd: home,
          turns: [],
          stoppedBy: "error"
        })
        const third = await leap("echo", ["chat", "--state", name, "three"])
        assert.deepStrictEqual(told(third.out).args.slice(-2), ["--resume", sessionId])
      })
    )
  })
  it("keeps a turn whose answer nobody reads, and leaves nothing behind when its output is full", async () => {
    const unread = start("echo", ["chat", "--provider", "gemini", "--state", "unread.json", "one"])
    unread.stdout.destroy()
    unread.stdin.end()
    const full = spawn(
      "sh",
      [
        "-c",
        `exec "$@" > /dev/full`,
        "sh",
        ...command(["exec", "--provider", "gemini", "--output", "stream-json", "x"])
      ],
      { cwd: home, env: env("pid") }
    )
    let err = ""
    full.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece))
    full.stdin.end()
    const code = (child: ChildProcess) => new Promise((resolve) => child.on("close", resolve))
    const [unreadCode, fullCode] = await Promise.all([code(unread), code(full)])
    assert.include([0, 141], unreadCode)
    assert.deepInclude(JSON.parse(readFileSync(join(home, "unread.json"), "utf8")), { stoppedBy: null })
    assert.deepStrictEqual([fullCode, /^leap: the output could not be written: ENOSPC.*\n$/.test(err)], [1, true], err)
    await gone(Number(readFileSync(join(home, "pid"), "utf8")))
  })
  it("asks nothing that it could not keep", async () => {
    const dir = join(home, "readonly")
    mkdirSync(dir, { mode: 0o555 })
    // root may write anywhere but into what is no real file system
    const place = process.getuid?.() === 0 ? "/proc" : dir
    const ran = await leap("echo", ["chat", "--provider", "gemini", "--state", `${place}/s.json`, "x"])
    assert.deepStrictEqual(
      [ran.code, ran.out, /s\.json could not be kept: .*; nothing was asked/.test(ran.err)],
      [1, "", true]
    )
  })
  it.runIf(isThorough)("tells a session that is gone to another one, where it is asked to", async () => {
    const state = ["--state", "retold.json"]
    const told = ["--retell", "--output", "stream-json"]
    assert.strictEqual((await leap("forgets", ["chat", "--provider", "gemini", ...state, "one"])).code, 0)
    const lost = await leap("forgets", ["chat", ...state, "two"])
    assert.deepStrictEqual([lost.code, lost.out, /--retell/.test(lost.err)], [12, "", true])
    const retold = await leap("forgets", ["chat", ...state, ...told, "two"])
    const events = retold.out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { _tag: string }]))
    // the CLI's own word on the lost session comes when it comes
    assert.deepStrictEqual(
      [retold.code, events.map(({ _tag }) => _tag).filter((name) => name !== "ErrorOutput")],
      [0, ["Notice", "Started", "Text", "Used", "Answered", "Result"]]
    )
    const prompt = (events.at(-1) as unknown as { text: string }).text
    assert.match(prompt, /User: one[\s\S]*Assistant: heard: one[\s\S]*User: two/)
    const kept = JSON.parse(readFileSync(join(home, "retold.json"), "utf8")) as { turns: ReadonlyArray<unknown> }
    assert.strictEqual(kept.turns.length, 4)
  })
  it("begins another session when the CLI knows nothing of one in which nothing was answered", async () => {
    const one = await leap("lost", ["chat", "--provider", "gemini", "--state", "lost.json", "one"])
    assert.strictEqual(one.code, 10)
    const id = (JSON.parse(readFileSync(join(home, "lost.json"), "utf8")) as { sessionId: string }).sessionId
    assert.match(id, /^\d+$/)
    const two = await leap("lost", ["chat", "--state", "lost.json", "two"])
    assert.deepStrictEqual([two.code, /Invalid session identifier/.test(two.err)], [12, true])
    const three = await leap("lost", ["chat", "--state", "lost.json", "three"])
    assert.strictEqual(three.code, 10)
  })
})

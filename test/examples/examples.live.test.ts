// Each example as its reader runs it: a process of its own, the demo CLI, files of its own.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as http from "node:http"
import * as path from "node:path"
import { chatServer, send, stream } from "../support/headless/chatServer.ts"
import { listening } from "../support/processes/listening.ts"
import { eventually, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { isThorough } from "../support/run/thorough.ts"
import { patience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

const examples = path.join(import.meta.dirname, "../../examples")

/** Runs an example to its end, and gives what it printed; dies of another exit code than 0. */
const run = (room: Room, program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.callback<string>((resume) => {
    const child = spawn(program, args, { env: { ...room.env, ...env }, cwd: room.dir })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (data: string) => (stdout += data))
    child.stderr.setEncoding("utf8").on("data", (data: string) => (stderr += data))
    child.once("error", (error) => resume(Effect.die(error)))
    child.once("close", (code, signal) =>
      resume(code === 0 ? Effect.succeed(stdout) : Effect.die(new Error(`${code ?? signal}: ${stdout}${stderr}`)))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  }).pipe(Effect.timeout(patience))

const node = (room: Room, name: string, args: ReadonlyArray<string> = [], env: Readonly<Record<string, string>> = {}) =>
  run(room, process.execPath, [path.join(examples, name), ...args], env)

/** A program until the scope ends; what it has said. */
const running = (program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] })
      const heard = { child, said: "" }
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (data: string) => (heard.said += data))
      return heard
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** What an example needs of Telegram: it takes messages, and tells what was replied to them. */
const serveTelegram = Effect.gen(function* () {
  const messages: Array<{ readonly id: number; readonly text: string }> = []
  const updates: Array<object> = []
  let ids = 0
  const server = http.createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (data: string) => (text += data))
    request.on("end", () => {
      const body = JSON.parse(text) as { readonly text: string; readonly offset: number }
      const say = (result: unknown) => response.end(JSON.stringify({ ok: true, result }))
      if (request.url === "/bot1:SECRET/sendMessage") {
        messages.push({ id: ++ids, text: body.text })
        return void say({ message_id: ids })
      }
      const wait = (): void => {
        const news = updates.slice(body.offset)
        if (news.length > 0 || response.destroyed) say(news)
        else setTimeout(wait, 20)
      }
      wait()
    })
  })
  const port = yield* listening(server)
  return {
    url: `http://127.0.0.1:${port}`,
    texts: () => messages.map(({ text }) => text),
    /** Someone of this chat replies to the last message with this text. */
    reply: (to: string, text: string, chat: number) => {
      const message_id = messages.findLast((message) => message.text.includes(to))?.id
      const reply_to_message = { message_id }
      const message = { chat: { id: chat }, message_id: 5_000 + ++ids, text, reply_to_message }
      updates.push({ update_id: updates.length, message })
    }
  }
})

describe.runIf(isThorough)("the examples", () => {
  live("embed a session: it is sent to, answers, and its states are seen", function* () {
    const room = yield* makeRoom()
    const lines = (yield* node(room, "embed.ts")).trim().split("\n")
    assert.includeMembers(lines, ["state: running", "state: idle", "answer: You asked “say hello”. That is my answer."])
    const told = room.log().map(({ event, text }) => `${event} ${text}`)
    assert.isTrue(told.some((line) => line.includes("say hello")))
    // it ended with the program's scope: its last status says so
    const after = JSON.parse((yield* room.leap(["status", "example", "--json"])).stdout) as {
      readonly sessions: ReadonlyArray<{ readonly state: string; readonly exit: unknown }>
    }
    assert.deepStrictEqual(after.sessions[0]?.exit, { code: 0, signal: null })
  })

  live("answer permission requests", function* () {
    const room = yield* makeRoom()
    const lines = (yield* node(room, "permissions.ts")).trim().split("\n")
    assert.deepStrictEqual(lines, ["Write notes.md? → Yes", "You asked “please write a file”. That is my answer."])
  })

  live("host a CLI that leap does not know", function* () {
    const said = yield* node(yield* makeRoom(), "custom-provider.ts")
    assert.include(said, "Polly wants a cracker? Polly wants a cracker!")
  })

  live("decide by rules alone, replay a recording, and run a turn without a terminal", function* () {
    const room = yield* makeRoom()
    const server = yield* chatServer(send(200, stream("hel", "lo"), { "content-type": "text/event-stream" }))
    const cast = path.join(import.meta.dirname, "../recordings/claude/ask-esc.cast")
    const model = { OPENAI_BASE_URL: server.url, OPENAI_MODEL: "m", OPENAI_API_KEY: "k" }
    const [rules, states, turn] = yield* Effect.all(
      [node(room, "policy.ts"), node(room, "replay.ts", [cast]), node(room, "headless.ts", [], model)],
      { concurrency: 3 }
    )
    assert.deepStrictEqual(rules.trim().split("\n"), [
      "allow git status",
      "allow git status && git log -3",
      "deny  git status; git push --force",
      "ask   rm -rf build"
    ])
    const seen = states.split("\n").flatMap((line) => /"state":"(\w+)"/.exec(line)?.[1] ?? [])
    assert.includeMembers(seen, ["running", "needs_input", "interrupted"])
    assert.strictEqual(turn, "hello\n")
  })

  live("ask three agents side by side, one of which fails", function* () {
    const room = yield* makeRoom()
    // programs that print what the CLIs printed once
    const recorded = { claude: ["single-turn", 0], codex: ["single", 0], gemini: ["error-401", 41] } as const
    const bin = path.join(room.dir, "bin")
    fs.mkdirSync(bin)
    for (const [cli, [run, code]] of Object.entries(recorded)) {
      const said = path.join(import.meta.dirname, "../fixtures/headless", cli, `${run}.ndjson`)
      fs.writeFileSync(path.join(bin, cli), `#!/bin/sh\ncat >/dev/null\ncat '${said}'\nexit ${code}\n`, {
        mode: 0o755
      })
    }
    const lines = (yield* node(room, "side-by-side.ts", ["hello"], { PATH: `${bin}:/usr/bin:/bin` })).split("\n")
    const rows = lines.filter((line) => /^(claude|codex|gemini) {2,}/.test(line))
    assert.deepStrictEqual(
      rows.map((line) => line.split(/ {2,}/).slice(0, 2).join(" ")),
      ["claude end_turn", "codex end_turn", "gemini AgentReportedError"]
    )
    for (const cli of ["claude", "codex"])
      assert.isTrue(
        lines.some((line) => line.startsWith(`${cli}: `)),
        cli
      )
    assert.match(rows[0]!, / [\d.]+ {2}\d+$/)
  })

  live("draw all sessions over the feed, those that need their user first", function* () {
    const room = yield* makeRoom()
    yield* startDemo(room, "a-calm")
    yield* startDemo(room, "b-asks")
    yield* room.leap(["send", "b-asks", "please write a file"])
    yield* room.until("b-asks", ({ state }) => state === "needs_permission", "its dialog")
    const screens = (yield* node(room, "dashboard.ts", ["3"])).split("--\n").filter((screen) => screen.trim() !== "")
    const rows = screens.at(-1)!.trimEnd().split("\n")
    assert.match(rows[0]!, /^! b-asks +needs_permission +leap demo( \+\d)? +Write notes\.md\?$/)
    assert.match(rows[1]!, /^ {2}a-calm +idle +leap demo/)
    assert.strictEqual(rows.length, 2)
  })

  live("bridge to Telegram over the webhook: what needs you arrives, and replies answer and queue", function* () {
    const room = yield* makeRoom("0.1")
    const telegram = yield* serveTelegram
    const secret = `whsec_${Buffer.from("a key of some length").toString("base64")}`
    const bin = path.join(room.dir, "bin")
    fs.mkdirSync(bin)
    fs.writeFileSync(path.join(bin, "leap"), `#!/bin/sh\nexec '${room.command.join("' '")}' "$@"\n`, { mode: 0o755 })
    const env = { ...room.env, PATH: `${bin}:${room.env["PATH"] ?? ""}`, LEAP_SECRET: secret }
    const bridge = yield* running(process.execPath, [path.join(examples, "telegram.ts")], {
      ...env,
      TELEGRAM_API: telegram.url,
      TELEGRAM_TOKEN: "1:SECRET",
      TELEGRAM_CHAT: "7",
      PORT: "0"
    })
    yield* eventually(() => /"port":\d+/.test(bridge.said), "the bridge listens")
    const url = `http://127.0.0.1:${/"port":(\d+)/.exec(bridge.said)?.[1]}/`
    // what is not signed is not taken
    const forged = yield* Effect.promise(() => fetch(url, { method: "POST", body: "{}" }))
    assert.strictEqual(forged.status, 401)
    fs.mkdirSync(room.env["LEAP_HOME"]!, { recursive: true })
    fs.writeFileSync(
      path.join(room.env["LEAP_HOME"]!, "settings.json"),
      JSON.stringify({ out: { webhooks: [{ name: "telegram", url, secretEnv: "LEAP_SECRET" }] } })
    )
    const [program, bundle] = room.command
    const out = yield* running(program, [bundle, "out"], env)
    yield* eventually(() => out.said.includes("telling telegram"), "leap out runs")
    yield* startDemo(room, "a")
    yield* room.leap(["send", "a", "write a file"])
    yield* eventually(() => telegram.texts().some((text) => text.startsWith("a: Write")), "the dialog is posted")
    telegram.reply("a: Write", "2", 99)
    telegram.reply("a: Write", "1", 7)
    yield* eventually(() => telegram.texts().some((text) => text.includes("That is my answer")), "the answer is posted")
    telegram.reply("That is my answer", "say -- more", 7)
    yield* eventually(() => telegram.texts().some((text) => text.includes("say -- more")), "the reply is answered")
    assert.deepStrictEqual(
      room.log().flatMap(({ event, text }) => (event === "dialog_answered" ? [text] : [])),
      ["Yes"]
    )
    assert.notInclude(bridge.said, "SECRET")
  })

  live("speak to a session's socket from Python", function* () {
    const room = yield* makeRoom()
    yield* startDemo(room, "snake")
    const said = yield* run(room, "python3", [path.join(examples, "client.py"), "snake", "say hello"])
    const lines = said.trim().split("\n")
    assert.strictEqual(lines.at(-1), "You asked “say hello”. That is my answer.")
    assert.strictEqual(lines.at(-2), "done")
  })
})

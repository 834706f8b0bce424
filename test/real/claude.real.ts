import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync } from "node:fs"
import { networkInterfaces } from "node:os"
import { join } from "node:path"
import { claudeHome } from "./claudeHome.ts"
import { type Exchange, FakeAnthropic, type Reply, say } from "./FakeAnthropic.ts"
import { type Ran, runLeap, type Status } from "./leap.ts"

const bash = (command: string): Reply => ({
  blocks: [{ type: "text", text: "I will run it." }, { type: "tool_use", name: "Bash", input: { command, description: "Run it" } }]
})

const ask = (question: string, options: ReadonlyArray<string>): Reply => ({
  blocks: [{
    type: "tool_use",
    name: "AskUserQuestion",
    input: { questions: [{ question, header: "Library", multiSelect: false, options: options.map((label) => ({ label, description: `use ${label}` })) }] }
  }]
})

/** A reply that goes on until `end` is called. */
const endless = (text: string) => {
  let end = () => {}
  const until = new Promise<void>((resolve) => (end = resolve))
  return { reply: { blocks: [{ type: "text", text, until }] } satisfies Reply, end }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Session {
  readonly api: FakeAnthropic
  /** Runs a leap command, which must end with exit code 0. */
  readonly leap: (args: ReadonlyArray<string>, stdin?: string) => Promise<string>
  readonly tryLeap: (args: ReadonlyArray<string>, stdin?: string) => Promise<Ran>
  readonly status: () => Promise<Status>
  readonly until: (what: string, holds: (status: Status) => boolean) => Promise<Status>
  /** Nothing of this changes for a while: checked again and again. */
  readonly stays: (what: string, ms: number, holds: (status: Status) => boolean) => Promise<void>
}

/** Claude Code itself, hosted by leap, wired, past its start, with its prompt empty. */
const hosted = async (tag: string, body: (session: Session) => Promise<void>) => {
  const outside = Object.values(networkInterfaces()).flat().filter((it) => it?.internal === false)
  assert.deepStrictEqual(outside, [], "real CLIs run only where there is no network but loopback (npm run test:real)")
  const version = /^[\d.]+/.exec(execFileSync("claude", ["--version"], { encoding: "utf8" }))?.[0] ?? ""
  const api = new FakeAnthropic()
  const home = join(process.env["HOME"] ?? "", tag)
  mkdirSync(home)
  const claude = claudeHome(home, await api.open(), version)
  const env = { ...process.env, ...claude.env, HOME: home }
  const tryLeap = (args: ReadonlyArray<string>, stdin?: string) => runLeap(env, args, stdin)
  const leap = async (args: ReadonlyArray<string>, stdin?: string) => {
    const ran = await tryLeap(args, stdin)
    assert.strictEqual(ran.code, 0, `leap ${args.join(" ")}\n${ran.err}${ran.out}`)
    return ran.out
  }
  const status = async () => {
    const { sessions } = JSON.parse(await leap(["status", tag, "--json"])) as { sessions: ReadonlyArray<Status> }
    const [only, ...others] = sessions
    if (only === undefined || others.length > 0) throw new Error(`leap status ${tag} told of ${sessions.length} sessions`)
    return only
  }
  const until = async (what: string, holds: (status: Status) => boolean) => {
    const deadline = Date.now() + 60_000
    for (;;) {
      const now = await status()
      if (holds(now)) return now
      if (Date.now() > deadline) throw new Error(`waited 60 s in vain: ${what}; status ${JSON.stringify(now)}`)
      await sleep(100)
    }
  }
  const stays = async (what: string, ms: number, holds: (status: Status) => boolean) => {
    const end = Date.now() + ms
    do {
      const now = await status()
      assert.isTrue(holds(now), `${what}; status ${JSON.stringify(now)}`)
      await sleep(200)
    } while (Date.now() < end)
  }
  try {
    await leap(["hooks", "install", "--cli", "claude"])
    await leap([tag, "--cli", "claude", "--cwd", claude.project, "--detach"])
    await until("Claude Code is up", ({ ready, state }) => state === "idle" && ready)
    await body({ api, leap, tryLeap, status, until, stays })
    assert.isNull(api.failure)
    assert.strictEqual(api.unspoken, 0, "every reply was asked for")
  } catch (error) {
    const screen = await tryLeap(["screen", tag])
    const last = await tryLeap(["status", tag, "--json"])
    process.stderr.write(`--- screen\n${screen.out}${screen.err}--- status\n${last.out}${last.err}--- endpoint\n${JSON.stringify(api.exchanges, null, 1)}\n`)
    throw error
  } finally {
    await tryLeap(["stop", tag, "--force"])
    await api.close()
  }
}

const inOrder = (exchanges: ReadonlyArray<Exchange>) => {
  for (const [index, exchange] of exchanges.entries()) {
    const before = exchanges[index - 1]
    if (before === undefined) continue
    assert.isNotNull(before.endedAt)
    assert.isAtLeast(exchange.arrivedAt, before.endedAt ?? Infinity, `request ${exchange.number} came before the reply to ${before.number} had ended`)
  }
}

/** Claude Code writes down each prompt that was typed while it was busy. */
const typedAhead = (transcript: string) =>
  readFileSync(transcript, "utf8").split("\n").filter((line) => line !== "" && (JSON.parse(line) as { type?: string }).type === "queue-operation")

describe("Claude Code under leap", () => {
  it("three messages queued while a turn streams go out one by one, whole, in order, after each turn, and none into a dialog", () =>
    hosted("queue-session", async ({ api, leap, stays, status, until }) => {
      const first = "Begin, please."
      const messages = [
        "Make the folder:\n  \"out\" with 'one' file — ünïcödé 日本語 🎉\n\nand `list` it; keep $HOME, %d, \\n and 100% as they are.",
        "第二 message: is it there? 🎉 — \"good\"",
        `The last one is long. ${"It says the same thing again, so that it does not fit a line. ".repeat(30)}End.`
      ]
      const turn = endless("Working")
      api.script(turn.reply, bash("mkdir -p out && touch out/one && ls out"), say("The folder is there."), say("Yes."), say("Done with all."))

      await leap(["send", "queue-session", first])
      await api.until("the first turn streams", (main) => main[0]?.startedAt != null)
      await leap(["wait", "queue-session", "--until", "running", "--timeout", "30"])
      const ids = [
        await leap(["send", "queue-session", "-"], messages[0]),
        await leap(["send", "queue-session", messages[1] ?? ""]),
        await leap(["send", "queue-session", "-"], messages[2])
      ].map((id) => id.trim())

      const waiting = ({ queue }: Status, from: number) => {
        const queued = queue.filter(({ status }) => status === "queued")
        assert.deepStrictEqual(queued.map(({ id, text }) => [id, text]), ids.slice(from).map((id, at) => [id, messages[from + at] ?? ""]))
        return true
      }
      await stays("all three wait while the first turn streams", 3000, (now) => now.state === "running" && !now.ready && waiting(now, 0))
      assert.notInclude(await leap(["screen", "queue-session"]), "第二", "nothing was typed ahead")
      assert.strictEqual(api.main.length, 1)
      turn.end()

      assert.strictEqual((await leap(["wait", "queue-session", "--until", "needs_permission", "--timeout", "60"])).trim(), "needs_permission")
      const dialogSince = Date.now()
      await stays("two wait while the dialog is up", 5000, (now) => now.state === "needs_permission" && !now.ready && waiting(now, 1))
      assert.strictEqual(api.main.length, 2, "no request while the dialog was up")
      const dialogUntil = Date.now()
      await leap(["answer", "queue-session", "1"])

      await api.until("all five requests are answered", (main) => main.length === 5 && main.every(({ endedAt }) => endedAt !== null))
      const end = await until("the session is at rest, its queue empty", ({ queue, ready, state }) =>
        state === "idle" && ready && queue.every((message) => message.status === "done"))

      const [a, b, c] = messages as [string, string, string]
      assert.deepStrictEqual(api.main.map(({ conversation }) => conversation), [[first], [first, a], [first, a], [first, a, b], [first, a, b, c]])
      inOrder(api.main)
      assert.deepStrictEqual(api.main.map(({ aborted }) => aborted), [false, false, false, false, false])
      assert.deepStrictEqual(api.main[2]?.toolResults, ["one"], "the answer let the tool run")
      for (const { arrivedAt, number } of api.main) {
        assert.isFalse(arrivedAt >= dialogSince && arrivedAt <= dialogUntil, `request ${number} came while the dialog was up`)
      }
      assert.isNotNull(end.transcriptPath)
      assert.deepStrictEqual(typedAhead(end.transcriptPath ?? ""), [], "Claude Code was never typed at while it was busy")
      assert.strictEqual((await status()).lastMessage, c)
    }))

  it("text that terminals measure in different ways arrives whole too", () =>
    hosted("glyph-session", async ({ api, leap, until }) => {
      const hard = ["a family 👩‍👩‍👧‍👦 of four", "a flag 🇩🇪, a hand 👍🏽, a heart ❤️", "नमस्ते, שלום, مرحبا", "cafe\u0301, tab\there, two  spaces"]
      api.script(...hard.map((_, at) => say(`Answer ${at}.`)))
      for (const text of hard) await leap(["send", "glyph-session", text])
      await api.until("all are answered", (main) => main.length === hard.length && main.every(({ endedAt }) => endedAt !== null), 120_000)
      await until("at rest", ({ queue, ready }) => ready && queue.length === 0)
      // the CLI's own box composes characters and makes four blanks of a tab, however they are entered
      assert.deepStrictEqual(api.main.at(-1)?.conversation, hard.map((text) => text.normalize("NFC").replaceAll("\t", "    ")))
    }))

  it("send --wait, last, interrupt, a question answered, stop", () =>
    hosted("talk-session", async ({ api, leap, stays, status, tryLeap, until }) => {
      const tag = "talk-session"
      const answer = "The answer is 42 — größer als 日本 🎉."
      api.script(say(answer))
      assert.strictEqual((await leap(["send", tag, "What is the answer?", "--wait", "--timeout", "60"])).trimEnd().split("\n").at(-1), answer)
      assert.strictEqual((await leap(["last", tag])).trimEnd(), answer)
      assert.include(await leap(["screen", tag]), "What is the answer?")

      const turn = endless("This takes long")
      api.script(turn.reply, say("I go on."), say("And that too."))
      await leap(["send", tag, "Do something long."])
      await api.until("the long turn streams", (main) => main.length === 2 && main[1]?.startedAt != null)
      await leap(["wait", tag, "--until", "running", "--timeout", "30"])
      // Let some of the reply arrive: an interrupt before the first word is another case.
      await waitForScreen(leap, tag, "This takes long (")
      await leap(["interrupt", tag])
      await leap(["wait", tag, "--until", "interrupted", "--timeout", "30"])
      await api.until("Claude Code hung up", (main) => main[1]?.aborted === true)
      turn.end()
      await leap(["send", tag, "Later."])
      await stays("nothing goes out by itself after an interrupt", 3000, ({ ready, state }) => state === "interrupted" && !ready)
      assert.strictEqual(api.main.length, 2)
      await leap(["send", tag, "--force", "Go on."])
      await api.until("the forced message and the waiting one", (main) => main.length === 4 && main[3]?.endedAt != null)
      assert.deepStrictEqual(api.main[3]?.conversation, ["What is the answer?", "Do something long.", "Go on.", "Later."])
      await until("at rest", ({ ready, state }) => state === "idle" && ready)

      api.script(ask("Which library?", ["alpha", "beta"]), say("Then beta."))
      await leap(["send", tag, "Choose a library."])
      assert.strictEqual((await leap(["wait", tag, "--until", "needs_input", "--timeout", "60"])).trim(), "needs_input")
      await leap(["send", tag, "After the question."])
      await stays("nothing is typed into the question", 2000, ({ ready, state }) => state === "needs_input" && !ready)
      api.script(say("Good."))
      await leap(["answer", tag, "beta"])
      await api.until("the answer and the message behind it", (main) => main.length === 7 && main[6]?.endedAt != null)
      assert.match(api.main[5]?.toolResults.join() ?? "", /"beta"/)
      assert.strictEqual(api.main[6]?.conversation.at(-1), "After the question.")
      inOrder(api.main)
      await until("at rest", ({ ready, state }) => state === "idle" && ready)

      const { exit } = JSON.parse(await leap(["stop", tag, "--json"])) as Pick<Status, "exit">
      const end = await status()
      assert.strictEqual(end.state, "exited")
      assert.isNotNull(exit)
      assert.deepStrictEqual(end.exit, exit)
      assert.strictEqual((await tryLeap(["send", tag, "Too late."])).code, 3)
    }))
})

const waitForScreen = async (leap: Session["leap"], tag: string, text: string) => {
  const deadline = Date.now() + 30_000
  while (!(await leap(["screen", tag])).includes(text)) {
    if (Date.now() > deadline) throw new Error(`waited 30 s in vain for ${JSON.stringify(text)} on the screen`)
    await sleep(100)
  }
}

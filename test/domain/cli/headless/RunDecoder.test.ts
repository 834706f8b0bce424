import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { AgentCli, AgentExit } from "../../../../src/domain/cli/headless/AgentCli.ts"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import type { AgentOptions } from "../../../../src/domain/cli/headless/AgentOptions.ts"
import * as CliRun from "../../../../src/domain/cli/headless/RunDecoder.ts"
import { stopReasonOf, stopReasons } from "../../../../src/domain/cli/headless/StopReason.ts"
import { sizeOf } from "../../../../src/domain/cli/usage/UsageReader.ts"
import { secretsOf } from "../../../../src/domain/cli/headless/Masking.ts"
import { claudeHeadless } from "../../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../../src/domain/providers/opencode/Headless.ts"
import {
  aCall,
  decode,
  headlessBytes,
  headlessReport,
  headlessRuns,
  spoken
} from "../../../support/headless/headless.ts"
import { each } from "../../../support/data/fields.ts"

const at = Date.parse("2026-03-01T12:00:00Z")

interface Output {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
}

interface Ran {
  readonly events: ReadonlyArray<AgentEvent>
  readonly conclusion: CliRun.CliConclusion | null
}

type Input = CliRun.CliRunInput

const exited = (exit: Partial<AgentExit> = {}): Input => ({
  _tag: "Exited",
  exit: { code: 0, signal: null, stderr: "", report: null, ...exit },
  at
})

/** Runs a CLI's fold over inputs that come in batches. */
const play = <State>(
  cli: AgentCli<State>,
  batches: ReadonlyArray<ReadonlyArray<Input>>,
  secrets: ReadonlyArray<string> = [],
  options: AgentOptions = {}
): Ran => {
  const run = { cli, call: aCall({ options }), secrets: secretsOf(secrets), zone: "UTC" }
  const events: Array<AgentEvent> = []
  let state = CliRun.start(run)
  for (const batch of batches) {
    const [next, more] = CliRun.steps(run, state, batch)
    state = next
    events.push(...more)
  }
  return { events, conclusion: state.conclusion }
}

/** A run that was recorded, with these options. */
const recorded = <State>(cli: AgentCli<State>, name: string, options: AgentOptions): Ran =>
  play(cli, [[{ _tag: "Printed", from: "stdout", bytes: headlessBytes(cli.id, name), at }, exited()]], [], options)

const cut = (bytes: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const points = [...new Set(cuts.map((at) => at % (bytes.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...points].map((from, i) => bytes.subarray(from, points[i] ?? bytes.length))
}

const printed = (from: "stdout" | "stderr", pieces: ReadonlyArray<Uint8Array>): ReadonlyArray<Input> =>
  pieces.map((bytes) => ({ _tag: "Printed", from, bytes, at }))

const erase = <State>(cli: AgentCli<State>) => ({
  id: cli.id,
  play: (batches: ReadonlyArray<ReadonlyArray<Input>>, secrets?: ReadonlyArray<string>) => play(cli, batches, secrets),
  decode: (bytes: Uint8Array) => decode(cli, [bytes])
})
const clis = [
  erase(claudeHeadless),
  erase(codexHeadless),
  erase(geminiHeadless),
  erase(copilotHeadless),
  erase(opencodeHeadless)
]

const encoder = new TextEncoder()
const recordings = clis.flatMap((cli) =>
  headlessRuns(cli.id)
    .map((run) => ({
      cli,
      name: `${cli.id} ${run.name}`,
      exit: {
        code: run.exit,
        signal: run.signal,
        stderr: run.stderr,
        report: run.name === "usage-file" ? headlessReport(cli.id, "usage-file.usage.json") : null
      },
      output: { stdout: headlessBytes(cli.id, run.name), stderr: encoder.encode(run.stderr) } satisfies Output
    }))
    .filter(({ output }) => output.stdout.length < 60_000)
)

const Cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60_000 })))
const Which = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }))

/** Words of one message, long enough to be a secret. */
const secretIn = (events: ReadonlyArray<AgentEvent>, which: number): ReadonlyArray<string> => {
  const words = spoken(events).match(/\w[\w ]{18,40}\w/g) ?? []
  return words.length === 0 ? [] : [words[which % words.length] ?? ""]
}

const lines = (...values: ReadonlyArray<object>): Uint8Array =>
  encoder.encode(values.map((line) => `${JSON.stringify(line)}\n`).join(""))
const init = { type: "init", session_id: "s", model: "m" }
const piece = (content: string) => ({ type: "message", role: "assistant", content, delta: true })
const success = { type: "result", status: "success" }

describe("a headless run of a CLI", () => {
  it.prop(
    "is the same wherever its output is cut, however the pieces are batched, and whatever is secret in it",
    { which: Which, stdout: Cuts, stderr: Cuts, batch: Which },
    ({ batch, stderr, stdout, which }) => {
      const { cli, exit, output } = recordings[which % recordings.length]!
      const end = [{ _tag: "OutputEnded", at } as const, exited(exit)]
      const secrets = secretIn(cli.decode(output.stdout).events, which)
      const whole = cli.play([printed("stdout", [output.stdout]), printed("stderr", [output.stderr]), end], secrets)
      const pieces = [
        ...printed("stdout", cut(output.stdout, stdout)),
        ...printed("stderr", cut(output.stderr, stderr)),
        ...end
      ]
      const size = (batch % pieces.length) + 1
      const batches = Array.from({ length: Math.ceil(pieces.length / size) }, (_, i) =>
        pieces.slice(i * size, (i + 1) * size)
      )
      assert.deepStrictEqual(cli.play(batches, secrets), whole)
      assert.isNotNull(whole.conclusion)
      for (const secret of secrets) assert.notInclude(JSON.stringify(spoken(whole.events)), secret)
    }
  )

  it("tells the same of each CLI: a tool ends under its name, what was used is told, and why it ended", () => {
    const ended = new Map<string, number>()
    for (const { cli, exit, name, output } of recordings) {
      const { conclusion, events } = cli.play([printed("stdout", [output.stdout]), [exited(exit)]])
      const begun = new Map<string | null, string>()
      for (const event of events) {
        if (event._tag === "ToolStarted") begun.set(event.id, event.tool)
        if (event._tag === "ToolEnded") assert.strictEqual(event.tool, begun.get(event.id), `${name}: ${event.id}`)
      }
      if (conclusion?._tag !== "Succeeded") continue
      ended.set(cli.id, (ended.get(cli.id) ?? 0) + 1)
      const { outcome } = conclusion
      assert.isNotNull(events.find((event) => event._tag === "Started")?.sessionId ?? null, name)
      assert.include(stopReasons, stopReasonOf(outcome.stopReason), name)
      const used = events.findLast((event) => event._tag === "Used")
      assert.strictEqual(used === undefined ? null : sizeOf(used.tokens), outcome.tokens?.total ?? null, name)
      assert.isTrue(events.some((event) => event._tag === "Answered") || outcome.answers.length === 0, name)
    }
    for (const cli of clis) assert.isAbove(ended.get(cli.id) ?? 0, 4)
  })

  it.prop(
    "loses and doubles nothing of what the decoder finds, wherever it breaks off",
    { which: Which, stdout: Cuts },
    ({ stdout, which }) => {
      const { cli, output } = recordings[which % recordings.length]!
      const bytes = output.stdout.subarray(0, (stdout[0] ?? 60_000) % (output.stdout.length + 1))
      const ran = cli.play([printed("stdout", cut(bytes, stdout)), [exited()]])
      // reports of failures are masked and dated, tools timed
      const others = (events: ReadonlyArray<AgentEvent>) =>
        events.map((event) =>
          "problem" in event || event._tag === "Notice"
            ? event._tag
            : event._tag === "ToolEnded"
              ? { ...event, durationMs: null }
              : event
        )
      assert.deepStrictEqual(others(ran.events), others(cli.decode(bytes).events))
    }
  )

  it.prop(
    "ends once: nothing that comes after its end changes anything",
    { which: Which, stdout: Cuts },
    ({ stdout, which }) => {
      const { cli, exit, output } = recordings[which % recordings.length]!
      const pieces = printed("stdout", cut(output.stdout, stdout))
      const once = cli.play([pieces, [exited(exit)]])
      assert.deepStrictEqual(
        cli.play([
          [...pieces, exited(exit), exited({ code: 9 }), ...pieces],
          [{ _tag: "TimedOut", afterMs: 1, idle: true, at }, { _tag: "OutputEnded", at }, exited({ code: 8 })]
        ]),
        once
      )
    }
  )

  it.prop(
    "masks a secret wherever the pieces of the text and of the output are cut, and holds nothing back at its end",
    { text: Cuts, stdout: Cuts, complete: Schema.Boolean },
    ({ complete, stdout, text }) => {
      const secret = "tok-1234567890"
      const said = `a ${secret} b tok-12 c ${secret}${secret} tok-`
      const points = [...new Set(text.map((at) => at % (said.length + 1)))].toSorted((a, b) => a - b)
      const pieces = [0, ...points].map((from, i) => said.slice(from, points[i] ?? said.length))
      const bytes = lines(init, ...pieces.filter((it) => it !== "").map(piece), ...(complete ? [success] : []))
      const { conclusion, events } = play(geminiHeadless, [printed("stdout", cut(bytes, stdout)), [exited()]], [secret])
      assert.strictEqual(spoken(events), "a *** b tok-12 c ****** tok-")
      const answer =
        conclusion?._tag === "Succeeded" ? conclusion.outcome.answers.at(-1) : conclusion?.failure.partial.text
      assert.strictEqual(answer, "a *** b tok-12 c ****** tok-")
      assert.strictEqual(conclusion?._tag, complete ? "Succeeded" : "Failed")
    }
  )

  const broken = [...printed("stdout", [lines(init, piece("half"))])]
  const retrying = printed("stderr", [
    encoder.encode("Attempt 1 failed with status 429. Retrying with backoff... slow down tok-1234567890\n")
  ])
  const timedOut = { _tag: "TimedOut", afterMs: 5, idle: false, at: at + 5 } as const

  const turnOf = <State>(cli: AgentCli<State>, name: string) =>
    [cli.id, headlessBytes(cli.id, name), (batches: Parameters<typeof play>[1]) => play(cli, batches)] as const
  const turns = [
    turnOf(claudeHeadless, "single-turn"),
    turnOf(codexHeadless, "single"),
    turnOf(copilotHeadless, "single-turn"),
    turnOf(geminiHeadless, "single-turn"),
    turnOf(opencodeHeadless, "single")
  ]
  const endings: ReadonlyArray<readonly [string, ReadonlyArray<Input>, RegExp | null]> = [
    ["in order", [exited()], null],
    ["with an exit code", [exited({ code: 1 })], /then it ended with exit code 1$/],
    ["by a signal", [exited({ code: null, signal: "SIGKILL" })], /then SIGKILL ended it$/],
    ["at a time limit", [timedOut, exited({ code: null, signal: "SIGTERM" })], /leap ended it at the time limit$/],
    [
      "by leap, as it did not end by itself",
      [{ _tag: "Lingered", afterMs: 10_000 }, exited({ code: null, signal: "SIGINT" })],
      /leap ended it after 10 s$/
    ]
  ]
  it.each(
    turns.flatMap(([id, bytes, run]) =>
      endings.map(([how, inputs, said]) => [id, how, bytes, run, inputs, said] as const)
    )
  )(
    "%s: gives the answer of a turn that was over, and says it, where its process ended %s",
    (_id, _how, bytes, run, inputs, said) => {
      const { conclusion, events } = run([[...printed("stdout", [bytes])], inputs])
      assert.strictEqual(conclusion?._tag, "Succeeded")
      assert.notStrictEqual(conclusion?._tag === "Succeeded" && conclusion.outcome.answers.at(-1), "")
      const notices = events.flatMap((event) => (event._tag === "Notice" ? [event.text] : []))
      assert.isTrue(said === null ? notices.length === 0 : said.test(notices.at(-1) ?? ""), notices.join())
      // a turn that is not over has no answer yet, and what it says as it is made to end is not its end
      const lines = Buffer.from(bytes).toString().trimEnd().split("\n")
      const half = run([printed("stdout", [encoder.encode(`${lines.slice(0, -1).join("\n")}\n`)]), inputs])
      assert.strictEqual(half.conclusion?._tag, "Failed")
      const late = [{ ...timedOut, at: at - 1 }, exited()]
      assert.strictEqual(run([printed("stdout", [bytes]), late]).conclusion?._tag, "Failed")
    }
  )

  it.each([
    ["You've hit your limit · resets 8:50pm", "quota"],
    ["Please run /login", "auth"],
    ["Warning: x is old\nError: model m is not found", "model"],
    ["it broke", "other"]
  ])("says what it printed for people as it ended with an error: %s", (text, kind) => {
    for (const cli of clis) {
      const { conclusion } = cli.play([printed("stdout", [encoder.encode(`${text}\n`)]), [exited({ code: 1 })]])
      const reason = conclusion?._tag === "Failed" ? conclusion.failure.reason : null
      assert.strictEqual(reason?._tag, "Reported", cli.id)
      if (reason?._tag !== "Reported") continue
      assert.deepStrictEqual([reason.problem.kind, reason.problem.message], [kind, text], cli.id)
      // an end in order, or by a signal, is not told by a remark
      for (const exit of [exited(), exited({ code: null, signal: "SIGTERM" })]) {
        const other = cli.play([printed("stdout", [encoder.encode(`${text}\n`)]), [exit]])
        assert.notStrictEqual(other.conclusion?._tag === "Failed" && other.conclusion.failure.reason._tag, "Reported")
      }
    }
  })

  it("waits for what goes on in the background behind a result of Claude Code's", () => {
    const all = Buffer.from(headlessBytes("claude", "background-bash")).toString().trimEnd().split("\n")
    const first = all.findIndex((line) => line.includes('"type":"result"'))
    const upTo = (end: number) => printed("stdout", [encoder.encode(`${all.slice(0, end).join("\n")}\n`)])
    const ended = exited({ code: null, signal: "SIGTERM" })
    assert.isAtLeast(first, 1)
    assert.strictEqual(play(claudeHeadless, [upTo(first + 1), [ended]]).conclusion?._tag, "Failed")
    assert.strictEqual(play(claudeHeadless, [upTo(all.length), [ended]]).conclusion?._tag, "Succeeded")
  })

  it.each(["tool-calls", "tool_calls", "unknown"])("does not take a step of OpenCode's for its last: %s", (reason) => {
    const bytes = encoder.encode(
      Buffer.from(headlessBytes("opencode", "single")).toString().replaceAll('"stop"', `"${reason}"`)
    )
    const { conclusion } = play(opencodeHeadless, [printed("stdout", [bytes]), [exited({ code: 1 })]])
    assert.strictEqual(conclusion?._tag, "Failed")
  })

  const isOver = <State>(cli: AgentCli<State>, ...behind: ReadonlyArray<Uint8Array>) => {
    const run = { cli, call: aCall(), secrets: secretsOf([]), zone: "UTC" }
    const bytes = [headlessBytes(cli.id, "error-400"), ...behind]
    return CliRun.steps(run, CliRun.start(run), printed("stdout", bytes))[0].overAt !== null
  }
  it("is over where its turn has failed, whether its process ends or not, until it goes on by itself", () => {
    assert.isTrue(isOver(claudeHeadless))
    assert.isTrue(isOver(codexHeadless))
    assert.isTrue(isOver(geminiHeadless))
    assert.isTrue(isOver(copilotHeadless))
    assert.isTrue(isOver(opencodeHeadless))
    const step = lines({ type: "step_start", sessionID: "s", part: { type: "step-start" } })
    assert.isFalse(isOver(opencodeHeadless, step))
  })
  it("goes on behind an error for which OpenCode makes its context smaller", () => {
    const full = { name: "ContextOverflowError", data: { message: "prompt is too long" } }
    const error = lines({ type: "error", sessionID: "s", error: full })
    const run = { cli: opencodeHeadless, call: aCall(), secrets: secretsOf([]), zone: "UTC" }
    assert.isNull(CliRun.steps(run, CliRun.start(run), printed("stdout", [error]))[0].overAt)
    const bytes = [error, headlessBytes("opencode", "single")]
    assert.strictEqual(
      play(opencodeHeadless, [printed("stdout", bytes), [exited({ code: 1 })]]).conclusion?._tag,
      "Succeeded"
    )
    const ended = play(opencodeHeadless, [printed("stdout", [error]), [exited({ code: 1 })]]).conclusion
    assert.strictEqual(ended?._tag === "Failed" && ended.failure.reason._tag, "Reported")
  })

  it.each<readonly [string, ReadonlyArray<Input>, object]>([
    ["its time-out, whatever its end", [...broken, timedOut, exited({ code: 1 })], { _tag: "TimedOut", afterMs: 5 }],
    [
      "the first of two time-outs",
      [...broken, timedOut, { _tag: "TimedOut", afterMs: 7, idle: true, at: at + 7 }, exited()],
      { _tag: "TimedOut", afterMs: 5, idle: false, retrying: null }
    ],
    [
      "why it was trying again, without secrets",
      [...broken, ...retrying, timedOut, exited({ signal: "SIGKILL", code: null })],
      {
        _tag: "TimedOut",
        retrying: { kind: "rate_limited", message: "slow down ***", retryAfter: null }
      }
    ],
    ["its exit code", [...broken, exited({ code: 3 })], { _tag: "Exited", code: 3, signal: null }],
    ["its signal", [...broken, exited({ code: null, signal: "SIGKILL" })], { _tag: "Exited", signal: "SIGKILL" }],
    [
      "what the CLI reports, before its exit code",
      [
        ...printed("stdout", [
          lines(init, { type: "result", status: "error", error: { message: "HTTP 429: tok-1234567890" } })
        ]),
        exited({ code: 1 })
      ],
      { _tag: "Reported", exit: 1, problem: { kind: "rate_limited", message: "HTTP 429: ***", retryAfter: null } }
    ],
    ["that it broke off", [...broken, exited()], { _tag: "NotUnderstood", why: "it ended in the middle" }],
    [
      "that it printed no JSON, and what instead, without secrets",
      [...printed("stdout", [encoder.encode("hello tok-1234567890\n")]), exited()],
      { _tag: "NotUnderstood", why: "there is no event in it: “hello ***”" }
    ],
    [
      "what it wrote to standard error, where it printed nothing else",
      [exited({ code: 0, stderr: "\nNotFoundError: Session not found: ses_x\n" })],
      { _tag: "NotUnderstood", why: "there is no event in it: “NotFoundError: Session not found: ses_x”" }
    ],
    ["that it printed nothing", [exited()], { _tag: "NotUnderstood", why: "there is no event in it" }]
  ])("fails with %s", (_, inputs, reason) => {
    const { conclusion } = play(geminiHeadless, [inputs], ["tok-1234567890"])
    if (conclusion?._tag !== "Failed") throw new Error("it did not fail")
    assert.deepInclude(conclusion.failure.reason, reason)
  })

  it("gives what had come before it failed, without secrets", () => {
    const { conclusion } = play(
      geminiHeadless,
      [[...broken, exited({ code: 3, stderr: "tok-1234567890" })]],
      ["tok-1234567890"]
    )
    assert.deepStrictEqual(conclusion?._tag === "Failed" ? conclusion.failure.partial : null, {
      sessionId: "s",
      text: "half",
      stderr: "***"
    })
  })

  it("gives its answer as JSON where that is asked for, and fails where it is none", () => {
    const json = (answer: string) =>
      play(geminiHeadless, [[...printed("stdout", [lines(init, piece(answer), success)]), exited()]], [], {
        outputFormat: "json"
      }).conclusion
    assert.deepInclude(json("42"), { _tag: "Succeeded", json: 42 })
    const failed = json("no")
    assert.deepStrictEqual(failed?._tag === "Failed" ? failed.failure.reason : null, {
      _tag: "NotUnderstood",
      why: "its answer is no JSON: “no”"
    })
  })

  it.each<readonly [string, number, (maxTurns: number) => Ran]>([
    ["gemini", 2, (maxTurns) => recorded(geminiHeadless, "tool-use", { maxTurns })],
    ["copilot", 2, (maxTurns) => recorded(copilotHeadless, "tool-use", { maxTurns })],
    ["opencode", 4, (maxTurns) => recorded(opencodeHeadless, "tools", { maxTurns })]
  ])("ends %s before it begins a turn more than it may, and keeps what came before", (_, all, run) => {
    assert.strictEqual(run(all).conclusion?._tag, "Succeeded")
    const { conclusion, events } = run(all - 1)
    if (conclusion?._tag !== "Failed") throw new Error("it did not fail")
    const { partial, reason } = conclusion.failure
    assert.match(reason._tag === "Reported" ? reason.problem.message : "", /reached the limit of model turns \(\d\)/)
    assert.isNotNull(partial.sessionId)
    assert.isTrue(events.some(({ _tag }) => _tag === "ToolEnded"))
    const began = events.filter(({ _tag }) => _tag === "RequestStarted").length
    assert.isTrue(began === 0 || began === all - 1, `${began} requests`)
    const tags = each(events, "_tag")
    assert.notInclude(tags.slice(tags.lastIndexOf("ToolEnded")), "Text", "the model was not asked again")
    assert.strictEqual(events.at(-1)?._tag, "Failed")
  })

  it("passes over a line of standard error that is too long, and reads the next one", () => {
    const noise = encoder.encode(`${"x".repeat(1 << 16)}${"y".repeat(9)}\n`)
    const { events } = play(geminiHeadless, [[...printed("stderr", cut(noise, [9, 40_000])), ...retrying]])
    assert.deepStrictEqual(each(events, "_tag"), ["ErrorOutput", "Retrying"])
  })
  it("passes over the last line of standard error, too, where that is too long", () => {
    const noise = encoder.encode("x".repeat((1 << 16) + 9))
    const { events } = play(geminiHeadless, [[...retrying, ...printed("stderr", [noise]), exited()]])
    assert.deepStrictEqual(each(events, "_tag"), ["ErrorOutput", "Retrying"])
  })

  it("tells each line of standard error and, where that is asked for, of its output, without secrets", () => {
    const secret = "sk-verysecretvalue-0123456789"
    const lines = [`{"type":"message","role":"assistant","content":"hi ${secret}","delta":false}`, `no JSON ${secret}`]
    const batch = [
      ...printed("stdout", [encoder.encode(`${lines.join("\n")}\n`)]),
      ...printed("stderr", cut(encoder.encode(`warn: ${secret}\nlast`), [3, 20])),
      exited()
    ]
    const texts = (native: boolean) =>
      play(geminiHeadless, [batch], [secret], native ? { native } : {}).events.flatMap((event) =>
        event._tag === "ErrorOutput" ? [event.text] : event._tag === "Native" ? [event.line] : []
      )
    const errors = ["warn: ***", "last"]
    assert.deepStrictEqual(texts(false), errors)
    assert.deepStrictEqual(texts(true), [...lines.map((line) => line.replace(secret, "***")), ...errors])
  })
})

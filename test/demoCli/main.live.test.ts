import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { demoDetection } from "../../src/domain/providers/demo/Detection.ts"
import { demoInput } from "../../src/domain/providers/demo/Input.ts"
import type { ScreenFacts } from "../../src/domain/words/session/Screen.ts"
import { demoCli, type DemoTerminal, openDemo } from "../support/demo/DemoTerminal.ts"
import { isThorough } from "../support/run/thorough.ts"
import { live } from "../support/run/effects.ts"
import { each } from "../support/data/fields.ts"

const facts = (demo: DemoTerminal): ScreenFacts => demoDetection.readScreen(demo.view())
const idle = (demo: DemoTerminal) =>
  demo.until("an empty box at rest", () => facts(demo).box?.draft === "" && !facts(demo).working)
const dialog = (demo: DemoTerminal, kind: string) => demo.until(`a ${kind}`, () => facts(demo).dialog?.kind === kind)
const logged = (demo: DemoTerminal, event: string, count = 1) =>
  demo.until(`${count} × ${event} in the log`, () => demo.log().filter((line) => line.event === event).length === count)
const events = (demo: DemoTerminal) => demo.log().map(({ event, text }) => `${event}: ${text}`)
const hookNames = (demo: DemoTerminal) => demo.hooks().map((call) => call.hook_event_name)
const paste = (text: string) => `\x1b[200~${text}\x1b[201~`

describe("demo CLI in a terminal", () => {
  live("asks who the terminal is, draws itself, and leaves everything as it was", function* () {
    const demo = yield* openDemo({ keyboard: true })
    yield* idle(demo)
    for (const query of ["\x1b[c", "\x1b[?u", "\x1b]7501;?\x1b\\", "\x1b[>0q"]) assert.include(demo.output(), query)
    assert.isTrue(demo.view().alternate)
    yield* demo.until("a report and a title", () => demo.reports.length > 0 && demo.titles.length > 0)
    assert.deepStrictEqual(demo.reports, ["state=idle:app=leap-demo"])
    assert.deepStrictEqual(demo.titles, ["◇ leap demo"])
    yield* demo.write("/exit\r")
    assert.strictEqual(yield* demo.exited, 0)
    assert.isFalse(demo.view().alternate)
    assert.strictEqual(demo.reports.at(-1), "state=clear")
    for (const mode of ["1004", "2004"])
      assert.isTrue(demo.output().endsWith("\x1b[?1049l") && demo.output().includes(`\x1b[?${mode}l`))
    assert.include(demo.output(), "\x1b[>1u")
    assert.isAbove(demo.output().lastIndexOf("\x1b[<u"), demo.output().lastIndexOf("\x1b[>1u"))
    assert.deepStrictEqual(hookNames(demo), ["SessionStart", "SessionEnd"])
  })

  live("reports nothing to a terminal that does not know program status", function* () {
    const demo = yield* openDemo({ status: false })
    yield* idle(demo)
    yield* demo.write("hello\r")
    yield* logged(demo, "turn_ended")
    yield* demo.write("\x04")
    assert.strictEqual(yield* demo.exited, 0)
    assert.deepStrictEqual(demo.reports, [])
    assert.notInclude(demo.output(), "\x1b[>1u")
  })

  live("three messages, each whole, once and in order, with a permission in the second", function* () {
    const demo = yield* openDemo({})
    yield* idle(demo)
    const messages = ["first: 漢字 é 🎉", "second:\nwrite a file", `third:\n${"a long line of it\n".repeat(40)}end`]
    for (const [i, message] of messages.entries()) {
      yield* demo.write(paste(message))
      yield* demo.until("the text in the box", () => demoInput.showsPasted(facts(demo).box?.draft ?? "", message))
      yield* demo.write(demoInput.submit)
      if (i === 1) {
        yield* dialog(demo, "permission")
        yield* demo.until("blocked", () => demo.reports.at(-1)?.startsWith("state=blocked:kind=permission") === true)
        yield* demo.until("the reminder", () => hookNames(demo).at(-1) === "Notification")
        yield* demo.write("1")
      }
      yield* logged(demo, "turn_ended", i + 1)
      yield* idle(demo)
    }
    assert.deepStrictEqual(events(demo).slice(1), [
      ...messages.slice(0, 1).flatMap((text) => [`submitted: ${text}`, `turn_started: ${text}`, `turn_ended: ${text}`]),
      `submitted: ${messages[1]}`,
      `turn_started: ${messages[1]}`,
      "dialog_opened: Write notes.md?",
      "key_in_dialog: 1",
      "dialog_answered: Yes",
      `turn_ended: ${messages[1]}`,
      `submitted: ${messages[2]}`,
      `turn_started: ${messages[2]}`,
      `turn_ended: ${messages[2]}`
    ])
    assert.deepStrictEqual(hookNames(demo), [
      "SessionStart",
      "UserPromptSubmit",
      "Stop",
      "UserPromptSubmit",
      "PreToolUse",
      "PermissionRequest",
      "Notification",
      "PostToolUse",
      "Stop",
      "UserPromptSubmit",
      "Stop"
    ])
    const [started, submitted] = demo.hooks()
    assert.strictEqual(submitted?.["prompt"], messages[0])
    assert.isString(started?.["session_id"])
    assert.strictEqual(started?.["session_id"], submitted?.["session_id"])
    assert.include(demo.hooks()[2]?.["last_assistant_message"], "That is my answer.")
    // the log is a file: it may be ahead of what came through the terminal
    yield* demo.until("its last report", () => demo.reports.at(-1)?.startsWith("state=done") === true)
    const told = demo.reports.map((report) => /^state=([a-z]+)/.exec(report)?.[1])
    assert.deepStrictEqual(
      told.filter((state, i) => state !== told[i - 1]),
      ["idle", "working", "done", "idle", "working", "blocked", "working", "done", "idle", "working", "done"]
    )
  })

  live("Esc stops a silent tool; an arrow key cut in two is no Esc", function* () {
    const demo = yield* openDemo({ pace: 0.01 })
    yield* idle(demo)
    yield* demo.write("tool 9000\r")
    yield* demo.until("the tool", () => facts(demo).activity === "Running sleep 9000")
    yield* demo.write("\x1b")
    yield* demo.write("[A")
    yield* demo.until("still running", () => demo.text().includes("(1s)"))
    yield* demo.write("\x1b")
    yield* demo.until("the interrupt", () => facts(demo).interrupted && facts(demo).box !== null)
    assert.deepStrictEqual(hookNames(demo).slice(1), ["UserPromptSubmit", "PreToolUse"])
    yield* demo.until("at rest", () => demo.reports.at(-1) === "state=idle:app=leap-demo")
  })

  live("takes what was typed ahead after the turn", function* () {
    const demo = yield* openDemo({ pace: 0.05 })
    yield* idle(demo)
    yield* demo.write("long\r")
    yield* demo.until("the stream", () => demo.text().includes("Part 1"))
    yield* demo.write("and then this\r")
    yield* demo.until("the waiting prompt", () => demo.text().includes("↳ and then this"))
    yield* logged(demo, "turn_ended", 2)
    assert.isBelow(events(demo).indexOf("turn_ended: long"), events(demo).indexOf("turn_started: and then this"))
  })

  live("asks a question and takes a text of the user's own", function* () {
    const demo = yield* openDemo({})
    yield* idle(demo)
    yield* demo.write("ask me\r")
    yield* dialog(demo, "question")
    const asked = facts(demo).dialog
    assert.isNotNull(asked)
    const keys = asked === null ? null : demoInput.answer(asked, "by boat")
    for (const write of keys?._tag === "Keys" ? keys.writes : []) {
      const before = demo.text()
      yield* demo.write(write)
      yield* demo.until("a change", () => demo.text() !== before)
    }
    yield* logged(demo, "turn_ended")
    assert.include(events(demo), "dialog_answered: by boat")
  })

  live("a picker owns the keys until Esc", function* () {
    const demo = yield* openDemo({})
    yield* idle(demo)
    yield* demo.write("/model\r")
    yield* demo.until("the picker", () => facts(demo).picker)
    yield* demo.write("lost")
    yield* demo.write("\x1b")
    yield* idle(demo)
    assert.notInclude(demo.text(), "lost")
  })

  live("follows every resize", function* () {
    const demo = yield* openDemo({})
    yield* idle(demo)
    for (const [cols, rows] of [
      [20, 6],
      [100, 30],
      [43, 11]
    ] as const) {
      yield* demo.resize(cols, rows)
      yield* demo.until(
        `a box ${cols} wide`,
        () => demo.view().lines.at(-2)?.trimEnd() === "─".repeat(cols) && facts(demo).box?.draft === ""
      )
      assert.lengthOf(demo.view().lines, rows)
    }
  })

  live("background work ends by itself and wakes the session", function* () {
    const demo = yield* openDemo({ pace: 0.02 })
    yield* idle(demo)
    yield* demo.write("background 60\r")
    yield* demo.until("a Stop with the task", () =>
      demo.hooks().some((call) => JSON.stringify(call["background_tasks"] ?? []).includes("Watch the build"))
    )
    yield* demo.until("the footer", () => facts(demo).background === 1)
    yield* demo.until("the task to be cleared", () => demo.reports.some((report) => /^state=clear:id=/.test(report)))
    yield* logged(demo, "turn_ended", 2)
    assert.strictEqual(facts(demo).background, 0)
  })

  live("a hook's decision answers the dialog", function* () {
    const decide = (behavior: string) =>
      `printf '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"${behavior}"}}}'`
    for (const [behavior, tool] of [
      ["allow", true],
      ["deny", false]
    ] as const) {
      const demo = yield* openDemo({ decide: decide(behavior) })
      yield* idle(demo)
      yield* demo.write("write a file\r")
      yield* logged(demo, "turn_ended")
      assert.strictEqual(hookNames(demo).includes("PostToolUse"), tool)
      assert.notInclude(each(demo.log(), "event"), "key_in_dialog")
    }
  })

  live("the user is not made to wait for a hook that is slow to decide", function* () {
    const demo = yield* openDemo({ decide: "sleep 600 & wait" })
    yield* idle(demo)
    yield* demo.write("write a file\r")
    yield* dialog(demo, "permission")
    yield* demo.until("the hook to run", () => hookNames(demo).includes("PermissionRequest"))
    yield* demo.write("1")
    yield* logged(demo, "turn_ended")
    assert.include(hookNames(demo), "PostToolUse")
  })

  live("a nested CLI has a session of its own", function* () {
    const demo = yield* openDemo({})
    yield* idle(demo)
    yield* demo.write("nested\r")
    yield* logged(demo, "turn_ended")
    const sessions = new Set(demo.hooks().map((call) => call["session_id"]))
    assert.strictEqual(sessions.size, 2)
    assert.deepStrictEqual(hookNames(demo), [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "SessionStart",
      "UserPromptSubmit",
      "Stop",
      "SessionEnd",
      "PostToolUse",
      "Stop"
    ])
  })

  live("ends in order when it is told to by a signal", function* () {
    for (const signal of ["SIGTERM", "SIGHUP"] as const) {
      const demo = yield* openDemo({})
      yield* idle(demo)
      yield* demo.write("long\r")
      yield* demo.signal(signal)
      assert.strictEqual(yield* demo.exited, 0)
      assert.strictEqual(hookNames(demo).at(-1), "SessionEnd")
      assert.isFalse(demo.view().alternate)
    }
  })
})

describe("demo CLI without a terminal", () => {
  const run = (args: ReadonlyArray<string>, home: string) =>
    spawnSync(process.execPath, [demoCli, "__demo-cli", ...args], {
      env: { ...process.env, LEAP_DEMO_HOME: home },
      encoding: "utf8",
      input: ""
    })

  it.runIf(isThorough)("prints one answer, or says what is wrong", () => {
    const home = mkdtempSync(join(tmpdir(), "leap-demo-test-"))
    try {
      assert.strictEqual(
        execFileSync(process.execPath, [demoCli, "__demo-cli", "--print", "hi"], { encoding: "utf8" }),
        "You asked “hi”. That is my answer.\n"
      )
      assert.match(run(["--version"], home).stdout, /^leap demo CLI \d/)
      assert.deepStrictEqual(
        [run([], home).status, run(["--bad"], home).status, run(["--print"], home).status],
        [2, 2, 2]
      )
      assert.include(run([], home).stderr, "needs a terminal")
      writeFileSync(join(home, "settings.json"), "{ broken")
      const broken = run(["--print", "x"], home)
      assert.strictEqual(broken.status, 1)
      assert.include(broken.stderr, "settings.json cannot be used")
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })
})

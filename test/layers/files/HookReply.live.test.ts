import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as DirectoryWatchNode from "../../../src/layers/files/DirectoryWatchNode.ts"
import * as HookInboxSpool from "../../../src/layers/files/HookInboxSpool.ts"
import { isBellUsed } from "../../../src/layers/files/HookInboxSpoolBell.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import { type HookDelivery, HookInbox } from "../../../src/services/HookInbox.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { callHook, type HookCall, script, shells, startHook } from "../../support/wiring/hookScript.ts"
import { patience } from "../../support/run/patience.ts"
import { live, liveWith } from "../../support/run/effects.ts"

const layers = HookInboxSpool.layer.pipe(Layer.provide([DirectoryWatchNode.layer, ProcessTableNode.layer]))
const event = "PermissionRequest"
const allow = '{"decision":{"behavior":"allow","why":"it\'s \\"plain\\" \\\\ %s $HOME ünï"}}'

const directory = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-reply-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

/**
 * A spool of this process's own, with what comes of each answer to its hooks; undefined is none. `handling`: what is done
 * before it is given.
 */
const session = Effect.fnUntraced(function* (
  answer: (hook: HookDelivery) => string | null | undefined,
  handling: Effect.Effect<void> = Effect.void
) {
  const spool = path.join(yield* directory, "spool")
  const inbox = yield* HookInbox
  yield* inbox.clear(spool)
  const hooks = yield* inbox.watch({ spool, cliPid: process.pid })
  const outcomes: Array<string> = []
  const events: Array<string> = []
  const told = yield* Deferred.make<HookDelivery>()
  yield* hooks.pipe(
    Stream.runForEach((hook) =>
      Effect.andThen(handling, () => {
        const line = answer(hook)
        events.push(hook.event)
        return Effect.andThen(
          Deferred.succeed(told, hook),
          line === undefined
            ? Effect.void
            : Effect.forkScoped(Effect.map(hook.reply(line), (outcome) => outcomes.push(outcome)))
        )
      })
    ),
    Effect.forkScoped
  )
  return {
    inbox,
    spool,
    events,
    outcomes,
    told,
    left: () => fs.readdirSync(spool).filter((name) => name !== "decision" && name !== "bell")
  }
})

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.andThen(Effect.sleep("10 millis"), until(holds))))

const markOf = (pid: number | undefined, name = event) => `${name},${pid},${process.pid},0`
/** A pid that no process has: above the largest that Linux and macOS give out. */
const nobody = 2 ** 22 + 1

describe("the file that lists the events", () => {
  liveWith(layers)("comes back when it, or the whole spool, is deleted; not when leap took it away", function* () {
    const { inbox, left, spool } = yield* session(() => null)
    const file = path.join(spool, "decision")
    yield* inbox.announceAwaited(spool, [event])
    const said = fs.readFileSync(file, "utf8")
    fs.rmSync(file)
    yield* until(() => fs.existsSync(file))
    fs.rmSync(spool, { recursive: true })
    yield* until(() => fs.existsSync(file))
    assert.strictEqual(fs.readFileSync(file, "utf8"), said)
    yield* inbox.announceAwaited(spool, null)
    // the event has been looked at, and with it the file
    const hook = yield* Effect.promise(() => callHook({ spool, event, payload: "{}" }))
    assert.strictEqual(hook.code, 0)
    yield* until(() => left().length === 0)
    assert.isFalse(fs.existsSync(file))
  })

  liveWith(layers)("that cannot be put there leaves nothing half done", function* () {
    const { inbox, left, spool } = yield* session(() => null)
    fs.mkdirSync(path.join(spool, "decision/in the way"), { recursive: true })
    yield* inbox.announceAwaited(spool, [event])
    assert.deepStrictEqual(left(), [])
  })
})

liveWith(layers)("an event is handled before the host looks after what else lies in its spool", function* () {
  const stood: Array<boolean> = []
  // from the event to what is done about it: its reader, the machine, its commands
  const { spool } = yield* session(
    () => void stood.push(fs.existsSync(old)),
    Effect.repeat(Effect.yieldNow, { times: 1 })
  )
  // of a call that is long over: removed by each look at the spool
  const old = path.join(spool, `taken,${markOf(nobody)}`)
  for (let n = 1; n <= 5; n++) {
    // at once: no look at the spool can come between
    fs.writeFileSync(old, "")
    fs.utimesSync(old, 0, 0)
    fs.writeFileSync(path.join(spool, `.${event},${nobody},${n},0`), "{}")
    fs.writeFileSync(path.join(spool, `${event},${nobody},${n},0`), "")
    yield* until(() => stood.length === n && !fs.existsSync(old))
  }
  assert.deepStrictEqual(stood, [true, true, true, true, true])
})

// Which more there are is the machine's.
const tried = isThorough ? shells : shells.slice(0, 2)

describe.each(tried.map((shell) => [shell.join(" "), shell] as const))(
  "a decision through leap-hook.sh in %s",
  (_, shell) => {
    const hook = (options: HookCall) => Effect.promise(() => callHook({ shell, event, payload: "{}", ...options }))

    liveWith(layers)(
      "prints the host's answer as it is, what it prints anyway to an empty one, and leaves nothing behind",
      function* () {
        const { inbox, left, outcomes, spool } = yield* session(
          ({ payload }) => (payload as { say: string | null }).say
        )
        const bell = path.join(spool, "bell")
        yield* inbox.announceAwaited(spool, ["Other", event])
        yield* until(() => !isBellUsed || fs.existsSync(bell))
        for (const [say, args, printed] of [
          [allow, ["{}"], `${allow}\n`],
          [null, ["{}"], "{}\n"],
          [null, [], ""]
        ] as const) {
          const end = yield* hook({ spool, args, payload: JSON.stringify({ say }) })
          assert.deepStrictEqual(end, { code: 0, stdout: printed, stderr: "", inputError: null })
        }
        yield* until(() => outcomes.length === 3 && left().length === 0)
        assert.deepStrictEqual(outcomes, ["taken", "taken", "taken"])
        // Where there is a bell, nothing but the event itself is a new file.
        if (isBellUsed) {
          const rung = fs
            .readFileSync(bell, "utf8")
            .split("\n")
            .filter((line) => line !== "")
          assert.deepStrictEqual(
            rung.map((line) => line.replace(/\d+,\d+,0$/, "")),
            [1, 2, 3].flatMap(() => [`${event},`, `taken,${event},`])
          )
        }
      }
    )

    live("waits for no answer to an event that is not listed for it, nor where nobody lists any", function* () {
      const spool = yield* directory
      const listed = [
        null,
        "",
        "ask\n",
        `leap-decision 1 ${event} 1:1\nx\nend\n`,
        `leap-decision 2 ${process.pid} Other X${event} ${event}X\n`,
        `leap-decision 2 ${event}\n`,
        `leap-decision 2 0 ${event}\n`,
        `leap-decision 2 -1 ${event}\n`,
        `leap-decision 22 ${process.pid} ${event}\n`
      ]
      for (const text of listed) {
        if (text === null) fs.rmSync(path.join(spool, "decision"), { force: true })
        else fs.writeFileSync(path.join(spool, "decision"), text)
        assert.strictEqual((yield* hook({ spool, args: ["{}"] })).stdout, "{}\n", text ?? "absent")
      }
      fs.rmSync(path.join(spool, "decision"))
      fs.mkdirSync(path.join(spool, "decision"))
      assert.strictEqual((yield* hook({ spool })).stdout, "")
      // Who had waited would have said that it gave up.
      assert.deepStrictEqual(
        fs.readdirSync(spool).filter((name) => name.startsWith("gave-up")),
        []
      )
    })

    live("asks the user at once when the host is gone", function* () {
      const spool = yield* directory
      fs.writeFileSync(path.join(spool, "decision"), `leap-decision 2 ${nobody} ${event}\n`)
      assert.strictEqual((yield* hook({ spool, args: ["{}"] })).stdout, "{}\n")
      assert.deepStrictEqual(
        fs.readdirSync(spool).filter((name) => /^(gave-up|taken)/.test(name)),
        []
      )
    })

    live(
      "says what the rules want where the host cannot answer, and only to the event that they are about",
      function* () {
        const spool = yield* directory
        const refusal = '{"decision":{"behavior":"deny","why":"it\'s \\"so\\" %s $HOME"}}'
        fs.writeFileSync(path.join(spool, `silent,${event}`), `${refusal}\n`)
        const decision = path.join(spool, "decision")
        const says = (expected: string, why: string) =>
          Effect.map(hook({ spool, args: ["{}"] }), ({ stdout }) => assert.strictEqual(stdout, expected, why))
        yield* says(`${refusal}\n`, "nobody lists events")
        fs.writeFileSync(decision, `leap-decision 2 ${nobody} ${event}\n`)
        yield* says(`${refusal}\n`, "the host is gone")
        fs.writeFileSync(decision, `leap-decision 2 ${process.pid} Other\n`)
        yield* says(`${refusal}\n`, "the event is not listed any more")
        assert.strictEqual((yield* hook({ spool, event: "Other", args: ["{}"] })).stdout, "{}\n")
        fs.writeFileSync(path.join(spool, `silent,${event}`), "")
        yield* says("{}\n", "there is nothing to say")
      }
    )

    live("asks the user at once when the host dies meanwhile", function* () {
      const spool = yield* directory
      // A host that lives a moment longer than the hook's beginning.
      const host = spawn("sleep", ["0.3"], { stdio: "ignore" })
      fs.writeFileSync(path.join(spool, "decision"), `leap-decision 2 ${host.pid} ${event}\n`)
      assert.strictEqual((yield* hook({ spool, args: ["{}"] })).stdout, "{}\n")
      assert.deepStrictEqual(
        fs.readdirSync(spool).filter((name) => /^(gave-up|taken)/.test(name)),
        [],
        "it did not wait to the end"
      )
    })

    live("takes no answer that is torn, or to another call, and the whole one that takes its place", function* () {
      const spool = yield* directory
      fs.writeFileSync(path.join(spool, "decision"), `leap-decision 2 ${process.pid} ${event}\n`)
      const whole = (mark: string) => `leap-reply 1 ${mark}\n${allow}\nend\n`
      /** A call to which this is the answer, and where it is mended the whole one as soon as the call has begun. */
      const called = Effect.fnUntraced(function* (wrong: (mark: string) => string, isMended: boolean) {
        const child = startHook({ shell, spool, event, args: ["{}"], payload: "{}" })
        let printed = ""
        child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed += text))
        const closed = Effect.promise(() => new Promise((resolve) => child.on("close", resolve)))
        const ended = yield* Effect.forkChild(closed, { startImmediately: true })
        child.stdin?.end("{}")
        const mark = markOf(child.pid)
        const reply = path.join(spool, `reply,${mark}`)
        fs.writeFileSync(reply, wrong(mark))
        if (isMended) {
          yield* until(() => fs.existsSync(path.join(spool, mark)))
          fs.writeFileSync(`${reply},whole`, whole(mark))
          fs.renameSync(`${reply},whole`, reply)
        }
        yield* Fiber.join(ended)
        // a host without a bell is told by files
        const told = ["taken", "gave-up"].filter((word) => fs.existsSync(path.join(spool, `${word},${mark}`)))
        return [printed, ...told]
      })
      const wrongs = [
        () => "",
        () => "\n\n\n",
        () => allow,
        () => whole(`${event},1,1,0`),
        (mark: string) => whole(mark).slice(0, -2),
        (mark: string) => whole(mark).replace("end", "en"),
        (mark: string) => whole(mark).replace("reply 1", "reply 2")
      ]
      const alone = yield* Effect.forEach(wrongs, (wrong) => called(wrong, false), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        alone,
        wrongs.map(() => ["{}\n", "gave-up"])
      )
      for (const wrong of wrongs) {
        // on a machine under load a call may have given up before the whole answer is there, and says nothing of it
        const taken = called(wrong, true).pipe(
          Effect.tap(([said, end]) =>
            Effect.sync(() => assert.strictEqual(said, end === "taken" ? `${allow}\n` : "{}\n"))
          ),
          Effect.repeat({ until: ([, end]) => end === "taken", times: 50 })
        )
        assert.deepStrictEqual(yield* taken, [`${allow}\n`, "taken"])
      }
      assert.isFalse(fs.existsSync(path.join(spool, "bell")))
    })

    liveWith(layers)("the host learns that a hook was killed while it waited", function* () {
      const { inbox, left, spool, told } = yield* session(() => undefined)
      yield* inbox.announceAwaited(spool, [event])
      const child = startHook({ shell, spool, event, payload: "{}" })
      child.stdin?.end("{}")
      const delivery = yield* Deferred.await(told)
      child.kill("SIGSTOP")
      // By a clock on which no time passes, so not by giving up on it.
      const replying = yield* Effect.forkScoped(
        Effect.updateService(delivery.reply(allow), Clock.Clock, (clock) => ({ ...clock, sleep: () => Effect.never }))
      )
      yield* until(() => fs.existsSync(path.join(spool, `reply,${markOf(child.pid)}`)))
      child.kill("SIGKILL")
      assert.strictEqual(yield* Effect.timeout(Fiber.join(replying), patience), "late")
      yield* until(() => left().length === 0)
    })
  }
)

describe("HookInboxSpool", () => {
  liveWith(layers)(
    "a hook that is not answered asks the user after a bound; it counts as of its beginning, once, and its answer is late",
    function* () {
      const { events, inbox, left, spool, told } = yield* session(() => undefined)
      yield* inbox.announceAwaited(spool, [event])
      const waiting = yield* Effect.forkScoped(
        Effect.promise(() => callHook({ spool, event, args: ["{}"], payload: "{}" }))
      )
      yield* Deferred.await(told)
      yield* Effect.promise(() => callHook({ spool, event: "Stop", payload: "{}" }))
      yield* until(() => events.length === 2)
      const end = yield* Fiber.join(waiting)
      assert.deepStrictEqual([end.code, end.stdout], [0, "{}\n"])
      const [gaveUp] = left()
      assert.match(gaveUp ?? "", /^gave-up,PermissionRequest,\d+,\d+,0$/)
      assert.strictEqual(yield* (yield* Deferred.await(told)).reply(allow), "late")
      assert.deepStrictEqual(events, [event, "Stop"])
    }
  )

  liveWith(layers)(
    "a host that is stopped does not answer: after the bound the hook says what the rules want, until leap takes it back",
    function* () {
      const { inbox, spool } = yield* session(() => undefined)
      yield* inbox.announceAwaited(spool, [event], { [event]: '{"say":"no"}' })
      const call = Effect.promise(() => callHook({ spool, event, args: ["{}"], payload: "{}" }))
      assert.strictEqual((yield* call).stdout, '{"say":"no"}\n')
      yield* inbox.announceAwaited(spool, null, { [event]: '{"say":"still"}' })
      assert.strictEqual((yield* call).stdout, '{"say":"still"}\n')
      yield* inbox.announceAwaited(spool, null)
      assert.strictEqual((yield* call).stdout, "{}\n")
    }
  )

  liveWith(layers)(
    "says so while what hooks go by cannot be written, and what it was stands until it can",
    function* () {
      const { inbox, spool } = yield* session(() => undefined)
      const call = Effect.promise(() => callHook({ spool, event, args: ["{}"], payload: "{}" }))
      assert.isTrue(yield* inbox.announceAwaited(spool, null, { [event]: '{"say":"no"}' }))
      // nothing can take the place of a directory
      for (const name of [`.silent,${event}.tmp`, ".decision.tmp"])
        fs.mkdirSync(path.join(spool, name, "x"), { recursive: true })
      assert.isFalse(yield* inbox.announceAwaited(spool, null, { [event]: '{"say":"other"}' }))
      assert.strictEqual((yield* call).stdout, '{"say":"no"}\n')
      assert.isFalse(yield* inbox.announceAwaited(spool, [event], { [event]: '{"say":"no"}' }))
      for (const name of [`.silent,${event}.tmp`, ".decision.tmp"])
        fs.rmSync(path.join(spool, name), { recursive: true, force: true })
      assert.isTrue(yield* inbox.announceAwaited(spool, null, { [event]: '{"say":"other"}' }))
      assert.strictEqual((yield* call).stdout, '{"say":"other"}\n')
    }
  )

  liveWith(layers)("lists the events it decides on, and takes the list away", function* () {
    const { inbox, spool } = yield* session(() => undefined)
    const file = path.join(spool, "decision")
    yield* inbox.announceAwaited(spool, [event, "PreToolUse"])
    assert.strictEqual(fs.readFileSync(file, "utf8"), `leap-decision 2 ${process.pid} ${event} PreToolUse\n`)
    assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
    for (const none of [[], null]) {
      yield* inbox.announceAwaited(spool, [event])
      yield* inbox.announceAwaited(spool, none)
      assert.isFalse(fs.existsSync(file))
    }
  })

  liveWith(layers)("a script of an older leap is answered too, and says with files what became of it", function* () {
    const { inbox, left, spool, told } = yield* session(() => undefined)
    yield* inbox.announceAwaited(spool, [event])
    const writer = yield* Effect.acquireRelease(
      Effect.sync(() => spawn("sleep", ["60"], { stdio: "ignore" })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    const mark = markOf(writer.pid)
    fs.writeFileSync(
      path.join(spool, `.${mark}`),
      `leap-hook 1 ${event} ${process.pid}\n${JSON.stringify({ a: "longer than the answer ".repeat(20) })}`,
      { mode: 0o600 }
    )
    fs.writeFileSync(path.join(spool, mark), "", { mode: 0o600 })
    const delivery = yield* Deferred.await(told)
    assert.strictEqual((delivery.payload as { a: string }).a.length, 460)
    const replying = yield* Effect.forkScoped(delivery.reply(allow))
    const reply = path.join(spool, `reply,${mark}`)
    yield* until(() => fs.existsSync(reply))
    assert.strictEqual(fs.readFileSync(reply, "utf8"), `leap-reply 1 ${mark}\n${allow}\nend\n`)
    assert.strictEqual(fs.statSync(reply).mode & 0o77, 0)
    fs.writeFileSync(path.join(spool, `taken,${mark}`), "")
    assert.strictEqual(yield* Fiber.join(replying), "taken")
    yield* until(() => left().length === 0)
  })

  liveWith(layers)("an answer is written into no file but the call's own", function* () {
    const mine = "mine, and longer than the answer\n".repeat(50)
    const ways: ReadonlyArray<(victim: string, file: string) => void> = [
      fs.symlinkSync,
      fs.linkSync,
      (_victim, file) => fs.mkdirSync(file),
      (_victim, file) => execFileSync("mkfifo", [file])
    ]
    let way = ways[0]!
    const { inbox, left, outcomes, spool } = yield* session(() => {
      // Between the reading of the call and the answer to it.
      const [call = ""] = fs.readdirSync(spool).filter((name) => name.startsWith(`.${event}`))
      fs.rmSync(path.join(spool, call))
      way(victim, path.join(spool, call))
      return allow
    })
    const victim = path.join(path.dirname(spool), "victim")
    fs.writeFileSync(victim, mine, { mode: 0o600 })
    yield* inbox.announceAwaited(spool, [event])
    for (way of ways) {
      const end = yield* Effect.promise(() => callHook({ spool, event, payload: "{}" }))
      assert.strictEqual(end.stdout, `${allow}\n`)
      assert.strictEqual(fs.readFileSync(victim, "utf8"), mine)
      yield* until(() => left().every((name) => name.startsWith(`.${event}`)))
      for (const name of left()) fs.rmSync(path.join(spool, name), { recursive: true })
    }
    assert.deepStrictEqual(
      outcomes,
      ways.map(() => "taken")
    )
  })

  liveWith(layers)("answers to hooks that did not wait are late, and so is a second answer", function* () {
    const { left, outcomes, spool } = yield* session(() => allow)
    assert.strictEqual((yield* Effect.promise(() => callHook({ spool, event, payload: "{}" }))).stdout, "")
    yield* until(() => outcomes.length === 1 && left().length === 0)
    assert.deepStrictEqual(outcomes, ["late"])
  })

  /** Programs of the system replaced where nobody else sees it. */
  const boxed = (commands: string, args: ReadonlyArray<string>) =>
    execFileSync("unshare", ["-rm", "sh", "-ec", commands, "sh", ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] }
    })
  const canMount = spawnSync("unshare", ["-rm", "true"]).status === 0

  it.skipIf(!canMount)("waits by whole seconds where the system's sleep knows no others", () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "leap-sleep-"))
    const host = spawn("sleep", ["60"], { stdio: "ignore" })
    try {
      const coarse = path.join(dir, "coarse")
      fs.writeFileSync(
        coarse,
        `#!/bin/sh\ncase $1 in *.*) echo "$1" >>"${dir}/refused"; exit 1 ;; esac\necho "$1" >>"${dir}/slept"\n`,
        { mode: 0o755 }
      )
      fs.mkdirSync(path.join(dir, "spool"))
      // A host that hangs, as one does that was stopped.
      host.kill("SIGSTOP")
      fs.writeFileSync(path.join(dir, "spool/decision"), `leap-decision 2 ${host.pid} ${event}\n`)
      const printed = boxed(
        'mount --bind "$1/coarse" "$(readlink -f "$(command -v sleep)")"; echo \'{}\' | LEAP_SIGNAL_DIR="$1/spool" sh "$2" PermissionRequest \'{}\'',
        [dir, script]
      )
      assert.strictEqual(printed, "{}\n")
      assert.strictEqual(
        fs.readFileSync(path.join(dir, "refused"), "utf8").trim().split("\n").length,
        1,
        "it asks once"
      )
      assert.deepStrictEqual(fs.readFileSync(path.join(dir, "slept"), "utf8").trim().split("\n"), ["1", "1"])
      assert.strictEqual(fs.readdirSync(path.join(dir, "spool")).filter((name) => name.startsWith("gave-up")).length, 1)
    } finally {
      host.kill("SIGKILL")
      fs.rmSync(dir, { recursive: true, force: true })
    }
  })
})

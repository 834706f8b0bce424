import { reasonWords } from "../../../../src/domain/words/wording/reasonWords.ts"
import { assert, describe, it } from "@effect/vitest"
import { hookTimeouts, hookSource } from "../../../../src/domain/engine/tracker/HookWitness.ts"
import { unwiredText } from "../../../../src/domain/words/wording/waitWords.ts"
import { queueWait, unwiredOf } from "../../../../src/domain/engine/machine/queueWait.ts"
import { type SessionMemory, viewOf, wakeAt } from "../../../../src/domain/engine/machine/SessionMachine.ts"
import type { FirstHook } from "../../../../src/domain/cli/provider/Detection.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import type { Command } from "../../../../src/domain/engine/machine/Command.ts"
import { machineWith } from "../../../support/brains.ts"
import { minute, statusOf } from "../../../support/session/failures.ts"
import { SimulatedHost } from "../../../support/SimulatedHost.ts"
import { rowsOf } from "../../../support/data/fields.ts"

/** A session of a CLI whose first hook calls then, with so many rules that rest on them. */
const toldOf = (unwired: ReturnType<typeof unwiredOf>): string => (unwired === null ? "" : unwiredText(unwired))
const session = (firstHook: FirstHook, restrictions: number, hooks = false) => {
  let memory: SessionMemory | null = null
  const commands: Array<Command> = []
  const watch = (next: SessionMemory, more: ReadonlyArray<Command>) => {
    memory = next
    commands.push(...more)
  }
  const host = new SimulatedHost(machineWith({ firstHook, restrictions, watch }), (cli) => {
    cli.hooks = hooks
  })
  const now = (): SessionMemory => {
    if (memory === null) throw new Error("nothing has happened")
    return memory
  }
  return {
    host,
    now,
    wait: () => queueWait(now(), host.now),
    hear: (event = "SessionStart") =>
      host.tell({
        _tag: "Signal",
        at: host.now,
        source: hookSource(event),
        signal: { _tag: "Ignored", why: "" }
      }),
    send: (ids: string) => {
      for (const id of ids) host.add(id, `message ${id}`)
    },
    prompt: (text: string) => {
      for (const key of [text, "\r"]) host.press(key)
    },
    written: () => commands.flatMap((command) => (command._tag === "Audit" ? [command.entry] : [])),
    typed: () => host.allPrompts().map(({ text }) => text)
  }
}

describe("a CLI whose hooks do not call leap", () => {
  it.each([0, 2])("is known as such after its first turn, with %i rules that rest on them", (restrictions) => {
    const { host, now, prompt } = session("turn", restrictions)
    host.run(5_000)
    assert.isNull(unwiredOf(now()), "it promises no event before a turn")
    prompt("mine")
    host.run(hookTimeouts.turn + 1_000)
    const told = unwiredOf(now())
    assert.match(toldOf(told), /no hook of it has called leap/)
    assert.strictEqual(told?.rules, restrictions)
  })

  it("is not taken for wired by its status line", () => {
    const { hear, host, now } = session("start", 2)
    host.run(hookTimeouts.start + 1_000)
    assert.isNotNull(unwiredOf(now()))
    hear("StatusLine")
    assert.isNotNull(unwiredOf(now()))
    hear("PreToolUse")
    assert.isNull(unwiredOf(now()))
  })

  it("that ended before one was due is waited for no longer", () => {
    const { host, now, prompt } = session("turn", 2)
    host.run(5_000)
    prompt("mine")
    host.run(1_000)
    host.tell({ _tag: "Exited", at: host.now, exit: { code: 0, signal: null } })
    assert.isNull(wakeAt(now()))
  })

  it.each([0, 2])(
    "is known as such after its start, where it promises an event there, with %i rules",
    (restrictions) => {
      const { host, now } = session("start", restrictions)
      host.run(hookTimeouts.start / 2)
      assert.isNull(unwiredOf(now()))
      host.run(hookTimeouts.start)
      assert.isNotNull(unwiredOf(now()))
    }
  )

  it("is typed into all the same where no rule rests on its hooks", () => {
    const { host, now, send, typed, wait } = session("start", 0)
    send("ab")
    host.run(minute)
    assert.deepStrictEqual(typed(), ["message a", "message b"])
    assert.isNotNull(unwiredOf(now()))
    assert.isNull(wait())
  })

  it("gets nothing typed while rules rest on its hooks, until the user says so", () => {
    const { host, now, send, typed, wait } = session("start", 1)
    send("ab")
    host.run(2_000)
    // until then its first hook is waited for
    assert.isAbove(wait()?.until ?? 0, host.now)
    host.run(minute)
    assert.deepStrictEqual(typed(), [])
    assert.deepStrictEqual(
      ["a", "b"].map((id) => statusOf(host.queue, id)),
      ["held", "held"]
    )
    const { cause, why } = Queue.find(host.queue, "a")?.message ?? assert.fail("no message")
    assert.deepStrictEqual(cause, { _tag: "NotWired", off: [] })
    assert.match(why ?? "", /no hook of its CLI calls leap/)
    const waits = wait()
    assert.strictEqual(waits?.kind, "unwired")
    assert.isNull(waits?.until ?? null)
    assert.match(reasonWords(viewOf(now())), /not ready: not wired here: .*a deny or ask rule of yours does not hold/)
    host.change(Queue.release(host.queue, null, host.now))
    host.run(minute)
    assert.deepStrictEqual(typed(), ["message a", "message b"])
    send("c")
    host.run(minute)
    assert.deepStrictEqual(typed(), ["message a", "message b", "message c"])
    assert.isNull(wait())
    assert.isNotNull(unwiredOf(now()), "that its rules do not hold is still said")
  })

  it("runs one turn unproven where its first event comes with that, and no second one", () => {
    const { host, send, typed } = session("turn", 1)
    host.run(5_000)
    send("ab")
    host.run(minute)
    assert.deepStrictEqual(typed(), ["message a"])
    assert.strictEqual(statusOf(host.queue, "b"), "held")
  })

  it("gets what was kept back as soon as an event comes", () => {
    const { hear, host, now, send, typed } = session("start", 1)
    send("a")
    host.run(minute)
    assert.deepStrictEqual(typed(), [])
    hear()
    host.run(3_000)
    assert.deepStrictEqual(typed(), ["message a"])
    assert.isNull(unwiredOf(now()))
  })

  it("is known as such at once, with what switches them off, where its settings say so", () => {
    const { host, now, send, typed } = session("turn", 1)
    send("a")
    host.tell({ _tag: "HooksFound", at: host.now, off: ["disableAllHooks in .claude/settings.json"] })
    host.run(minute)
    assert.deepStrictEqual(typed(), [])
    assert.include(toldOf(unwiredOf(now())), "disableAllHooks in .claude/settings.json")
  })

  it("is known in the middle, before the next message is typed, where its settings begin to say so", () => {
    const { host, now, send, typed } = session("turn", 1, true)
    host.run(5_000)
    send("a")
    host.run(10_000)
    assert.deepStrictEqual(typed(), ["message a"])
    const off = ["disableAllHooks in .claude/settings.local.json"] as const
    host.tell({ _tag: "HooksFound", at: host.now, off: [...off] })
    send("b")
    host.run(minute)
    assert.deepStrictEqual([typed(), statusOf(host.queue, "b")], [["message a"], "held"])
    assert.include(Queue.find(host.queue, "b")?.message.why ?? "", off[0])
    assert.include(toldOf(unwiredOf(now())), off[0])
    host.tell({ _tag: "HooksFound", at: host.now, off: [] })
    host.run(minute)
    assert.deepStrictEqual(typed(), ["message a", "message b"], "they are on again")
    assert.isNull(unwiredOf(now()))
  })

  it("is one while leap cannot tell its hooks the rules, whatever its settings say beside that", () => {
    const { host, now } = session("start", 1, true)
    const found = (off: ReadonlyArray<string>, by?: "spool") => {
      host.tell({ _tag: "HooksFound", at: host.now, off: [...off], ...(by === undefined ? {} : { by }) })
      return toldOf(unwiredOf(now()))
    }
    assert.include(found(["no room"], "spool"), "(no room)")
    assert.include(found(["an option"]), "(an option; no room)")
    assert.include(found([]), "(no room)")
    assert.include(found(["an option"]), "(an option; no room)")
    assert.include(found([], "spool"), "(an option)")
    assert.strictEqual(found([]), "")
  })

  it("is believed to call leap where it does so although its settings say otherwise", () => {
    const { hear, host, now, send, typed } = session("turn", 1, true)
    host.tell({ _tag: "HooksFound", at: host.now, off: ["an option"] })
    hear()
    host.run(5_000)
    host.tell({ _tag: "HooksFound", at: host.now, off: ["an option, said in other words"] })
    send("a")
    host.run(10_000)
    assert.deepStrictEqual([typed(), unwiredOf(now())], [["message a"], null])
  })

  it("is found out in the middle, where hooks that have called call no more", () => {
    const { host, now, prompt, send, typed } = session("turn", 1, true)
    host.run(5_000)
    send("a")
    host.run(10_000)
    assert.deepStrictEqual(typed(), ["message a"])
    host.cli.hooks = false
    prompt("mine")
    host.run(minute)
    assert.match(toldOf(unwiredOf(now())), /stopped calling/)
    send("b")
    host.run(minute)
    assert.deepStrictEqual(
      typed().filter((text) => text !== "mine"),
      ["message a"]
    )
  })
})

describe("a CLI that runs a tool without its hook", () => {
  it.each([0, 1])("is known as not wired, and that is written down, with %i rules that rest on its hooks", (rules) => {
    const { hear, host, now, prompt, send, typed, written } = session("turn", rules, true)
    host.run(5_000)
    prompt("mine")
    host.run(10_000)
    const ran = { _tag: "ToolRan", tool: "Bash", id: "call-1", at: host.now, ok: true } as const
    host.tell({ _tag: "Signal", at: host.now, source: "transcript", signal: ran })
    host.run(hookTimeouts.tool - 1_000)
    assert.isNull(unwiredOf(now()))
    host.run(2_000)
    hear("Stop")
    const told = unwiredOf(now())
    assert.deepStrictEqual([told?.rules, /ran a tool \(Bash\) about which no hook/.test(toldOf(told))], [rules, true])
    assert.deepStrictEqual(
      rowsOf(written(), "event", "verdict", "by"),
      rules === 0 ? [] : [["unguarded", "allow", "none"]]
    )
    send("a")
    host.run(minute)
    assert.deepStrictEqual(typed(), rules === 0 ? ["mine", "message a"] : ["mine"])
  })
})

describe("a CLI whose hooks call leap", () => {
  it("needs the user's word again where its hooks have called since they gave it, and fall silent once more", () => {
    const { hear, host, prompt, send, typed } = session("start", 1)
    host.run(hookTimeouts.start + 1_000)
    send("a")
    host.change(Queue.release(host.queue, null, host.now))
    host.run(minute)
    assert.deepStrictEqual(typed(), ["message a"])
    hear()
    host.run(minute)
    prompt("mine")
    host.run(minute)
    send("b")
    host.run(minute)
    assert.deepStrictEqual([typed(), statusOf(host.queue, "b")], [["message a", "mine"], "held"])
  })

  it("is not taken for another one because it works while it loads, before any prompt", () => {
    const { host, now, wait } = session("turn", 1, true)
    host.tell({
      _tag: "Signal",
      at: host.now,
      source: "session file",
      signal: {
        _tag: "OwnStatus",
        phase: "work",
        waitingFor: null,
        background: false,
        sessionId: null,
        word: "loading"
      }
    })
    host.run(minute)
    assert.isNull(unwiredOf(now()))
    assert.isNull(wait())
  })

  it("is never taken for one whose hooks do not", () => {
    const seen: Array<string> = []
    const { host, now, prompt, send, typed } = session("turn", 1, true)
    host.run(5_000)
    for (const [round, length] of [300, 2_000, 40_000, 2_000].entries()) {
      host.cli.turnLength = length
      if (round % 2 === 0) send(`${round}`)
      else prompt(`mine ${round}`)
      for (let passed = 0; passed < 90_000; passed += 500) {
        host.run(500)
        const told = unwiredOf(now())
        if (told !== null) seen.push(toldOf(told))
      }
    }
    assert.deepStrictEqual(seen, [])
    assert.deepStrictEqual(typed(), ["message 0", "mine 1", "message 2", "mine 3"])
  })
})

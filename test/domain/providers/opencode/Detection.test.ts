import { assert, describe, it } from "@effect/vitest"
import { opencodeDetection } from "../../../../src/domain/providers/opencode/Detection.ts"
import type { ScreenView } from "../../../../src/domain/words/session/Screen.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import type { KeyKind, SessionEvent } from "../../../../src/domain/words/session/SessionEvent.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import { atFoot, type Row, runningFoot, session, view } from "./screens.ts"

const begin = Date.UTC(2026, 10, 21, 8)
const turn = ["  ┃", "  ┃  do it", "  ┃", "", "     ▣  Build · Lab Large"]
const idle = session({ above: turn })
const running = session({ above: turn, foot: runningFoot })
const asks = (lit = 0): ScreenView =>
  view(
    atFoot(
      [
        "  ┃",
        "  ┃  △ Permission required",
        "  ┃    # Shell command",
        "  ┃",
        "  ┃  $ touch a",
        "  ┃",
        [
          "  ┃  ",
          ...["Allow once", "Allow always", "Reject"].flatMap(
            (label, index): ReadonlyArray<string | readonly [string]> => [
              index === lit ? [` ${label} `] : ` ${label} `,
              " "
            ]
          ),
          "   ⇆ select  enter confirm"
        ] satisfies Row,
        "  ┃"
      ],
      turn
    )
  )

/** Plays OpenCode's frames, events and keys, times in seconds; what the machine says is read off in between. */
const play = (hooks = true) => {
  const { readHook, readScreen, capabilities: tells } = opencodeDetection
  const track = Tracker.track({ capabilities: hooks ? tells : { ...tells, turnHooks: false } })
  let memory = Tracker.start(begin, defaultModes)
  let now = begin
  const happen = (event: SessionEvent) => {
    memory = track(memory, event)
  }
  const until = (seconds: number) => {
    const to = begin + seconds * 1000
    for (let due = memory.view.changesAt; due !== null && due <= to; due = memory.view.changesAt)
      happen({ _tag: "Tick", at: due })
    now = to
    happen({ _tag: "Tick", at: now })
  }
  const at = (seconds: number) => {
    until(seconds)
    return actions
  }
  const actions = {
    shows: (screen: ScreenView) => {
      happen({ _tag: "Output", at: now, screen: readScreen(screen) })
      return actions
    },
    tells: (event: string, payload: Record<string, unknown>) => {
      if (hooks)
        for (const signal of readHook(event, payload))
          happen({ _tag: "Signal", at: now, source: `hook ${event}`, signal })
      return actions
    },
    /** A session's turn is over, as the plugin tells it. */
    ends: (sessionID = "root") => actions.tells(...status("idle", sessionID)).tells("session.idle", { sessionID }),
    /** A request for leave is answered. */
    replied: (requestID: string, reply: string, sessionID = "root") =>
      actions.tells("permission.replied", { sessionID, requestID, reply }),
    keys: (...keys: ReadonlyArray<KeyKind>) => {
      happen({ _tag: "Input", at: now, keys, by: "user" })
      return actions
    },
    resized: () => {
      happen({ _tag: "Resize", at: now, cols: 80, rows: 24 })
      return actions
    },
    says: (seconds: number) => {
      until(seconds)
      return memory.view
    },
    facts: () => memory.facts
  }
  return { ...actions, at }
}
const status = (type: string, sessionID = "root") => ["session.status", { sessionID, status: { type } }] as const
const submit = (player: ReturnType<typeof play>) => {
  player.at(0.5).shows(idle)
  player
    .at(4)
    .keys("text")
    .shows(session({ above: turn, draft: ["do it"] }))
  player.at(5).keys("enter")
  player.at(5.1).shows(idle)
}
const begun = (player: ReturnType<typeof play>) => {
  submit(player)
  player
    .at(5.2)
    .tells("session.created", { sessionID: "root", info: { id: "root" } })
    .tells("hook.chat.message", { input: { sessionID: "root" }, output: { parts: [] } })
  player
    .at(5.4)
    .tells(...status("busy"))
    .shows(running)
  return player
}

describe("OpenCode, told by its plugin", () => {
  it("runs from the prompt to the idle event", () => {
    const player = begun(play())
    assert.strictEqual(player.says(40).state, "running")
    player.at(41).shows(idle).ends()
    assert.deepStrictEqual(
      [player.says(41.1).state, player.says(41.1).ready, player.says(41.5).ready],
      ["idle", false, true]
    )
  })

  it("goes on while a subagent comes to its end", () => {
    const player = begun(play())
    player
      .at(8)
      .tells("session.created", { sessionID: "child", info: { id: "child", parentID: "root" } })
      .tells(...status("busy", "child"))
    player.at(9).ends("child").shows(idle)
    assert.deepStrictEqual(
      [player.says(12).state, player.says(12).ready, player.facts().sessionId],
      ["running", false, "root"]
    )
  })

  it("goes on while a subagent that nobody announced comes to its end", () => {
    const player = begun(play())
    player.at(8).tells(...status("busy", "resumed"))
    player.at(9).ends("resumed").shows(idle)
    assert.deepStrictEqual([player.says(12).state, player.says(12).ready], ["running", false])
    player.at(13).ends()
    assert.strictEqual(player.says(13.5).state, "idle")
  })

  it("asks for a subagent, seen and unseen", () => {
    const player = begun(play())
    player
      .at(8)
      .tells("session.created", { sessionID: "child", info: { id: "child", parentID: "root" } })
      .tells(...status("busy", "child"))
    player
      .at(9)
      .tells("permission.asked", { id: "p1", sessionID: "child", permission: "bash", metadata: { command: "touch a" } })
    assert.strictEqual(player.says(9.2).state, "running", "its box is yet to come")
    player.at(9.3).shows(asks())
    assert.strictEqual(player.says(9.6).state, "needs_permission")
    player.at(12).keys("enter")
    player.at(12.05).replied("p1", "once", "child")
    assert.strictEqual(player.says(12.1).state, "running", "before the box is repainted")
    assert.strictEqual(player.says(16).state, "running", "however long that takes")
  })

  it("asks, whatever its box looks like", () => {
    const player = begun(play())
    player
      .at(9)
      .tells("permission.asked", { id: "p1", permission: "bash", metadata: { command: "touch a" } })
      .shows(view(atFoot(["  ┃", "  ┃  a box of another kind", "  ┃"], turn)))
    const asked = player.says(10)
    assert.deepStrictEqual([asked.state, asked.dialog, asked.message], ["needs_permission", true, "bash: touch a"])
    player.at(11).replied("p1", "once")
    assert.strictEqual(player.says(11.1).state, "running")
    player.at(12).tells("question.asked", { id: "q1", questions: [{ question: "Which?" }] })
    assert.strictEqual(player.says(12.1).state, "needs_input")
    player
      .at(13)
      .tells(...status("idle"))
      .shows(idle)
    player.at(17).tells(...status("busy"))
    assert.strictEqual(player.says(17.1).state, "running", "nobody waits for an answer any more")
  })

  it("asks for one thing after the other", () => {
    const player = begun(play())
    player
      .at(9)
      .tells("permission.asked", { id: "p1", permission: "bash" })
      .tells("permission.asked", { id: "p2", permission: "edit" })
      .shows(asks())
    player.at(12).keys("enter").replied("p1", "once")
    player.at(12.1).shows(asks(1))
    assert.strictEqual(player.says(13).state, "needs_permission")
    player.at(14).keys("enter").replied("p2", "once")
    assert.strictEqual(player.says(14.1).state, "running")
  })

  it("came to its end by itself after a single Escape", () => {
    const player = begun(play())
    player.at(20).keys("escape")
    player.at(21).ends().shows(idle)
    assert.strictEqual(player.says(22).state, "idle")
  })

  it("is interrupted by a rejection", () => {
    const player = begun(play())
    player.at(9).tells("permission.asked", { id: "p1", permission: "bash" }).shows(asks(2))
    player.at(12).keys("enter").replied("p1", "reject").ends().shows(idle)
    assert.strictEqual(player.says(13).state, "interrupted")
  })

  it("goes on after a rejection with a word", () => {
    const player = begun(play())
    player.at(9).tells("permission.asked", { id: "p1", permission: "bash" }).shows(asks(2))
    player
      .at(12)
      .keys("enter")
      .replied("p1", "reject")
      .shows(running)
      .tells(...status("busy"))
    player.at(14).shows(running)
    assert.strictEqual(player.says(14.1).state, "running")
    player.at(20).ends().shows(idle)
    assert.strictEqual(player.says(21).state, "idle")
  })

  it("may load for long after it took a prompt that nobody typed", () => {
    const player = play()
    player.at(0.5).shows(idle)
    player.at(4).tells("hook.chat.message", { input: { sessionID: "root" } })
    assert.deepStrictEqual([player.says(12).state, player.says(12).ready], ["running", false])
    assert.strictEqual(player.says(30).state, "idle", "nothing came of it")
  })
})

describe("OpenCode, by its screen alone", () => {
  it("loads, runs and rests", () => {
    const player = play(false)
    submit(player)
    assert.strictEqual(player.says(17).state, "running")
    player.at(18).shows(running)
    player.at(19).shows(idle)
    assert.deepStrictEqual(
      [player.says(19.5).state, player.says(19.5).ready, player.says(20.5).ready],
      ["idle", false, true]
    )
  })

  it("is interrupted by Enter on the choice that ends the turn", () => {
    const player = play(false)
    submit(player)
    player.at(6).shows(running)
    player.at(9).shows(asks(2))
    assert.strictEqual(player.says(9.5).state, "needs_permission")
    player.at(12).keys("enter")
    player.at(12.2).shows(idle)
    assert.deepStrictEqual([player.says(14).state, player.says(30).ready], ["interrupted", false])
  })

  it("works at once where a command starts a turn", () => {
    const player = play(false)
    player.at(0.5).shows(idle)
    player
      .at(4)
      .keys("text")
      .shows(session({ above: turn, draft: ["/compact"] }))
    player.at(5).keys("enter").shows(running)
    assert.strictEqual(player.says(5.1).state, "running")
  })

  it("is at rest under unsent text at once", () => {
    const player = play(false)
    submit(player)
    player.at(6).shows(session({ above: turn, foot: runningFoot, draft: ["next"] }))
    player.at(9).shows(session({ above: turn, draft: ["next"] }))
    const { ready, state } = player.says(9.6)
    assert.deepStrictEqual([state, ready], ["idle", false])
  })

  it("believes what was there while a resized screen is drawn anew, but not for long", () => {
    const player = play(false)
    submit(player)
    player.at(6).shows(running)
    player
      .at(8)
      .resized()
      .shows(view(["     ▣  Build · Lab Large", "  ┃"]))
    assert.deepStrictEqual([player.says(9).state, player.says(9).ready], ["running", false])
    assert.deepStrictEqual([player.says(12).state, player.says(12).ready], ["idle", false], "it has not come back")
    player.at(13).shows(running)
    assert.strictEqual(player.says(13.1).state, "running")
  })
})

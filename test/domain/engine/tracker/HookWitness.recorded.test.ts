import { assert, describe, it } from "@effect/vitest"
import { hookSource } from "../../../../src/domain/engine/tracker/HookWitness.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import { parseMarker } from "../../../../src/domain/terminal/recording/Cast.ts"
import { blankFacts } from "../../../../src/domain/words/session/Screen.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import { builtinOf } from "../../../support/providers.ts"
import { decode, listOf, type RecordedCli, setsOf, textOf } from "../../../support/recordings/recordings.ts"

/** How many tools the hooks of a recording told to have ended, and what was said of the guard throughout. */
const guardIn = (cli: RecordedCli, name: string) => {
  const { detection } = builtinOf(cli)
  const track = Tracker.track(detection)
  const { lines } = decode(textOf(name))
  let memory = track(Tracker.start(0, defaultModes), {
    _tag: "Output",
    at: 0,
    screen: { ...blankFacts, blank: false, box: { draft: "" } }
  })
  let ended = 0
  const said: Array<unknown> = []
  for (const [seconds, code, data] of lines) {
    const marker = code === "m" ? parseMarker(data) : null
    if (marker?._tag !== "Hook") continue
    const at = Math.round(seconds * 1_000) + 1
    for (const signal of detection.readHook(marker.event, marker.payload)) {
      memory = track(memory, { _tag: "Signal", at, source: hookSource(marker.event), signal })
      // what its record says of the tool, a moment later
      if (signal._tag === "ToolEnded" && signal.agent === null) {
        const { id, tool } = signal
        ended++
        memory = track(memory, {
          _tag: "Signal",
          at: at + 1,
          source: "transcript",
          signal: { _tag: "ToolRan", tool: id === null ? tool : null, id, at, ok: true }
        })
      }
      said.push(memory.facts.hooks.unguarded)
    }
    memory = track(memory, { _tag: "Tick", at: at + 6_000 })
    said.push(memory.facts.hooks.unguarded)
  }
  return { ended, said: said.filter((one) => one !== null) }
}

describe("the guard of recorded sessions", () => {
  it.each(Object.keys(setsOf) as ReadonlyArray<RecordedCli>)("works in all of %s's", (cli) => {
    let tools = 0
    for (const name of listOf(cli)) {
      const { ended, said } = guardIn(cli, name)
      assert.deepStrictEqual(said, [], name)
      tools += ended
    }
    assert.isAtLeast(tools, 20)
  })
})

import { assert, describe } from "@effect/vitest"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventually, kill, makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"
import { Effect } from "effect"

describe("leap edit", () => {
  live("leaves an editor with windows of its own alone, and waits for any other one", function* () {
    const room = yield* makeRoom()
    yield* startDemo(room, "one")
    const at = (name: string): string => join(room.dir, name)
    const program = (name: string, script: string): void =>
      writeFileSync(at(name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const edit = (name: string) => room.leap(["edit", "one"], "", { VISUAL: at(name) })
    const pidIn = (name: string): number => Number(readFileSync(at(name), "utf8"))

    // ---- what it begins goes on, also where it ends itself
    program("code", `echo $$ >${at("pid")}; exec sleep 600`)
    program("gedit", `sleep 600 & echo $! >${at("child")}`)
    assert.strictEqual((yield* edit("code")).code, 0)
    assert.strictEqual((yield* edit("gedit")).code, 0)
    for (const name of ["pid", "child"]) {
      const pid = pidIn(name)
      yield* Effect.addFinalizer(() => Effect.sync(() => kill(pid, "SIGKILL")))
      assert.isTrue(process.kill(pid, 0), name)
    }

    // ---- one that cannot be opened is said, of both kinds
    program("kate", "exit 3")
    program("mine", `sleep 0.3; touch ${at("over")}; exit 4`)
    assert.match((yield* edit("kate")).stderr, /kate \(VISUAL\) ended with exit code 3/)
    assert.match((yield* edit("mine")).stderr, /mine \(VISUAL\) ended with exit code 4/)
    yield* eventually(() => readFileSync(at("over"), "utf8") === "", "it was waited for")
    program("vim", "exit 0")
    assert.match((yield* edit("vim")).stderr, /vim \(VISUAL\) needs a terminal/)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Driver from "../../../../src/domain/engine/machine/Driver.ts"
import { effect } from "../../../support/run/effects.ts"

/** A machine that remembers what it heard; what follows from each event is said here. */
const follows: Record<string, ReadonlyArray<string>> = { begin: ["ask", "write"], answer: ["follow", "end"] }
const driver = Driver.make((heard: ReadonlyArray<string>, event: string) => [[...heard, event], follows[event] ?? []])
const answerTo = (command: string): string | null => (command === "ask" ? "answer" : null)
const inOrder = ["ask", "write", "follow", "end"]

describe("a machine's commands", () => {
  it("are carried out in order, and those that follow from an answer behind those that are left", () => {
    const done: Array<string> = []
    const heard: Array<number> = []
    const memory = driver.drain([], "begin", (command, memory) => {
      done.push(command)
      heard.push(memory.length)
      return answerTo(command)
    })
    assert.deepStrictEqual([done, memory], [inOrder, ["begin", "answer"]])
    // each is carried out with the memory of its moment
    assert.deepStrictEqual(heard, [1, 2, 2, 2])
  })

  effect("are carried out so by effects too, each once the one before it has ended", function* () {
    const done: Array<string> = []
    const memory = yield* driver.carryOut<Effect.Effect<ReadonlyArray<string>>>([], "begin", {
      carry: (command, _, goOn) =>
        Effect.yieldNow.pipe(
          Effect.map(() => {
            done.push(command)
            return answerTo(command)
          }),
          Effect.flatMap(goOn)
        ),
      end: Effect.succeed
    })
    assert.deepStrictEqual([done, memory], [inOrder, ["begin", "answer"]])
  })

  it("end where one does not go on", () => {
    const done: Array<string> = []
    const left = driver.carryOut<string>([], "begin", {
      carry: (command, memory, goOn) => {
        done.push(command)
        return command === "write" ? `killed after ${memory.length}` : goOn(answerTo(command))
      },
      end: () => "ended"
    })
    assert.deepStrictEqual([done, left], [["ask", "write"], "killed after 2"])
  })
})

import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as fs from "node:fs"
import * as path from "node:path"
import { toggle } from "../../../../src/programs/commands/shared/common.ts"
import { effect } from "../../../support/run/effects.ts"

/** What a command with one toggle makes of its words. */
const read = (...words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    let seen: unknown
    const command = Command.make(
      "x",
      {
        tags: Argument.String("tag").pipe(Argument.variadic()),
        detach: toggle("detach", "Without attaching").pipe(Flag.withAlias("d"))
      },
      ({ detach, tags }) => Effect.sync(() => void (seen = [detach, ...tags]))
    )
    yield* Command.runWith(command, { version: "" })(words)
    return seen
  }).pipe(Effect.provide(NodeServices.layer))

describe("a toggle", () => {
  effect("takes no operand for its value, whatever that is named", function* () {
    for (const tag of ["y", "n", "yes", "no", "on", "off", "1", "0", "true", "false"]) {
      assert.deepStrictEqual(yield* read("--detach", tag), [true, tag])
      assert.deepStrictEqual(yield* read("-d", tag), [true, tag])
    }
  })

  effect("is not there unless it is given, and can be said not to be", function* () {
    assert.deepStrictEqual(yield* read("y"), [false, "y"])
    assert.deepStrictEqual(yield* read("--detach=false", "y"), [false, "y"])
    assert.deepStrictEqual(yield* read("--no-detach", "a"), [false, "a"])
  })

  it("is what every flag of leap's is that is there or not", () => {
    const folder = path.join(import.meta.dirname, "../../../../src/programs/commands")
    const made = fs
      .readdirSync(folder, { encoding: "utf8", recursive: true })
      .filter((name) => name.endsWith(".ts"))
      .flatMap(
        (name) =>
          fs
            .readFileSync(path.join(folder, name), "utf8")
            .match(/Flag\.Boolean/g)
            ?.map(() => name) ?? []
      )
    assert.deepStrictEqual(made, ["shared/common.ts"], "its own definition")
  })
})

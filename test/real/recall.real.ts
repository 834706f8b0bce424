import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { answered, atRest } from "./approvals.ts"
import { attached } from "./attached.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted, type RealCli } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"

const up = "\x1b[A"
const down = "\x1b[B"
const pasted = Array.from({ length: 14 }, (_, i) => `line ${i + 1} of what was pasted`).join("\n")

/** A CLI whose user has this in leap's settings. */
const recalling = (cli: RealCli, recall: string): RealCli => ({
  ...cli,
  prepare: (home, project, endpoint) => {
    mkdirSync(join(home, ".config/leap"), { recursive: true })
    writeFileSync(join(home, ".config/leap/settings.json"), JSON.stringify({ attach: { recall } }))
    return cli.prepare(home, project, endpoint)
  }
})

describe.each([claude, codex, copilot, gemini, opencode].map((cli) => [cli.id, cli] as const))(
  "arrows at the prompt of %s",
  (id, cli) => {
    it.each([
      ["the CLI's own", "auto"],
      ["leap's", "on"]
    ])("bring back what was typed before, and what was pasted is sent whole: %s", (_, recall) =>
      hosted(recalling(cli, recall), `${id}-recall-${recall}`, (session) =>
        Effect.gen(function* () {
          const { api, leap, tag } = session
          const arrives = cli.arrives ?? ((text: string) => text)
          const user = yield* attached(session, id)
          yield* user.shows("")
          api.script(say("One."), say("Two."))
          yield* Effect.promise(() => leap(["send", tag, "the first prompt", "--wait"]))
          yield* Effect.promise(() => leap(["send", tag, "--wait", "-"], pasted))
          yield* Effect.promise(() => atRest(session))

          if (recall === "on") {
            yield* user.type("mine")
            yield* user.shows("mine")
          }
          yield* user.type(up)
          yield* user.showsOther(recall === "on" ? "mine" : "")
          yield* user.type(up)
          // a text of several rows that the CLI brings back takes arrows itself: its first row is left by one more
          if (recall === "auto") yield* user.comesTo("the first prompt", up)
          else yield* user.shows("the first prompt")
          if (recall === "on") {
            yield* user.type(down)
            yield* user.showsOther("the first prompt")
            yield* user.type(down)
            yield* user.shows("mine")
            yield* user.type(up)
            yield* user.showsOther("mine")
          } else yield* user.leaves("the first prompt", down)
          api.script(say("Three."))
          yield* user.type("\r")
          yield* Effect.promise(() => answered(session, 3))
          assert.deepStrictEqual(api.main[2]?.conversation, ["the first prompt", pasted, pasted].map(arrives))
          yield* Effect.promise(() => atRest(session))
        }).pipe(Effect.scoped, Effect.runPromise)
      )
    )
  }
)

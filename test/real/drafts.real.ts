import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { answered, atRest } from "./approvals.ts"
import { attached } from "./attached.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"
import { each } from "../support/data/fields.ts"

describe.each([claude, codex, copilot, gemini, opencode].map((cli) => [cli.id, cli] as const))(
  "unsent text in the box of %s",
  (id, cli) => {
    it("becomes the message that is begun over it, goes back when that is left, and is sent as it was", () =>
      hosted(cli, `${id}-takes`, (session) =>
        Effect.gen(function* () {
          const { api, stays } = session
          const arrives = cli.arrives ?? ((text: string) => text)
          const draft = "half a thought, größer als 日本"
          const user = yield* attached(session, id)
          yield* user.shows("")
          yield* user.type(draft)
          yield* user.shows(draft)
          yield* user.type("^^")
          yield* user.sees(`❯ ${draft}`)
          yield* user.type("dropped")
          yield* user.type("\x1b")
          yield* user.shows(draft)
          yield* user.type("^^")
          yield* user.sees(`❯ ${draft}`)
          yield* Effect.promise(() => stays("it is not sent yet", 1000, () => api.main.length === 0))
          api.script(say("Now that."))
          yield* user.type("\r")
          yield* Effect.promise(() => answered(session, 1))
          assert.deepStrictEqual(api.main[0]?.conversation, [draft].map(arrives))
          yield* user.shows("")
          yield* Effect.promise(() => atRest(session))
        }).pipe(Effect.scoped, Effect.runPromise)
      ))

    it("is put back around a forced message, which goes out whole and alone; sent by the user, it is what they typed", () =>
      hosted(cli, `${id}-drafts`, (session) =>
        Effect.gen(function* () {
          const { api, leap, stays, tag } = session
          const arrives = cli.arrives ?? ((text: string) => text)
          // No question mark: Gemini takes one that comes in a burst of keys for its help.
          const draft = 'half a thought — größer als 日本, isn\'t it; "50%" $HOME \\n'
          const forced = 'This goes first:\n  "now" — 第一.\n\nThe rest can wait.'
          const user = yield* attached(session, id)
          yield* user.shows("")
          yield* user.type(draft)
          yield* user.shows(draft)

          api.script(say("First things first."))
          yield* Effect.promise(() => leap(["send", tag, "--force", "-"], forced))
          yield* Effect.promise(() => answered(session, 1))
          assert.deepStrictEqual(each(api.main, "conversation"), [[arrives(forced)]])
          yield* user.shows(draft)
          yield* Effect.promise(() =>
            stays("the text stands there, unsent", 3000, () => user.draft() === draft && api.main.length === 1)
          )

          // The screen shows what stands there; what the CLI has of it shows when it is sent.
          api.script(say("Now that."))
          yield* user.type("\r")
          yield* Effect.promise(() => answered(session, 2))
          assert.deepStrictEqual(api.main[1]?.conversation, [forced, draft].map(arrives))
          yield* user.shows("")
          yield* Effect.promise(() => atRest(session))
        }).pipe(Effect.scoped, Effect.runPromise)
      ))
  }
)

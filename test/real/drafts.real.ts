import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import * as PtyNode from "../support/ptyNode.ts"
import { builtin } from "../support/providers.ts"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { Pty } from "../../src/services/Pty.ts"
import { Screen } from "../../src/services/Screen.ts"
import { answered, atRest } from "./approvals.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted, type Session } from "./hosted.ts"
import { bundle } from "./leap.ts"
import { say } from "./model/FakeModel.ts"

const size = { cols: 120, rows: 40 }

/** The user at a terminal that is attached to the session: what they type, and what the CLI's box shows them. */
const attached = Effect.fnUntraced(
  function* ({ env, project, tag }: Session, cli: string) {
    const readScreen = builtin.find(({ id }) => id === cli)?.detection.readScreen ?? assert.fail(`no provider ${cli}`)
    const screen = yield* (yield* Screen).make({ ...size, scrollback: 0 })
    const pty = yield* (yield* Pty).spawn({
      command: process.execPath,
      args: [bundle, "attach", tag],
      cwd: project,
      env: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
      ),
      size
    })
    yield* pty.follow(screen.feed).pipe(Effect.forkScoped)
    const draft = () => readScreen(screen.view()).box?.draft ?? null
    return {
      type: (keys: string) => pty.write(Buffer.from(keys)),
      draft,
      /** What lies over the screen is there. */
      sees: (wanted: string) =>
        Effect.suspend(() => (screen.text().includes(wanted) ? Effect.void : Effect.fail("not yet"))).pipe(
          Effect.retry(Schedule.spaced("50 millis")),
          Effect.timeoutOrElse({
            duration: "60 seconds",
            orElse: () => Effect.die(new Error(`it never showed ${JSON.stringify(wanted)}\n${screen.text()}`))
          })
        ),
      shows: (wanted: string) =>
        Effect.suspend(() => (screen.view().whole && draft() === wanted ? Effect.void : Effect.fail("not yet"))).pipe(
          Effect.retry(Schedule.spaced("50 millis")),
          Effect.timeoutOrElse({
            duration: "60 seconds",
            orElse: () =>
              Effect.die(
                new Error(
                  `the box never showed ${JSON.stringify(wanted)}, but ${JSON.stringify(draft())}\n${screen.text()}`
                )
              )
          })
        )
    }
  },
  Effect.provide(Layer.merge(ScreenXterm.layer, PtyNode.layer))
)

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
          assert.deepStrictEqual(
            api.main.map(({ conversation }) => conversation),
            [[arrives(forced)]]
          )
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

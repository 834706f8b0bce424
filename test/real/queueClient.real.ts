import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { openWindow, windows } from "../support/processes/Window.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { hosted, type Session, sleep } from "./hosted.ts"
import { roomOf } from "./leap.ts"
import { say } from "./model/FakeModel.ts"

type Window = Effect.Success<ReturnType<typeof openWindow>>

/** The session's queue client in a terminal of its own. */
const withClient = ({ env, project, tag }: Session, use: (window: Window) => Promise<void>) =>
  Effect.gen(function* () {
    const window = yield* openWindow(roomOf(env, project), ["queue", tag], { cols: 90, rows: 30 })
    yield* Effect.promise(() => use(window))
    yield* window.type("\x04")
    yield* window.exit
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(...windows)), Effect.runPromise)

const run = <A>(effect: Effect.Effect<A>) => Effect.runPromise(effect)

describe("the queue client of a real CLI", () => {
  it.each([claude, codex])("$id: messages, a view that /status opens, a dialog answered by its number, a move", (cli) =>
    hosted(cli, `${cli.id}-client`, async (session) => {
      const { api, until } = session
      await withClient(session, async (window) => {
        await run(window.shows("● idle"))
        api.script(say("The first answer."))
        await run(window.type("Say something.\r"))
        await run(window.shows("  The first answer."))
        // it answers nothing, and may open a view that keeps the queue until it is closed
        await run(window.type("/status\r"))
        await sleep(8_000)
        assert.strictEqual(window.screen().split("The first answer.").length, 2, window.screen())
        await run(window.type("!k Esc\r"))
        await until("at rest", ({ ready }) => ready)
        api.script(cli.shell("touch made-by-tool"), say("It is made."))
        await run(window.type("Make a file.\r"))
        await run(window.shows("── dialog"))
        await run(window.shows("touch made-by-tool"))
        await sleep(1_000)
        await run(window.type("1\r"))
        await run(window.shows("  It is made."))
        const other = join(session.project, "../elsewhere")
        mkdirSync(other)
        await until("at rest", ({ ready }) => ready)
        await session.leap(["move", session.tag, other, "--restart"])
        await run(window.shows((screen) => screen.replaceAll(/\s+/g, " ").includes("runs again, now in")))
        assert.strictEqual(window.screen().split("The first answer.").length, 2, window.screen())
      })
    })
  )
})

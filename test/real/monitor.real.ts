import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { hasTmux, openPane, type Pane } from "../support/processes/Tmux.ts"
import { claude } from "./cli/claude.ts"
import { endless, hosted, type Session } from "./hosted.ts"
import { roomOf } from "./leap.ts"
import { say } from "./model/FakeModel.ts"

const sizes = [
  [60, 24],
  [100, 30],
  [200, 50]
] as const

const ready = "at rest"

/** The monitor over a session of a real CLI and one of the demo CLI, at one size. */
const useBoth = Effect.fnUntraced(function* (
  pane: Pane,
  { api, project, tag, until }: Session,
  [cols, rows]: readonly [number, number]
) {
  const status = (what: string, holds: Parameters<Session["until"]>[1]) => Effect.promise(() => until(what, holds))
  const fits = Effect.map(pane.lines, (lines) => {
    for (const line of lines) assert.isAtMost([...line].length, cols)
  })
  yield* pane.resize(cols, rows)
  yield* pane.shows(
    (screen) => new RegExp(`○ ${tag} +idle`).test(screen) && /○ shown +idle/.test(screen),
    `both, at ${cols} columns`
  )
  yield* fits
  yield* pane.type(`/${tag}`)
  yield* pane.shows((screen) => new RegExp(`^❯ ○ ${tag}`, "m").test(screen) && screen.includes("1/2"), "the real one")
  yield* pane.type("\r")

  // ---- typed into its screen, attached, and back
  const turn = endless(`This goes on at ${cols}`)
  api.script(turn.reply, claude.shell(`touch made-${cols}`), say(`It is made at ${cols}.`))
  yield* pane.type("\r")
  yield* pane.shows((screen) => !screen.includes("filter ›"), "attached")
  yield* pane.type(`Begin at ${cols}`)
  yield* pane.shows((screen) => screen.includes(`Begin at ${cols}`), "what was typed")
  yield* pane.type("\r")
  yield* status("it runs", ({ state }) => state === "running")
  yield* pane.type("\x1c")
  yield* pane.shows((screen) => new RegExp(`^❯ ▶ ${tag} +running`, "m").test(screen), "it works")

  // ---- queued while it works, and seen in its queue client
  yield* pane.type("s")
  yield* pane.type(`Make a file at ${cols}\r`)
  yield* status("queued", ({ queue }) =>
    queue.some(({ status, text }) => status === "queued" && text.endsWith(`${cols}`))
  )
  yield* pane.type("e")
  yield* pane.shows((screen) => screen.includes(`Make a file at ${cols}`) && !screen.includes("filter ›"), "its queue")
  yield* pane.type("\x04")
  yield* pane.shows((screen) => screen.includes("filter ›"), "back")
  turn.end()

  // ---- its dialog
  yield* status("it asks", ({ state }) => state === "needs_permission")
  yield* pane.shows((screen) => new RegExp(`^❯ ! ${tag} +permission`, "m").test(screen), "it needs the user")
  yield* fits
  yield* pane.type("a")
  yield* pane.shows((screen) => screen.includes(`touch made-${cols}`) && screen.includes("❯ 1 Yes"), "its options")
  yield* pane.type("\r")
  yield* status(ready, ({ lastResponse, ready }) => ready && lastResponse === `It is made at ${cols}.`)
  assert.isTrue(existsSync(`${project}/made-${cols}`), "the answer let the tool run")
  yield* pane.shows((screen) => new RegExp(`^❯ ○ ${tag} +idle`, "m").test(screen), ready)
  yield* fits
  yield* pane.type("\x1b")
})

describe.skipIf(!hasTmux)("leap monitor, in tmux, over a real CLI", () => {
  it("shows states, attaches and comes back, queues and answers, at three sizes", () =>
    hosted(claude, "claude-all", async (session) => {
      const { env, leap, project } = session
      await leap(["hooks", "install", "--cli", "demo"])
      await leap(["shown", "--cli", "demo", "--cwd", project, "--detach"])
      await Effect.gen(function* () {
        const pane = yield* openPane(roomOf(env, project), "monitor", ["monitor"], { cols: 100, rows: 30 })
        for (const size of sizes) yield* useBoth(pane, session, size)
      }).pipe(Effect.scoped, Effect.runPromise)
      assert.deepStrictEqual(
        session.api.main.at(-1)?.conversation,
        sizes.flatMap(([cols]) => [`Begin at ${cols}`, `Make a file at ${cols}`])
      )
      await leap(["stop", "shown", "--force"])
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { claudeDetection } from "../../src/domain/providers/claude/Detection.ts"
import type { ScreenFacts } from "../../src/domain/words/session/Screen.ts"
import * as PtyNode from "../support/ptyNode.ts"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { Pty } from "../../src/services/Pty.ts"
import { Screen } from "../../src/services/Screen.ts"
import { answered, approvals, atRest, audit, ruled } from "./approvals.ts"
import { claude } from "./cli/claude.ts"
import { hosted, type Session } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"

approvals(claude)

describe("Claude Code's own permissions", () => {
  it("what it would run unasked is asked by a rule of the user's, also in always, and stays theirs", () =>
    hosted(ruled(claude, { ask: [{ command: "ls *", reason: "I want to see" }] }), "claude-ask", async (session) => {
      const { api, leap, stays, tag } = session
      await leap(["mode", tag, "--auto-send", "always"])
      api.script(claude.shell("ls README.md"), say("Listed."))
      await leap(["send", tag, "List it."])
      assert.strictEqual(
        (await leap(["wait", tag, "--until", "needs_permission", "--timeout", "90"])).trim(),
        "needs_permission"
      )
      await stays("the dialog waits", 5000, ({ state }) => state === "needs_permission")
      assert.strictEqual(api.main.length, 1)
      await leap(["answer", tag, "1"])
      await answered(session, 2)
      assert.include(api.main[1]?.toolResults.join() ?? "", "README.md")
      await atRest(session)
      const entries = (await audit(session)).map(({ by, event, told, verdict }) => [event, verdict, by, told])
      assert.deepStrictEqual(entries, [
        ["PreToolUse", "ask", "rule", "hook"],
        ["PermissionRequest", "ask", "rule", "no"],
        ["screen", "allow", "user", "key"]
      ])
    }))
})

const defined = (env: Session["env"]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

const size = { cols: 120, rows: 40 }

/** The CLI in a terminal of its own. */
const bare = Effect.fnUntraced(
  function* (cwd: string, env: Record<string, string>) {
    const screen = yield* (yield* Screen).make({ ...size, scrollback: 0 })
    const pty = yield* (yield* Pty).spawn({ command: "claude", args: [], cwd, env, size })
    yield* pty.follow(screen.feed).pipe(Effect.forkScoped)
    const shows = (what: string, test: (facts: ScreenFacts) => boolean) =>
      Effect.suspend(() =>
        screen.view().whole && test(claudeDetection.readScreen(screen.view())) ? Effect.void : Effect.fail("not yet")
      ).pipe(
        Effect.retry(Schedule.spaced("50 millis")),
        Effect.timeoutOrElse({
          duration: "60 seconds",
          orElse: () => Effect.die(new Error(`never came: ${what}\n${screen.text()}`))
        })
      )
    return { type: (keys: string) => pty.write(Buffer.from(keys)), shows }
  },
  Effect.provide(Layer.merge(ScreenXterm.layer, PtyNode.layer))
)

const isGone = (pid: number) => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

describe("Claude Code when leap was killed", () => {
  it("asks as if leap were not there", () =>
    hosted(claude, "claude-orphan", async ({ api, env, leap, project, status, tag, until }) => {
      await leap(["mode", tag, "--auto-send", "always"])
      const { hostPid, pid } = (await status()) as unknown as { readonly hostPid: number; readonly pid: number }
      const spool = join(env["HOME"] ?? "", ".local/state/leap/sessions", tag, "spool")
      assert.include(readdirSync(spool), "decision")
      process.kill(hostPid, "SIGKILL")
      await until("the session is over", ({ state }) => state === "exited")
      assert.include(readdirSync(spool), "decision", "it had no time to take that back")
      api.script(claude.shell("touch made && echo made"), say("Done."))
      // The CLI goes with its terminal: the same one again, in a terminal of its own and in the environment of the
      // session.
      await Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.suspend(() => (isGone(pid) ? Effect.void : Effect.fail("alive"))).pipe(
              Effect.retry(Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(200)]))
            )
            const terminal = yield* bare(project, {
              ...defined(env),
              LEAP_TAG: tag,
              LEAP_SIGNAL_DIR: spool,
              LEAP_CLI_PROVIDER: "claude"
            })
            yield* terminal.shows("the prompt", ({ box }) => box !== null)
            yield* Effect.sleep("2 seconds")
            yield* terminal.type("Make a file.")
            yield* terminal.shows("the draft", ({ box }) => box?.draft === "Make a file.")
            yield* terminal.type("\r")
            yield* terminal.shows("the dialog", ({ dialog }) => dialog?.kind === "permission")
            yield* Effect.sleep("3 seconds")
            yield* terminal.shows("the dialog, still", ({ dialog }) => dialog?.kind === "permission")
            const left = readdirSync(spool)
            assert.isTrue(
              left.some((name) => name.startsWith(".PermissionRequest,")),
              "the hook ran"
            )
            assert.deepStrictEqual(
              left.filter((name) => /^(?:gave-up|taken)/.test(name)),
              [],
              "it waited for nobody"
            )
            assert.strictEqual(api.main.length, 1)
            yield* terminal.type("1")
            yield* Effect.promise(() =>
              api.until("the tool's result", (main) => main.length === 2 && main[1]?.endedAt != null)
            )
          })
        )
      )
      assert.include(api.main[1]?.toolResults.join() ?? "", "made")
    }))
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { Pty } from "../../src/services/Pty.ts"
import { Screen } from "../../src/services/Screen.ts"
import { otherMachine } from "../support/processes/otherMachine.ts"
import * as PtyNode from "../support/ptyNode.ts"
import { answered, atRest } from "./approvals.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { hosted } from "./hosted.ts"
import { roomOf, runLeap } from "./leap.ts"
import { say } from "./model/FakeModel.ts"

const size = { cols: 150, rows: 40 }

describe("a session on another machine", () => {
  it.each([claude, codex])("is seen, answered and written to from here: $id", (cli) =>
    hosted(cli, `${cli.id}-hosts`, async (session) => {
      const { api, env, project, tag } = session
      const here = join(project, "../near")
      mkdirSync(here, { recursive: true })
      const near = roomOf({ PATH: env["PATH"], HOME: here, LEAP_HOME: join(here, "leap"), LANG: "C.UTF-8" }, here)
      const { variables } = otherMachine(near, roomOf(env, project))
      const nearEnv = { ...near.env, ...variables, TERM: "xterm-256color" }
      const leap = async (...args: ReadonlyArray<string>) => {
        const ran = await runLeap(nearEnv, args)
        assert.strictEqual(ran.code, 0, ran.err)
        return ran.out
      }
      await leap("hosts", "add", "box", "me@box")
      api.script(say("There."))
      assert.match(await leap("--host", "box", "send", tag, "Are you there?", "--wait"), /There\./)

      await Effect.gen(function* () {
        const screen = yield* (yield* Screen).make({ ...size, scrollback: 0 })
        const [command, ...args] = [...near.command, "monitor"]
        const pty = yield* (yield* Pty).spawn({ command: command ?? "", args, cwd: here, env: nearEnv, size })
        yield* pty.follow(screen.feed).pipe(Effect.forkScoped)
        const shows = (pattern: RegExp) =>
          Effect.suspend(() => (pattern.test(screen.text()) ? Effect.void : Effect.fail("not yet"))).pipe(
            Effect.retry(Schedule.spaced("50 millis")),
            Effect.timeoutOrElse({
              duration: "60 seconds",
              orElse: () => Effect.die(new Error(`${pattern} never came:\n${screen.text()}`))
            })
          )
        const press = (keys: string) => pty.write(Buffer.from(keys))
        yield* shows(new RegExp(`○ box/${tag} +idle`))
        api.script(cli.shell("printf one > one.txt"), say("It is written."))
        yield* press("s")
        yield* shows(/message to box\//)
        yield* press("Write one.\r")
        yield* shows(new RegExp(`! box/${tag} +permission`))
        yield* press("a")
        yield* shows(/box\/.* asks/)
        yield* press("\r")
        yield* shows(/box: .*answered/)
        yield* Effect.promise(() => answered(session, 3))
        yield* Effect.promise(() => atRest(session))
        yield* shows(/It is written\./)
        yield* press("q")
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(ScreenXterm.layer, PtyNode.layer)), Effect.runPromise)
    })
  )
})

import { assert } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { Pty } from "../../src/services/Pty.ts"
import { Screen } from "../../src/services/Screen.ts"
import { builtin } from "../support/providers.ts"
import * as PtyNode from "../support/ptyNode.ts"
import type { Session } from "./hosted.ts"
import { bundle } from "./leap.ts"

/** The user at a terminal that is attached to the session: what they type, and what the CLI's box shows them. */
export const attached = Effect.fnUntraced(
  function* ({ env, project, tag }: Session, cli: string, size = { cols: 120, rows: 40 }) {
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
    const draft = (): string | null => readScreen(screen.view()).box?.draft ?? null
    const shows = (what: string, holds: (now: string | null) => boolean) =>
      Effect.suspend(() => (screen.view().whole && holds(draft()) ? Effect.void : Effect.fail("not yet"))).pipe(
        Effect.retry(Schedule.spaced("50 millis")),
        Effect.timeoutOrElse({
          duration: "60 seconds",
          orElse: () =>
            Effect.die(new Error(`the box never did ${what}, but ${JSON.stringify(draft())}\n${screen.text()}`))
        })
      )
    /** Presses a key until the box passes. */
    const press = Effect.fnUntraced(function* (key: string, holds: (now: string | null) => boolean) {
      for (let time = 0; time < 40; time++) {
        yield* Effect.sleep("300 millis")
        if (holds(draft())) return
        yield* pty.write(Buffer.from(key))
      }
      return yield* Effect.die(new Error(`no ${JSON.stringify(key)} did it\n${screen.text()}`))
    })
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
      shows: (wanted: string) => shows(`show ${JSON.stringify(wanted)}`, (now) => now === wanted),
      /** The box shows something that is not this, and not nothing. */
      showsOther: (than: string) =>
        shows(`show another text than ${JSON.stringify(than)}`, (now) => now !== than && now !== "" && now !== null),
      /** Presses a key until the box shows this: at most as often as a text may have rows. */
      comesTo: (wanted: string, key: string) => press(key, (now) => now === wanted),
      /** Presses a key until the box shows another text. */
      leaves: (from: string, key: string) => press(key, (now) => now !== from && now !== "" && now !== null)
    }
  },
  Effect.provide(Layer.merge(ScreenXterm.layer, PtyNode.layer))
)

import { Context, Effect, Layer } from "effect"
import type { PtySize } from "../../services/Pty.ts"
import { Screen, type ScreenHandle } from "../../services/Screen.ts"
import { SessionContext } from "./SessionContext.ts"

/** The scrollback rows that a later viewer gets. */
const scrollback = 5_000

export class SessionScreen extends Context.Service<
  SessionScreen,
  ScreenHandle & {
    readonly size: () => PtySize
  }
>()("leap/programs/host/SessionScreen") {}

const make = Effect.gen(function* () {
  const { spec } = yield* SessionContext
  let size: PtySize = { cols: spec.cols, rows: spec.rows }
  const screen = yield* (yield* Screen).make({ ...size, scrollback })
  return SessionScreen.of({
    ...screen,
    size: () => size,
    resize: (cols, rows) => {
      size = { cols, rows }
      screen.resize(cols, rows)
    }
  })
})

export const layer = Layer.effect(SessionScreen, make)

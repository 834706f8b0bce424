import { Clock, Context, Effect, Layer } from "effect"
import type { PtySize } from "../../services/Pty.ts"
import { HostedPty } from "./HostedPty.ts"
import { MemoryKeeper } from "./MemoryKeeper.ts"
import { Recorder } from "./Recorder.ts"
import { ScreenSampler } from "./ScreenSampler.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { SessionScreen } from "./SessionScreen.ts"

/** The size of the session's terminal: one for the emulator, the pseudo-terminal, the recording and the machine. */
export class TerminalSize extends Context.Service<
  TerminalSize,
  {
    readonly set: (size: PtySize) => void
    readonly redraw: () => void
  }
>()("leap/programs/host/TerminalSize") {}

const make = Effect.gen(function* () {
  const screen = yield* SessionScreen
  const recorder = yield* Recorder
  const runtime = yield* SessionRuntime
  const pty = yield* HostedPty
  const sampler = yield* ScreenSampler
  const memory = yield* MemoryKeeper
  const clock = yield* Clock.Clock
  return TerminalSize.of({
    set: ({ cols, rows }) => {
      const before = screen.size()
      if (cols === before.cols && rows === before.rows) return
      screen.resize(cols, rows)
      recorder.resize({ cols, rows })
      runtime.offer({ _tag: "Resize", at: clock.currentTimeMillisUnsafe(), cols, rows })
      pty.resize({ cols, rows })
      sampler.request()
      if (cols !== before.cols) memory.reflowed()
    },
    redraw: () => {
      const size = screen.size()
      recorder.resize(size)
      runtime.offer({ _tag: "Resize", at: clock.currentTimeMillisUnsafe(), ...size })
      pty.redraw(size)
    }
  })
})

export const layer = Layer.effect(TerminalSize, make)

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { spawn } from "node-pty"
import { ptyInternals } from "../../../src/layers/terminal/ptyInternals.ts"
import { patience } from "../../support/run/patience.ts"
import { live } from "../../support/run/effects.ts"

/** What to tell whoever upgrades node-pty. */
const moved = (field: string): string =>
  `this version of node-pty has moved or changed ${field}: mend src/layers/terminal/ptyInternals.ts`

/** Whether a descriptor of this process is the controlling end of a terminal. */
const isTerminal = (fd: number): boolean => {
  try {
    return /^\/dev\/(?:ptmx|pts\/ptmx)$/.test(fs.readlinkSync(`/proc/self/fd/${fd}`))
  } catch {
    return false
  }
}

live(
  "node-pty's internals: the descriptor does not block, and the socket reads it until it is destroyed",
  function* () {
    const options = { name: "xterm", cols: 80, rows: 24, cwd: "/", env: { PATH: "/usr/bin:/bin" }, encoding: null }
    const pty = spawn("/bin/sh", ["-c", "stty raw -echo; printf r; exec sleep 60"], options)
    // the child may have gone with its terminal
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.try(() => process.kill(pty.pid, "SIGKILL"))))
    const { fd, socket } = ptyInternals(pty)
    assert.isNumber(fd, moved("UnixTerminal.fd"))
    assert.isNumber(socket?.readableLength, moved("UnixTerminal._socket.readableLength"))
    assert.isFunction(socket?.destroy, moved("UnixTerminal._socket.destroy"))
    yield* Effect.callback<void>((resume) => {
      pty.onData(() => resume(Effect.void))
    }).pipe(Effect.timeout(patience))
    assert.isTrue(isTerminal(fd), moved("UnixTerminal.fd"))

    // The child reads nothing: a descriptor that blocks would never come back from this.
    const flags = /^flags:\s*([0-7]+)$/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1]
    assert.notStrictEqual(
      Number.parseInt(flags ?? "0", 8) & fs.constants.O_NONBLOCK,
      0,
      moved("UnixTerminal.fd: it blocks now")
    )

    const closed = Effect.callback<void>((resume) => {
      const socketEvents = socket as unknown as { readonly once: (event: "close", listener: () => void) => void }
      socketEvents.once("close", () => resume(Effect.void))
      socket.destroy()
    })
    yield* closed.pipe(Effect.timeout(patience))
    assert.isFalse(isTerminal(fd), moved("UnixTerminal._socket: it does not own the descriptor"))
  }
)

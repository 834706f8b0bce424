import { Effect, Layer, Schema } from "effect"
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Tag } from "../domain/Tag.ts"
import { Paths, type SessionPaths, UnsafeDirectoryError } from "../services/Paths.ts"

/** Unix socket addresses hold 104 bytes on macOS and 108 on Linux, with the final zero. */
const socketLimit = 103

/** Creates the directory (0700) or checks that it is the user's own and closed to others. */
const ensure = (dir: string): Effect.Effect<void, UnsafeDirectoryError> =>
  Effect.try({
    try: () => {
      fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
      const stat = fs.lstatSync(dir)
      if (!stat.isDirectory()) throw new Error("it is not a directory")
      const uid = process.getuid?.()
      if (uid !== undefined && stat.uid !== uid) throw new Error(`it belongs to another user (uid ${stat.uid})`)
      if ((stat.mode & 0o022) !== 0) throw new Error("others may write in it; leap wants a directory of its own (chmod 700)")
      if ((stat.mode & 0o077) !== 0) fs.chmodSync(dir, 0o700)
    },
    catch: (cause) =>
      new UnsafeDirectoryError({ path: dir, why: cause instanceof Error ? cause.message : String(cause) })
  })

/** A link that the user put in the place of leap's own root is followed. */
const real = (dir: string): string => {
  try {
    return fs.realpathSync(dir)
  } catch {
    return dir
  }
}

const make = (env: Readonly<Record<string, string | undefined>>): Paths["Service"] => {
  const home = env["HOME"] || os.homedir()
  const own = env["LEAP_HOME"] ? real(path.resolve(env["LEAP_HOME"])) : undefined
  const state = own ?? path.join(env["XDG_STATE_HOME"] || path.join(home, ".local", "state"), "leap")
  const config = own ?? path.join(env["XDG_CONFIG_HOME"] || path.join(home, ".config"), "leap")
  const sessions = path.join(state, "sessions")
  // not from TMPDIR or XDG_RUNTIME_DIR: they differ between a terminal, ssh and cron, and all must find the socket
  const runtime = `/tmp/leap-${process.getuid?.() ?? "user"}`

  /** Beside the session's files where the address is short enough, else under the runtime directory by a hash. */
  const socketOf = (tag: string): string => {
    const near = path.join(sessions, tag, "host.sock")
    if (Buffer.byteLength(near) <= socketLimit) return near
    const name = crypto.createHash("sha256").update(`${state}\0${tag}`).digest("hex").slice(0, 24)
    return path.join(runtime, `${name}.sock`)
  }

  const session = (tag: Tag): SessionPaths => {
    const dir = path.join(sessions, tag)
    return {
      dir,
      socket: socketOf(tag),
      lock: path.join(dir, "lock"),
      queue: path.join(dir, "queue.ndjson"),
      modes: path.join(dir, "modes.json"),
      status: path.join(dir, "status.json"),
      screen: path.join(dir, "screen.txt"),
      spool: path.join(dir, "spool"),
      log: path.join(dir, "host.log")
    }
  }

  return {
    state,
    config,
    hookScript: path.join(state, "hooks", "leap-hook.sh"),
    ensureBase: Effect.forEach([state, sessions], ensure, { discard: true }),
    session,
    ensureSession: Effect.fn("Paths.ensureSession")(function*(tag: Tag) {
      const paths = session(tag)
      for (const dir of [state, sessions, paths.dir, paths.spool, path.dirname(paths.socket)]) yield* ensure(dir)
      return paths
    }),
    removeSession: (tag) =>
      Effect.try({
        try: () => {
          const { dir, socket } = session(tag)
          fs.rmSync(socket, { force: true })
          fs.rmSync(dir, { recursive: true, force: true })
        },
        catch: (cause) => new UnsafeDirectoryError({ path: session(tag).dir, why: cause instanceof Error ? cause.message : String(cause) })
      }),
    tags: Effect.sync(() => {
      try {
        return fs.readdirSync(sessions, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name)
          .filter(Schema.is(Tag)).sort()
      } catch {
        return []
      }
    })
  }
}

/** From the process environment: LEAP_HOME, else XDG_STATE_HOME and XDG_CONFIG_HOME. */
export const layer: Layer.Layer<Paths> = Layer.sync(Paths, () => make(process.env))
export const layerFrom = (env: Readonly<Record<string, string | undefined>>): Layer.Layer<Paths> =>
  Layer.sync(Paths, () => make(env))

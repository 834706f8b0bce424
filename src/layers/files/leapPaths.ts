import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { leapHomeIn } from "../../domain/words/environment/leapHome.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/** Unix socket addresses hold 104 bytes on macOS and 108 on Linux, with the final zero. */
const socketLimit = 103

/** A link that the user put in place of leap's root directory is followed. */
const real = (dir: string): string => tryOr(() => fs.realpathSync.native(dir), dir)

/** The working directory. If it was deleted, its former path, which the shell knows. */
const standing = (env: Readonly<Record<string, string | undefined>>): string =>
  tryOr(() => process.cwd(), env["PWD"] ?? "/")

/**
 * Where leap keeps its files: under LEAP_HOME, else XDG_STATE_HOME and XDG_CONFIG_HOME, else their defaults. An XDG
 * variable that is not absolute is invalid and ignored (XDG Base Directory Specification).
 */
export const placesIn = (env: Readonly<Record<string, string | undefined>>, cwd?: string) => {
  const home = env["HOME"] || os.homedir()
  const told = leapHomeIn(env, () => cwd ?? standing(env), home)
  const leapHome = told === undefined ? undefined : real(told)
  const xdg = (name: string, ...fallback: ReadonlyArray<string>) => {
    const value = env[name] ?? ""
    return path.join(value.startsWith("/") ? value : path.join(home, ...fallback), "leap")
  }
  const state = leapHome ?? xdg("XDG_STATE_HOME", ".local", "state")
  const config = leapHome ?? xdg("XDG_CONFIG_HOME", ".config")
  const sessions = path.join(state, "sessions")
  // not TMPDIR or XDG_RUNTIME_DIR: these differ between a terminal, ssh and cron, and all must find the socket
  const runtime = `/tmp/leap-${process.getuid?.() ?? "user"}`

  /** Beside the session's files if the address is short enough, else under a hash in the runtime directory. */
  const socketOf = (tag: string): string => {
    const beside = path.join(sessions, tag, "host.sock")
    if (Buffer.byteLength(beside) <= socketLimit) return beside
    // loaded on demand: few need it, and it takes a while
    const crypto = process.getBuiltinModule("node:crypto")
    const name = crypto.createHash("sha256").update(`${state}\0${tag}`).digest("hex").slice(0, 24)
    return path.join(runtime, `${name}.sock`)
  }

  const session = (tag: string) => {
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
      log: path.join(dir, "host.log"),
      snapshots: path.join(dir, "snapshots")
    }
  }
  // the program's compiled code, if it cannot be beside the program (src/quick/codeCache.ts)
  const cached = env["XDG_CACHE_HOME"] ?? ""
  const caches = path.join(cached.startsWith("/") ? cached : path.join(home, ".cache"), "leap")
  return { state, config, caches, runtime, sessions, session }
}

/** leap's files by their names: LEAP_HOME may hold other programs' files beside them. */
export const keptNames: ReadonlyArray<readonly [what: string, where: "state" | "config" | "caches", names: RegExp]> = [
  ["sessions: queues, screens, logs", "state", /^sessions$/],
  ["the record", "state", /^record\.db/],
  ["which conversation is whose", "state", /^(?:records|pids)$/],
  ["which worktrees leap made", "state", /^worktrees(?:\.lock)?$/],
  ["moves", "state", /^(?:relocations|[a-z-]+\.[\da-f-]{20,}\.lock|doctor\.lock)$/],
  ["conversations of leap chat, saved messages", "state", /^(?:chats$|saved-messages\.json)/],
  ["browsers that may come in, and keys of pushes to them", "state", /^web-(?:devices|push)\.json/],
  ["events to be sent", "state", /^out\.db/],
  ["scripts that hooks call", "state", /^hooks$/],
  ["small notes of its own", "state", /^(?:versions\.json|starts$|\.probe-|output-\d+\.lock$)/],
  ["settings", "config", /^settings\.(?:json|schema\.json)/],
  ["compiled code", "caches", /^code$/]
]

/** The audit log of a session's directory, and the older one beside it. */
export const auditFilesOf = (dir: string) => ({
  log: path.join(dir, "audit.ndjson"),
  older: path.join(dir, "audit.1.ndjson")
})

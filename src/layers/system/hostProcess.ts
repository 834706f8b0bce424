import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
import type { Socket } from "node:net"
import { handedOn } from "../../domain/words/environment/leapHome.ts"
import { hostEnvironment } from "../../domain/words/environment/hostMemory.ts"

export interface HostProcess extends ChildProcess {
  readonly stdin: Socket
  readonly stdout: Socket
  readonly stderr: Socket
}

export interface HostCommand {
  readonly self: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/**
 * Options of Node, documented there: a young generation with small halves (3 MB less resident), and the function that
 * returns memory after a flood. They are on the host's command line only, so no CLI gets them.
 */
const hostFlags = ["--max-semi-space-size=2", "--expose-gc"]

/**
 * Starts a host's process without a session. It is its own session leader, so neither the terminal's hang-up nor its
 * Ctrl+C reaches it. Until it has a session its standard error is a pipe, and it ends with its standard input.
 */
export const spawnHost = ({ env, self }: HostCommand): HostProcess => {
  const [command = process.execPath, ...args] = self
  // A user who runs leap by another program does not necessarily have Node there.
  const flags = command === process.execPath ? hostFlags : []
  return spawn(command, [...flags, ...args, "__host"], {
    detached: true,
    cwd: "/",
    env: hostEnvironment(env),
    stdio: ["pipe", "pipe", "pipe"]
    // Node's types do not say that a child's pipes are sockets.
  }) as ChildProcess as HostProcess
}

const closeOnExec = 0o2000000

/**
 * Closes the descriptors inherited from the starting processes (`exec 200>lock`): neither this process nor its CLI may
 * hold a lock or a pipe of a script that has long ended. Node marks only the first sixteen; without /proc, the system
 * itself passes none on. This runs before anything opens files: Node's own are not passed on either.
 */
export const closeInherited = (): void => {
  const own = "/proc/self/fd"
  for (const name of fs.existsSync(own) ? fs.readdirSync(own) : []) {
    try {
      const flags = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1]
      if (Number(name) > 2 && flags !== undefined && (parseInt(flags, 8) & closeOnExec) === 0)
        fs.closeSync(Number(name))
    } catch {
      // The descriptor that read the folder is closed by now.
    }
  }
}

/** Milliseconds after which an unused process is ended: the user is being asked, or does not start a session. */
const aheadTimeout = 10_000

let ahead: { readonly command: string; readonly host: HostProcess; readonly timer: NodeJS.Timeout } | null = null

/** The handles that keep this process alive while the host's process lives. */
const holds = (host: HostProcess) => [host, host.stdin, host.stdout, host.stderr]

const giveUp = (): void => {
  if (ahead === null) return
  clearTimeout(ahead.timer)
  // It reads the end of its input, and exits.
  ahead.host.stdin.destroy()
  ahead = null
}

/** Starts a host's process for a later {@link takeHost}: it loads the program meanwhile. */
export const beginHost = (command: HostCommand): void => {
  giveUp()
  const host = spawnHost(command)
  // If the system has no process left, the caller of `takeHost` finds out.
  host.on("error", () => {})
  // Without free file descriptors it has no pipes.
  if ((host.stdin as Socket | undefined) === undefined) return
  host.stdin.on("error", () => {})
  for (const held of holds(host)) held.unref()
  ahead = { command: JSON.stringify(command), host, timer: setTimeout(giveUp, aheadTimeout).unref() }
}

/** Starts a host's process by the command line of this process. */
export const beginOwnHost = (): void => {
  const { HOME = "" } = process.env
  try {
    beginHost({
      self: [process.execPath, process.argv[1] ?? ""],
      env: handedOn(process.env, () => process.cwd(), HOME)
    })
  } catch {
    // The working directory is gone, or the system has no process left: the caller of `takeHost` finds out.
  }
}

/** A host's process: the one already begun, if it has the same command and lives; else a new one. */
export const takeHost = (command: HostCommand): HostProcess => {
  const begun = ahead
  if (begun?.command !== JSON.stringify(command) || begun.host.exitCode !== null || begun.host.signalCode !== null) {
    giveUp()
    return spawnHost(command)
  }
  clearTimeout(begun.timer)
  ahead = null
  begun.host.removeAllListeners("error")
  for (const held of holds(begun.host)) held.ref()
  return begun.host
}

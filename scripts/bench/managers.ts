import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { installed, type Package } from "./installed.ts"
import { sleep } from "./process.ts"
import { type Terminal, terminal } from "./screen.ts"
import type { World } from "./world.ts"

/** What the stand-in prints once it is up. */
export const up = "stand-in-is-up"

/** A session of the stand-in, with a terminal attached to it. */
export interface HostedSession {
  readonly screen: Terminal
  /** The processes that keep the session with nobody attached; none where the terminal's own program keeps it. */
  readonly keepers: ReadonlyArray<number>
  readonly close: () => void
}

interface Command {
  /** As a person would type it. */
  readonly says: string
  readonly program: string
  readonly args: ReadonlyArray<string>
}

/** What a user could pick instead of leap to keep a CLI's session in a pseudo-terminal. */
export interface Manager {
  readonly name: string
  /** The command of it that does the least. */
  readonly least: Command
  /** The command that lists its sessions; null where it has none that needs no terminal. */
  readonly list: Command | null
  readonly host: (world: World, mode: string) => Promise<HostedSession>
}

const ran = (world: World, program: string, args: ReadonlyArray<string>, cwd = world.env["HOME"] ?? "/"): string => {
  const done = spawnSync(program, args, { env: world.env, cwd, encoding: "utf8", timeout: 20_000 })
  if (done.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${done.stderr ?? String(done.error)}`)
  return done.stdout
}

/** Closes what was opened where the work with it fails. */
export const closing = async <A>(close: () => void, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    close()
    throw error
  }
}

const tmux = (): Manager | null => {
  if (spawnSync("tmux", ["-V"]).status !== 0) return null
  const server = ["-L", `leap-bench-${process.pid}`, "-f", "/dev/null"]
  return {
    name: "tmux",
    least: { says: "tmux -V", program: "tmux", args: ["-V"] },
    list: { says: "tmux ls", program: "tmux", args: [...server, "ls"] },
    host: async (world, mode) => {
      const screen = terminal(world, "tmux", [...server, "new-session", world.standIn, mode])
      const close = () => {
        spawnSync("tmux", [...server, "kill-server"], { env: world.env })
        screen.close()
      }
      await closing(close, () => screen.waitFor(up))
      return { screen, keepers: [Number(ran(world, "tmux", [...server, "display-message", "-p", "#{pid}"]))], close }
    }
  }
}

/** A session of its own for each, kept by a Node in the background, with an emulator of the screen. */
const pty: Package = {
  name: "pty",
  version: "0.10.0",
  specs: ["@myobie/pty@0.10.0"],
  built: ["node-pty"]
}

const ptyManager = (modules: string): Manager => {
  const program = join(modules, "@myobie/pty/bin/pty")
  const run = (world: World, ...args: ReadonlyArray<string>) => ran(world, process.execPath, [program, ...args])
  const command = (says: string, ...args: ReadonlyArray<string>): Command => ({
    says,
    program: process.execPath,
    args: [program, ...args]
  })
  return {
    name: `pty ${pty.version}`,
    least: command("pty --help", "--help"),
    list: command("pty list --json", "list", "--json"),
    host: async (world, mode) => {
      run(world, "run", "-d", "--name", mode, "--", world.standIn, mode)
      const sessions = JSON.parse(run(world, "list", "--json")) as ReadonlyArray<{ name: string; pid: number }>
      const screen = terminal(world, process.execPath, [program, "attach", mode])
      const close = () => {
        spawnSync(process.execPath, [program, "kill", mode], { env: world.env, timeout: 20_000 })
        screen.close()
      }
      await closing(close, () => screen.waitFor(up))
      return { screen, keepers: sessions.filter(({ name }) => name === mode).map(({ pid }) => pid), close }
    }
  }
}

/** A list of sessions in worktrees, in one terminal; they end with it. A Bun in one file, without npm's launcher. */
const ccmanager: Package = {
  name: "ccmanager",
  version: "4.4.3",
  specs: [`@kodaikabasawa/ccmanager-${process.platform}-${process.arch}@4.4.3`],
  built: []
}

const ccmanagerManager = (modules: string): Manager => {
  const program = join(modules, `@kodaikabasawa/ccmanager-${process.platform}-${process.arch}/bin/ccmanager`)
  return {
    name: `ccmanager ${ccmanager.version}`,
    least: { says: "ccmanager --version", program, args: ["--version"] },
    list: null,
    host: async (world, mode) => {
      // what it keeps of one run it asks about in the next
      const home = mkdtempSync(join(world.env["HOME"] ?? "", "ccmanager-"))
      const repository = join(home, "repository")
      mkdirSync(repository)
      ran(world, "git", ["init", "-q"], repository)
      const author = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
      ran(world, "git", [...author, "commit", "-q", "--allow-empty", "-m", "begin"], repository)
      // it runs `claude`, and loses what that prints before it shows the session
      writeFileSync(join(home, "claude"), `#!/bin/sh\nsleep 1\nexec '${world.standIn}' ${mode}\n`, { mode: 0o755 })
      const env = { ...world.env, HOME: home, PATH: `${home}:${world.env["PATH"] ?? ""}` }
      const screen = terminal({ ...world, env }, "sh", ["-c", 'cd repository && exec "$1"', "sh", program])
      await closing(screen.close, async () => {
        await screen.waitFor("-Quit")
        // it draws its list before it reads keys
        await sleep(1500)
        await screen.type("\r", up)
      })
      return { screen, keepers: [], close: screen.close }
    }
  }
}

/** Shows terminals in browsers; `fwd` is what keeps one, in the terminal it is called in, and ends with it. */
const vibetunnel: Package = {
  name: "vibetunnel",
  version: "1.0.0-beta.15.1",
  // it has no build of its pseudo-terminal for this Node, and does not bring what it takes to make one
  specs: ["vibetunnel@1.0.0-beta.15.1", "node-addon-api@7.1.1"],
  built: ["vibetunnel"]
}

const vibetunnelManager = (modules: string): Manager => {
  // not its bin: loaded from there `fwd` ends at once without a word
  const program = join(modules, "vibetunnel/dist/vibetunnel-cli")
  return {
    name: `vibetunnel ${vibetunnel.version}`,
    least: { says: "vibetunnel version", program: process.execPath, args: [program, "version"] },
    list: null,
    host: async (world, mode) => {
      const screen = terminal(world, process.execPath, [program, "fwd", world.standIn, mode])
      await closing(screen.close, () => screen.waitFor(up))
      return { screen, keepers: [], close: screen.close }
    }
  }
}

const fromNpm: ReadonlyArray<readonly [it: Package, manager: (modules: string) => Manager]> = [
  [pty, ptyManager],
  [ccmanager, ccmanagerManager],
  [vibetunnel, vibetunnelManager]
]

/** Says that there is no figure of this one, and why. */
export const leftOut = (name: string, error: unknown): void => {
  const why = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${name} is left out: ${why.trim()}\n`)
}

let found: ReadonlyArray<Manager> | null = null

/** What can run here of the programs that leap is compared with; what cannot is named on standard error, with why. */
export const managers = (): ReadonlyArray<Manager> => {
  if (found !== null) return found
  const beside = tmux()
  const others = fromNpm.flatMap(([it, manager]) => {
    try {
      return [manager(installed(it))]
    } catch (error) {
      leftOut(`${it.name} ${it.version}`, error)
      return []
    }
  })
  found = [...(beside === null ? [] : [beside]), ...others]
  return found
}

export type Managers = typeof managers

/** Managers, each with a session of the stand-in in this mode; who cannot host one is left out. */
export const hostedBy = async (
  all: ReadonlyArray<Manager>,
  world: World,
  mode: string
): Promise<ReadonlyArray<HostedSession & { readonly name: string }>> => {
  const sessions: Array<HostedSession & { readonly name: string }> = []
  for (const { host, name } of all) {
    try {
      sessions.push({ name, ...(await host(world, mode)) })
    } catch (error) {
      leftOut(name, error)
    }
  }
  return sessions
}

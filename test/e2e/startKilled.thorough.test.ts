// A start is killed at moments that chance chooses.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as pty from "node-pty"
import { alive, endsWell, eventually, kill, makeRoom } from "../support/processes/Room.ts"
import { longTestPatience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

const instants = 100

/** The hosts and the CLIs that belong to this home of leap's. */
const processesOf = (leapHome: string) => {
  const found = fs.readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const isOurs = fs.readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`LEAP_HOME=${leapHome}`)
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, "latin1")
      return isOurs ? [{ pid: Number(pid), isCli: command.includes("__demo-cli"), isHost: /host/.test(command) }] : []
    } catch {
      return []
    }
  })
  return { clis: found.filter(({ isCli }) => isCli), hosts: found.filter(({ isCli, isHost }) => isHost && !isCli) }
}

describe("a session's start", () => {
  // /proc tells whose processes are there
  describe.skipIf(!fs.existsSync("/proc/self/environ"))("that is killed", () => {
    live(
      `leaves no CLI without its host, no host without its session, and nothing in the way of the next, at ${instants} instants`,
      function* () {
        const room = yield* makeRoom(undefined, { hosts: "apart" })
        const [program, ...args] = room.command
        /** At a terminal, for which the CLI starts before the rest of its host is loaded, or without one. */
        const begin = (name: string, atTerminal: boolean) => {
          const words = [...args, name, "--cli", "demo"]
          const options = { cwd: room.dir, env: room.env }
          let ended = false
          const end = (): void => void (ended = true)
          if (!atTerminal) {
            const client = spawn(program, [...words, "--detach"], { ...options, stdio: "ignore" }).on("exit", end)
            return { pid: client.pid!, ended: () => ended }
          }
          const client = pty.spawn(program, words, {
            ...options,
            name: "xterm-256color",
            encoding: null,
            cols: 80,
            rows: 24
          })
          client.onData(() => {})
          client.onExit(end)
          return { pid: client.pid, ended: () => ended }
        }
        const started = Date.now()
        yield* endsWell(room.program(["whole", "--cli", "demo", "--detach"]))
        const whole = Date.now() - started
        yield* endsWell(room.program(["stop", "whole", "--force"]))
        let gone = 0
        for (let i = 0; i < instants; i++) {
          const name = `s${i}`
          const client = begin(name, i % 2 === 0)
          yield* Effect.sleep((whole * i) / instants)
          const { hosts } = processesOf(room.env["LEAP_HOME"]!)
          // who starts it, its host, or both
          const victims = [[client.pid], hosts.map(({ pid }) => pid), [client.pid, ...hosts.map(({ pid }) => pid)]]
          const killed = victims[i % 3]!
          for (const pid of killed) kill(pid, "SIGKILL")
          yield* eventually(() => !killed.some(alive), `${name}'s processes are gone`)
          // a terminal shows its session as long as that runs
          const isOver = () => client.ended() || (i % 2 === 0 && processesOf(room.env["LEAP_HOME"]!).clis.length === 1)
          yield* eventually(isOver, `${name} was begun`)
          yield* eventually(() => {
            const { clis, hosts } = processesOf(room.env["LEAP_HOME"]!)
            const isServed = fs.existsSync(`${room.session(name)}/host.sock`)
            if (hosts.length === 0) return clis.length === 0
            return hosts.length === 1 && clis.length === 1 && isServed
          }, `${name}, killed after ${i} of ${instants}: a host with its CLI, or neither`)
          if (processesOf(room.env["LEAP_HOME"]!).hosts.length === 0) {
            gone++
            yield* endsWell(room.program([name, "--cli", "demo", "--detach", "--new"]))
          }
          yield* endsWell(room.program(["stop", name, "--force"]))
        }
        assert.isAbove(gone, 0)
        assert.isBelow(gone, instants)
      },
      longTestPatience * 4
    )
  })
})

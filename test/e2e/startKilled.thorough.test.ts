// A start is killed at moments that chance chooses.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import * as fs from "node:fs"
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
        const begin = (name: string): ChildProcess =>
          spawn(program, [...args, name, "--cli", "demo", "--detach"], {
            cwd: room.dir,
            env: room.env,
            stdio: "ignore"
          })
        const started = Date.now()
        yield* endsWell(room.program(["whole", "--cli", "demo", "--detach"]))
        const whole = Date.now() - started
        yield* endsWell(room.program(["stop", "whole", "--force"]))
        let gone = 0
        for (let i = 0; i < instants; i++) {
          const name = `s${i}`
          const client = begin(name)
          yield* Effect.sleep((whole * i) / instants)
          const { hosts } = processesOf(room.env["LEAP_HOME"]!)
          // who starts it, its host, or both
          const victims = [[client.pid!], hosts.map(({ pid }) => pid), [client.pid!, ...hosts.map(({ pid }) => pid)]]
          const killed = victims[i % 3]!
          for (const pid of killed) kill(pid, "SIGKILL")
          yield* eventually(() => !killed.some(alive), `${name}'s processes are gone`)
          yield* eventually(() => client.exitCode !== null || client.signalCode !== null, `${name} was begun`)
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

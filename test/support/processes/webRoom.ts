import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import type { Room } from "./Room.ts"
import { type Answer, type RawSocket, request } from "./WebClient.ts"

/** Starts `leap web` with these arguments, once it has printed its address. `errors`: what it has said besides. */
export const startWeb = async (
  room: Pick<Room, "command" | "dir"> & { readonly env: NodeJS.ProcessEnv },
  args: ReadonlyArray<string>
) => {
  const child = spawn(room.command[0], [room.command[1], "web", ...args], {
    env: room.env,
    cwd: room.dir,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  let errors = ""
  child.stderr.on("data", (data) => (errors += String(data)))
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data).trim()))
    void ended.then((code) => reject(new Error(`leap web ended with ${code}: ${errors}`)))
  })
  return { address, child, ended, errors: () => errors }
}

/** `leap web` in a room on this port (0: a free one), until the scope ends. */
export const serveOn = (room: Room, port: number, ...flags: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { address, child, ended, errors } = await startWeb(room, ["--port", String(port), ...flags])
      const { hash, host, origin, port: its } = new URL(address)
      const end = (): Promise<number | null> => {
        child.kill("SIGKILL")
        return ended
      }
      const token = hash.slice("#token=".length)
      return { child, ended, end, errors, host, origin, port: Number(its), token }
    }),
    ({ end }) => Effect.promise(end)
  )
export type Web = Effect.Success<ReturnType<typeof serveOn>>

export const isSocket = (opened: RawSocket | Answer): opened is RawSocket => "socket" in opened

/** What the server answers to a token. */
export const exchange = (web: Web, headers: Readonly<Record<string, string>> = {}, token = web.token) =>
  request(web.port, "/session", {
    method: "POST",
    headers: { origin: web.origin, "content-type": "application/json", ...headers },
    body: JSON.stringify({ token })
  })

/** A browser comes in by a token. `userAgent`: what it calls itself. */
export const comeIn = (web: Web, token = web.token, userAgent?: string) =>
  Effect.promise(async () => {
    const answer = await exchange(web, userAgent === undefined ? {} : { "user-agent": userAgent }, token)
    assert.strictEqual(answer.status, 200, answer.text)
    const [cookie = ""] = answer.headers["set-cookie"]![0]!.split(";")
    return { cookie, key: (JSON.parse(answer.text) as { readonly key: string }).key }
  })
export type Known = Effect.Success<ReturnType<typeof comeIn>>

/** `leap web devices` with these arguments, which is to end well; gives what it printed. */
export const devices = (room: Room, ...args: ReadonlyArray<string>) =>
  Effect.map(room.leap(["web", "devices", ...args]), ({ code, stderr, stdout }) => {
    assert.strictEqual(code, 0, stderr)
    return stdout.trim()
  })

import { Effect, Layer, Option } from "effect"
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as fsAsync from "node:fs/promises"
import * as path from "node:path"
import { Machine } from "../services/Machine.ts"

const definedEnv = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))

const executable = (file: string): boolean => {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

const which = (command: string, env: Readonly<Record<string, string>>): Option.Option<string> => {
  if (command.includes("/")) return executable(command) ? Option.some(path.resolve(command)) : Option.none()
  for (const dir of (env["PATH"] ?? "").split(path.delimiter)) {
    if (dir === "") continue
    const file = path.join(dir, command)
    if (executable(file)) return Option.some(file)
  }
  return Option.none()
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** The working directory; where it was, when it has been deleted meanwhile. */
const workingDirectory = (): string => {
  try {
    return process.cwd()
  } catch {
    return process.env["PWD"] ?? "/"
  }
}

/** As the kernel's own limit for links that lead to links. */
const linkLimit = 40

/** Where a path leads, its last parts not there included: what is written to a link that leads nowhere makes its target. */
const realPath = async (given: string, links = 0): Promise<string> => {
  const file = path.resolve(given)
  try {
    return await fsAsync.realpath(file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT" || links > linkLimit) throw cause
    const target = await fsAsync.readlink(file).catch(() => null)
    const directory = path.dirname(file)
    if (target !== null) return realPath(path.resolve(await realPath(directory, links + 1), target), links + 1)
    return directory === file ? file : path.join(await realPath(directory, links), path.basename(file))
  }
}

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** ULID: 48 bits of time and 80 of randomness in Crockford's base 32, so ids sort by age. */
const ulid = (now: number): string => {
  let time = ""
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  return time + Array.from(crypto.randomBytes(16), (byte) => alphabet[byte % 32]).join("")
}

export const layerWith = (options: { readonly version: string; readonly self: ReadonlyArray<string> }): Layer.Layer<Machine> =>
  Layer.sync(Machine, () => ({
    env: definedEnv(),
    cwd: workingDirectory(),
    pid: process.pid,
    version: options.version,
    node: process.versions.node,
    self: options.self,
    which: (command, env) => Effect.sync(() => which(command, env)),
    directory: (dir) =>
      Effect.sync(() => {
        try {
          const real = fs.realpathSync(dir)
          return fs.statSync(real).isDirectory() ? Option.some(real) : Option.none()
        } catch {
          return Option.none()
        }
      }),
    file: (file) =>
      Effect.sync(() => {
        try {
          return fs.statSync(file).isFile() ? Option.some(path.resolve(file)) : Option.none()
        } catch {
          return Option.none()
        }
      }),
    realPath: (file) => Effect.orElseSucceed(Effect.tryPromise(() => realPath(file)), () => null),
    isAlive: (pid) => Effect.sync(() => isAlive(pid)),
    kill: (pid) => Effect.ignore(Effect.try(() => process.kill(pid, "SIGKILL"))),
    endLeftover: (pid, variable, value) =>
      Effect.sync(() => {
        try {
          // a pid may have been given away meanwhile: the environment tells whose process this is
          const environment = fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0")
          if (!environment.includes(`${variable}=${value}`)) return false
          process.kill(-pid, "SIGKILL")
          return true
        } catch {
          return false
        }
      }),
    newId: Effect.clockWith((clock) => Effect.sync(() => ulid(clock.currentTimeMillisUnsafe())))
  }))

import { Effect, Layer, Option } from "effect"
import * as crypto from "node:crypto"
import * as fs from "node:fs"
import * as fsAsync from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import type { DirectoryEntry } from "../../domain/policy/Globs.ts"
import { errorCodeOf, saysMissing } from "../../domain/words/reading/Fields.ts"
import { ulid, ulidRandomness } from "../../domain/words/text/ulid.ts"
import { NoProgramError, System } from "../../services/System.ts"
import { handedOn } from "../../domain/words/environment/leapHome.ts"
import { send } from "./signals.ts"
import { which } from "./which.ts"
import { absolutePath } from "../../domain/words/text/paths.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

/**
 * The working directory. If it was deleted, its former path, as the shell or else the kernel knows it (a shell started
 * there may not know it). Empty if nobody knows it.
 */
const workingDirectory = (): string => {
  const told = process.env["PWD"] ?? ""
  const ofKernel = () => tryOr(() => fs.readlinkSync("/proc/self/cwd").replace(/ \(deleted\)$/, ""), "")
  return tryOr(() => process.cwd(), null) ?? (told.startsWith("/") ? told : ofKernel())
}

/** The most names of a directory that is listed. */
const mostEntries = 4_096

/** The kernel's own limit for chains of links. */
const linkLimit = 40

/**
 * The path with all links followed. The last components may be missing: writing to a dangling link creates its target.
 * Fails with the operating system's code.
 */
const realPath = (file: string, links = 0): Effect.Effect<string, string> => {
  return Effect.tryPromise({ try: () => fsAsync.realpath(file), catch: errorCodeOf }).pipe(
    Effect.catchIf(
      (code) => code === "ENOENT" && links <= linkLimit,
      () =>
        Effect.gen(function* () {
          const target = yield* Effect.orElseSucceed(
            Effect.tryPromise(() => fsAsync.readlink(file)),
            () => null
          )
          const directory = path.dirname(file)
          if (target !== null) {
            const from = yield* realPath(directory, links + 1)
            return yield* realPath(absolutePath(from, target), links + 1)
          }
          return directory === file ? file : path.join(yield* realPath(directory, links), path.basename(file))
        })
    )
  )
}

/** The system under this process. */
export const layerWith = (options: {
  readonly version: string
  readonly self: ReadonlyArray<string>
  /** By default the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** An absolute path; by default the process's directory at the time of the query. */
  readonly cwd?: string
}): Layer.Layer<System> => {
  const here = () => options.cwd ?? workingDirectory()
  const env = options.env ?? process.env
  // if the directory is unknown, a relative path is left to the system, which finds nothing there
  const absolute = (name: string) => (here() === "" ? name : absolutePath(here(), name))
  return Layer.sync(System, () => ({
    env: handedOn(env, here, env["HOME"] || os.homedir()),
    cwd: here(),
    pid: process.pid,
    version: options.version,
    node: process.versions.node,
    platform: process.platform,
    self: options.self,
    which: (command, env, cwd = here()) =>
      Effect.suspend(() => {
        const found = which(command, env, cwd)
        return found._tag === "Program"
          ? Effect.succeed(found.file)
          : new NoProgramError({ command, file: found.file, found: found._tag === "NotRunnable" })
      }),
    directory: (dir) =>
      Effect.sync(() =>
        tryOr(() => {
          const real = fs.realpathSync.native(absolute(dir))
          return fs.statSync(real).isDirectory() ? Option.some(real) : Option.none()
        }, Option.none())
      ),
    hidden: (file) =>
      Effect.sync(() => {
        try {
          fs.statSync(absolute(file))
          return null
        } catch (cause) {
          return saysMissing(cause) ? null : errorCodeOf(cause)
        }
      }),
    file: (file) =>
      Effect.sync(() =>
        tryOr(
          () => (fs.statSync(absolute(file)).isFile() ? Option.some(path.resolve(absolute(file))) : Option.none()),
          Option.none()
        )
      ),
    realPath: (file) => Effect.orElseSucceed(realPath(absolute(file)), () => null),
    entries: (dir) =>
      Effect.tryPromise(() => fsAsync.readdir(absolute(dir), { withFileTypes: true })).pipe(
        Effect.map((found) =>
          found.length > mostEntries
            ? null
            : found.map((entry): DirectoryEntry => {
                const kind = entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "directory" : "other"
                return { name: entry.name, kind }
              })
        ),
        Effect.orElseSucceed(() => [])
      ),
    kill: (pid) => Effect.sync(() => void send(pid, "SIGKILL")),
    newId: Effect.clockWith((clock) =>
      Effect.sync(() => ulid(clock.currentTimeMillisUnsafe(), crypto.randomBytes(ulidRandomness)))
    )
  }))
}

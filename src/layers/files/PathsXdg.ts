import { Effect, Layer, Schema } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { linkOf, loginPlaces } from "../../domain/words/session/login.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { keptNames, placesIn } from "./leapPaths.ts"
import { makeDirectory } from "./madeDirectories.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import { StoreError } from "../../services/StoreError.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

const unsafe = (file: string, reason: "failed" | "missing", why: string, mend: string) =>
  new StoreError({ store: "directory", reason, file, why, mend })

/** Creates the directory (0700), or closes it to others. Fails if it is another user's, or others may write in it. */
const ensure = (dir: string): Effect.Effect<void, StoreError> => {
  let mend = `ls -ld ${path.dirname(dir)}`
  return Effect.try({
    try: () => {
      makeDirectory(dir, 0o700)
      mend = `ls -ld ${dir}`
      const stat = fs.lstatSync(dir)
      if (!stat.isDirectory()) throw new Error("it is not a directory")
      const uid = process.getuid?.()
      if (uid !== undefined && stat.uid !== uid) throw new Error(`it belongs to another user (uid ${stat.uid})`)
      if ((stat.mode & 0o022) !== 0) {
        mend = `chmod 700 ${dir}`
        throw new Error("others may write in it; leap wants a directory of its own (chmod 700)")
      }
      if ((stat.mode & 0o077) !== 0) fs.chmodSync(dir, 0o700)
    },
    catch: (cause) =>
      fs.existsSync(dir)
        ? unsafe(dir, "failed", errorTextOf(cause), mend)
        : unsafe(dir, "missing", whyNotMade(dir, cause), "export LEAP_HOME=DIR")
  })
}

/** Why a directory cannot be made. Its nearest existing parent says more than Node's error for the missing one. */
const whyNotMade = (dir: string, cause: unknown): string => {
  let at = path.dirname(dir)
  while (at !== path.dirname(at) && !fs.existsSync(at)) at = path.dirname(at)
  try {
    fs.accessSync(at, fs.constants.W_OK)
  } catch (denied) {
    return unusable(at, "unwritable", denied).why
  }
  return unusable(at, "unwritable", cause).why
}

/** The system's error codes in words, with what mends them. */
const troubles: Readonly<Record<string, readonly [why: string, mend: (dir: string) => string | null]>> = {
  ENOSPC: ["the disk is full", (dir) => `df -h ${dir}`],
  EDQUOT: ["your disk quota is used up", () => "quota"],
  EROFS: ["the file system is read-only", () => "mount"],
  EACCES: ["its permissions forbid it to you", (dir) => `ls -ld ${dir}`],
  EPERM: ["its permissions forbid it to you", (dir) => `ls -ld ${dir}`],
  ENOTDIR: ["it is not a directory", () => null],
  ENOENT: ["no directories can be made there", () => null],
  EIO: ["the disk fails", () => "dmesg"]
}

/** Why leap's directory cannot be read or written, from the system's error. */
export const unusable = (file: string, reason: "unreadable" | "unwritable", cause: unknown): StoreError => {
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? ""
  const [why, mend] = troubles[code] ?? [errorTextOf(cause), () => null]
  const helps = mend(file)
  return new StoreError({ store: "state", reason, file, why, ...(helps === null ? {} : { mend: helps }) })
}

/** Runs on a directory that may be missing, which is no trouble. */
const attempt = (file: string, reason: "unreadable" | "unwritable", run: () => void): Effect.Effect<void, StoreError> =>
  Effect.suspend(() => {
    try {
      run()
      return Effect.void
    } catch (cause) {
      return (cause as NodeJS.ErrnoException).code === "ENOENT" ? Effect.void : unusable(file, reason, cause)
    }
  })

/** The entries of a directory; none if it is unreadable. */
const entriesOf = (dir: string): ReadonlyArray<fs.Dirent> =>
  tryOr(() => fs.readdirSync(dir, { withFileTypes: true }), [])

const make = (env: Readonly<Record<string, string | undefined>>, cwd?: string): Paths["Service"] => {
  const places = placesIn(env, cwd)
  const { config, session, sessions, state } = places
  return {
    state,
    config,
    sessions,
    hookScript: path.join(state, "hooks", "leap-hook.sh"),
    ensureBase: Effect.forEach([state, sessions], ensure, { discard: true }),
    session,
    ensureSession: Effect.fn("Paths.ensureSession")(function* (tag: Tag) {
      const paths = session(tag)
      for (const dir of [state, sessions, paths.dir, paths.spool, path.dirname(paths.socket)]) yield* ensure(dir)
      return paths
    }),
    removeSession: (tag) =>
      Effect.tryPromise({
        try: () => {
          const { dir, socket } = session(tag)
          fs.rmSync(socket, { force: true })
          for (const place of loginPlaces) fs.rmSync(linkOf(socket, place), { force: true })
          // not rmSync, which leaves the rest without an error where an entry has just gone
          return new Promise<void>((done, failed) =>
            fs.rm(dir, { recursive: true, force: true }, (failure) => (failure === null ? done() : failed(failure)))
          )
        },
        catch: (cause) => unsafe(session(tag).dir, "failed", errorTextOf(cause), `ls -ld ${session(tag).dir}`)
      }),
    readable: attempt(sessions, "unreadable", () => void fs.readdirSync(sessions)),
    writable: attempt(state, "unwritable", () => {
      const probe = path.join(state, `.probe-${process.pid}`)
      try {
        // more than a file system stores beside a file's name
        fs.writeFileSync(probe, Buffer.alloc(8192), { mode: 0o600, flush: true })
      } finally {
        fs.rmSync(probe, { force: true })
      }
    }),
    tags: Effect.sync(() =>
      entriesOf(sessions)
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .filter(Schema.is(Tag))
        .sort()
    ),
    others: Effect.sync(() =>
      [...new Set([state, config])].flatMap((dir) =>
        entriesOf(dir).flatMap(({ name }) =>
          keptNames.some(([, where, names]) => places[where] === dir && names.test(name)) ? [] : [path.join(dir, name)]
        )
      )
    ),
    kept: Effect.sync(() =>
      [
        ...keptNames.map(([what, where, names]) => ({
          what,
          paths: entriesOf(places[where]).flatMap(({ name }) =>
            names.test(name) ? [path.join(places[where], name)] : []
          )
        })),
        { what: "sockets", paths: fs.existsSync(places.runtime) ? [places.runtime] : [] }
      ].filter(({ paths }) => paths.length > 0)
    )
  }
}

/** From the process environment: LEAP_HOME, else XDG_STATE_HOME and XDG_CONFIG_HOME. */
export const layer: Layer.Layer<Paths> = Layer.sync(Paths, () => make(process.env))
/** From another environment, for a command in this directory. */
export const layerFrom = (env: Readonly<Record<string, string | undefined>>, cwd?: string): Layer.Layer<Paths> =>
  Layer.sync(Paths, () => make(env, cwd))

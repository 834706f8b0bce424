import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as fsAsync from "node:fs/promises"
import * as net from "node:net"
import * as path from "node:path"
import { tryOr } from "../../domain/words/reading/tryOr.ts"
import { type FoundPlace, LoginLinks } from "../../services/LoginLinks.ts"

const foreign: FoundPlace = { _tag: "Foreign" }

const connectTimeout = "1 second"

const uid = process.getuid?.()

/** Whether only the user and root can replace the target of this path. */
const isSafe = (file: string): boolean =>
  tryOr(() => {
    // others may write only to directories further up, where the sticky bit protects the user's entries, as in /tmp
    for (let directory = path.dirname(file), own = true; ; directory = path.dirname(directory), own = false) {
      const stat = fs.lstatSync(directory)
      const replaceable = (stat.mode & 0o022) !== 0 && (own || (stat.mode & 0o1000) === 0)
      if (!stat.isDirectory() || (stat.uid !== 0 && stat.uid !== uid) || replaceable) return false
      if (directory === path.dirname(directory)) return true
    }
  }, false)

const answers = (socket: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const link = net.connect(socket)
    const answer = (listened: boolean) => resume(Effect.sync(() => (link.destroy(), listened)))
    link.once("connect", () => answer(true))
    link.on("error", () => answer(false))
    return Effect.sync(() => void link.destroy())
  }).pipe(Effect.timeoutOrElse({ duration: connectTimeout, orElse: () => Effect.succeed(false) }))

const lookAt = (place: string, kind: "socket" | "file"): Effect.Effect<FoundPlace> =>
  Effect.gen(function* () {
    const real = yield* Effect.tryPromise(() => fsAsync.realpath(place))
    const stat = yield* Effect.tryPromise(() => fsAsync.lstat(real))
    if (kind === "socket" ? !stat.isSocket() : !stat.isFile()) return foreign
    return stat.uid === uid && isSafe(real) ? ({ _tag: "Lives", path: real } as const) : foreign
  }).pipe(Effect.orElseSucceed((): FoundPlace => ({ _tag: "Gone", isSafe: isSafe(place) })))

export const layer: Layer.Layer<LoginLinks> = Layer.succeed(LoginLinks, {
  find: (place, kind, connects) =>
    Effect.flatMap(lookAt(place, kind), (found) =>
      found._tag !== "Lives" || kind === "file" || !connects
        ? Effect.succeed(found)
        : Effect.map(answers(found.path), (listened) =>
            listened ? found : { _tag: "Gone", isSafe: isSafe(found.path) }
          )
    ),
  point: (link, target) =>
    Effect.try(() => {
      const fresh = `${link}.${process.pid}`
      fs.rmSync(fresh, { force: true })
      fs.symlinkSync(target, fresh)
      fs.renameSync(fresh, link)
      return true
    }).pipe(Effect.orElseSucceed(() => false)),
  changed: (places) =>
    Effect.callback<void>((resume) => {
      const watchers: Array<fs.FSWatcher> = []
      const close = Effect.sync(() => {
        for (const watcher of watchers) watcher.close()
      })
      for (const place of places) {
        try {
          const watcher = fs.watch(path.dirname(place), (_, name) => {
            // a directory also reports its own deletion, by its own name
            if (name === null || name === path.basename(place) || name === path.basename(path.dirname(place)))
              resume(close)
          })
          watcher.on("error", () => watcher.close())
          watchers.push(watcher)
        } catch {
          // the directory is gone, or no watches are left: the next login that attaches finds out
        }
      }
      return close
    }),
  remove: (link) => Effect.ignore(Effect.try(() => fs.rmSync(link, { force: true })))
})

import { Effect, Option } from "effect"
import type { ToolRequest } from "../../domain/policy/ToolRequest.ts"
import type { System } from "../System.ts"
import { absolutePath, parentOf } from "../../domain/words/text/paths.ts"

/** The bounds of following a request's links, for which the CLI waits. */
const linkTimeout = "200 millis"
const linkLimit = 100

/** The result if the disk answers in time; otherwise the fallback. */
const inTime = <A, B>(found: Effect.Effect<A>, orElse: B): Effect.Effect<A | B> =>
  found.pipe(
    Effect.timeoutOrElse({ duration: linkTimeout, orElse: () => Effect.succeed(orElse) }),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("links could not be followed", defect), orElse))
  )

const mostLevels = 64

/** The root of the repository that git finds from a directory: one with a `.git`, or a bare repository. */
const rootOf = Effect.fnUntraced(function* (system: System["Service"], directory: string) {
  let at = directory
  for (let level = 0; level < mostLevels; level++) {
    const [inner, link, head, objects] = yield* Effect.all([
      system.directory(`${at}/.git`),
      system.file(`${at}/.git`),
      system.file(`${at}/HEAD`),
      system.directory(`${at}/objects`)
    ])
    if (Option.isSome(inner) || Option.isSome(link) || (Option.isSome(head) && Option.isSome(objects))) return at
    if (at === "/" || at === "") return null
    at = parentOf(at)
  }
  return at
})

/** The repositories that git finds from the directories in which a command line calls it. */
const findRepositories = (system: System["Service"], directories: ReadonlyArray<string>) =>
  Effect.forEach(directories, (directory) =>
    Effect.gen(function* () {
      const real = yield* system.realPath(directory)
      return real === null ? [] : [{ directory, root: yield* rootOf(system, real) }]
    })
  ).pipe(Effect.map((found) => found.flat()))

/** A request with the targets of its paths, and whether all links could be followed. */
export const followed = Effect.fnUntraced(function* (system: System["Service"], request: ToolRequest, home: string) {
  const real = yield* inTime(
    Effect.forEach(request.paths.slice(0, linkLimit), (path) => system.realPath(absolutePath(request.cwd, path)), {
      concurrency: 8
    }),
    []
  )
  const realPaths = real.flatMap((path) => path ?? [])
  const certain = realPaths.length === request.paths.length
  if (request.command === null) return { request: { ...request, realPaths }, certain }
  const words = yield* Effect.promise(() => import("./followWords.ts"))
  const onDisk = words.wordsOnDisk(request.command, request.cwd, home)
  const led = yield* inTime(words.followWords(system, onDisk), { named: [], certain: false })
  const repositories = yield* inTime(findRepositories(system, onDisk.repositories), [])
  return { request: { ...request, realPaths, named: led.named, repositories }, certain: certain && led.certain }
})

import { Effect, Option } from "effect"
import type { ToolRequest } from "../../domain/rules/policy/ToolRequest.ts"
import type { System } from "../../services/System.ts"
import { absoluteIn } from "../../domain/words/text/normalPath.ts"

/** How long following the links of a request's paths may keep the CLI waiting, and how many are followed. */
const linkPatience = "200 millis"
const linkLimit = 100
const notFollowed: ReadonlyArray<string | null> = []

/** Where the words of a command line lead that may name files, as far as that can be seen. */
const followWords = ({ realPath }: System["Service"], request: ToolRequest) =>
  Effect.promise(() => import("../../domain/rules/policy/Subject.ts")).pipe(
    Effect.flatMap(({ wordsToFollow }) =>
      Effect.forEach(
        wordsToFollow(request),
        (word) =>
          Effect.map(realPath(absoluteIn(request.cwd, word)), (path) => (path === null ? [] : [{ word, path }])),
        { concurrency: 8 }
      )
    ),
    Effect.map((found) => found.flat()),
    Effect.timeoutOrElse({ duration: linkPatience, orElse: () => Effect.succeed([]) }),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("links could not be followed", defect), []))
  )

/** How far up a repository is looked for. */
const mostLevels = 64

/** The root of the repository that git finds from a directory: one with a `.git`, or what looks like one itself. */
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
    at = at.slice(0, at.lastIndexOf("/")) || "/"
  }
  return at
})

const findRepositories = (system: System["Service"], request: ToolRequest) =>
  Effect.promise(() => import("../../domain/rules/policy/Subject.ts")).pipe(
    Effect.flatMap(({ repositoriesToFind }) =>
      Effect.forEach(repositoriesToFind(request), (directory) =>
        Effect.gen(function* () {
          const real = yield* system.realPath(directory)
          return real === null ? [] : [{ directory, root: yield* rootOf(system, real) }]
        })
      )
    ),
    Effect.map((found) => found.flat()),
    Effect.timeoutOrElse({ duration: linkPatience, orElse: () => Effect.succeed([]) }),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("repositories could not be found", defect), []))
  )

/** A request with the paths to which its own lead, and whether all of them could be followed. */
export const followed = Effect.fnUntraced(function* (system: System["Service"], request: ToolRequest) {
  const real = yield* Effect.forEach(
    request.paths.slice(0, linkLimit),
    (path) => system.realPath(absoluteIn(request.cwd, path)),
    { concurrency: 8 }
  ).pipe(
    Effect.timeoutOrElse({ duration: linkPatience, orElse: () => Effect.succeed(notFollowed) }),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("links could not be followed", defect), notFollowed))
  )
  const realPaths = real.flatMap((path) => path ?? [])
  const certain = realPaths.length === request.paths.length
  const named =
    request.command === null
      ? {}
      : { named: yield* followWords(system, request), repositories: yield* findRepositories(system, request) }
  return { request: { ...request, realPaths, ...named }, certain }
})

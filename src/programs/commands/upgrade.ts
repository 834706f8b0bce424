import { Effect, FileSystem, Option, Path } from "effect"
import { Argument, Command } from "effect/cli"
import { ChildProcess } from "effect/process"
import { oneLine } from "../../domain/words/text/printable.ts"
import { runs } from "../../domain/words/session/states.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { Output } from "../../services/Output.ts"
import { System } from "../../services/System.ts"
import { allStatuses } from "../client/statuses.ts"
import { CommandError, fail } from "../exit.ts"
import { jsonFlag, print, wordArgument } from "./shared/common.ts"

/** The folder of the build that runs this command; fails if install.sh did not install it. */
const ownBuild = Effect.gen(function* () {
  const { realPath, self } = yield* System
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const program = yield* realPath(self.at(-1) ?? "")
  const build = path.join(path.dirname(program ?? "/"), "..")
  // a build that was unpacked by hand also has the script, but lies in a folder of the user
  const isKept = yield* Effect.match(fs.readLink(path.join(build, "..", "..", "current")), {
    onFailure: () => false,
    onSuccess: (to) => /^builds\/[^/]+$/.test(to) && path.basename(path.dirname(build)) === "builds"
  })
  if (isKept) return build
  return yield* fail(
    "refused",
    "this leap was not installed by install.sh: 'sh install.sh FILE' does so; a clone is upgraded by 'git pull', " +
      "what npm installed by 'npm install -g ./leap-VERSION.tgz'"
  )
})

/** The sessions whose host runs on the Node of another build, as far as `/proc` tells. */
const sessionsOfOthers = Effect.fnUntraced(function* (build: string) {
  const fs = yield* FileSystem.FileSystem
  const node = `${build}/node`
  const hosts = (yield* allStatuses()).flatMap(({ hostPid, ...status }) =>
    hostPid !== null && runs(status) ? [{ tag: status.tag, hostPid }] : []
  )
  return yield* Effect.filter(hosts, ({ hostPid }) =>
    Effect.match(fs.readLink(`/proc/${hostPid}/exe`), {
      onFailure: () => false,
      onSuccess: (program) => program !== node
    })
  )
})

export const upgrade = Command.make(
  "upgrade",
  {
    file: wordArgument("file", "What 'npm run release' made: a build, its folder, or the address of either").pipe(
      Argument.optional
    ),
    json: jsonFlag
  },
  Effect.fn(function* ({ file, json }) {
    const build = yield* ownBuild
    const path = yield* Path.Path
    if (Option.isSome(file)) {
      if (json) return yield* fail("usage", "--json tells which sessions run another build: without FILE")
      const { cwd } = yield* System
      // the script has all checks and messages, so that there is only one way
      const args = [path.join(build, "install.sh"), "--to", path.join(build, "..", ".."), "--bin", "-", file.value]
      const stdio = { stdin: "ignore", stdout: "inherit", stderr: "inherit" } as const
      const code = yield* ChildProcess.make("sh", args, { cwd, ...stdio }).pipe(
        Effect.flatMap(({ exitCode }) => exitCode),
        Effect.scoped,
        Effect.mapError(({ message }) => fail("failed", `install.sh could not be started: ${oneLine(message, 200)}`))
      )
      return code === 0 ? undefined : yield* new CommandError({ message: "", exitCode: code })
    }
    const name = path.basename(build)
    const sessions = yield* sessionsOfOthers(build)
    yield* print(json, { schema: 1, build: name, sessions }, () =>
      sessions.length === 0
        ? `every session that runs is hosted by this build (${name})`
        : table(
            sessions.map(({ tag }) => [tag, `leap stop ${tag} && leap resume --tag ${tag} --last --there --detach`])
          )
    )
    if (sessions.length > 0 && !json)
      yield* (yield* Output).note("leap: these go on with an earlier build; a command moves one over, between turns")
  })
).pipe(
  Command.withDescription(
    "Take another build of leap with Node inside in the place of this one: it is checked first, put in place whole, " +
      "and sessions that run go on with theirs. Without FILE: which sessions run an earlier build, and what moves them"
  ),
  Command.withShortDescription("Take another build of leap under sessions that run")
)

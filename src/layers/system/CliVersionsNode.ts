import { Effect, Layer, Option, Result, Schema } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { flagsIn } from "../../domain/cli/provider/OwnFlag.ts"
import { versionIn } from "../../domain/cli/provider/versionText.ts"
import { CliVersions, type LookUpOptions, type VersionQuery } from "../../services/CliVersions.ts"
import { Paths } from "../../services/Paths.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { briefRun } from "./briefRun.ts"

/** The limit of one run. It is long because a large program's first start after boot is slow. */
const timeout = "6 seconds"
/** More programs than a user has; the oldest entries are dropped first. */
const cacheLimit = 60

const VersionCache = Schema.fromJsonString(
  Schema.Struct({
    schema: Schema.Literal(1),
    programs: Schema.Record(Schema.String, Schema.String)
  })
)
const decode = Schema.decodeUnknownOption(VersionCache)

const programsIn = (content: Uint8Array | null): Readonly<Record<string, string>> =>
  content === null
    ? {}
    : Option.match(decode(new TextDecoder().decode(content)), {
        onNone: () => ({}),
        onSome: ({ programs }) => programs
      })

const make = Effect.gen(function* () {
  const paths = yield* Paths
  const shared = yield* SharedFile
  const file = path.join(paths.state, "versions.json")

  const lookUp = Effect.fn("CliVersions.lookUp")(function* (query: VersionQuery, options?: LookUpOptions) {
    const { args, program } = query
    // A wrapper script's attributes stay the same when the program behind it is replaced.
    const stat = yield* Effect.promise(() =>
      fs
        .realpath(program)
        .then((real) => fs.stat(real))
        .catch(() => null)
    )
    if (stat === null) return null
    const key = JSON.stringify([program, args, stat.mtimeMs, stat.size])
    const known = programsIn(yield* Effect.orElseSucceed(shared.read(file), () => null))
    if (options?.fresh !== true && Object.hasOwn(known, key)) return known[key] ?? null
    const version = versionIn((yield* briefRun(query, path.dirname(program), timeout)).text)
    if (version === null || known[key] === version) return version
    yield* Effect.ignore(
      Effect.andThen(
        paths.ensureBase,
        shared.change(file, (content) => {
          const others = Object.entries(programsIn(content)).filter(
            ([other]) => !other.startsWith(`[${JSON.stringify(program)},`)
          )
          const programs = Object.fromEntries([...others.slice(-(cacheLimit - 1)), [key, version]])
          return Result.succeed(new TextEncoder().encode(`${JSON.stringify({ schema: 1, programs })}\n`))
        })
      )
    )
    return version
  })

  const flags = Effect.fn("CliVersions.flags")(function* (query: Omit<VersionQuery, "args">) {
    const { text } = yield* briefRun({ ...query, args: ["--help"] }, path.dirname(query.program), timeout)
    const found = flagsIn(text)
    return found.size === 0 ? null : found
  })

  return CliVersions.of({ lookUp, flags })
})

/** Runs the programs, and caches their versions in leap's state directory. */
export const layer: Layer.Layer<CliVersions, never, Paths | SharedFile> = Layer.effect(CliVersions, make)

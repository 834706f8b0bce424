import { Effect, Layer, Option, Result, Schema } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { versionIn } from "../domain/versionText.ts"
import { CliVersions, type VersionQuestion } from "../services/CliVersions.ts"
import { Paths } from "../services/Paths.ts"
import { SharedFile } from "../services/SharedFile.ts"

const patience = "3 seconds"
/** More than any program says of its version. */
const outputLimit = 64 * 1024
/** More programs than anybody has; the ones asked longest ago go first. */
const remembered = 60

const Remembered = Schema.fromJsonString(Schema.Struct({
  schema: Schema.Literal(1),
  programs: Schema.Record(Schema.String, Schema.String)
}))
const decode = Schema.decodeUnknownOption(Remembered)

const programsIn = (content: Uint8Array | null): Readonly<Record<string, string>> =>
  content === null ? {} : Option.match(decode(new TextDecoder().decode(content)), { onNone: () => ({}), onSome: ({ programs }) => programs })

/** Starts the program in a group of its own, which ends with it, and gives back what it printed until it ended or the time was up. */
const run = ({ args, env, program }: VersionQuestion, cwd: string): Effect.Effect<string> =>
  Effect.suspend(() => {
    let text = ""
    return Effect.callback<void>((resume) => {
      const child = spawn(program, args, { env, cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] })
      const take = (data: string): void => {
        if (text.length < outputLimit) text += data
      }
      child.stdout.setEncoding("utf8").on("data", take)
      child.stderr.setEncoding("utf8").on("data", take)
      const endGroup = (): void => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
        } catch {
          // it is gone
        }
      }
      child.once("error", () => resume(Effect.void))
      // what it leaves running would keep its pipes open
      child.once("exit", endGroup)
      child.once("close", () => resume(Effect.void))
      return Effect.sync(() => {
        endGroup()
        child.stdout.destroy()
        child.stderr.destroy()
        child.unref()
      })
    }).pipe(Effect.timeoutOption(patience), Effect.map(() => text))
  })

const make = Effect.gen(function*() {
  const paths = yield* Paths
  const shared = yield* SharedFile
  const file = path.join(paths.state, "versions.json")

  const ask = Effect.fn("CliVersions.ask")(function*(question: VersionQuestion) {
    const { args, program } = question
    // a wrapper stays the same when what it starts is replaced; that is as far as a file's looks can tell
    const looks = yield* Effect.promise(() => fs.realpath(program).then((real) => fs.stat(real)).catch(() => null))
    if (looks === null) return null
    const key = JSON.stringify([program, args, looks.mtimeMs, looks.size])
    const known = programsIn(yield* Effect.orElseSucceed(shared.read(file), () => null))
    if (Object.hasOwn(known, key)) return known[key] ?? null
    const version = versionIn(yield* run(question, path.dirname(program)))
    if (version === null) return null
    yield* Effect.ignore(Effect.andThen(
      paths.ensureBase,
      shared.change(file, (content) => {
        const others = Object.entries(programsIn(content)).filter(([other]) => !other.startsWith(`[${JSON.stringify(program)},`))
        const programs = Object.fromEntries([...others.slice(-(remembered - 1)), [key, version]])
        return Result.succeed(new TextEncoder().encode(`${JSON.stringify({ schema: 1, programs })}\n`))
      })
    ))
    return version
  })

  return CliVersions.of({ ask })
})

/** Asks the programs themselves, and remembers their answers in leap's state directory. */
export const layer: Layer.Layer<CliVersions, never, Paths | SharedFile> = Layer.effect(CliVersions, make)

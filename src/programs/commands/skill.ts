import { Effect, FileSystem, Option, Path } from "effect"
import { Argument, Command } from "effect/cli"
import { table } from "../../domain/words/wording/StateLine.ts"
import type { Provider } from "../../services/CLIProvider.ts"
import { HelpPages } from "../../services/HelpPages.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { installed, locate } from "../starting/locateCli.ts"
import { fail } from "../exit.ts"
import { fileProblem } from "../client/fileProblem.ts"
import { jsonFlag, print, toggle, wordArgument } from "./shared/common.ts"

/** Marks leap's own page; a page without it is the user's. */
const mark = "written-by: leap skill --install"

const page = Effect.gen(function* () {
  const pages = yield* (yield* HelpPages).all
  return pages.get("skill") ?? (yield* fail("failed", "the page 'skill' is not among leap's documents"))
})

/** The CLI's folder for its user's skills, or that of the open standard. */
const fileFor = Effect.fnUntraced(function* (provider: Provider) {
  const { env } = yield* locate(provider)
  const home = env["HOME"] ?? ""
  const own = (provider.commands?.folders(env, home) ?? []).findLast(({ ending }) => ending === "/SKILL.md")
  return `${own?.path ?? `${home}/.agents/skills`}/leap/SKILL.md`
})

/** The skill files of the user's CLIs, each with the CLIs that read it. */
const filesOf = Effect.fnUntraced(function* (providers: ReadonlyArray<Provider>) {
  const able = providers.filter(({ bundled, hooks }) => !bundled && hooks !== null)
  const files = yield* Effect.forEach(able, (provider) =>
    Effect.map(fileFor(provider), (file) => ({ file, cli: provider.id }))
  )
  return [...Map.groupBy(files, ({ file }) => file)].map(([file, its]) => ({ file, clis: its.map(({ cli }) => cli) }))
})

/** Writes the page if it differs; a page that leap did not write stays. */
const write = Effect.fnUntraced(function* (file: string, text: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const there = yield* Effect.option(fs.readFileString(file))
  if (Option.isSome(there) && !there.value.includes(mark)) return "not leap's, and left alone" as const
  if (Option.contains(there, text)) return "there already" as const
  yield* Effect.andThen(
    fs.makeDirectory(path.dirname(file), { recursive: true }),
    Effect.andThen(fs.writeFileString(`${file}.new`, text), fs.rename(`${file}.new`, file))
  )
  return Option.isSome(there) ? ("written anew" as const) : ("written" as const)
})

/** Removes each page that leap wrote, and returns their files. */
export const removeSkills = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const places = yield* filesOf(yield* (yield* Providers).load(({ bundled }) => !bundled))
  return yield* Effect.filter(
    places.map(({ file }) => file),
    (file) =>
      Effect.gen(function* () {
        if (!(yield* fs.readFileString(file)).includes(mark)) return false
        yield* fs.remove(file)
        // only an empty folder
        const left = yield* fs.readDirectory(path.dirname(file))
        if (left.length === 0) yield* fs.remove(path.dirname(file), { recursive: true })
        return true
      }).pipe(Effect.orElseSucceed(() => false))
  )
})

/** `leap skill`: prints the page that teaches an agent to use leap, or installs it for CLIs. */
export const skill = Command.make(
  "skill",
  {
    install: toggle("install", "Write it where the CLIs on this machine look for such pages"),
    cli: wordArgument("cli", "With --install: only this CLI").pipe(Argument.optional),
    json: jsonFlag
  },
  Effect.fn(function* ({ cli, install, json }) {
    const text = yield* page
    if (!install) {
      if (Option.isSome(cli))
        return yield* fail("usage", `'leap skill --install ${cli.value}' writes it for ${cli.value}`)
      return yield* print(json, { schema: 1, text }, () => text.trimEnd())
    }
    const providers = Option.isSome(cli) ? [yield* (yield* Providers).get(cli.value)] : yield* installed
    const places = yield* filesOf(providers)
    if (places.length === 0)
      return yield* fail(
        "refused",
        Option.isSome(cli)
          ? `leap knows no folder for such pages of '${cli.value}'; 'leap skill' prints it`
          : "no CLI that has a folder for such pages is installed; 'leap skill' prints it"
      )
    const files = yield* Effect.forEach(places, ({ clis, file }) =>
      write(file, text).pipe(
        Effect.map((state) => ({ file, clis, state })),
        Effect.mapError((error) => fail("failed", `cannot write ${file}: ${fileProblem(error)}`))
      )
    )
    yield* print(json, { schema: 1, files }, () =>
      table(files.map(({ clis, file, state }) => [state, file, clis.join(", ")]))
    )
    if (!json)
      yield* (yield* Output).note("leap: sessions that begin from now on know of it; 'leap uninstall' removes it")
  })
).pipe(
  Command.withDescription(
    "Print a page that teaches an agent to work with sessions: see them, send, wait, read, answer within its rights. " +
      "With --install it is written where CLIs look for such pages (SKILL.md)"
  ),
  Command.withShortDescription("A page that teaches an agent to use leap")
)

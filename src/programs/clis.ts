import { Effect, Option, Result } from "effect"
import { defaultFlags, splitWords } from "../domain/DefaultFlags.ts"
import { customIdProblem, idFromName, variableProblem } from "../domain/settings/CustomCli.ts"
import { addCli, changeCli, type CliChange, inTurn, removeCli, type SettingsEdit, setOrder } from "../domain/settings/editSettings.ts"
import type { CliSettings } from "../domain/settings/Settings.ts"
import type { ProviderRecord } from "../services/CLIProvider.ts"
import { CliVersions } from "../services/CliVersions.ts"
import { Machine } from "../services/Machine.ts"
import { Providers } from "../services/Providers.ts"
import { UserSettings } from "../services/UserSettings.ts"
import { fail } from "./exit.ts"
import { locate } from "./locate.ts"

/** One CLI as `leap clis list` tells of it. */
export interface CliRow {
  readonly id: string
  /** The built-in CLI that it is, or is a variant of. */
  readonly base: string
  readonly custom: boolean
  readonly displayName: string
  readonly command: string
  /** The program's file; null when it is not on this machine. */
  readonly path: string | null
  readonly version: string | null
  readonly flags: string | null
  readonly flagsFrom: "environment" | "settings" | null
  readonly env: Readonly<Record<string, string>>
  readonly hidden: boolean
}

/** The CLIs that the user has to do with. */
const offered = Effect.map(Providers, ({ all }) => all.filter(({ bundled }) => !bundled))

const isCustom = ({ base, id }: ProviderRecord): boolean => base !== id

/** The version that a CLI's program names; null where it is not installed, or does not tell. */
export const versionOf = Effect.fn("versionOf")(function*(provider: ProviderRecord) {
  const { env, path } = yield* locate(provider)
  return Option.isNone(path) ? null : yield* (yield* CliVersions).ask({ program: path.value, args: provider.versionArgs, env })
})

/** All CLIs in the user's order, and what of what is said of them cannot be used. */
export const listClis = Effect.fn("listClis")(function*() {
  const machine = yield* Machine
  const userSettings = yield* UserSettings
  const { settings, warnings } = yield* userSettings.read
  const providers = yield* offered
  const rows = yield* Effect.forEach(providers, Effect.fnUntraced(function*(provider) {
    const { command, path } = yield* locate(provider)
    const flags = defaultFlags(provider.id, provider.flags, machine.env)
    const own = Object.hasOwn(settings.clis, provider.id) ? settings.clis[provider.id] : undefined
    const row: CliRow = {
      id: provider.id,
      base: provider.base,
      custom: isCustom(provider),
      displayName: provider.displayName,
      command,
      path: Option.getOrNull(path),
      version: yield* versionOf(provider),
      flags: flags.text,
      flagsFrom: flags.source,
      env: own?.env ?? {},
      hidden: provider.hidden
    }
    return { row, warnings: flags.warning === null ? [] : [flags.warning] }
  }), { concurrency: 2 })
  return {
    clis: rows.map(({ row }) => row),
    warnings: [...warnings.map((warning) => `${userSettings.file}: ${warning}`), ...rows.flatMap(({ warnings }) => warnings)]
  }
})

/** The CLI of this id, or exit code 3. */
const known = Effect.fn("clis.known")(function*(id: string) {
  const providers = yield* offered
  const found = providers.find((provider) => provider.id === id)
  if (found === undefined) return yield* fail("notFound", `no CLI is called '${id}'; known: ${providers.map((it) => it.id).join(", ")}`)
  return found
})

/** The built-in CLI of this id. */
const baseOf = Effect.fn("clis.base")(function*(id: string) {
  const { all } = yield* Providers
  const bases = all.filter((provider) => !isCustom(provider))
  if (bases.some((provider) => provider.id === id)) return id
  const names = bases.filter(({ bundled }) => !bundled).map((provider) => provider.id).join(", ")
  return yield* fail("usage", `'${id}' cannot be a base; a CLI is a variant of one of these: ${names}`)
})

const change = Effect.fn("clis.change")(function*(edit: SettingsEdit) {
  yield* (yield* UserSettings).change(edit)
})

/** What of a CLI was given on the command line. */
export interface CliWords {
  readonly name: Option.Option<string>
  readonly command: Option.Option<string>
  readonly flags: Option.Option<string>
  /** `KEY=VALUE` each. */
  readonly env: ReadonlyArray<string>
}

const variables = (words: ReadonlyArray<string>) =>
  Effect.forEach(words, Effect.fnUntraced(function*(word) {
    const at = word.indexOf("=")
    if (at < 0) return yield* fail("usage", `--env takes KEY=VALUE, not '${word}'`)
    const [name, value] = [word.slice(0, at).trim(), word.slice(at + 1)]
    const problem = variableProblem(name, value)
    if (problem !== null) return yield* fail("usage", `--env: ${problem}`)
    return [name, value] as const
  })).pipe(Effect.map((pairs): Readonly<Record<string, string>> => Object.fromEntries(pairs)))

/** A text on the command line; an empty one is none. */
const textOf = Effect.fnUntraced(function*(flag: string, given: Option.Option<string>) {
  const text = Option.getOrElse(given, () => "").trim()
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return yield* fail("usage", `--${flag}: it holds a control character`)
  return text === "" ? null : text
})

const checked = Effect.fn("clis.checked")(function*(words: CliWords) {
  const flags = yield* textOf("flags", words.flags)
  const split = splitWords(flags ?? "")
  if (Result.isFailure(split)) return yield* fail("usage", `--flags cannot be split into words: ${split.failure}`)
  const command = yield* textOf("command", words.command)
  const machine = yield* Machine
  return {
    displayName: yield* textOf("name", words.name),
    // a path is meant from here, and kept for everywhere
    command: command !== null && command.includes("/") && !/^[/~$]/.test(command) ? `${machine.cwd}/${command.replace(/^\.\//, "")}` : command,
    flags,
    env: yield* variables(words.env)
  }
})

/** A new CLI of the user's own; gives back its id. */
export const addClis = Effect.fn("clis.add")(function*(id: Option.Option<string>, base: string, words: CliWords) {
  const { all } = yield* Providers
  const builtin = all.filter((provider) => !isCustom(provider)).map((provider) => provider.id)
  yield* baseOf(base)
  const { command, displayName, env, flags } = yield* checked(words)
  const taken = all.map((provider) => provider.id)
  if (Option.isNone(id) && displayName === null) return yield* fail("usage", "the new CLI needs an id, or a --name to make one of")
  const chosen = Option.getOrElse(id, () => idFromName(displayName ?? "", base, taken))
  if (builtin.includes(chosen)) return yield* fail("refused", `'${chosen}' is a CLI of leap's own; take another id, or change it with 'leap clis edit ${chosen}'`)
  if (taken.includes(chosen)) return yield* fail("refused", `there is a CLI '${chosen}' already; 'leap clis edit ${chosen}' changes it`)
  const problem = customIdProblem(chosen, builtin)
  if (problem !== null) return yield* fail("usage", problem)
  const cli: CliSettings = {
    base,
    ...(displayName === null ? {} : { displayName }),
    ...(command === null ? {} : { command }),
    ...(flags === null ? {} : { flags }),
    ...(Object.keys(env).length === 0 ? {} : { env })
  }
  yield* change(addCli(chosen, cli))
  return chosen
})

const fieldNames: Readonly<Record<string, "displayName" | "command" | "flags" | "env">> = { name: "displayName", command: "command", flags: "flags", env: "env" }

/** Changes a CLI. `unset`: `name`, `command`, `flags`, `env`, or one variable as `env.KEY`. */
export const editClis = Effect.fn("clis.edit")(function*(id: string, base: Option.Option<string>, words: CliWords, unset: ReadonlyArray<string>) {
  const provider = yield* known(id)
  if (Option.isSome(base)) {
    if (!isCustom(provider)) return yield* fail("refused", `'${id}' is a CLI of leap's own, which has no base`)
    yield* baseOf(base.value)
  }
  const given = yield* checked(words)
  let said: CliChange = {}
  const taken: Record<string, null> = {}
  for (const word of unset) {
    const field = Object.hasOwn(fieldNames, word) ? fieldNames[word] : undefined
    if (field !== undefined) said = { ...said, [field]: null }
    else if (/^env\../.test(word)) taken[word.slice(4)] = null
    else return yield* fail("usage", `--unset takes name, command, flags, env or env.KEY, not '${word}'`)
  }
  const changes: CliChange = {
    ...said,
    ...(Option.isSome(base) ? { base: base.value } : {}),
    ...(Option.isSome(words.name) ? { displayName: given.displayName } : {}),
    ...(Option.isSome(words.command) ? { command: given.command } : {}),
    ...(Option.isSome(words.flags) ? { flags: given.flags } : {}),
    variables: { ...taken, ...given.env }
  }
  if (Object.keys(changes).length === 1 && Object.keys(changes.variables ?? {}).length === 0) {
    return yield* fail("usage", `nothing to change: see 'leap clis edit --help'`)
  }
  yield* change(changeCli(id, changes))
})

/** Takes a CLI of the user's own away, also one that cannot be used as it stands in the settings. */
export const removeClis = Effect.fn("clis.remove")(function*(id: string) {
  const { all } = yield* Providers
  if (all.some((provider) => provider.id === id && !isCustom(provider))) {
    return yield* fail("refused", `'${id}' is a CLI of leap's own and stays; 'leap clis hide ${id}' takes it out of the choice`)
  }
  const settings = yield* UserSettings
  const { order } = (yield* settings.read).settings
  let missing = false
  yield* settings.change((text) => {
    const removed = removeCli(id, order)(text)
    missing = Result.isSuccess(removed) && removed.success === (text ?? "")
    return missing ? Result.fail(`no CLI is called '${id}'`) : removed
  }).pipe(Effect.mapError((error) => missing ? fail("notFound", `no CLI of yours is called '${id}'`) : error))
})

/** Hides CLIs from the choice, or shows them again. */
export const hideClis = Effect.fn("clis.hide")(function*(ids: ReadonlyArray<string>, hidden: boolean) {
  yield* Effect.forEach(ids, known)
  if (hidden && (yield* offered).every((provider) => provider.hidden || ids.includes(provider.id))) {
    return yield* fail("refused", "that would hide the last CLI that is shown")
  }
  yield* change(inTurn(ids.map((id) => changeCli(id, { hidden: hidden ? true : null }))))
})

/** Puts CLIs in this order, before all others; gives back the whole order. Without ids nothing changes. */
export const orderClis = Effect.fn("clis.order")(function*(ids: ReadonlyArray<string>) {
  yield* Effect.forEach(ids, known)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return yield* fail("usage", `'${twice}' is named twice`)
  if (ids.length > 0) yield* change(setOrder(ids))
  const others = (yield* offered).map((provider) => provider.id).filter((id) => !ids.includes(id))
  return [...ids, ...others]
})

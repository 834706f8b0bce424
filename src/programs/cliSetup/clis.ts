import { Effect, Option, Result } from "effect"
import { defaultFlags } from "../../domain/cli/provider/DefaultFlags.ts"
import { splitWords } from "../../domain/words/text/splitWords.ts"
import { customIdProblem, idFromName, variableProblem } from "../../domain/store/settings/CustomCli.ts"
import {
  addCli,
  changeCli,
  type CliChange,
  inTurn,
  removeCli,
  setOrder,
  type SettingsEdit
} from "../../domain/store/settings/editSettings.ts"
import {
  type PatternKind,
  patternKinds,
  patternProblem,
  patternsAtMost
} from "../../domain/store/settings/screenPatterns.ts"
import type { CliSettings } from "../../domain/store/settings/Settings.ts"
import type { CliIdentity } from "../../services/CLIProvider.ts"
import { System } from "../../services/System.ts"
import { Providers } from "../../services/Providers.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { fail } from "../exit.ts"
import { locate, versionOf } from "../starting/locateCli.ts"

type ScreenFields = Readonly<Record<PatternKind, ReadonlyArray<string>>>

const isPatternKind = (name: string): name is PatternKind => patternKinds.some((kind) => kind === name)

const screenPatterns = Effect.fn("clis.screenPatterns")(function* (base: string, given: ScreenFields | undefined) {
  const screen: Partial<Record<PatternKind, ReadonlyArray<string>>> = {}
  for (const kind of patternKinds) {
    const sources = given?.[kind] ?? []
    if (sources.length === 0) continue
    if (sources.length > patternsAtMost) return yield* fail("usage", `--${kind}: at most ${patternsAtMost} patterns`)
    for (const source of sources) {
      const problem = patternProblem(kind, source)
      if (problem !== null) return yield* fail("usage", `--${kind} '${source}': ${problem}`)
    }
    screen[kind] = sources
  }
  if (Object.keys(screen).length > 0) {
    const { forProgram } = yield* (yield* Providers).get(base)
    if (forProgram === undefined)
      return yield* fail("usage", `leap has a reader of its own for the screen of ${base}: it takes no patterns`)
  }
  return screen
})

const isOffered = ({ bundled }: CliIdentity): boolean => !bundled
const offered = Effect.map(Providers, ({ all }) => all.filter(isOffered))

const isCustom = ({ base, id }: CliIdentity): boolean => base !== id

/** All CLIs in the user's order, and warnings on invalid settings. */
export const listClis = Effect.fn("listClis")(function* () {
  const system = yield* System
  const userSettings = yield* UserSettings
  const { settings, warnings } = yield* userSettings.read
  const providers = yield* (yield* Providers).load(isOffered)
  const rows = yield* Effect.forEach(
    providers,
    Effect.fnUntraced(function* (provider) {
      const { command, path } = yield* locate(provider)
      const flags = defaultFlags(provider.id, provider.flags, system.env)
      const entry = Object.hasOwn(settings.clis, provider.id) ? settings.clis[provider.id] : undefined
      const row = {
        id: provider.id,
        base: provider.base,
        custom: isCustom(provider),
        displayName: provider.displayName,
        command,
        path: provider.takesCommand ? null : Option.getOrNull(path),
        version: provider.takesCommand ? null : yield* versionOf(provider),
        flags: flags.text,
        flagsFrom: flags.source,
        env: entry?.env ?? {},
        hidden: provider.hidden,
        // it has no program: the user names one after `--`
        ...(provider.takesCommand ? { takesCommand: true as const } : {})
      }
      return { row, warnings: flags.warning === null ? [] : [flags.warning] }
    }),
    { concurrency: 2 }
  )
  return {
    clis: rows.map(({ row }) => row),
    warnings: [
      ...warnings.map((warning) => `${userSettings.file}: ${warning}`),
      ...rows.flatMap(({ warnings }) => warnings)
    ]
  }
})

export type CliRow = Effect.Success<ReturnType<typeof listClis>>["clis"][number]

const requireCli = Effect.fn("clis.require")(function* (id: string) {
  const providers = yield* offered
  const found = providers.find((provider) => provider.id === id)
  if (found === undefined)
    return yield* fail("notFound", `no CLI is called '${id}'; known: ${providers.map((it) => it.id).join(", ")}`)
  return found
})

const requireBase = Effect.fn("clis.base")(function* (id: string) {
  const bases = (yield* Providers).all.filter((provider) => !isCustom(provider))
  if (bases.some((provider) => provider.id === id)) return
  const names = bases.filter(isOffered).map((provider) => provider.id)
  return yield* fail("usage", `'${id}' cannot be a base; a CLI is a variant of one of these: ${names.join(", ")}`)
})

const change = Effect.fn("clis.change")(function* (edit: SettingsEdit) {
  yield* (yield* UserSettings).change(edit)
})

export interface CliFields {
  readonly name: Option.Option<string>
  readonly command: Option.Option<string>
  readonly flags: Option.Option<string>
  /** `KEY=VALUE` each. */
  readonly env: ReadonlyArray<string>
  /** Patterns of its screen; an empty kind stays unchanged. */
  readonly screen?: ScreenFields
}

const variables = (pairs: ReadonlyArray<string>) =>
  Effect.forEach(
    pairs,
    Effect.fnUntraced(function* (pair) {
      const equals = pair.indexOf("=")
      if (equals < 0) return yield* fail("usage", `--env takes KEY=VALUE, not '${pair}'`)
      const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1)]
      const problem = variableProblem(name, value)
      if (problem !== null) return yield* fail("usage", `--env: ${problem}`)
      return [name, value] as const
    })
  ).pipe(Effect.map((entries): Readonly<Record<string, string>> => Object.fromEntries(entries)))

const textOf = Effect.fnUntraced(function* (flag: string, value: Option.Option<string>) {
  const text = Option.getOrElse(value, () => "").trim()
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return yield* fail("usage", `--${flag}: it holds a control character`)
  return text === "" ? null : text
})

const validated = Effect.fn("clis.validated")(function* (fields: CliFields) {
  const flags = yield* textOf("flags", fields.flags)
  const split = splitWords(flags ?? "")
  if (Result.isFailure(split)) return yield* fail("usage", `--flags cannot be split into words: ${split.failure}`)
  const command = yield* textOf("command", fields.command)
  const system = yield* System
  return {
    displayName: yield* textOf("name", fields.name),
    // a relative path is resolved against this directory, and stored as absolute
    command:
      command !== null && command.includes("/") && !/^[/~$]/.test(command)
        ? `${system.cwd}/${command.replace(/^\.\//, "")}`
        : command,
    flags,
    env: yield* variables(fields.env)
  }
})

export const addClis = Effect.fn("clis.add")(function* (id: Option.Option<string>, base: string, fields: CliFields) {
  const { all } = yield* Providers
  const builtin = all.filter((provider) => !isCustom(provider)).map((provider) => provider.id)
  yield* requireBase(base)
  const { command, displayName, env, flags } = yield* validated(fields)
  const existing = all.map((provider) => provider.id)
  if (Option.isNone(id) && displayName === null)
    return yield* fail("usage", "the new CLI needs an id, or a --name to make one of")
  const chosen = Option.getOrElse(id, () => idFromName(displayName ?? "", base, existing))
  if (builtin.includes(chosen))
    return yield* fail(
      "refused",
      `'${chosen}' is a CLI of leap's own; take another id, or change it with 'leap clis edit ${chosen}'`
    )
  if (existing.includes(chosen))
    return yield* fail("refused", `there is a CLI '${chosen}' already; 'leap clis edit ${chosen}' changes it`)
  const problem = customIdProblem(chosen, builtin)
  if (problem !== null) return yield* fail("usage", problem)
  const screen = yield* screenPatterns(base, fields.screen)
  const cli: CliSettings = {
    base,
    ...(displayName === null ? {} : { displayName }),
    ...(command === null ? {} : { command }),
    ...(flags === null ? {} : { flags }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(Object.keys(screen).length === 0 ? {} : { screen })
  }
  yield* change(addCli(chosen, cli))
  return chosen
})

const fieldNames: Readonly<Record<string, "displayName" | "command" | "flags" | "env">> = {
  name: "displayName",
  command: "command",
  flags: "flags",
  env: "env"
}

/** Changes a CLI. `unset`: `name`, `command`, `flags`, `env`, one variable as `env.KEY`, or a kind of patterns. */
export const editClis = Effect.fn("clis.edit")(function* (
  id: string,
  base: Option.Option<string>,
  fields: CliFields,
  unset: ReadonlyArray<string>
) {
  const provider = yield* requireCli(id)
  if (Option.isSome(base)) {
    if (!isCustom(provider)) return yield* fail("refused", `'${id}' is a CLI of leap's own, which has no base`)
    yield* requireBase(base.value)
  }
  const values = yield* validated(fields)
  let cleared: CliChange = {}
  const clearedVariables: Record<string, null> = {}
  const clearedPatterns: Partial<Record<PatternKind, ReadonlyArray<string> | null>> = {}
  for (const name of unset) {
    const field = Object.hasOwn(fieldNames, name) ? fieldNames[name] : undefined
    if (field !== undefined) cleared = { ...cleared, [field]: null }
    else if (/^env\../.test(name)) clearedVariables[name.slice(4)] = null
    else if (isPatternKind(name)) clearedPatterns[name] = null
    else
      return yield* fail(
        "usage",
        `--unset takes name, command, flags, env, env.KEY, box, busy, done or dialog, not '${name}'`
      )
  }
  const screen = {
    ...clearedPatterns,
    ...(yield* screenPatterns(
      Option.getOrElse(base, () => provider.base),
      fields.screen
    ))
  }
  const changes: CliChange = {
    ...cleared,
    ...(Option.isSome(base) ? { base: base.value } : {}),
    ...(Option.isSome(fields.name) ? { displayName: values.displayName } : {}),
    ...(Option.isSome(fields.command) ? { command: values.command } : {}),
    ...(Option.isSome(fields.flags) ? { flags: values.flags } : {}),
    variables: { ...clearedVariables, ...values.env },
    ...(Object.keys(screen).length === 0 ? {} : { screen })
  }
  if (Object.keys(changes).length === 1 && Object.keys(changes.variables ?? {}).length === 0) {
    return yield* fail("usage", `nothing to change: see 'leap clis edit --help'`)
  }
  yield* change(changeCli(id, changes))
})

/** Removes a CLI of the user, also one with invalid settings. */
export const removeClis = Effect.fn("clis.remove")(function* (id: string) {
  const { all } = yield* Providers
  if (all.some((provider) => provider.id === id && !isCustom(provider))) {
    return yield* fail(
      "refused",
      `'${id}' is a CLI of leap's own and stays; 'leap clis hide ${id}' takes it out of the choice`
    )
  }
  const settings = yield* UserSettings
  const { order } = (yield* settings.read).settings
  let missing = false
  yield* settings
    .change((text) => {
      const removed = removeCli(id, order)(text)
      missing = Result.isSuccess(removed) && removed.success === (text ?? "")
      return missing ? Result.fail(`no CLI is called '${id}'`) : removed
    })
    .pipe(Effect.mapError((error) => (missing ? fail("notFound", `no CLI of yours is called '${id}'`) : error)))
})

export const hideClis = Effect.fn("clis.hide")(function* (ids: ReadonlyArray<string>, hidden: boolean) {
  yield* Effect.forEach(ids, requireCli)
  if (
    hidden &&
    (yield* offered).every((provider) => provider.hidden || provider.takesCommand || ids.includes(provider.id))
  ) {
    return yield* fail("refused", "that would hide the last CLI that is shown")
  }
  yield* change(inTurn(ids.map((id) => changeCli(id, { hidden: hidden ? true : null }))))
})

/** Puts CLIs in this order, before all others; returns the whole order. Without ids nothing changes. */
export const orderClis = Effect.fn("clis.order")(function* (ids: ReadonlyArray<string>) {
  yield* Effect.forEach(ids, requireCli)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return yield* fail("usage", `'${twice}' is named twice`)
  if (ids.length > 0) yield* change(setOrder(ids))
  const others = (yield* offered).map((provider) => provider.id).filter((id) => !ids.includes(id))
  return [...ids, ...others]
})

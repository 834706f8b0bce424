import { Effect, Equal } from "effect"
import { Command } from "effect/cli"
import { checkedEdit, setting } from "../../domain/store/settings/checkedEdit.ts"
import { removeIn } from "../../domain/store/settings/editSettings.ts"
import { defaultAt, settingsList, settingsSchema, valueAt } from "../../domain/store/settings/settingsList.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { fail } from "../exit.ts"
import { jsonFlag, print, wordArgument } from "./shared/common.ts"

const nameArgument = wordArgument(
  "name",
  "Its place in the file, as 'leap settings' lists it: notify.quietHours, clis.claude.flags"
)

const shown = (value: unknown): string => (value === undefined ? "not set" : JSON.stringify(value))

const builtin = Effect.map(Providers, ({ all }) => all.filter(({ base, id }) => base === id).map(({ id }) => id))

const warned = Effect.fnUntraced(function* (file: string, warnings: ReadonlyArray<string>) {
  const output = yield* Output
  for (const warning of warnings) yield* output.note(`leap: ${file}: ${oneLine(warning, 300)}`)
})

const rows = Effect.fn("settings.list")(function* (json: boolean) {
  const { file, read } = yield* UserSettings
  const { settings, warnings } = yield* read
  const all = settingsList().map(({ description, name, takes }) => {
    const [value, standard] = [valueAt(settings, name), defaultAt(name)]
    return {
      name,
      value: value ?? null,
      default: standard ?? null,
      takes,
      description,
      own: !Equal.equals(value, standard)
    }
  })
  yield* print(json, { schema: 1, file, settings: all, warnings }, () =>
    table([
      ["SETTING", "VALUE", "IS", "WHAT IT IS FOR"],
      ...all.map(({ description, name, own, takes, value }) => [
        name,
        `${own ? "* " : "  "}${oneLine(shown(value ?? undefined), 40)}`,
        takes,
        oneLine(description, 100)
      ])
    ])
  )
  if (!json) yield* (yield* Output).note(`* is not leap's default; the file is ${file}`)
  if (!json) yield* warned(file, warnings)
})

const list = Command.make("list", { json: jsonFlag }, ({ json }) => rows(json)).pipe(
  Command.withDescription("All settings: what counts now, what each can be, and what it is for")
)

/** Whether a name is in the list, or part of a list or table in it. */
const known = (name: string): boolean =>
  settingsList().some((one) => one.name === name || name.startsWith(`${one.name}.`) || one.name.startsWith(`${name}.`))

const notKnown = (name: string) =>
  fail("usage", `there is no setting '${oneLine(name, 60)}'; 'leap settings list' lists all of them`)

const get = Command.make(
  "get",
  { name: nameArgument, json: jsonFlag },
  Effect.fn(function* ({ json, name }) {
    const { file, read } = yield* UserSettings
    if (!known(name)) return yield* notKnown(name)
    const { settings, warnings } = yield* read
    const value = valueAt(settings, name)
    yield* print(json, { schema: 1, name, value: value ?? null, default: defaultAt(name) ?? null }, () => shown(value))
    if (!json) yield* warned(file, warnings)
  })
).pipe(Command.withDescription("The value of one setting that counts now"))

const set = Command.make(
  "set",
  {
    name: nameArgument,
    value: wordArgument("value", 'A word (always), or JSON: 15, true, null, \'["claude"]\', \'{"kind": "read"}\'')
  },
  Effect.fn(function* ({ name, value }) {
    const settings = yield* UserSettings
    if (!known(name)) return yield* notKnown(name)
    const edit = setting(name, value, yield* builtin)
    yield* Effect.mapError(settings.change(edit), ({ file, why }) =>
      fail("usage", `${name} was not set: ${why} (${file} was left as it is)`)
    )
    yield* (yield* Output).note(`${name} is ${shown(valueAt((yield* settings.read).settings, name))} now`)
  })
).pipe(Command.withDescription("Set one; comments in the file stay, and a value that leap would not use is refused"))

const unset = Command.make(
  "unset",
  { name: nameArgument },
  Effect.fn(function* ({ name }) {
    const settings = yield* UserSettings
    if (!known(name)) return yield* notKnown(name)
    yield* settings.change(checkedEdit(removeIn(name.split(".")), yield* builtin))
    yield* (yield* Output).note(`${name} is ${shown(valueAt((yield* settings.read).settings, name))} now`)
  })
).pipe(Command.withDescription("Take one out of the file: leap's default counts again"))

const check = Command.make(
  "check",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const { file, read } = yield* UserSettings
    const { warnings } = yield* read
    yield* print(json, { schema: 1, file, warnings }, () =>
      warnings.length === 0
        ? `${file}: nothing wrong`
        : warnings.map((line) => `${file}: ${oneLine(line, 300)}`).join("\n")
    )
    if (warnings.length > 0) return yield* fail("failed", "what is named above is not used; the rest is")
  })
).pipe(Command.withDescription("What of the file cannot be used, by its lines"))

const schema = Command.make("schema", {}, () =>
  Effect.flatMap(Output, (output) => output.line(JSON.stringify(settingsSchema(), null, 2)))
).pipe(Command.withDescription("The JSON Schema of the file, for editors ($schema in it names where that is)"))

export const settings = Command.make("settings", { json: jsonFlag }, ({ json }) => rows(json)).pipe(
  Command.withDescription("See, change and check leap's settings"),
  Command.withSubcommands([list, get, set, unset, check, schema])
)

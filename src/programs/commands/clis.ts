import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { oneLine } from "../../domain/words/text/printable.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { Output } from "../../services/Output.ts"
import { addClis, type CliRow, editClis, hideClis, listClis, orderClis, removeClis } from "../cliSetup/clis.ts"
import { clisProbe } from "./clisProbe.ts"
import { jsonFlag, print, textFlag, textFlags, wordArgument } from "./shared/common.ts"

const idArgument = wordArgument("id", "The CLI's id: a new one for 'add', else one that 'leap clis list' shows")
const idsArgument = idArgument.pipe(Argument.atLeast(1))

const commonFlags = {
  name: textFlag("name", "The name it is shown by"),
  command: textFlag("command", "Its program: a name on PATH, or a path"),
  flags: textFlag("flags", "Flags it is always started with, in shell words"),
  env: textFlags("env", "A variable for its environment; ~ and $NAME are put in when it starts").pipe(
    Flag.withMetavar("KEY=VALUE")
  )
}

const pattern = (kind: string, what: string) =>
  Flag.String(kind).pipe(
    Flag.withMetavar("PATTERN"),
    Flag.withDescription(`${what} (base generic; * is any text, {wheel} a turning character, {n} a number)`),
    Flag.atLeast(0)
  )

const screenFlags = {
  box: pattern("box", "A row that is its input box: '> {draft}', or its placeholder"),
  busy: pattern("busy", "A row, or 'title: …', that is there while it works"),
  done: pattern("done", "A row that is on screen only while it rests; {box}: the box with no busy row"),
  dialog: pattern("dialog", "A row that shows that it waits for you")
}

const cells = (row: CliRow): ReadonlyArray<string> => [
  row.id,
  row.custom ? `${row.displayName} (${row.base})` : row.displayName,
  row.takesCommand
    ? `any program: leap <tag> --cli ${row.id} -- COMMAND…`
    : (row.path ?? `not installed ('${row.command}')`),
  row.version ?? "",
  [
    ...(row.hidden ? ["hidden"] : []),
    ...(row.flags === null || row.flags === ""
      ? []
      : [`flags ${oneLine(row.flags, 60)}${row.flagsFrom === "environment" ? " (from the environment)" : ""}`]),
    // values may be secrets
    ...(Object.keys(row.env).length === 0 ? [] : [`env ${Object.keys(row.env).join(" ")}`])
  ].join("; ")
]

const list = Effect.fn("clis.list")(function* (json: boolean) {
  const { clis, warnings } = yield* listClis()
  const output = yield* Output
  if (!json) for (const warning of warnings) yield* output.note(`leap: ${warning}`)
  yield* print(json, { schema: 1, clis, warnings }, () => table(clis.map(cells)))
  if (!json) yield* output.note("beside these there is 'demo', a scripted CLI to try leap with: leap <tag> --cli demo")
})

const listCommand = Command.make("list", { json: jsonFlag }, ({ json }) => list(json)).pipe(
  Command.withDescription("All CLIs with their programs, versions, flags and environment (also: leap clis)")
)

const add = Command.make(
  "add",
  {
    id: idArgument.pipe(Argument.optional),
    base: Flag.String("base").pipe(Flag.withDescription("The CLI of leap's that it is a variant of")),
    ...commonFlags,
    ...screenFlags,
    json: jsonFlag
  },
  Effect.fn(function* ({ base, box, busy, dialog, done, id, json, ...fields }) {
    const added = yield* addClis(id, base, { ...fields, screen: { box, busy, done, dialog } })
    yield* print(json, { schema: 1, id: added }, () => added)
  })
).pipe(Command.withDescription("Add a CLI of your own, made of one that leap knows; prints its id"))

const edit = Command.make(
  "edit",
  {
    id: idArgument,
    base: textFlag("base", "Another CLI to be a variant of"),
    ...commonFlags,
    ...screenFlags,
    unset: textFlags("unset", "Take something away: name, command, flags, env, env.KEY, box, busy, done, dialog")
  },
  ({ base, box, busy, dialog, done, id, unset, ...fields }) =>
    editClis(id, base, { ...fields, screen: { box, busy, done, dialog } }, unset)
).pipe(Command.withDescription("Change a CLI: its name, program, flags, environment, patterns"))

const remove = Command.make("remove", { id: idArgument }, ({ id }) => removeClis(id)).pipe(
  Command.withDescription("Take a CLI of your own away")
)

const hide = Command.make("hide", { ids: idsArgument }, ({ ids }) => hideClis(ids, true)).pipe(
  Command.withDescription("Offer these no more when a CLI is to be picked")
)

const show = Command.make("show", { ids: idsArgument }, ({ ids }) => hideClis(ids, false)).pipe(
  Command.withDescription("Offer these again")
)

const order = Command.make(
  "order",
  { ids: idArgument.pipe(Argument.variadic()), json: jsonFlag },
  Effect.fn(function* ({ ids, json }) {
    const all = yield* orderClis(ids)
    yield* print(json, { schema: 1, order: all }, () => all.join("\n"))
  })
).pipe(Command.withDescription("List these first, in this order; prints the whole order"))

export const clis = (rest: ReadonlyArray<string>) =>
  Command.make("clis", { json: jsonFlag }, ({ json }) => list(json)).pipe(
    Command.withDescription("The CLIs that leap can host, and your own variants of them"),
    Command.withSubcommands([listCommand, add, edit, remove, hide, show, order, clisProbe(rest)])
  )

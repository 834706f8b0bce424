import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  type CallCommand,
  callCommands,
  type FlagSpec,
  type ParsedArguments,
  type OperandSpec,
  type Shown
} from "../../domain/surfaces/operations/callCommands.ts"
import type { Call } from "../../domain/surfaces/operations/calls.ts"
import { doneNotes } from "../../domain/surfaces/operations/doneWords.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Output } from "../../services/Output.ts"
import { requireStatus } from "../client/statuses.ts"
import { NoSessionError } from "../client/client.ts"
import { fail } from "../exit.ts"
import { callSession } from "../sessions/callSession.ts"
import { jsonFlag, tagArgument, textOrStdin } from "./shared/common.ts"
import { allFlag, chooseTags, type Chosen, forChosen, tagsArgument } from "./shared/many.ts"

const operandOf = ({ integer, name, optional, text }: OperandSpec): Argument.Argument<Option.Option<string>> => {
  const word = integer ? Argument.map(Argument.Int(name), String) : Argument.String(name)
  const described = Argument.withDescription(word, text)
  return optional ? Argument.optional(described) : Argument.map(described, Option.some)
}

const flagOf = ({ expected, is, name, text }: FlagSpec): Flag.Flag<Option.Option<string>> =>
  Flag.String(name).pipe(
    Flag.withDescription(text),
    Flag.filter(is, () => expected),
    Flag.optional
  )

const jsonOption = Flag.map(jsonFlag, (isOn) => (isOn ? Option.some("") : Option.none<string>()))

const fieldsOf = ({ flags = [], json, operands = [] }: CallCommand) => ({
  operands: Object.fromEntries(operands.map((one) => [one.name, operandOf(one)])),
  flags: Object.fromEntries([
    ...flags.map((one) => [one.name, flagOf(one)] as const),
    ...(json === undefined ? [] : [["json", jsonOption] as const])
  ])
})

type Words = Readonly<Record<string, Option.Option<string>>>

const callOf = Effect.fnUntraced(function* (command: CallCommand, operands: Words, flags: Words) {
  const given: Record<string, string> = {}
  for (const [name, word] of Object.entries({ ...operands, ...flags })) {
    const isText = command.operands?.some((one) => one.name === name && one.stdin === true) ?? false
    if (Option.isSome(word)) given[name] = isText ? yield* textOrStdin(word.value) : word.value
  }
  return command.call(given satisfies ParsedArguments, yield* Clock.currentTimeMillis)
})

const described =
  ({ shortText, text }: CallCommand) =>
  <I, E, R>(made: Command.Command<string, I, {}, E, R>): Command.Command<string, I, {}, E, R> => {
    const long = Command.withDescription(made, text)
    return shortText === undefined ? long : Command.withShortDescription(long, shortText)
  }

/** Carries out a command for the chosen sessions, and prints its output. */
export const runCall = Effect.fn("runCall")(function* (
  command: CallCommand,
  chosen: Chosen,
  call: Call,
  json: boolean
) {
  const { left, shown, status: asks, then } = command
  const { colour, columns: width, isTerminal } = yield* Output
  const columns = isTerminal ? yield* width : null
  const asked = Effect.fnUntraced(function* (tag: Tag) {
    const { about, done } = yield* callSession(tag, call)
    const status = asks === true || then !== undefined ? yield* requireStatus(tag) : null
    if (shown !== undefined) return shown(done, { tag, json, colour, columns, status })
    const more = status === null ? null : (then?.(status) ?? null)
    return { document: {}, notes: [...doneNotes(done, about), ...(more === null ? [] : [more])] } satisfies Shown
  })
  yield* forChosen(chosen, json, (tag) =>
    asked(tag).pipe(
      Effect.catch((error) =>
        left !== undefined && error instanceof NoSessionError
          ? Effect.map(requireStatus(tag), (status) => left(status, { tag, json, colour, columns, status }))
          : Effect.fail(error)
      ),
      Effect.map(({ document, failure, ...said }) => ({
        text: "",
        ...said,
        document: document === null ? null : { tag, ...document },
        failure: failure === undefined ? null : fail(failure.code, failure.why)
      }))
    )
  )
})

const forOne = (command: CallCommand, name: string) =>
  Command.make(
    name,
    { tag: tagArgument, ...fieldsOf(command) },
    Effect.fn(function* ({ flags, operands, tag }) {
      const call = yield* callOf(command, operands, flags)
      yield* runCall(command, { _tag: "Single", tag }, call, flags["json"]?._tag === "Some")
    })
  ).pipe(described(command))

const forMany = (command: CallCommand, name: string) =>
  Command.make(
    name,
    { tags: tagsArgument, all: allFlag, ...fieldsOf(command), json: jsonFlag },
    Effect.fn(function* ({ all, flags, json, operands, tags }) {
      const chosen = yield* chooseTags(tags, all, ({ state }) => command.sessions === "known" || state !== "exited")
      yield* runCall(command, chosen, yield* callOf(command, operands, flags), json)
    })
  ).pipe(described(command))

export const callCommandNamed = (name: string): CallCommand => {
  const command = callCommands.find((one) => one.name === name)
  if (command === undefined) throw new Error(`no command '${name}' is one call`)
  return command
}

export const callCommand = (name: string) => {
  const command = callCommandNamed(name)
  const word = name.split(" ").at(-1) ?? name
  return command.sessions === "one" ? forOne(command, word) : forMany(command, word)
}

import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  type CallCommand,
  callCommands,
  type FlagSpec,
  type ParsedArguments,
  type OperandSpec
} from "../../domain/surfaces/operations/callCommands.ts"
import { doneNotes } from "../../domain/surfaces/operations/doneWords.ts"
import { Output } from "../../services/Output.ts"
import { callSession } from "../sessions/callSession.ts"
import { jsonFlag, tagArgument, textOrStdin, withSession } from "./shared/common.ts"
import { allFlag, chooseTags, forChosen, tagsArgument } from "./shared/many.ts"

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

const fieldsOf = ({ flags = [], operands = [] }: CallCommand) => ({
  operands: Object.fromEntries(operands.map((one) => [one.name, operandOf(one)])),
  flags: Object.fromEntries(flags.map((one) => [one.name, flagOf(one)]))
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

const forOne = (command: CallCommand, name: string) =>
  Command.make(
    name,
    { tag: tagArgument, ...fieldsOf(command) },
    Effect.fn(function* ({ flags, operands, tag }) {
      const output = yield* Output
      const { about, done } = yield* callSession(tag, yield* callOf(command, operands, flags))
      if (command.shown !== undefined) {
        const { text } = command.shown(done, tag, output.colour)
        return text === "" ? undefined : yield* output.line(text)
      }
      for (const line of doneNotes(done, about)) yield* output.note(line)
      if (command.then === undefined) return
      const more = command.then(yield* withSession(tag, (client) => client.Status()))
      if (more !== null) yield* output.note(more)
    })
  ).pipe(described(command))

const forMany = (command: CallCommand, name: string) =>
  Command.make(
    name,
    { tags: tagsArgument, all: allFlag, ...fieldsOf(command), json: jsonFlag },
    Effect.fn(function* ({ all, flags, json, operands, tags }) {
      const output = yield* Output
      const chosen = yield* chooseTags(tags, all, ({ state }) => command.sessions === "known" || state !== "exited")
      const call = yield* callOf(command, operands, flags)
      yield* forChosen(chosen, json, (tag) =>
        Effect.map(callSession(tag, call), ({ done }) => {
          const { document = {}, text = "" } = command.shown?.(done, tag, output.colour) ?? {}
          return { document: { tag, ...document }, text }
        })
      )
    })
  ).pipe(described(command))

export const callCommand = (name: string) => {
  const command = callCommands.find((one) => one.name === name)
  if (command === undefined) throw new Error(`no command '${name}' is one call`)
  const word = name.split(" ").at(-1) ?? name
  return command.sessions === "one" ? forOne(command, word) : forMany(command, word)
}

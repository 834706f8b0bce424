import { Effect, Option, Stream, Struct } from "effect"
import { Command } from "effect/cli"
import * as turns from "../../domain/cli/headless/turns.ts"
import { oneLine, printable } from "../../domain/words/text/printable.ts"
import { table } from "../../domain/words/wording/StateLine.ts"
import { LinePrompt } from "../../services/LinePrompt.ts"
import { accountFor } from "../headless/account.ts"
import { chatFile, type NamedChat, namedChats, noState, openState } from "../headless/chats.ts"
import { type ChatOptions, chatTurn } from "../headless/chatTurn.ts"
import { askedOf, isBlank, promptFor } from "../headless/promptText.ts"
import { requireComplete, withFailureRendered } from "../headless/renderRun.ts"
import { withWholeWrites } from "../headless/withWholeWrites.ts"
import { fail } from "../exit.ts"
import { print, textFlag, toggle } from "./shared/common.ts"
import { flags, promptArgument } from "./shared/headlessFlags.ts"
import { agentOf, agentWithFallback, fullOptions, invocationOf, nameOf, providersIn } from "./shared/headlessOptions.ts"

const linePrompt = "> "

const row = ({ cwd, lastPrompt, name, provider, turns, updatedAt }: NamedChat): ReadonlyArray<string> => [
  name,
  provider ?? "?",
  turns === null ? "cannot be read" : String(turns),
  updatedAt?.slice(0, 16).replace("T", " ") ?? "-",
  cwd ?? "-",
  oneLine(lastPrompt ?? "", 40)
]

const list = Effect.fnUntraced(function* (json: boolean) {
  const chats = yield* namedChats
  yield* print(json, { schema: 1, chats }, () =>
    chats.length === 0
      ? "no conversation has a name: leap chat --name NAME --provider … begins one"
      : table([["NAME", "PROVIDER", "TURNS", "LAST (UTC)", "DIRECTORY", "LAST PROMPT"], ...chats.map(row)]).trimEnd()
  )
})

const fileOf = Effect.fnUntraced(function* (path: Option.Option<string>, name: Option.Option<string>) {
  if (Option.isNone(name)) return Option.getOrNull(path)
  if (Option.isSome(path)) return yield* fail("usage", "--name is in place of --state; which one is meant?")
  return yield* chatFile(name.value)
})

const withoutPictures = (chat: ChatOptions): ChatOptions => ({
  ...chat,
  options: Struct.omit(chat.options, ["images"])
})

export const chat = (rest: ReadonlyArray<string>) =>
  Command.make(
    "chat",
    {
      ...flags,
      retell: toggle("retell", "Where the CLI knows its session no more, tell it the conversation from the state file"),
      state: textFlag("state", "The file that carries the conversation from call to call"),
      name: textFlag("name", "The conversation's name, in place of a file of your own: it is begun, or gone on with"),
      list: toggle("list", "Only list the conversations that have names"),
      fork: toggle("fork", "Go on in a copy of the CLI's session"),
      prompt: promptArgument
    },
    Effect.fn(function* ({ fork, list: isList, name, prompt, retell, state: path, ...values }) {
      const { format, json, options: own, output, progress, shared, streams } = yield* invocationOf(values, rest)
      if (isList) return yield* list(format !== "text")
      yield* Effect.gen(function* () {
        const options = yield* fullOptions(own, values)
        const file = yield* fileOf(path, name)
        const state = file === null ? noState : yield* openState(file)
        const named = yield* nameOf(values)
        if (named !== null && providersIn(named).length > 1)
          return yield* fail("usage", "--provider: a conversation is with one; leap exec asks several at once")
        const first = yield* agentOf(named ?? state.conversation?.provider ?? null, options)
        const agent = yield* agentWithFallback(first, options, { fallback: values.fallback }, progress)
        // saved even if the first turn fails, so that the restrictions hold
        const conversation = turns.withRestrictions(
          state.conversation ?? turns.begin(agent.name, { systemPrompt: Option.getOrNull(values.system) }),
          options
        )
        const account = yield* accountFor("chat", turns.spentBy(conversation), true)
        const chatOptions = {
          state,
          options: { ...options, fork, ...(account === null ? {} : { account: account.open }) },
          account,
          format,
          json,
          progress,
          retell,
          streams: streams(agent)
        }
        if (Option.isSome(prompt) || Option.isSome(values.promptFile) || !output.inputIsTerminal) {
          const asked = yield* promptFor(yield* askedOf(prompt, values.promptFile), agent)
          const { conversation: result, incomplete } = yield* chatTurn(agent, conversation, asked, chatOptions)
          return yield* requireComplete({ result, incomplete })
        }
        const editor = yield* (yield* LinePrompt).open
        const ask = editor.prompt(linePrompt)
        yield* ask
        // an empty line or a failure ends the chat
        yield* editor.entries.pipe(
          Stream.takeWhile((entry) => !isBlank(entry)),
          Stream.runFoldEffect(
            () => conversation,
            (current, entry) =>
              Effect.gen(function* () {
                // the editor has cleared it
                if (output.isTerminal) yield* output.line(`${linePrompt}${printable(entry)}`)
                // pictures are for the first prompt
                const own = current === conversation ? chatOptions : withoutPictures(chatOptions)
                const turn = yield* chatTurn(agent, current, entry, own)
                yield* ask
                return turn.conversation
              })
          ),
          Effect.flatMap((last) =>
            last === conversation ? Effect.void : state.save({ ...last, stoppedBy: "user_exit" })
          )
        )
      }).pipe(withFailureRendered(format), withWholeWrites(shared))
    }, Effect.scoped)
  ).pipe(Command.withDescription("Goes on with a conversation, turn by turn, without the CLI's terminal interface"))

import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { retelling } from "../../domain/engine/history/retelling.ts"
import { newTag } from "../../domain/words/session/newTag.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { runs } from "../../domain/words/session/states.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { notGivenAgain } from "../../domain/words/wording/repeatedFlags.ts"
import { Output } from "../../services/Output.ts"
import { forArguments, Providers } from "../../services/Providers.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { System } from "../../services/System.ts"
import { UserTerminal } from "../../services/UserTerminal.ts"
import { attach } from "../attach/attach.ts"
import { connectToSend, sendMessage } from "../client/sendMessage.ts"
import { allStatuses, requireStatus, statusOf } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import { askChoice } from "../prompts/ask.ts"
import { requireScreen } from "../prompts/requireScreen.ts"
import { askUnwired } from "../sessions/askUnwired.ts"
import { conversationOf } from "../sessions/conversationOf.ts"
import { installed } from "../starting/locateCli.ts"
import { detachedSize, startSession } from "../starting/start.ts"
import { jsonFlag, print, tagArgument, tagFlag, textFlag, textOrStdin, toggle, wordArgument } from "./shared/common.ts"
import { reportStart } from "./start.ts"

/** The CLI in which it is to go on: the named one, or the choice of a user who can be asked. */
const chooseCli = Effect.fnUntraced(function* (from: SessionStatus, named: Option.Option<string>, asks: boolean) {
  if (Option.isSome(named)) return yield* (yield* Providers).get(named.value)
  const others = (yield* installed).filter(({ id }) => id !== from.cli)
  if (!asks || others.length === 0) {
    const names = others.map(({ id }) => id).join(", ") || "no other is installed"
    return yield* fail("usage", `--to names the CLI in which it goes on: ${names}`)
  }
  return yield* askChoice(
    `In which CLI is '${from.tag}' to go on?`,
    others.map((provider) => ({ title: `${provider.id}  ${provider.displayName}`, value: provider }))
  )
})

/** What a session of another CLI does not get, in one line. */
const notCarried = Effect.fnUntraced(function* ({ cli, sessionId, tag }: SessionStatus) {
  const words = yield* (yield* SessionRecords).wordsOf(Tag.make(tag), cli, sessionId)
  const args = words === null ? null : notGivenAgain(words, [])
  return (
    "not carried over: its modes, rules for it alone, what was allowed in it, what its tools gave back" +
    (args === null ? "" : `; ${args}`)
  )
})

const queued = Effect.fnUntraced(function* (tag: Tag, text: string) {
  const id = yield* (yield* System).newId
  yield* sendMessage(tag, yield* connectToSend(tag), { id, text, images: [], front: false, force: false })
}, Effect.scoped)

export const hand = (rest: ReadonlyArray<string> | null) =>
  Command.make(
    "hand",
    {
      tag: tagArgument,
      text: wordArgument("text", "What is to be done next, or - for standard input").pipe(Argument.optional),
      to: textFlag("to", "The CLI in which it goes on"),
      as: tagFlag("as", "The new session's name (default: the old one's and the CLI's)"),
      detach: toggle("detach", "Start without attaching").pipe(Flag.withAlias("d")),
      json: jsonFlag
    },
    Effect.fn(function* ({ as, detach, json, tag, text, to }) {
      const output = yield* Output
      const terminal = output.isTerminal && output.inputIsTerminal
      if (json && !detach) return yield* fail("usage", "--json goes with --detach")
      const from = yield* requireStatus(tag)
      const provider = yield* chooseCli(from, to, terminal && !json)
      if (provider.id === from.cli)
        return yield* fail(
          "usage",
          `'${tag}' is a session of ${from.displayName} already; 'leap resume --tag ${tag}' goes on with it there`
        )
      const { bracketedPaste } = forArguments(provider, rest ?? []).input
      if (!bracketedPaste)
        return yield* fail(
          "refused",
          `${provider.displayName} takes no text of several lines, so nothing can be told to it`
        )
      if (!detach) yield* requireScreen("attaching", "use --detach to start without one")
      const next = Option.isNone(text) ? "" : (yield* textOrStdin(text.value)).trim()
      const conversation = yield* conversationOf(from)
      const retold = retelling({ ...conversation, cli: from.displayName, tag, next })
      if (retold === null)
        return yield* fail(
          "refused",
          `nothing was said in '${tag}' yet that leap can read, so there is nothing to go on with`
        )
      const statuses = yield* allStatuses()
      const name = Option.getOrElse(as, () =>
        Tag.make(newTag(`${tag}-${provider.id}`, new Set(statuses.map((status) => status.tag))))
      )
      if (name === tag)
        return yield* fail("usage", `--as: '${tag}' stays as it is, so the new session needs another name`)
      if (statuses.some((status) => status.tag === name && runs(status)))
        return yield* fail("refused", `session '${name}' runs already; --as NAME names another`)
      const started = yield* startSession({
        tag: name,
        cli: Option.some(provider.id),
        cwd: Option.some(from.cwd),
        args: rest,
        size: detach ? detachedSize : yield* (yield* UserTerminal).size,
        waitForViewer: !detach,
        continues: tag,
        ...(terminal ? { askUnwired: yield* askUnwired } : {})
      })
      yield* queued(name, retold.text)
      const left = retold.leftOut === 0 && conversation.isWhole ? "" : ", without what was said before"
      yield* output.note(
        `leap: '${tag}' goes on as '${name}' in ${provider.displayName}, which is told its last ` +
          `${retold.told === 1 ? "turn" : `${retold.told} turns`}${left}; '${tag}' stays as it is` +
          (runs(from) ? ", and runs in the same directory" : "")
      )
      yield* output.note(`leap: ${yield* notCarried(from)}`)
      yield* reportStart(name, started)
      if (!detach) return yield* attach({ tag: name, readOnly: false })
      const session = yield* statusOf(name)
      yield* print(json, { schema: 1, sessions: Option.toArray(session) }, () => name)
    })
  ).pipe(Command.withDescription("Go on with a session's conversation in another CLI, in a new session"))

import { asks, mayAnswer } from "../../domain/words/session/states.ts"
import { shownText } from "../../domain/words/wording/shownText.ts"
import { Effect, Ref, Result, Stream } from "effect"
import { choiceOf } from "../../domain/cli/provider/DialogChoice.ts"
import { isFailed, isGivenUp } from "../../domain/words/session/failedMessage.ts"
import { shortId } from "../../domain/words/session/shortId.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { currentLine } from "../../domain/words/attention/needWords.ts"
import { heldText, pauseHint, receiptWord, stateLine, waitsForUser } from "../../domain/words/wording/StateLine.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { LinePrompt, type LinePromptHandle } from "../../services/LinePrompt.ts"
import { Output } from "../../services/Output.ts"
import { System } from "../../services/System.ts"
import { connectTo } from "../client/client.ts"
import { makeReportSeen } from "../client/reportSeen.ts"
import { continueAdvice } from "../client/continueCommand.ts"
import { isInDoubt, sendMessage } from "../client/sendMessage.ts"
import { describe } from "../exit.ts"

const changeLines = (tag: string, before: SessionStatus | null, now: SessionStatus): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const formerStatuses = new Map(before?.queue.map((message) => [message.id, message.status]))
  for (const message of now.queue) {
    const former = formerStatuses.get(message.id)
    if (message.status === former || before === null) continue
    const named = `${shortId(message.id)} ${oneLine(shownText(message), 70)}`
    if (message.status === "queued" && former === undefined) lines.push(`+ ${named}`)
    if (message.status === "started") lines.push(`→ ${named}`)
    if (message.status === "removed") lines.push(`- ${named}`)
    const isBack = message.status === "queued" && former !== undefined && isFailed(message)
    if (message.status === "held" || isGivenUp(message) || isBack) {
      const how = isBack ? "queued again" : receiptWord(message)
      lines.push(`! ${how}: ${named} (${message.why ?? "no reason known"})`)
    }
  }
  if (asks(now.state) && before?.state !== now.state) {
    lines.push(
      `? ${oneLine(currentLine(now) ?? "it asks something", 80)}: answer with 'leap answer ${tag} <number or text>'`
    )
  }
  return lines
}

const justDone = (before: SessionStatus | null, now: SessionStatus): ReadonlyArray<string> =>
  before === null
    ? []
    : now.queue.flatMap(({ id, status }) =>
        status === "done" && before.queue.some((message) => message.id === id && message.status !== "done") ? [id] : []
      )

/** Whether an entry during a dialog answers it, because it names one of its options. */
const isAnswer = (status: SessionStatus, text: string): boolean => {
  if (!mayAnswer(status)) return false
  if (/^\d$/.test(text.trim())) return true
  const options = (status.question?.options ?? []).map((option) => ({ ...option, selected: false }))
  const choice = choiceOf({ options }, text)
  return Result.isFailure(choice) || choice.success._tag === "Option"
}

/** The queue client for a terminal that cannot place its cursor: the state above an input line. */
export const lineClient = Effect.fn("lineClient")(function* (tag: Tag) {
  const output = yield* Output
  const { newId } = yield* System
  const client = yield* connectTo(tag)
  yield* output.note(
    `what you enter is queued for session '${tag}', which runs elsewhere ('leap attach ${tag}' shows it; ` +
      "Alt+Enter is a line break, Ctrl+D leaves)"
  )
  const last = yield* Ref.make<SessionStatus | null>(null)
  const tellSeen = yield* makeReportSeen(() => client.Seen())

  const ended = yield* Effect.gen(function* () {
    const editor = yield* (yield* LinePrompt).open
    const watch = client.Watch().pipe(
      Stream.runForEach(
        Effect.fnUntraced(function* (status) {
          const before = yield* Ref.getAndSet(last, status)
          for (const line of changeLines(tag, before, status)) yield* editor.print(line)
          for (const id of justDone(before, status)) yield* Effect.forkScoped(printAnswer(editor, id))
          yield* editor.prompt(`${stateLine(status, output.colour)}\n› `)
        })
      ),
      Effect.match({ onSuccess: () => "ended", onFailure: () => "lost" } as const)
    )
    const printAnswer = (editor: LinePromptHandle, id: string) =>
      client.Response({ id }).pipe(
        Effect.flatMap(({ text }) => (text === null ? Effect.void : editor.print(`← ${oneLine(text, 100)}`))),
        // the session's end is reported below
        Effect.ignore
      )
    const entries = editor.entries.pipe(
      Stream.tap(() => tellSeen(tag)),
      Stream.filter((text) => text.trim() !== ""),
      Stream.runForEach((text) => enter(editor, text)),
      Effect.as("left" as const)
    )
    const enter = (editor: LinePromptHandle, text: string) =>
      Effect.gen(function* () {
        const now = yield* Ref.get(last)
        if (now !== null && isAnswer(now, text)) {
          return yield* editor.print(`! not queued: to answer the dialog use 'leap answer ${tag} ${text.trim()}'`)
        }
        const message = { id: yield* newId, text, images: [], front: false, force: false }
        const { id } = yield* sendMessage(tag, client, message)
        const held = heldText(now?.queue ?? [])
        if (now !== null && waitsForUser(now)) {
          yield* editor.print(`! ${shortId(id)} is held: ${now.pause?.text} ${pauseHint(now)}`)
        } else if (held !== null) {
          yield* editor.print(`! ${shortId(id)} goes before what is held (${held}; 'leap queue release ${tag}')`)
        }
      }).pipe(
        Effect.catch((error) =>
          editor.print(isInDoubt(error) ? `! ${error.message}` : `! not queued: ${describe(error).message}`)
        )
      )
    // whichever ends first: the session, or the user's entries
    return yield* Effect.raceFirst(watch, entries)
  }).pipe(Effect.scoped)

  if (ended === "ended") yield* output.note(`[session '${tag}' ended]`)
  if (ended === "lost")
    yield* output.note(
      `[the host of session '${tag}' ended without a word; its queue is kept: ${yield* continueAdvice(tag)}]`
    )
}, Effect.scoped)

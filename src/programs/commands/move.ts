import { asks, isResting } from "../../domain/words/session/states.ts"
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { oneLine } from "../../domain/words/text/printable.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { SessionRecord } from "../../domain/store/conversations/SessionRecord.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { System } from "../../services/System.ts"
import { Output } from "../../services/Output.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { awaitStart } from "../sessions/awaitStart.ts"
import { allStatuses, statusOf } from "../client/statuses.ts"
import { fail } from "../exit.ts"
import {
  claim,
  current,
  enterable,
  runningWith,
  recoverMoves,
  relocate,
  noteIfAsking,
  silenceReported,
  cliOf
} from "../sessions/relocating.ts"
import { admitted, checkStart, noDirectory, startSession } from "../starting/start.ts"
import { jsonFlag, print, tagArgument, textFlag, toggle, wordArgument } from "./shared/common.ts"
import { openEditor } from "../sessions/openEditor.ts"
import { worktreeLeft } from "../sessions/worktrees.ts"
import { reportStart } from "./start.ts"
import { withHost } from "../client/client.ts"

/** The tag's session to move: the one with the given id, else the running one, else the latest. */
const find = Effect.fnUntraced(function* (tag: Tag, running: SessionStatus | null, named: Option.Option<string>) {
  const books = yield* (yield* SessionRecords).all
  const book = books.find((entry) => entry.tag === tag)?.book ?? []
  const records = book.map(({ record }) => record)
  if (Option.isSome(named)) {
    const exact = records.find(({ sessionId }) => sessionId === named.value)
    const [first, ...others] =
      exact === undefined ? records.filter(({ sessionId }) => sessionId.startsWith(named.value)) : [exact]
    if (first === undefined)
      return yield* fail(
        "notFound",
        `'${tag}' had no session with the id ${oneLine(named.value, 80)}; 'leap resume --tag ${tag}' shows those it had`
      )
    if (others.length > 0) {
      const ids = [first, ...others].map(({ sessionId }) => sessionId).join(", ")
      return yield* fail(
        "usage",
        `'${tag}' had several sessions whose ids begin with ${oneLine(named.value, 80)}: ${ids}`
      )
    }
    return first
  }
  if (running !== null) {
    const match = records.findLast(({ cli, sessionId }) => cli === running.cli && sessionId === running.sessionId)
    if (match !== undefined) return match
    return yield* fail(
      "refused",
      `${running.displayName} has told of no conversation of session '${tag}' that could be moved`
    )
  }
  const last = records.at(-1)
  if (last === undefined) return yield* fail("notFound", `nothing is known of a session '${tag}' that could be moved`)
  return last
})

type Moved = Pick<
  Effect.Success<ReturnType<typeof relocate>>,
  "copied" | "leftovers" | "linked" | "pending" | "session"
>

const busy = (tag: Tag, { dialog, state }: SessionStatus): string =>
  dialog || asks(state)
    ? `session '${tag}' asks something: answer it first ('leap attach ${tag}'); --force ends it all the same`
    : state === "starting"
      ? `session '${tag}' is just starting; try again when it has come up, or --force ends it all the same`
      : `session '${tag}' is ${state}; 'leap wait ${tag}' waits for its turn's end, --force ends it all the same`

export const move = (rest: ReadonlyArray<string> | null) =>
  Command.make(
    "move",
    {
      tag: tagArgument,
      directory: wordArgument("dir", "The directory that it is to live in"),
      session: textFlag("session", "Another session of this tag than its last, by its id"),
      restart: toggle("restart", "Stop it if it runs, and go on with it there"),
      force: toggle("force", "With --restart: even in the middle of a turn"),
      editor: toggle("editor", "Then open the directory in your editor, as 'leap edit' does"),
      json: jsonFlag
    },
    Effect.fn(function* ({ directory, editor, force, json, restart, session, tag }) {
      const output = yield* Output
      const system = yield* System
      const records = yield* SessionRecords
      if (force && !restart) return yield* fail("usage", "--force belongs to --restart")
      if (rest !== null && !restart) return yield* fail("usage", "arguments for the CLI belong to --restart")
      if (Option.isSome(session) && session.value.trim() === "")
        return yield* fail("usage", "--session needs an id, or how one begins")
      const to = directory === "" ? Option.none() : yield* system.directory(directory)
      if (Option.isNone(to)) return yield* noDirectory(directory)
      if (!(yield* enterable(to.value)))
        return yield* fail("refused", `${oneLine(to.value, 300)} cannot be entered: its permissions forbid it`)
      const reported = yield* recoverMoves

      const runs = (statuses: ReadonlyArray<SessionStatus>) =>
        statuses.find((status) => status.tag === tag && status.state !== "exited") ?? null
      const named = yield* find(tag, runs(yield* allStatuses()), session)
      yield* claim(named)
      const statuses = yield* allStatuses()
      const record = yield* current(named)
      const live = runningWith(statuses, record)
      const provider = yield* cliOf(record)
      const from = yield* records.heal(record)
      const { cli, sessionId } = record
      const [subject, resumed] = Option.isSome(session)
        ? [`session ${sessionId} of '${tag}'`, `--session ${sessionId}`]
        : [`session '${tag}'`, `--tag ${tag} --last`]
      const already = () => `${subject} lives in ${oneLine(to.value, 300)} already`
      const document = (
        from: string,
        { copied, leftovers, linked, pending, session: { transcriptPath } }: Moved,
        state: SessionStatus["state"]
      ) => {
        const files = linked + copied
        return {
          schema: 1,
          tag,
          cli,
          sessionId,
          transcriptPath,
          from,
          to: to.value,
          files,
          copied,
          leftovers,
          pending,
          state
        }
      }
      if (live !== null && live.cwd === to.value && (yield* system.realPath(from)) === to.value) {
        const unmoved = { session: record, linked: 0, copied: 0, leftovers: [], pending: null }
        return yield* print(json, document(to.value, unmoved, live.state), already)
      }
      if (live !== null && (live.tag !== tag || !restart)) {
        return yield* fail(
          "refused",
          live.tag !== tag
            ? `the conversation runs as session '${live.tag}': move that one, or 'leap stop ${live.tag}' first`
            : `session '${tag}' runs; 'leap stop ${tag}' ends it, --restart stops it, moves it and starts it there`
        )
      }
      if (live !== null && system.env["LEAP_TAG"] === tag) {
        return yield* fail(
          "refused",
          `this terminal is inside session '${tag}', which would end with it: say so in another terminal`
        )
      }
      if (live !== null && (!isResting(live.state) || live.dialog) && !force)
        return yield* fail("refused", busy(tag, live))
      const start = (entry: SessionRecord, cwd: string) =>
        startSession({
          tag,
          cli: Option.some(entry.cli),
          cwd: Option.some(cwd),
          args: rest,
          resumes: { sessionId: entry.sessionId, transcriptPath: entry.transcriptPath }
        })
      const left = yield* worktreeLeft(tag, from, to.value)
      const printMove = Effect.fnUntraced(function* (status: SessionStatus | null, moved: Moved) {
        yield* print(
          json,
          {
            ...document(record.cwd, moved, status?.state ?? "exited"),
            ...(left === null ? {} : { worktree: { path: left.path, branch: left.branch } })
          },
          () =>
            record.cwd === to.value
              ? already()
              : `${subject} lives in ${oneLine(to.value, 300)} now (before: ${oneLine(record.cwd, 300)})` +
                (status === null ? `; 'leap resume ${resumed}' goes on with it` : "")
        )
        if (editor) yield* openEditor(to.value, output.isTerminal && output.inputIsTerminal)
        // a move takes the conversation along, but no project files
        if (left !== null)
          yield* output.note(
            `leap: its worktree stays as it is, ${oneLine(left.path, 300)} (branch '${oneLine(left.branch, 100)}'); ` +
              `'leap forget --worktree ${tag}' removes it when nothing would be lost`
          )
      })
      if (live === null)
        return yield* printMove(
          null,
          yield* relocate(record, to.value).pipe(Effect.mapError(silenceReported(reported)))
        )
      yield* admitted(provider, checkStart(provider, record, to.value), { tag })
      yield* Effect.gen(function* () {
        yield* withHost(tag, (client) => client.Stop({ force: false }))
        const moved = yield* relocate(record, to.value).pipe(
          // a session that was stopped for a failed move continues where it was
          Effect.tapError(() =>
            start(record, live.cwd).pipe(
              Effect.matchEffect({
                onSuccess: () => output.note(`leap: session '${tag}' goes on in ${oneLine(live.cwd, 300)}`),
                onFailure: (error) =>
                  output.note(`leap: session '${tag}' was stopped and could not be started again: ${error.message}`)
              })
            )
          ),
          Effect.mapError(silenceReported(reported))
        )
        yield* reportStart(tag, { ...(yield* start(moved.session, to.value)), movedFrom: null })
        yield* awaitStart(tag)
        const status = yield* statusOf(tag)
        yield* noteIfAsking(tag, status)
        yield* printMove(Option.getOrNull(status), moved)
      }).pipe(
        Effect.onInterrupt(() =>
          output.note(
            `leap: cut off; 'leap status ${tag}' tells whether it runs, ` +
              `'leap resume --tag ${tag} --last' goes on with it`
          )
        )
      )
    }, Effect.scoped)
  ).pipe(
    Command.withDescription(
      "Make another directory the one that a session lives in; what follows a lone -- goes to the CLI that " +
        "--restart starts, instead of the arguments that it had"
    )
  )

import { Effect, Option, Result } from "effect"
import { tilde } from "../../domain/surfaces/picker/Rows.ts"
import { isSame, recordOf } from "../../domain/store/conversations/SessionRecord.ts"
import { wasCutOff } from "../../domain/words/attention/unexpectedEnd.ts"
import { heldOf } from "../../domain/words/session/failedMessage.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { resumeUnit } from "../../domain/words/environment/resumeUnit.ts"
import { Output } from "../../services/Output.ts"
import { Providers } from "../../services/Providers.ts"
import { SessionRecords } from "../../services/SessionRecords.ts"
import { System } from "../../services/System.ts"
import { startSession } from "../starting/start.ts"
import { allStatuses, statusOf } from "../client/statuses.ts"
import { describe, fail } from "../exit.ts"
import { awaitStart } from "./awaitStart.ts"
import { callSession } from "./callSession.ts"
import { chooseDirectory, continueSession, seenUnder } from "./continueSession.ts"
import { recoverMoves } from "./relocating.ts"

/** Restores a session that was cut off: its conversation, or a new one, in its directory, with its arguments. */
const bringBack = Effect.fnUntraced(function* (session: SessionStatus, release: boolean) {
  const tag = Tag.make(session.tag)
  const records = yield* SessionRecords
  const rows = yield* seenUnder(tag, yield* records.rows)
  const book = (yield* records.all).find((one) => one.tag === tag)?.book ?? []
  const known = recordOf(
    session,
    [...rows, ...book].map((row) => row.record)
  )
  const record = rows.find((row) => known !== undefined && isSame(row.record, known))?.record
  const provider = yield* (yield* Providers).get(session.cli)
  if (record === undefined) {
    if ((session.sessionId !== null || known !== undefined) && provider.resume !== null)
      return yield* fail(
        "refused",
        `nothing is left of what ${provider.displayName} kept of its conversation; 'leap ${tag} --new' begins another`
      )
    yield* startSession({
      tag,
      cli: Option.some(session.cli),
      cwd: Option.some(session.cwd)
    })
  } else {
    const { directory } = yield* chooseDirectory(record, { here: false, there: true, interactive: false })
    const { live } = yield* continueSession(record, { tag, directory, moves: false, args: null, detach: true })
    if (live !== null) return yield* fail("refused", `its conversation runs as session '${live.tag}'`)
  }
  yield* awaitStart(tag)
  if (release) yield* callSession(tag, { _tag: "QueueRelease", id: null })
  const now = yield* statusOf(tag)
  return {
    directory: Option.match(now, { onNone: () => session.cwd, onSome: ({ cwd }) => cwd }),
    held: Option.match(now, {
      onNone: () => 0,
      onSome: ({ queue }) => heldOf(queue)
    }),
    goesOn: record !== undefined
  }
})

/** Restores every session that was cut off, some at a time; reports on each, and fails if one cannot be restored. */
export const bringAllBack = Effect.fn("resume.all")(function* (atOnce: number, release: boolean, json: boolean) {
  const output = yield* Output
  const home = (yield* System).env["HOME"] ?? ""
  yield* recoverMoves
  const sessions = (yield* allStatuses()).filter(wasCutOff)
  const results = yield* Effect.forEach(
    sessions,
    (session) =>
      Effect.gen(function* () {
        const result = yield* Effect.result(bringBack(session, release))
        const why = Result.isFailure(result) ? describe(result.failure).message : null
        const back = Result.getOrNull(result)
        if (!json)
          yield* output.line(
            back === null
              ? `${session.tag}  stays ended: ${oneLine(why ?? "", 300)}`
              : `${session.tag}  ${back.goesOn ? "goes on" : "was started anew"} in ` +
                  oneLine(tilde(back.directory, home), 200) +
                  (back.held === 0 ? "" : ` (${back.held} held: 'leap queue release ${session.tag}')`)
          )
        return { tag: session.tag, cli: session.cli, back, why }
      }),
    { concurrency: atOnce }
  )
  if (json)
    yield* output.line(
      JSON.stringify({
        schema: 1,
        sessions: results.map(({ back, cli, tag, why }) => ({
          tag,
          cli,
          resumed: back !== null,
          directory: back?.directory ?? null,
          held: back?.held ?? null,
          why
        }))
      })
    )
  else if (results.length === 0) yield* output.note("no session was ended by a reboot, a crash or a kill")
  const away = results.filter(({ back }) => back === null).length
  if (away > 0) return yield* fail("failed", `${away} of ${results.length} sessions could not be brought back`)
})

export const printUnit = Effect.gen(function* () {
  const { env, self, which } = yield* System
  const isMac = yield* Effect.match(which("launchctl", env), { onFailure: () => false, onSuccess: () => true })
  yield* (yield* Output).line(resumeUnit(isMac ? "launchd" : "systemd", self, env))
})

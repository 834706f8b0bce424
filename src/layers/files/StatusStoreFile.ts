import { Effect, Layer, Option, Schema } from "effect"
import * as fs from "node:fs"
import { errorCodeOf, saysMissing } from "../../domain/words/reading/Fields.ts"
import { SessionStatus } from "../../domain/words/session/Session.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { notRegular, readRegularSync, replaceFile } from "./regularFile.ts"

const Document = Schema.fromJsonString(Schema.Struct({ schema: Schema.Literal(1), session: SessionStatus }))
const decode = Schema.decodeUnknownOption(Document)
const encode = Schema.encodeSync(Document)

/** The system's codes for a full disk. */
const noRoom: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"])

/** A status without its long parts. The queue is not lost: without a living host it is read from its own log. */
const bare = (session: SessionStatus): SessionStatus => ({
  ...session,
  message: null,
  queue: [],
  background: [],
  lastMessage: null,
  lastResponse: null
})

/**
 * Overwrites the last status in the file's existing blocks, for a full disk. Otherwise the orderly end of a session
 * would look like a crash for ever.
 */
const writeOver = (path: string, session: SessionStatus): void => {
  const fd = fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW)
  try {
    const { blocks, size } = fs.fstatSync(fd)
    const room = Math.max(size, blocks * 512)
    const text = [session, bare(session)]
      .map((session) => Buffer.from(encode({ schema: 1, session })))
      .find(({ length }) => length < room)
    if (text === undefined) throw new Error("it is longer than the one that is there")
    // One write, at least as long as the old text, so that a concurrent reader finds one or the other.
    const rest = Buffer.alloc(Math.max(1, size - text.length), " ")
    rest[rest.length - 1] = 0x0a
    fs.writeSync(fd, Buffer.concat([text, rest]), 0, text.length + rest.length, 0)
    fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}

/** Statuses in the state directory, a file for each session. */
export const layer: Layer.Layer<StatusStore> = Layer.succeed(StatusStore, {
  read: (path) =>
    Effect.try(() => readRegularSync(path).toString("utf8")).pipe(
      Effect.map((text) => Option.map(decode(text), (document) => document.session)),
      Effect.orElseSucceed(() => Option.none())
    ),
  trouble: (path) =>
    Effect.sync(() => {
      try {
        return Option.isNone(decode(readRegularSync(path).toString("utf8"))) ? "damaged" : null
      } catch (cause) {
        return saysMissing(cause) || errorCodeOf(cause) === notRegular ? null : "unseen"
      }
    }),
  readScreen: (path) => Effect.option(Effect.try(() => readRegularSync(path).toString("utf8"))),
  writeScreen: (path, text) =>
    Effect.try(() => replaceFile(path, text, `${path}.tmp`)).pipe(
      Effect.catch((error) => Effect.logWarning(`could not write ${path}: ${error.message}`))
    ),
  write: (path, session, durable) =>
    Effect.try(() => {
      try {
        replaceFile(path, `${encode({ schema: 1, session })}\n`, `${path}.tmp`, durable)
      } catch (error) {
        if (!durable || !noRoom.has(errorCodeOf(error))) throw error
        writeOver(path, session)
      }
    }).pipe(Effect.catch((error) => Effect.logWarning(`could not write ${path}: ${error.message}`)))
})

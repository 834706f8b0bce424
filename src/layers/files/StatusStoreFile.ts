import { Effect, Layer, Option, Schema } from "effect"
import * as fs from "node:fs"
import { SessionStatus } from "../../domain/session/Session.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { readRegularSync } from "./regularFile.ts"

const Document = Schema.fromJsonString(Schema.Struct({ schema: Schema.Literal(1), session: SessionStatus }))
const decode = Schema.decodeUnknownOption(Document)
const encode = Schema.encodeSync(Document)

const writeFile = (path: string, text: string, durable: boolean): void => {
  const temporary = `${path}.tmp`
  const fd = fs.openSync(temporary, "w", 0o600)
  try {
    fs.writeFileSync(fd, text)
    if (durable) fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
  fs.renameSync(temporary, path)
}

/** Statuses in the state directory, a file for each session. */
export const layer: Layer.Layer<StatusStore> = Layer.succeed(StatusStore, {
  read: (path) =>
    Effect.try(() => readRegularSync(path).toString("utf8")).pipe(
      Effect.map((text) => Option.map(decode(text), (document) => document.session)),
      Effect.orElseSucceed(() => Option.none())
    ),
  isDamaged: (path) =>
    Effect.try(() => Option.isNone(decode(readRegularSync(path).toString("utf8")))).pipe(
      Effect.orElseSucceed(() => false)
    ),
  readScreen: (path) => Effect.option(Effect.try(() => readRegularSync(path).toString("utf8"))),
  writeScreen: (path, text) =>
    Effect.try(() => writeFile(path, text, false)).pipe(
      Effect.catch((error) => Effect.logWarning(`could not write ${path}: ${error.message}`))
    ),
  write: (path, session, durable) =>
    Effect.try(() => writeFile(path, `${encode({ schema: 1, session })}\n`, durable)).pipe(
      Effect.catch((error) => Effect.logWarning(`could not write ${path}: ${error.message}`))
    )
})

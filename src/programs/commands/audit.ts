import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { auditPage } from "../../domain/engine/approvals/auditPage.ts"
import { AuditLog } from "../../services/AuditLog.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { NoSessionError } from "../client/client.ts"
import { countFlag, jsonFlag, print, tagArgument, toggle } from "./shared/common.ts"

export const audit = Command.make(
  "audit",
  {
    tag: tagArgument,
    last: countFlag("last", "Only the last N").pipe(Flag.optional),
    denied: toggle("denied", "Only what was refused"),
    json: jsonFlag
  },
  Effect.fn(function* ({ denied, json, last, tag }) {
    const output = yield* Output
    const tags = yield* (yield* Paths).tags
    if (!tags.includes(tag)) return yield* new NoSessionError({ tag, ended: false })
    const { document, note, text } = auditPage(tag, yield* (yield* AuditLog).read(tag), {
      denied,
      last: Option.getOrNull(last)
    })
    if (note !== null) yield* output.note(`leap: ${note}`)
    yield* print(json, document, () => text(output.colour))
  })
).pipe(Command.withDescription("The session's permission requests, how each was decided, and by which rule"))

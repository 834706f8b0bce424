import { Layer } from "effect"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import * as CliCommand from "./CliCommand.ts"
import * as CliProcess from "./CliProcess.ts"
import * as Logins from "./Logins.ts"
import * as SessionContext from "./SessionContext.ts"

/** What comes before all else of a host: the session's lock, which is released last, and its CLI's process. */
export const cliStarted = (spec: HostSpec) =>
  CliProcess.layer.pipe(
    Layer.provideMerge(CliCommand.layer),
    Layer.provideMerge(Logins.layer),
    Layer.provideMerge(SessionContext.layer(spec))
  )

/**
 * `leap/host`: sessions of AI coding CLIs, hosted in your process or in one of their own. {@link layer} provides all
 * services; {@link hostSession}, {@link launchSession} and {@link connectSession} give a {@link HostedSession}.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Layer } from "effect"
import * as agentMain from "./agentMain.ts"
import * as leap from "./layers.ts"
import * as HookInboxSpool from "./layers/files/HookInboxSpool.ts"
import * as HookInstallerFile from "./layers/files/HookInstallerFile.ts"
import * as OwnStatusFile from "./layers/files/OwnStatusFile.ts"
import * as PidMapFile from "./layers/files/PidMapFile.ts"
import * as SessionMoverLazy from "./layers/relocator/SessionMoverLazy.ts"
import * as CliVersionsNode from "./layers/system/CliVersionsNode.ts"
import * as HostLauncherNode from "./layers/system/HostLauncherNode.ts"
import * as MemoryNode from "./layers/system/MemoryNode.ts"
import { ownProgram } from "./layers/system/ownProgram.ts"
import * as WiringTrialNode from "./layers/system/WiringTrialNode.ts"
import * as PtyNode from "./layers/terminal/PtyNode.ts"
import * as ScreenLazy from "./layers/terminal/ScreenLazy.ts"
import { version } from "./version.ts"

export {
  type CallError,
  type HostedSession,
  type SendOptions,
  SessionEndedError,
  type Turn,
  TurnError
} from "./programs/embed/HostedSession.ts"
export { connectSession, hostSession, launchSession, type SessionOptions } from "./programs/embed/sessions.ts"
export { allStatuses as statuses } from "./programs/client/statuses.ts"

/** All are optional. `self`: the command line of the leap that runs separate hosts, and the demo CLI. */
export type Options = Partial<leap.LeapOptions>

const base = (options: Options) => leap.layerWith({ version, self: ownProgram(), ...options })

/**
 * The services of sessions: the user's files, settings and CLIs, pseudo-terminals, the emulator, sockets. `parts`
 * replaces some of them, `clis` sets the list of CLIs, `env` decides where files are found (`LEAP_HOME`).
 */
export const layer = (options: Options = {}) => {
  const { parts } = options
  const own = Layer.mergeAll(
    CliVersionsNode.layer,
    HookInboxSpool.layer,
    HookInstallerFile.layer,
    HostLauncherNode.layer,
    MemoryNode.layerUntouched,
    OwnStatusFile.layer,
    PidMapFile.layer,
    PtyNode.layer,
    ScreenLazy.layer,
    SessionMoverLazy.layer,
    WiringTrialNode.layer
  )
  return own.pipe(leap.replacedBy(parts), Layer.provideMerge(base(options)))
}

/** CLIs without a terminal, and servers of OpenAI's protocol: the `AgentProviders` that `leap exec` uses. */
export const headless = (options: Options = {}) =>
  agentMain.layer.pipe(Layer.provide([NodeServices.layer, base(options)]))

import { Context, type Effect } from "effect"
import type { CommandSource } from "../domain/cli/provider/CommandSource.ts"
import type { Detection } from "../domain/cli/provider/Detection.ts"
import type { CliIdentity } from "../domain/cli/provider/Identity.ts"
import type { InputProtocol } from "../domain/cli/provider/InputProtocol.ts"
import type { Launch, LaunchOptions } from "../domain/cli/provider/Launch.ts"
import type { OwnFlag } from "../domain/cli/provider/OwnFlag.ts"
import type { HostedProcess, OwnStatusSource } from "../domain/cli/provider/OwnStatus.ts"
import { noPermissions, type PermissionProtocol } from "../domain/cli/provider/PermissionProtocol.ts"
import type { ArgumentSyntax } from "../domain/cli/provider/StartArguments.ts"
import type { CliSettings } from "../domain/rules/settings/Settings.ts"
import type { ResumeProtocol } from "../domain/places/sessions/ResumeProtocol.ts"
import type { InputHistory } from "../domain/cli/usage/InputHistory.ts"
import { noUsage, type UsageReader } from "../domain/cli/usage/UsageReader.ts"
import type { SwitchPlace } from "../domain/cli/wiring/HookSwitches.ts"
import type { HookWiring } from "../domain/cli/wiring/HookWiring.ts"
import type { RelocationProtocol } from "./RelocationProtocol.ts"

export type { CliIdentity, HostedProcess, Launch, LaunchOptions, OwnStatusSource }

/** Where the rules for the screen of a CLI come from that leap has no reader of its own for. */
export interface ReadingSource {
  /** Patterns of the user's; those that leap ships for its program; or what all CLIs share, which proves no rest. */
  readonly by: "settings" | "shipped" | "common"
  /** The version that shipped patterns were checked with. */
  readonly checkedVersion: string | null
}

/** Everything leap knows of one CLI. */
export interface Provider extends CliIdentity {
  /** How its screen, hooks, status file and transcript are read. */
  readonly detection: Detection
  /** How leap types into it, and answers its dialogs. */
  readonly input: InputProtocol
  /**
   * The key that sends what is in the box, by the user's own settings of the CLI; null where it is `input`'s. Absent
   * for a CLI that has no such setting.
   */
  readonly submitKey?: (env: Readonly<Record<string, string>>) => Effect.Effect<string | null>
  /**
   * What its own settings say now that keeps its hooks from running, each reason with where it stands; absent for a CLI
   * whose settings leap does not read for it.
   */
  readonly hooksOff?: (place: SwitchPlace) => Effect.Effect<ReadonlyArray<string>>
  /** The slash commands that are offered while a message is written; absent where none are known. */
  readonly commands?: CommandSource
  /** The command line and the environment that start it. */
  readonly launch: (options: LaunchOptions) => Launch
  /**
   * Which of its arguments belong to a session, and are given again when it goes on; null where nothing is known of its
   * command line: then all do.
   */
  readonly syntax: ArgumentSyntax | null
  /** The flags of leap's own that `launch` adds. */
  readonly ownFlags: ReadonlyArray<OwnFlag>
  /** Lifecycle hooks that leap can install; null where the CLI has none. */
  readonly hooks: HookWiring | null
  /** Its live status file; null where it keeps none. */
  readonly ownStatus: OwnStatusSource | null
  /** Which permissions it requests, and how the decision is returned to it. */
  readonly permissions: PermissionProtocol
  /** How the CLI's own figures of tokens and cost are read. */
  readonly usage: UsageReader
  /** Where the CLI keeps what was typed into it; null where it keeps nothing. */
  readonly history: InputHistory | null
  /** How it continues an earlier session; null where it cannot. */
  readonly resume: ResumeProtocol | null
  /** How its sessions change their directory; null where they cannot. */
  readonly relocation: RelocationProtocol | null
  /** Where the CLI keeps a session's transcript, for a CLI whose hooks name the session before they name the file. */
  readonly transcript?: (env: Readonly<Record<string, string>>, sessionId: string) => string
  /** Where leap has no reader of its own for its screen: what that is read by. */
  readonly reading?: ReadingSource
  /** Programs that leap ships patterns for, and the versions these were checked with. */
  readonly shipped?: ReadonlyArray<{ readonly name: string; readonly checkedVersion: string }>
  /** The same provider for this program, with what the user's settings say of its screen and its keys. */
  readonly forProgram?: (
    command: string,
    own: Pick<CliSettings, "screen" | "keys">
  ) => Pick<Provider, "detection" | "displayName" | "input"> & { readonly reading: ReadingSource }
}

const neutral = {
  syntax: null,
  ownFlags: [],
  hooks: null,
  ownStatus: null,
  permissions: noPermissions,
  usage: noUsage,
  history: null,
  resume: null,
  relocation: null
} satisfies Partial<Provider>

type ProviderParts = Omit<Provider, keyof CliIdentity | keyof typeof neutral> &
  Partial<Pick<Provider, keyof typeof neutral>>

/** Makes a provider of the parts that a CLI has; those not given are neutral. */
export const define = (identity: CliIdentity, parts: ProviderParts): Provider => ({ ...neutral, ...parts, ...identity })

/** The CLI that a program works with; a session's host runs under that of its CLI. {@link Providers} lists all. */
export class CLIProvider extends Context.Service<CLIProvider, Provider>()("leap/services/CLIProvider") {}

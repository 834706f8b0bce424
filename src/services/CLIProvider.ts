import { Context, type Effect } from "effect"
import type { CommandSource } from "../domain/cli/provider/CommandSource.ts"
import type { Detection } from "../domain/cli/provider/Detection.ts"
import type { CliIdentity } from "../domain/cli/provider/Identity.ts"
import type { InputProtocol } from "../domain/cli/provider/InputProtocol.ts"
import type { Launch, LaunchOptions } from "../domain/cli/provider/Launch.ts"
import type { OwnFlag } from "../domain/cli/provider/OwnFlag.ts"
import type { HostedProcess, OwnStatusSource } from "../domain/cli/provider/OwnStatus.ts"
import { noPermissions, type PermissionProtocol } from "../domain/cli/provider/PermissionProtocol.ts"
import type { ArgumentSyntax } from "../domain/cli/provider/RepeatedArguments.ts"
import type { CliSettings } from "../domain/store/settings/Settings.ts"
import type { ResumeProtocol } from "../domain/cli/provider/ResumeProtocol.ts"
import type { InputHistory } from "../domain/cli/usage/InputHistory.ts"
import { noUsage, type UsageReader } from "../domain/cli/usage/UsageReader.ts"
import type { SwitchPlace } from "../domain/cli/wiring/HookSwitches.ts"
import type { HookWiring } from "../domain/cli/wiring/HookWiring.ts"
import type { RelocationProtocol } from "./RelocationProtocol.ts"

export type { CliIdentity, HostedProcess, Launch, LaunchOptions, OwnStatusSource }

/** The source of the rules that read the screen of a CLI for which leap has no reader. */
export interface ReadingSource {
  /** The user's patterns, leap's for this program, or the common reader, which cannot prove that the CLI is idle. */
  readonly by: "settings" | "shipped" | "common"
  /** The version with which shipped patterns were checked. */
  readonly checkedVersion: string | null
}

/** Everything leap knows of one CLI. */
export interface Provider extends CliIdentity {
  /** How leap reads its screen, hooks, status file and transcript. */
  readonly detection: Detection
  /** How leap types into it, and answers its dialogs. */
  readonly input: InputProtocol
  /**
   * The key that submits the text in the input box, from the user's settings of the CLI; null: the key of `input`.
   * Absent for a CLI without such a setting.
   */
  readonly submitKey?: (env: Readonly<Record<string, string>>) => Effect.Effect<string | null>
  /**
   * Why the CLI's current settings keep its hooks from running, each reason with its location. Absent for a CLI whose
   * settings leap does not read for this.
   */
  readonly hooksOff?: (place: SwitchPlace) => Effect.Effect<ReadonlyArray<string>>
  /** The slash commands to offer while a message is written; absent if none are known. */
  readonly commands?: CommandSource
  /** The command line and the environment that start it. */
  readonly launch: (options: LaunchOptions) => Launch
  /** Which arguments belong to a session and are passed again on resume. Null: unknown, so all are. */
  readonly syntax: ArgumentSyntax | null
  /** The flags that `launch` adds on leap's behalf. */
  readonly ownFlags: ReadonlyArray<OwnFlag>
  /** Lifecycle hooks that leap can install; null if the CLI has none. */
  readonly hooks: HookWiring | null
  /** Its live status file; null if it has none. */
  readonly ownStatus: OwnStatusSource | null
  /** Which permissions it requests, and how it receives the decision. */
  readonly permissions: PermissionProtocol
  /** How leap reads the CLI's figures of tokens and cost. */
  readonly usage: UsageReader
  /** Where the CLI keeps the user's typed prompts; null if it keeps none. */
  readonly history: InputHistory | null
  /** How it resumes an earlier session; null if it cannot. */
  readonly resume: ResumeProtocol | null
  /** How its sessions change their directory; null if they cannot. */
  readonly relocation: RelocationProtocol | null
  /** Where the CLI keeps a session's transcript, for a CLI whose hooks name the session before the file. */
  readonly transcript?: (env: Readonly<Record<string, string>>, sessionId: string) => string
  /** The source of its screen rules, if leap has no reader for it. */
  readonly reading?: ReadingSource
  /** Programs that leap ships patterns for, and the versions with which these were checked. */
  readonly shipped?: ReadonlyArray<{ readonly name: string; readonly checkedVersion: string }>
  /** The same provider for this program, with the user's settings for its screen and keys. */
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

/** Makes a provider from the given parts; missing parts are neutral. */
export const define = (identity: CliIdentity, parts: ProviderParts): Provider => ({ ...neutral, ...parts, ...identity })

/** The CLI of one program, such as a host's session. {@link Providers} lists all. */
export class CLIProvider extends Context.Service<CLIProvider, Provider>()("leap/services/CLIProvider") {}

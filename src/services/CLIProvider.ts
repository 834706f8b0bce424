import { Context } from "effect"
import { overlay } from "../domain/Environment.ts"
import type { Detection } from "../domain/Detection.ts"
import type { ProcessKey } from "../domain/HookOrigin.ts"
import type { InputProtocol } from "../domain/InputProtocol.ts"
import type { HookWiring } from "../domain/HookWiring.ts"
import { noPermissions, type PermissionProtocol } from "../domain/PermissionProtocol.ts"
import type { ResumeProtocol } from "../domain/sessions/ResumeProtocol.ts"
import type { InputHistory } from "../domain/usage/InputHistory.ts"
import { noUsage, type UsageReader } from "../domain/usage/UsageReader.ts"
import type { RelocationProtocol } from "./RelocationProtocol.ts"

export interface LaunchOptions {
  readonly args: ReadonlyArray<string>
  /** The environment leap was started in. */
  readonly env: Readonly<Record<string, string>>
  /** The command line that runs leap itself, for the bundled demo CLI. */
  readonly self: ReadonlyArray<string>
}

export interface Launch {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Added to the environment; null removes a variable. */
  readonly env: Readonly<Record<string, string | null>>
}

/** Where a CLI keeps a live status file of its own, and which file is the hosted process's. */
export interface OwnStatusSource {
  /** The directory, from the CLI's environment. */
  readonly directory: (env: Readonly<Record<string, string>>) => string
  /** Whether this file (name and parsed content) belongs to the CLI that leap hosts. */
  readonly belongs: (file: string, content: unknown, session: HostedProcess) => boolean
  /** Which session the process of this file says that it has; null where it does not say. The process may be dead. */
  readonly runs: (file: string, content: unknown) => { readonly sessionId: string; readonly process: ProcessKey } | null
}

export interface HostedProcess {
  readonly pid: number
  readonly cwd: string
  /** Milliseconds since the epoch at which the process was started. */
  readonly startedAt: number
  readonly sessionId: string | null
}

/** Everything leap knows of one CLI. A provider states what is its own and takes the neutral rest from {@link define}. */
export interface ProviderRecord {
  /** Name in commands and files: `claude`. */
  readonly id: string
  /** The id of the built-in CLI that this is a variant of; its own for a built-in one. */
  readonly base: string
  readonly displayName: string
  /** The program looked up on PATH. */
  readonly binary: string
  /** One line: how to get it, for exit code 7. */
  readonly installHint: string
  readonly detection: Detection
  readonly input: InputProtocol
  readonly launch: (options: LaunchOptions) => Launch
  /** Lifecycle hooks that leap can install; null where the CLI has none. */
  readonly hooks: HookWiring | null
  readonly ownStatus: OwnStatusSource | null
  readonly permissions: PermissionProtocol
  /** What the CLI tells of what a session uses and costs. */
  readonly usage: UsageReader
  /** Where the CLI keeps what was typed into it; null where it keeps nothing. */
  readonly history: InputHistory | null
  /** How it goes on with an earlier session; null where it cannot. */
  readonly resume: ResumeProtocol | null
  /** How its sessions change their directory; null where they cannot. */
  readonly relocation: RelocationProtocol | null
  /** Where the CLI keeps a session's transcript, for one whose hooks name the session before they name the file. */
  readonly transcript?: (env: Readonly<Record<string, string>>, sessionId: string) => string
  /** The version of the CLI that leap's rules were checked against; null where none was. */
  readonly checkedVersion: string | null
  /** Arguments with which the program prints its version and ends. */
  readonly versionArgs: ReadonlyArray<string>
  /** Default flags from the user's settings, in shell words; null for none. */
  readonly flags: string | null
  /** Not offered when a CLI is to be picked. */
  readonly hidden: boolean
  /** Part of leap itself: wired and started by `leap demo`, and no concern of commands that act on all CLIs. */
  readonly bundled: boolean
}

type Neutral = "base" | "hooks" | "ownStatus" | "permissions" | "usage" | "history" | "resume" | "relocation" | "checkedVersion" | "versionArgs" | "flags" | "hidden" | "bundled"

/** A provider from what is its own. */
export const define = (own: Omit<ProviderRecord, Neutral> & Partial<Pick<ProviderRecord, Neutral>>): ProviderRecord => ({
  base: own.id,
  hooks: null,
  ownStatus: null,
  permissions: noPermissions,
  usage: noUsage,
  history: null,
  resume: null,
  relocation: null,
  checkedVersion: null,
  versionArgs: ["--version"],
  flags: null,
  hidden: false,
  bundled: false,
  ...own
})

/** The environment that the CLI runs in when it is started from this one. */
export const environmentOf = ({ launch }: Pick<ProviderRecord, "launch">, { env, self }: Pick<LaunchOptions, "env" | "self">): Record<string, string> =>
  overlay(env, launch({ args: [], env, self }).env)

/** One CLI's provider. A program that hosts several asks {@link Providers}. */
export class CLIProvider extends Context.Service<CLIProvider, ProviderRecord>()("leap/services/CLIProvider") {}

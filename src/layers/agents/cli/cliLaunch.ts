import { Effect } from "effect"
import type { AgentCli } from "../../../domain/cli/agents/AgentCli.ts"
import { overlay } from "../../../domain/cli/provider/Environment.ts"
import { AgentNotFoundError } from "../../../services/AgentProvider.ts"
import { System } from "../../../services/System.ts"

/** How a CLI is started here, where that is not by its name alone. */
export interface CliLaunch {
  readonly command?: string
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string | null>>
  /** The user's flags for every run. What a run asks for itself takes precedence. */
  readonly flags?: ReadonlyArray<string>
  /** Which of the user's settings for it had to be left out; part of every run as a notice. */
  readonly warning?: string | null
  /** Milliseconds between an interrupt, SIGTERM and SIGKILL. */
  readonly grace?: number
  /** Milliseconds for which it may be silent behind the end of its turn before it is ended. */
  readonly linger?: number
}

/** The program of a CLI: its name, or what the user has named instead. */
export const programOf = (cli: Pick<AgentCli, "binary">, launch: CliLaunch): string => launch.command ?? cli.binary

/** The path of the CLI's program on the PATH of this environment, as it is seen from the working directory. */
export const findProgram = Effect.fnUntraced(function* (
  cli: Pick<AgentCli, "id" | "binary" | "installHint">,
  launch: CliLaunch,
  env: Readonly<Record<string, string>>,
  cwd?: string
) {
  const binary = programOf(cli, launch)
  return yield* (yield* System)
    .which(binary, env, cwd)
    .pipe(Effect.mapError(() => new AgentNotFoundError({ provider: cli.id, binary, hint: cli.installHint })))
})

/** Whether the CLI's program is there. */
export const validate = Effect.fnUntraced(function* (
  cli: Pick<AgentCli, "id" | "binary" | "installHint">,
  launch: CliLaunch
) {
  const { env } = yield* System
  yield* findProgram(cli, launch, overlay(env, { ...launch.env }))
})

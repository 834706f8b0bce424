import { Effect } from "effect"
import type { AgentCli } from "../../../domain/cli/headless/AgentCli.ts"
import { AgentNotFoundError } from "../../../services/AgentProvider.ts"
import { System } from "../../../services/System.ts"

/** How a CLI is started here, if not just by its name. */
export interface CliLaunch {
  readonly command?: string
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string | null>>
  readonly flags?: ReadonlyArray<string>
  /** The user's settings for it that were ignored; each run reports them as a notice. */
  readonly warning?: string | null
  /** Milliseconds between an interrupt, SIGTERM and SIGKILL. */
  readonly grace?: number
  /** Milliseconds of silence after the end of its turn, before it is ended. */
  readonly linger?: number
}

export const programOf = (cli: Pick<AgentCli, "binary">, launch: CliLaunch): string => launch.command ?? cli.binary

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

import { Context, type Effect } from "effect"

/** How a program is asked for its version. */
export interface VersionQuestion {
  /** The program's file. */
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

/** The versions of the CLIs on this machine. Asking starts the CLI, so nobody asks who has no time. */
export class CliVersions extends Context.Service<CliVersions, {
  /** What the program says, or said when its file was the same as now; null when it says nothing that can be read in time. */
  readonly ask: (question: VersionQuestion) => Effect.Effect<string | null>
}>()("leap/services/CliVersions") {}

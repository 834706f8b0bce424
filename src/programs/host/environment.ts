import { overlay } from "../../domain/cli/provider/Environment.ts"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import { withoutMoment } from "../../domain/words/session/startersMoment.ts"
import type { Launch } from "../../services/CLIProvider.ts"

/** The environment the hosted CLI runs in: that of its start, without what belongs to the moment of it. */
export const cliEnvironment = (
  env: Readonly<Record<string, string>>,
  spec: HostSpec,
  spool: string,
  launch: Launch
): Record<string, string> => {
  const own: Record<string, string | null> = {
    TERM: "xterm-256color",
    COLORTERM: env["COLORTERM"] ?? "truecolor",
    TERM_PROGRAM: "leap",
    LEAP_TAG: spec.tag,
    LEAP_SIGNAL_DIR: spool,
    LEAP_CLI_PROVIDER: spec.cli,
    PWD: spec.cwd,
    ...launch.env
  }
  return overlay(withoutMoment(env, spec.inside), own)
}

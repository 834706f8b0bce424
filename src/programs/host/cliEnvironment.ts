import { overlay } from "../../domain/cli/provider/Environment.ts"
import { withoutSessionOnlyVariables } from "../../domain/words/environment/sessionOnlyVariables.ts"
import type { HostSpec } from "../../domain/words/session/HostSpec.ts"
import type { Launch } from "../../services/CLIProvider.ts"

/** The CLI's environment: that of the start, without variables that belong only to that moment. */
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
  return overlay(withoutSessionOnlyVariables(env, spec.inside), own)
}

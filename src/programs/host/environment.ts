import { overlay } from "../../domain/provider/Environment.ts"
import type { HostSpec } from "../../domain/session/HostSpec.ts"
import type { Launch } from "../../services/CLIProvider.ts"

/**
 * Variables that describe the terminal leap was started from. The CLI's terminal is leap, whose viewers come and go, so
 * they would lie to it. LEAP_* of an outer session would make it report there.
 */
const foreign = (name: string): boolean =>
  /^(TMUX|TMUX_PANE|STY|WINDOW|ZELLIJ.*|KITTY_.*|WEZTERM_.*|ITERM_.*|GHOSTTY_.*|ALACRITTY_.*|VTE_VERSION|KONSOLE_.*|TERM_SESSION_ID|TERM_PROGRAM.*|LC_TERMINAL.*|COLUMNS|LINES|LEAP_TAG|LEAP_SIGNAL_DIR|LEAP_CLI_PROVIDER|LEAP_HOST_.*)$/.test(
    name
  )

/** The environment the hosted CLI runs in. */
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
  return overlay(Object.fromEntries(Object.entries(env).filter(([name]) => !foreign(name))), own)
}

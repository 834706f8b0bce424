import { directoryBy, inHome } from "../../cli/provider/Environment.ts"

/** OpenCode's directory of user settings. */
export const opencodeConfig = (env: Readonly<Record<string, string>>): string =>
  `${directoryBy(env, "XDG_CONFIG_HOME", inHome(env, ".config"))}/opencode`

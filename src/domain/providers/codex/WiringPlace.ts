import { directoryBy, inHome } from "../../cli/provider/Environment.ts"

/** Codex's directory of user settings and sessions: CODEX_HOME, else `.codex` in the home directory. */
export const codexHome = (env: Readonly<Record<string, string>>): string =>
  directoryBy(env, "CODEX_HOME", inHome(env, ".codex"))

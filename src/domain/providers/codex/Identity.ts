import { identify } from "../../cli/provider/Identity.ts"
import { namesIn } from "../../words/text/namesIn.ts"
import { directoryBy, inHome } from "../../cli/provider/Environment.ts"

export const codexIdentity = identify({
  id: "codex",
  displayName: "OpenAI Codex",
  binary: "codex",
  installHint: "install it with: npm install -g @openai/codex",
  checkedVersion: "0.169.0",
  oldestVersion: "0.130.0",
  inside: namesIn(
    `CODEX_MANAGED_BY_BUN CODEX_MANAGED_BY_NPM CODEX_MANAGED_BY_PNPM CODEX_MANAGED_PACKAGE_ROOT
      CODEX_THREAD_ID`
  )
})

/** Codex's directory of user settings and sessions: CODEX_HOME, else `.codex` in the home directory. */
export const codexHome = (env: Readonly<Record<string, string>>): string =>
  directoryBy(env, "CODEX_HOME", inHome(env, ".codex"))

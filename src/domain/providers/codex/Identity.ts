import { identify } from "../../cli/provider/Identity.ts"
import { namesIn } from "../../words/text/namesIn.ts"

/** Codex. */
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

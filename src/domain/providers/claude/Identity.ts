import { identify } from "../../cli/provider/Identity.ts"
import { namesIn } from "../../words/text/namesIn.ts"

export const claudeIdentity = identify({
  id: "claude",
  displayName: "Claude Code",
  binary: "claude",
  installHint: "install it with: npm install -g @anthropic-ai/claude-code",
  checkedVersion: "2.1.329",
  oldestVersion: "2.0.77",
  inside: namesIn(
    `AI_AGENT CLAUDECODE CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_EXECPATH
      CLAUDE_CODE_SESSION_ID CLAUDE_CODE_SSE_PORT CLAUDE_EFFORT CLAUDE_ENV_FILE CLAUDE_PID CLAUDE_PROJECT_DIR`
  )
})

/** Claude Code's directory of user settings and sessions: CLAUDE_CONFIG_DIR, else `.claude` in the home directory. */
export const claudeDirectory = (env: Readonly<Record<string, string>>): string => {
  const configured = env["CLAUDE_CONFIG_DIR"]
  return configured === undefined || configured === "" ? `${env["HOME"] ?? ""}/.claude` : configured.replace(/\/+$/, "")
}

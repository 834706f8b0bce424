import { identify } from "../../provider/Identity.ts"

/** Claude Code. */
export const claudeIdentity = identify({
  id: "claude",
  displayName: "Claude Code",
  binary: "claude",
  installHint: "install it with: npm install -g @anthropic-ai/claude-code",
  checkedVersion: "2.1.329",
  oldestVersion: "2.0.77"
})

import type { AuditEntry } from "../../../src/domain/engine/approvals/AuditEntry.ts"
import type { ToolRequest } from "../../../src/domain/policy/ToolRequest.ts"
import { noPolicy, type Policy } from "../../../src/domain/store/settings/Settings.ts"

export const request = (of: Partial<ToolRequest>): ToolRequest => ({
  tool: "Tool",
  kind: "other",
  command: null,
  paths: [],
  url: null,
  agent: null,
  cwd: "/srv/app",
  ...of
})

export const bash = (command: string): ToolRequest => request({ tool: "Bash", kind: "command", command })

export const policyOf = (rules: Partial<Policy>): Policy => ({ ...noPolicy, ...rules })

export const auditEntry = (of: Partial<AuditEntry> = {}): AuditEntry => ({
  at: "2026-11-21T08:00:00.000Z",
  tag: "t",
  cli: "claude",
  sessionId: "s1",
  event: "PermissionRequest",
  request: bash("npm test"),
  verdict: "allow",
  by: "rule",
  rule: "allow Bash(npm *)",
  why: "allowed by a rule of the user's",
  told: "hook",
  ...of
})

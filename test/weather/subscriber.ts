import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claude } from "../real/cli/claude.ts"
import type { RealCli } from "../real/hosted.ts"

/** Claude Code logged in to a subscription, whose limits are told in headers; the login is none that any server knows. */
export const subscriber: RealCli = {
  ...claude,
  prepare: (home, project, endpoint) => {
    const { ANTHROPIC_API_KEY: _, ...env } = claude.prepare(home, project, endpoint)
    const file = join(home, ".claude.json")
    const { customApiKeyResponses: __, ...config } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>
    const oauthAccount = {
      accountUuid: "00000000-0000-4000-8000-000000000001",
      emailAddress: "dev@example.invalid",
      organizationUuid: "00000000-0000-4000-8000-000000000002",
      organizationName: "Example",
      organizationRole: "admin",
      billingType: "stripe_subscription",
      hasExtraUsageEnabled: false
    }
    writeFileSync(file, JSON.stringify({ ...config, oauthAccount }, null, 2))
    const claudeAiOauth = {
      accessToken: "sk-ant-oat01-fake-token-for-a-model-on-loopback",
      refreshToken: "sk-ant-ort01-fake-token-for-a-model-on-loopback",
      expiresAt: Date.now() + 30 * 24 * 3_600_000,
      scopes: ["user:inference", "user:profile", "user:sessions:claude_code"],
      subscriptionType: "max",
      rateLimitTier: "default_claude_max_20x"
    }
    writeFileSync(join(home, ".claude/.credentials.json"), JSON.stringify({ claudeAiOauth }), { mode: 0o600 })
    return env
  }
}

import { assert, describe, it } from "@effect/vitest"
import { versionIn } from "../../../../src/domain/cli/provider/versionText.ts"

describe("a version", () => {
  it.each([
    ["2.1.329 (Claude Code)\n", "2.1.329"],
    ["codex-cli 0.169.0\n", "0.169.0"],
    ["0.61.0\n", "0.61.0"],
    ["GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.", "1.0.102"],
    ["1.18.33", "1.18.33"],
    ["2025.11.20-4fa1cd2", "2025.11.20-4fa1cd2"],
    ["v1.0.0-beta.3+build.5", "1.0.0-beta.3+build.5"],
    ["\u001b[1mcli\u001b[0m \u001b[32mv9.9\u001b[39m", "9.9"],
    ["no version 7 here, nor x1.2", null],
    ["", null]
  ])("in %j is %s", (text, version) => assert.strictEqual(versionIn(text), version))
})

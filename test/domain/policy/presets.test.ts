import { assert, describe, it } from "@effect/vitest"
import { decider } from "../../../src/domain/policy/decide.ts"
import { presets } from "../../../src/domain/policy/presets.ts"
import { policyProblems } from "../../../src/domain/policy/problems.ts"
import { wordsOnDisk } from "../../../src/domain/policy/WordsOnDisk.ts"
import type { Policy } from "../../../src/domain/store/settings/Settings.ts"
import { everyday, guarded, reaching } from "./everyday.ts"
import { others } from "./everydayOthers.ts"
import { tools } from "./everydayTools.ts"
import { trades } from "./everydayTrades.ts"
import { bash } from "./support.ts"

const preset = (name: string): Policy => presets.find((one) => one.name === name)?.policy ?? assert.fail(name)
const verdicts = (policy: Policy) => {
  const decide = decider({ policy, home: "/home/me", tag: "t", cli: "c", directory: "/srv/app" })
  // as a hook's request is judged: the session's repository is found from all that is below it
  return (line: string) => {
    const repositories = wordsOnDisk(line, "/srv/app", "/home/me").repositories.map((directory) => ({
      directory,
      root: `${directory}/`.startsWith("/srv/app/") ? "/srv/app" : directory
    }))
    return decide("pause", { ...bash(line), repositories })
  }
}

describe("presets", () => {
  it.each(presets.map(({ name, policy }) => ({ name, policy })))("$name has no rule with a problem", ({ policy }) => {
    assert.deepStrictEqual(policyProblems(policy), [])
  })

  it.each([
    { whose: "coding agents'", lines: everyday },
    { whose: "other people's", lines: others },
    { whose: "other trades'", lines: trades },
    { whose: "test runners', linters' and builds'", lines: tools }
  ])("development lets at least 97 of 100 everyday commands through: $whose", ({ lines }) => {
    assert.isAtLeast(lines.length, 300)
    const decide = verdicts(preset("development"))
    const asked = lines.flatMap((line) => {
      const { verdict, why } = decide(line)
      return verdict === "allow" ? [] : [`${verdict} ${line}: ${why}`]
    })
    assert.isAtMost(asked.length, lines.length * 0.03, asked.join("\n"))
  })

  it.each([
    ...guarded.map(([verdict, line]) => ({ verdict, line })),
    ...reaching.map((line) => ({ verdict: "ask", line }))
  ])("development says $verdict to: $line", (row) => {
    assert.strictEqual(verdicts(preset("development"))(row.line).verdict, row.verdict)
  })

  it("night-shift asks nobody where development does for the sake of others", () => {
    const decide = verdicts(preset("night-shift"))
    for (const line of ["git push", "npm publish", "git switch -f main", "ssh host ls"])
      assert.strictEqual(decide(line).verdict, "deny", line)
  })

  it("read-only allows what changes nothing, and nothing else", () => {
    const decide = verdicts(preset("read-only"))
    for (const line of ["ls -la", "git status", "grep -rn x src | head", "find . -name '*.ts'"])
      assert.strictEqual(decide(line).verdict, "allow", line)
    for (const line of ["npm test", "rm x", "git commit -m x", "echo x > y", "sed -i s/a/b/ x", "find . -delete"])
      assert.strictEqual(decide(line).verdict, "ask", line)
  })
})

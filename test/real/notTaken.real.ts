import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { hosted, type RealCli, type Session } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"
import { each } from "../support/data/fields.ts"

/** The CLI, with a hook of the user's that refuses prompts with a certain word. */
const refusing = (cli: RealCli, file: string, event: string): RealCli => ({
  ...cli,
  prepare: (home, project, endpoint) => {
    const env = cli.prepare(home, project, endpoint)
    const command = join(home, "refuse.sh")
    const reply = JSON.stringify({ decision: "block", reason: "no secrets here" })
    writeFileSync(command, `#!/bin/sh\nif grep -q secret; then echo '${reply}'; else echo '{}'; fi\n`, { mode: 0o755 })
    const path = join(home, file)
    const old = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as object) : {}
    writeFileSync(path, JSON.stringify({ ...old, hooks: { [event]: [{ hooks: [{ type: "command", command }] }] } }))
    return env
  }
})

/** The text of a message that the CLI does not take, which is held for this reason and reaches no model. */
const assertHolds = (
  cli: RealCli,
  tag: string,
  text: string,
  why: RegExp,
  more: (session: Session) => Promise<void> = () => Promise.resolve()
) =>
  hosted(cli, tag, async (session) => {
    const { api, leap, status, tryLeap } = session
    api.script(say("Hello."))
    await leap(["send", tag, "--wait", "hello"])
    const sent = await tryLeap(["send", tag, "--wait", "--timeout", "60", "--", text])
    assert.strictEqual(sent.code, 5, sent.err)
    assert.match(sent.err, why)
    assert.deepStrictEqual(
      (await status()).queue.filter(({ status }) => status !== "done").map((message) => message.text),
      [text]
    )
    await more(session)
    assert.deepStrictEqual(each(api.main, "conversation"), [["hello"]])
  })

/** Nor is the refusal an answer without a terminal; Codex prints nothing of it, and leap says what that means. */
const isNoAnswer = async ({ project, tryLeap }: Session, cli: string, text: string) => {
  const ran = await tryLeap(["exec", "--provider", cli, "--cwd", project, text])
  assert.deepStrictEqual([ran.code, ran.out], [12, ""])
  assert.include(ran.err, cli === "codex" ? "a hook of yours that refuses the prompt does that" : "no secrets here")
}

describe("a message that the CLI does not take", () => {
  it.each([
    [refusing(claude, ".claude/settings.json", "UserPromptSubmit")],
    [refusing(gemini, ".gemini/settings.json", "BeforeAgent")],
    // a hook that it does not know is trusted by the second option of what its start asks
    [{ ...refusing(codex, ".codex/hooks.json", "UserPromptSubmit"), closes: ["Down", "Enter"] }]
  ])("since a hook of the user's refuses it is held: $id", (cli) =>
    assertHolds(cli, `${cli.id}-refuses`, "my secret is 7", /a hook of the CLI's refused it/, (session) =>
      isNoAnswer(session, cli.id, "my secret is 7")
    )
  )

  it.each([[claude], [codex], [copilot]])("since it knows no such command is held: $id", (cli) =>
    assertHolds(cli, `${cli.id}-knows`, "/nosuch thing", /the CLI knows no command \/nosuch/)
  )
})

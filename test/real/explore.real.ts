import { describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { claude } from "./cli/claude.ts"
import { hosted, sleep } from "./hosted.ts"
import { say, type Reply } from "./model/FakeModel.ts"

const agent = (name: string, model?: string): Reply => ({
  blocks: [
    {
      type: "tool",
      name: "Agent",
      input: { description: "look around", prompt: "Look around.", subagent_type: "general-purpose", ...(model === undefined ? {} : { model }) },
      instead: { type: "tool", name: "Task", input: { description: "look around", prompt: "Look around.", subagent_type: "general-purpose", ...(model === undefined ? {} : { model }) } }
    }
  ]
})
const dump = (cmd: string) => process.stderr.write(`$ ${cmd}\n${execFileSync("sh", ["-c", cmd], { encoding: "utf8" })}\n`)

describe("x", () => {
  it("claude", async () =>
    hosted(claude, "figx", async (s) => {
      const home = s.env["HOME"]!
      s.api.script(agent("a", "haiku"), say("sub done"), say("All done."))
      s.api.otherwise = say("more")
      await s.leap(["send", "figx", "go around"])
      await s.until("over", (x) => x.state === "idle" && x.lastResponse !== null && x.queue.every((q) => q.status === "done"))
      await sleep(3000)
      process.stderr.write(JSON.stringify((await s.status()).cost) + JSON.stringify((await s.status()).sessionId) + "\n")
      dump(`cd ${home}/.claude/projects && find . -type f | head -50; for f in $(find . -name '*.jsonl'); do echo "== $f"; cut -c1-900 $f | grep -v '"type":"attachment"' ; done`)
      await s.leap(["send", "figx", "/cost"])
      await sleep(3000)
      process.stderr.write(await s.leap(["screen", "figx"]))
      await s.leap(["keys", "figx", "esc"])
      await sleep(1000)
      const id = (await s.status()).sessionId!
      await s.leap(["stop", "figx"])
      await sleep(2000)
      dump(`cd ${home}/.claude/projects; for f in $(find . -name '*.jsonl'); do tail -4 $f | cut -c1-600; done; cat ${home}/.claude.json | grep -n -i "cost\\|lastModelUsage" -A6 | head -60`)
      // fork
      await s.leap(["fork", "--cli", "claude", "--cwd", s.project, "--detach", "--", "--resume", id, "--fork-session"])
      await sleep(8000)
      await s.leap(["send", "fork", "more please"])
      await sleep(8000)
      process.stderr.write(await s.tryLeap(["status", "fork", "--json"]).then((r) => r.out))
      await s.leap(["send", "fork", "/cost"])
      await sleep(3000)
      process.stderr.write(await s.leap(["screen", "fork"]))
      dump(`cd ${home}/.claude/projects && find . -type f | head -50; for f in $(ls -t $(find . -name '*.jsonl') | head -2); do echo "== $f"; cut -c1-1200 $f | grep -v '"type":"attachment"' ; done`)
      await s.tryLeap(["stop", "fork", "--force"])
    }))
})

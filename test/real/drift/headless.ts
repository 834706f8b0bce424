import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AgentCli } from "../../../src/domain/cli/headless/AgentCli.ts"
import { claudeHeadless } from "../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../src/domain/providers/opencode/Headless.ts"
import { aCall, decode, type HeadlessRun, type VersionRun, versionRuns } from "../../support/headless/headless.ts"
import { claude } from "../cli/claude.ts"
import { codex } from "../cli/codex.ts"
import { copilot } from "../cli/copilot.ts"
import { gemini } from "../cli/gemini.ts"
import { opencode } from "../cli/opencode.ts"
import { makeProject, type RealCli } from "../hosted.ts"
import { FakeModel, type Reply, say } from "../model/FakeModel.ts"

/** What scripts/record.ts wants: the fixtures of this CLI, in this folder. */
const task = JSON.parse(process.env["LEAP_DRIFT"] ?? "{}") as { readonly cli: string; readonly fixtures: string }

/** A text without where the box and the CLI's files were: only the project's place in it is of interest. */
const plainly = (place: string) => {
  const [programs = ""] = (process.env["PATH"] ?? "").split(":")
  const places = [
    [place, "/home/dev"],
    [place.replaceAll(/[/.]/g, "-"), "-home-dev"],
    [process.env["TMPDIR"] ?? "/tmp", "/tmp"],
    [dirname(dirname(programs)), "/usr/local/lib"]
  ] as const
  return (text: string) => places.reduce((now, [from, to]) => now.replaceAll(from, to), text)
}

const replies: Readonly<Record<VersionRun, (cli: RealCli) => ReadonlyArray<Reply>>> = {
  answer: () => [say("Hello from the model.")],
  "goes-on": () => [say("Hello again.")],
  tool: (cli) => [cli.look("README.md"), say("It is a small project.")],
  refused: () => []
}

/** Runs a CLI without a terminal as leap does, and keeps what it printed. */
const record = async <State>(real: RealCli, headless: AgentCli<State>) => {
  const api = new FakeModel(real.wire)
  // what was not scripted, however often it is tried
  api.otherwise = { failure: { status: 400, message: "this request is wrong" } }
  const place = join(process.env["HOME"] ?? "", "recorded")
  const project = join(place, "project")
  makeProject(project)
  const env = { ...process.env, ...real.prepare(place, project, await api.open()), HOME: place }
  const ran: Array<HeadlessRun> = []
  let sessionId: string | null = null
  const plain = plainly(place)
  try {
    for (const name of versionRuns) {
      api.script(...replies[name](real))
      const call = aCall({
        prompt: `This is "${name}".`,
        options: { cwd: project, ...(real.id === "claude" ? { allowedTools: "Read" } : { skipPermissions: true }) },
        sessionId: name === "goes-on" ? sessionId : null,
        freshId: crypto.randomUUID()
      })
      const { args, env: own, reportFlag, stdin } = Result.getOrThrow(headless.command(call))
      const [out, err, report] = ["out", "err", "report"].map((kind) => join(place, `${name}.${kind}`)) as [
        string,
        string,
        string
      ]
      const all = [...args, ...(reportFlag === null ? [] : [reportFlag, report])]
      const seen = Object.fromEntries(Object.entries({ ...env, ...own }).filter(([, value]) => value !== null))
      // files: some of them end before a pipe has taken all
      const files = [openSync(out, "w"), openSync(err, "w")] as const
      const [exit, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
        const child = spawn(headless.binary, all, {
          cwd: project,
          env: seen,
          stdio: ["pipe", ...files]
        })
        child.once("error", reject)
        child.once("close", (code, signal) => resolve([code, signal]))
        child.stdin?.end(stdin ?? "")
      })
      for (const file of files) closeSync(file)
      const text = plain(readFileSync(out, "utf8"))
      const usage = existsSync(report) ? plain(readFileSync(report, "utf8")) : null
      writeFileSync(join(task.fixtures, `${name}.ndjson`), text)
      if (usage !== null) writeFileSync(join(task.fixtures, `${name}.usage.json`), usage)
      ran.push({ name, args: args.map(plain), exit, signal, stderr: plain(readFileSync(err, "utf8")) })
      if (name === "answer") sessionId = decode(headless, [Buffer.from(text)], call).told.sessionId
    }
    writeFileSync(join(task.fixtures, "runs.json"), `${JSON.stringify(ran, null, 1)}\n`)
    if (api.failure !== null) throw new Error("the endpoint failed", { cause: api.failure })
  } finally {
    await api.close()
  }
}

const recording: Readonly<Record<string, () => Promise<void>>> = {
  claude: () => record(claude, claudeHeadless),
  codex: () => record(codex, codexHeadless),
  copilot: () => record(copilot, copilotHeadless),
  gemini: () => record(gemini, geminiHeadless),
  opencode: () => record(opencode, opencodeHeadless)
}

it(`${task.cli} without a terminal is recorded`, async () => {
  const run = recording[task.cli]
  if (run === undefined) throw new Error(`no driver for ${task.cli}`)
  await run()
  assert.isTrue(existsSync(join(task.fixtures, "runs.json")))
})

import { assert, describe, it } from "@effect/vitest"
import { execFile as execFileCallback } from "node:child_process"
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll } from "vitest"
import { stream } from "../../support/headless/chatServer.ts"
import { isThorough } from "../../support/run/thorough.ts"

const execFile = promisify(execFileCallback)
const program = process.env["LEAP_TEST_BUNDLE"] ?? fileURLToPath(new URL("../../../src/bin.ts", import.meta.url))
const home = realpathSync(mkdtempSync(join(tmpdir(), "leap-lines-")))

/** A byte, more than is whole in a pipe by itself, more than a pipe holds. */
const sizes = [1, 20, 4_000, 4_097, 20_000, 70_000, 300_000, 1_000_000]
const sizeOf = (at: number): number => sizes[at % sizes.length] ?? 1
/** The answer to a prompt that is a number. It comes in pieces. */
const letters = (at: number): string => String.fromCharCode(97 + (at % 26))
const answerTo = (at: number): string => (sizeOf(at) === 1 ? letters(at) : `${at}:${letters(at).repeat(sizeOf(at))}`)

const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8").on("data", (piece: string) => (body += piece))
  request.on("end", () => {
    const { messages } = JSON.parse(body) as { messages: ReadonlyArray<{ content: string }> }
    const answer = answerTo(Number(messages.at(-1)?.content))
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(stream(...(answer.match(/.{1,9000}/g) ?? [])))
  })
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => {
  server.close()
  rmSync(home, { recursive: true, force: true })
})

/** Runs of `xargs -P 32`, one for each number, all of them with one standard output; gives its lines. */
const linesOf = async (runs: number, target: "pipe" | "file", ...words: ReadonlyArray<string>) => {
  const out = join(home, `${target}${words.join("")}`)
  writeFileSync(out, "")
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: home,
    OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    OPENAI_MODEL: "m",
    OPENAI_API_KEY: "k"
  }
  const run = [process.execPath, program, "exec", "--provider", "openai_compatible", ...words, "{}"]
  const line = `seq ${runs} | xargs -P 32 -I '{}' ${run.map((word) => `'${word}'`).join(" ")}`
  await execFile("sh", ["-c", target === "pipe" ? `${line} | cat > '${out}'` : `${line} >> '${out}'`], { env })
  const text = readFileSync(out, "utf8")
  assert.isTrue(text.endsWith("\n"))
  return text.slice(0, -1).split("\n")
}

const numbers = (runs: number) => Array.from({ length: runs }, (_, at) => at + 1)

describe("many runs with one standard output", () => {
  it.each([
    ["pipe", isThorough ? 1_000 : 100],
    ["file", isThorough ? 250 : 30]
  ] as const)("print whole answers into a %s", async (target, runs) => {
    const lines = await linesOf(runs, target)
    assert.deepStrictEqual(
      lines.map((line) => line.slice(0, 12)).toSorted(),
      numbers(runs)
        .map((at) => answerTo(at).slice(0, 12))
        .toSorted()
    )
    for (const line of lines) {
      const at = Number(line.split(":", 1)[0])
      assert.isTrue(line.length === 1 || line === answerTo(at), `${line.length} characters: ${line.slice(0, 60)}`)
    }
  })

  it.each([
    ["pipe", "json"],
    ["file", "json"],
    ["pipe", "stream-json"],
    ["file", "stream-json"]
  ] as const)("print whole lines into a %s as %s", async (target, output) => {
    const runs = isThorough ? 250 : 30
    const lines = await linesOf(runs, target, "--output", output)
    const documents = lines.map((line) => JSON.parse(line) as { readonly _tag?: string; readonly text?: string })
    const answers = documents.filter(({ _tag }) => output === "json" || _tag === "Result").map(({ text }) => text ?? "")
    assert.isTrue(
      answers.toSorted().every((answer, at) => answer === numbers(runs).map(answerTo).toSorted()[at]),
      "each answer is there, once"
    )
    assert.strictEqual(answers.length, runs)
  })
})

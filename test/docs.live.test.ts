// Each command line in the documents' blocks for shells is run, in a place of its own, with the scripted CLI under the
// name that is its first session's, and without the CLIs: what it is told then may be no, but never that it is wrong.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { aRepository } from "./support/processes/Repository.ts"
import { makeRoom, type Room, startDemo } from "./support/processes/Room.ts"
import { isThorough } from "./support/run/thorough.ts"
import { longTestPatience, patience } from "./support/run/patience.ts"
import { live } from "./support/run/effects.ts"

const root = path.join(import.meta.dirname, "..")
const documents = ["README.md", ...fs.readdirSync(path.join(root, "docs")).map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith(".md")
)

/** What a reader may copy: lines in which leap itself is run. */
const lines = documents.flatMap((file) =>
  [...fs.readFileSync(path.join(root, file), "utf8").matchAll(/^```sh\n(.*?)^```/gms)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .filter((line) => /(?:^|\| |&& )leap /.test(line))
    .map((line) => ({ file, line }))
)

/** What goes on until its user ends it. */
const isEndless = (line: string) => /^leap (?:web|out)(?: |$)(?!test|status)/.test(line.replace(/ +#.*$/, ""))

/** Runs a line as a shell does, with nobody at a terminal. */
const run = (room: Room, bin: string, cwd: string, line: string) =>
  Effect.callback<{ readonly code: number | null; readonly said: string }>((resume) => {
    // a pipe's commands all count
    const child = spawn("bash", ["-o", "pipefail", "-c", line], {
      env: {
        ...room.env,
        LEAP_SECRET: `whsec_${Buffer.from("a key of some length").toString("base64")}`,
        PATH: `${bin}:/usr/bin:/bin`
      },
      cwd,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"]
    })
    let said = ""
    const end = () => {
      try {
        process.kill(-child.pid!, "SIGKILL")
      } catch {
        // it has ended
      }
    }
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (data: string) => {
        said += data
        if (isEndless(line)) setTimeout(end, 200)
      })
    child.once("close", (code) => resume(Effect.succeed({ code, said })))
    return Effect.sync(end)
  }).pipe(Effect.timeout(patience), Effect.orDie)

describe.runIf(isThorough)("the documents' command lines", () => {
  live(
    "run as they stand",
    function* () {
      const room = yield* makeRoom("0.1")
      const repository = yield* aRepository
      const bin = path.join(room.dir, "bin")
      for (const dir of [
        bin,
        ...[".zfunc", ".config/fish/completions", ".config/leap"].map((one) => path.join(room.dir, one))
      ])
        fs.mkdirSync(dir, { recursive: true })
      fs.mkdirSync(path.join(room.dir, ".local/share/bash-completion/completions"), { recursive: true })
      fs.writeFileSync(path.join(bin, "leap"), `#!/bin/sh\nexec '${room.command.join("' '")}' "$@"\n`, {
        mode: 0o755
      })
      // what the lines speak of besides leap
      fs.writeFileSync(path.join(bin, "jq"), "#!/bin/sh\ncat\n", { mode: 0o755 })
      fs.appendFileSync(path.join(repository.main, "a.txt"), "changed\n")
      fs.writeFileSync(path.join(repository.main, "todo.schema.json"), '{ "type": "object" }')
      fs.writeFileSync(path.join(repository.main, "shot.png"), Buffer.from("89504e470d0a1a0a", "hex"))
      const webhook = { name: "ci", url: "http://127.0.0.1:9/", secretEnv: "LEAP_SECRET" }
      const lab = { baseUrl: "http://127.0.0.1:9/v1", model: "m" }
      const settings = path.join(room.env["LEAP_HOME"]!, "settings.json")
      fs.mkdirSync(path.dirname(settings), { recursive: true })
      fs.writeFileSync(settings, JSON.stringify({ out: { webhooks: [webhook] }, endpoints: { lab } }))
      yield* startDemo(room, "my-feature")
      yield* startDemo(room, "other")
      assert.isAbove(lines.length, 40)
      const wrong: Array<string> = []
      for (const { file, line } of lines) {
        const { code, said } = yield* run(room, bin, repository.main, line)
        // 2 is wrong usage, also to want a terminal where there is none; who is ended has no code
        if (
          (code === 2 && !/needs a terminal/.test(said)) ||
          (code === null && !isEndless(line)) ||
          /bug in leap|\n +at /.test(said)
        )
          wrong.push(`${file}: ${line}\n${code} ${said.slice(0, 300)}`)
      }
      assert.deepStrictEqual(wrong, [])
    },
    longTestPatience
  )
})

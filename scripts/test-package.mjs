// Packs leap, and uses it as others do: an empty project of an ordinary user with an empty home, Node and npm, and the
// registry. The command, the library from JavaScript and from strict TypeScript, every example, the suite, the removal.
import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { keptReport } from "./api/reports.mjs"
import { makeChecks, must } from "./run/checks.mjs"

const root = path.dirname(import.meta.dirname)
const at = (...parts) => path.join(root, ...parts)
const begun = Date.now()
/** Only what a commit can break by itself: packed, installed, its version, its library, one example. */
const isSmoke = process.argv.includes("--smoke")
const asRoot = process.getuid() === 0
/** Whoever owns nothing here. */
const nobody = 65534

const own = JSON.parse(fs.readFileSync(at("package.json"), "utf8"))
const versions = { ...own.devDependencies, ...own.dependencies }
const place = fs.mkdtempSync(path.join(os.tmpdir(), "leap-package-"))
const home = path.join(place, "home")
const project = path.join(place, "project")
const prefix = path.join(place, "global")
const { check, counts, end } = makeChecks()

const user = asRoot ? { uid: nobody, gid: nobody } : {}
// The Node of this run by its own path: a link in a folder of the clone would lead the user there.
const tools = path.join(place, "tools")
/** How this machine reaches the registry. */
const reach = Object.entries(process.env).filter(([name]) =>
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy|npm_config_registry)$/i.test(name)
)
const env = {
  ...Object.fromEntries(reach),
  HOME: home,
  PATH: [
    tools,
    path.join(prefix, "bin"),
    ...(process.env.PATH ?? "").split(path.delimiter).filter((dir) => !dir.includes("node_modules"))
  ].join(path.delimiter),
  LANG: "C.UTF-8",
  LEAP_DEMO_PACE: "0.2",
  npm_config_cache: process.env.LEAP_NPM_CACHE ?? path.join(place, "cache"),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false"
}

/** Runs a program, as the user in the project unless told otherwise; gives what came of it. */
const run = (command, args, { as = { ...user, env }, cwd = project, timeout = 120_000 } = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      timeout,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "pipe"],
      ...as
    })
    let out = ""
    let err = ""
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text))
    child.stderr.setEncoding("utf8").on("data", (text) => (err += text))
    child.on("error", (error) => resolve({ code: null, out, err: `${err}${error.message}` }))
    child.on("close", (code, signal) => resolve({ code, out, err: signal === null ? err : `${err}${signal}` }))
  })

const fine = async (running) => {
  const ran = await running
  must(ran.code === 0, `exit code ${ran.code}\n${ran.out}${ran.err}`)
  return ran
}
const leap = (...args) => run(path.join(prefix, "bin", "leap"), args)

/** The registry may fail once. */
const install = async (...args) => {
  const flags = ["install", "--prefer-offline", "--loglevel=error", ...args]
  const first = await run("npm", flags, { timeout: 90_000 })
  return first.code === 0 ? first : run("npm", flags, { timeout: 120_000 })
}

const files = (dir) =>
  fs.existsSync(dir)
    ? fs
        .readdirSync(dir, { recursive: true, withFileTypes: true })
        .flatMap((it) => (it.isFile() ? [path.join(it.parentPath, it.name)] : []))
    : []

/** Each block of TypeScript in the documents, as a file of its own. */
const codeInDocuments = () => {
  const pages = fs.readdirSync(at("docs")).filter((name) => name.endsWith(".md"))
  const documents = ["README.md", ...pages.map((name) => path.join("docs", name))]
  return documents.flatMap((document) =>
    [...fs.readFileSync(at(document), "utf8").matchAll(/^```ts\n(.*?)^```/gms)].map(([, text], n) => [
      `${path.basename(document, ".md")}-${n}.ts`,
      text
    ])
  )
}

/** The protocol's own tool to look at servers with; it is none of leap's dependencies. */
const inspector = "@modelcontextprotocol/inspector@2.12.0"

const clis = ["claude", "codex", "gemini", "copilot", "opencode", "cursor-agent", "demo"]
const node = (...args) => run(path.join(tools, "node"), args)

const installedAsCommand = (tarball) =>
  check("is installed as a command, without a compiler or scripts", async () => {
    await fine(install("--global", "--prefix", prefix, "--ignore-scripts", tarball))
    must((await fine(leap("--version"))).out === `leap ${own.version}\n`, "another version")
    const { out } = await fine(leap("help", "troubleshooting"))
    must(out.startsWith("# Troubleshooting\n"), `its documents did not come along: ${out.slice(0, 200)}`)
  })

const smoke = async (tarball, library) => {
  await installedAsCommand(tarball)
  await check("is installed as a library", () => fine(library))
  if (counts.failed > 0) return
  for (const name of ["embed.ts"]) fs.copyFileSync(at("examples", name), path.join(project, name))
  await check("is imported by each of its doors", () =>
    fine(
      node(
        "--input-type=module",
        "--eval",
        'for (const door of ["", "/host", "/testing"]) if (Object.keys(await import(`leap${door}`)).length < 5) throw new Error(door)'
      )
    )
  )
  await check("runs an example", async () => {
    const { out } = await fine(node("embed.ts"))
    must(out.includes("answer: You asked “say hello”"), `another answer: ${out}`)
  })
}

const main = async () => {
  for (const dir of [home, project, prefix, tools, path.join(place, "cache")]) fs.mkdirSync(dir, { recursive: true })
  fs.copyFileSync(fs.realpathSync(process.execPath), path.join(tools, "node"))
  fs.chmodSync(path.join(tools, "node"), 0o755)
  fs.chmodSync(place, 0o755)

  let tarball = ""
  await check("is packed, with less than 2.18 MB", async () => {
    const made = await fine(
      run(process.execPath, [at("scripts", "pack.mjs"), "--to", place], { as: { env: process.env }, timeout: 300_000 })
    )
    tarball = made.out.split("  ")[0]
    must(fs.existsSync(tarball), made.out)
  })
  if (counts.failed > 0) return
  if (asRoot) spawnSync("chown", ["-R", `${nobody}:${nobody}`, home, project, prefix, tools, path.join(place, "cache")])

  await check("holds what an installed leap needs, and neither tests' data nor a Node", () => {
    const stage = path.join(place, "package")
    const manifest = JSON.parse(fs.readFileSync(path.join(stage, "package.json"), "utf8"))
    must(manifest.private === true, "it may be published under a name that is another's")
    must(manifest.devDependencies === undefined, "it has what only a clone needs")
    must(!JSON.stringify(manifest).includes("node-linux"), "it depends on a Node binary")
    must(manifest.scripts === undefined, "it runs scripts")
    const names = files(stage).map((file) => path.relative(stage, file))
    for (const needed of [
      "bin/leap.cjs",
      "program/leap.js",
      "hooks/leap-hook.sh",
      "LICENSE",
      "README.md",
      "THIRD-PARTY-NOTICES"
    ])
      must(names.includes(needed), `${needed} is missing`)
    const odd = names.filter((name) => /recordings|fixtures|^(src|test)\/.*\.(test|real)\.ts$|node_modules/.test(name))
    must(odd.length === 0, odd.join("\n"))
  })
  await check(
    "exports what api/exports.txt says: 'npm run api' writes it anew, and the difference belongs in the review",
    () => {
      const [now, kept] = [path.join(place, "exports.txt"), keptReport(root)].map((file) =>
        fs.readFileSync(file, "utf8").split("\n")
      )
      must(now.length > 300, `only ${now.length} lines`)
      const silent = now.filter((line) => line.endsWith(" silent"))
      must(silent.length === 0, `nothing says what these promise:\n${silent.join("\n")}`)
      const differing = [
        ...kept.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
        ...now.filter((line) => !kept.includes(line)).map((line) => `+ ${line}`)
      ]
      must(now.join("\n") === kept.join("\n"), `it differs:\n${differing.join("\n")}`)
    }
  )

  fs.writeFileSync(path.join(project, "package.json"), '{ "name": "mine", "private": true, "type": "module" }\n', {
    mode: 0o666
  })
  if (asRoot) fs.chownSync(path.join(project, "package.json"), nobody, nobody)
  const kit = isSmoke ? [] : ["@effect/vitest", "vitest", "typescript", "@types/node"]
  const wanted = ["effect", "@effect/platform-node", ...kit]
  const library = install(`leap@file:${tarball}`, ...wanted.map((name) => `${name}@${versions[name]}`))

  if (isSmoke) return smoke(tarball, library)
  const inspecting = path.join(place, "inspector")
  fs.mkdirSync(inspecting)
  if (asRoot) fs.chownSync(inspecting, nobody, nobody)
  const inspected = install("--prefix", inspecting, "--ignore-scripts", inspector)

  await installedAsCommand(tarball)
  if (counts.failed > 0) return

  await check("says in one line that a Node is too old", async () => {
    const old = path.join(place, "old.cjs")
    fs.writeFileSync(old, 'Object.defineProperty(process.versions, "node", { value: "20.20.2" })\n')
    const { code, err, out } = await node("--require", old, path.join(prefix, "bin", "leap"), "status")
    const told = /^leap needs Node 22\.19 or newer; this is 20\.20\.2 \(.*\)\n$/
    must(code === 1 && out === "" && told.test(err), `${code} ${out}${err}`)
  })

  await check("wires, hosts, answers and ends a session", async () => {
    await fine(leap("hooks", "install", "--cli", "demo"))
    await fine(leap("one", "--cli", "demo", "--detach"))
    const { out } = await fine(leap("send", "one", "say hello", "--wait", "--timeout", "30"))
    must(out.includes("say hello"), `another answer: ${out}`)
    await fine(leap("wait", "one", "--timeout", "30"))
    must((await fine(leap("last", "one"))).out.includes("say hello"), "another last answer")
    await fine(leap("stop", "one"))
    await fine(leap("doctor"))
  })

  await check("serves MCP's inspector: tools, resources, a message to a session and its answer", async () => {
    await fine(inspected)
    const inspect = (...args) => run(path.join(inspecting, "node_modules", ".bin", "mcp-inspector"), ["--cli", ...args])
    const asked = async (flags, method, ...args) => {
      const { out } = await fine(
        inspect(path.join(prefix, "bin", "leap"), "mcp", ...flags, "--method", method, ...args)
      )
      return JSON.parse(out)
    }
    const call = async (name, ...pairs) => {
      const args = pairs.flatMap((pair) => ["--tool-arg", pair])
      return (await asked([], "tools/call", "--tool-name", name, ...args)).structuredContent
    }
    const names = ({ tools }) => tools.map(({ name }) => name).join(" ")
    const looking = "sessions status screen last_answer receipt wait"
    const [every, harmless] = await Promise.all([
      // strict: schemas that other clients could not read are errors
      asked([], "tools/list", "--strict").then(names),
      asked(["--read-only"], "tools/list").then(names),
      fine(leap("seen", "--cli", "demo", "--detach"))
    ])
    must(every === `${looking} send start stop answer`, `other tools: ${every}`)
    must(harmless === looking, `--read-only has others: ${harmless}`)
    must(
      (await call("sessions")).sessions.some(({ tag }) => tag === "seen"),
      "the session is not listed"
    )
    const { id } = await call("send", "tag=seen", "text=say it to the inspector")
    const { message } = await call("wait", "tag=seen", `message=${id}`)
    // the demo CLI's answer begins with what it was told, which says whose it is
    const marked = `message ${id.slice(-5)} from an agent outside of leap's sessions, not from your user`
    must(message.answer.includes(marked), `another answer: ${message.answer}`)
    must((await call("receipt", "tag=seen", `id=${id}`)).status === "done", "another receipt")
    const { contents } = await asked([], "resources/read", "--uri", "leap://session/seen/answer")
    must(contents[0].text === message.answer, "another resource")
    await call("stop", "tag=seen")
    const gone = await inspect(
      path.join(prefix, "bin", "leap"),
      "mcp",
      "--method",
      "tools/call",
      "--tool-name",
      "screen",
      "--tool-arg",
      "tag=nobody"
    )
    must(gone.code === 5 && gone.out.includes("there is no session 'nobody'"), `${gone.code} ${gone.out}${gone.err}`)
  })

  /** The files elsewhere that have leap in them; what was typed into a CLI, and where, is the CLI's own. */
  const namedOutside = (elsewhere) =>
    files(home).filter(
      (file) =>
        !elsewhere.test(file) && !file.endsWith("/history.jsonl") && fs.readFileSync(file, "utf8").includes("leap")
    )

  await check("leaves nothing in the settings of CLIs", async () => {
    const theirs = {
      ".claude/settings.json": '{\n  "model": "opus"\n}\n',
      ".gemini/settings.json": '{ "theme": "x" }\n'
    }
    for (const [name, text] of Object.entries(theirs)) {
      fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
      fs.writeFileSync(path.join(home, name), text)
      if (asRoot) spawnSync("chown", ["-R", `${nobody}:${nobody}`, path.dirname(path.join(home, name))])
    }
    for (const cli of clis) await fine(leap("hooks", "install", "--cli", cli))
    const named = () => namedOutside(/\/\.(local\/state\/leap|npm)\//)
    must(named().length >= clis.length - 1, `it was wired in too few places: ${named().join(" ")}`)
    for (const cli of clis) await fine(leap("hooks", "remove", "--cli", cli))
    must(named().length === 0, named().join("\n"))
    for (const [name, text] of Object.entries(theirs))
      must(fs.readFileSync(path.join(home, name), "utf8") === text, `${name} is another`)
    await fine(leap("hooks", "install", "--cli", "demo"))
  })

  await check("is installed as a library", () => fine(library))
  if (counts.failed > 0) return
  for (const name of fs.readdirSync(at("examples"))) fs.copyFileSync(at("examples", name), path.join(project, name))
  for (const [name, text] of codeInDocuments()) fs.writeFileSync(path.join(project, name), text)
  fs.copyFileSync(at("test", "package", "consumer.mjs"), path.join(project, "consumer.mjs"))

  await check("is used from JavaScript: hosted, launched, headless, the test kit", () => fine(node("consumer.mjs")))

  await check("is used from strict TypeScript: the examples, what documents show, its own declarations", async () => {
    const strict = [
      "strict",
      "exactOptionalPropertyTypes",
      "noUncheckedIndexedAccess",
      "noImplicitOverride",
      "noPropertyAccessFromIndexSignature"
    ]
    const compilerOptions = {
      ...Object.fromEntries(strict.map((name) => [name, true])),
      noEmit: true,
      target: "es2024",
      // Effect names types of browsers.
      lib: ["es2024", "dom"],
      module: "nodenext",
      types: ["node"],
      skipLibCheck: false,
      allowImportingTsExtensions: true
    }
    fs.writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
    await fine(run("npx", ["--no-install", "tsc"]))
  })

  await check("runs the examples, and its show", async () => {
    const says = async (running, what) => {
      const { out } = await fine(running)
      must(out.includes(what), `no '${what}' in: ${out}`)
    }
    const socket = async () => {
      await fine(leap("two", "--cli", "demo", "--detach"))
      await says(run("python3", ["client.py", "two", "say hello"]), "You asked “say hello”")
      await says(node("dashboard.ts", "2"), "two ")
      await fine(leap("record", "two", "two.cast", "--past"))
      await says(node("replay.ts", "two.cast"), '"state":"running"')
      await fine(leap("stop", "two"))
    }
    await Promise.all([
      says(node("embed.ts"), "answer: You asked “say hello”"),
      says(node("permissions.ts"), "Write notes.md? → Yes"),
      says(node("custom-provider.ts"), "Polly wants a cracker!"),
      says(node("policy.ts"), "ask   rm -rf build"),
      says(leap("demo"), "demonstration"),
      socket()
    ])
  })

  await check("holds a provider to the published suite", () =>
    fine(run("npx", ["--no-install", "vitest", "run", "custom-provider.test.ts"]))
  )

  await check("is removed", async () => {
    await fine(leap("hooks", "remove"))
    const left = namedOutside(/\/\.(local\/state\/leap|config\/leap|npm)\//)
    must(left.length === 0, `leap is still in ${left.join(" ")}`)
    await fine(run("npm", ["uninstall", "--global", "--prefix", prefix, "leap"]))
    must(!fs.existsSync(path.join(prefix, "bin", "leap")), "its command is still there")
  })
}

try {
  await main()
} finally {
  fs.rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
end("package", `the package, in ${Math.round((Date.now() - begun) / 1000)} s`)

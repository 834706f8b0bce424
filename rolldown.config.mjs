import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants } from "node:zlib"
import { defineConfig, rolldown } from "rolldown"
import { parseAst } from "rolldown/parseAst"
import { directExports } from "./scripts/build/directExports.mjs"

// `#generated/NAME.json` is made anew for each build, by a process of its own, since the program is loaded for it.
execFileSync(process.execPath, [fileURLToPath(new URL("scripts/build/generate.ts", import.meta.url))], {
  stdio: "inherit"
})

/** The modules of the first file: all that `--version` needs, and what loads the rest. */
const first =
  /src\/(?:bin|version|quick\/(?:codeCache|print)|domain\/words\/(?:wording\/lostOutput|text\/printable))\.ts$/

/** Modules for some of the quick commands that are so small that a file of their own would cost more. */
const beside = /src\/domain\/\w+\/(?:arguments\/completionShells|queue\/MessageName|reading\/span)\.ts$/

/** Whether a module is of the quick way, which imports no others (test/quick/bundle.live.test.ts). */
const isQuick = (id) => ((starts.quick.has(id) || beside.test(id)) && !first.test(id)) || id.startsWith("\0quick-node:")

/**
 * Node's modules whose functions and classes are looked up when they are used: loading them costs every command, and few
 * need them.
 */
const late = new Set([
  "node:child_process",
  "node:crypto",
  "node:fs/promises",
  "node:module",
  "node:readline",
  "node:sqlite",
  "node:tls",
  "node:zlib"
])

/**
 * Node's own modules are taken as they are, not as ES modules: for those Node reads every property first, which loads
 * what nobody asked for (`webcrypto` with `crypto`).
 */
const builtins = {
  name: "builtins",
  // what starts before the rest is known shares no file with it
  resolveId: (id, importer = "") => {
    if (!id.startsWith("node:")) return null
    // by what the bundler itself makes of a CommonJS module's require, which all files may begin with
    if (importer.startsWith("\0")) return { id, external: true }
    const early = first.test(importer)
      ? "first-"
      : isQuick(importer) || /src\/quick\/\w+\.ts$/.test(importer)
        ? "quick-"
        : ""
    return { id: `\0${early}${id}`, moduleSideEffects: false }
  },
  load: (resolved) => {
    const id = /^\0(?:first-|quick-)?(node:.*)$/.exec(resolved)?.[1]
    if (id === undefined) return null
    const its = process.getBuiltinModule(id)
    const take = (name) => {
      const found = `process.getBuiltinModule("${id}").${name}`
      if (id === "node:fs" && name === "promises") return `new Proxy({}, { get: (_, its) => ${found}[its] })`
      if (!late.has(id) || typeof its[name] !== "function") return `/* @__PURE__ */ (() => ${found})()`
      // a constructor that returns an object gives that
      return /^[A-Z]/.test(name)
        ? `function (...args) { return new (${found})(...args) }`
        : `(...args) => ${found}(...args)`
    }
    const names = Object.keys(its).filter((name) => /^[a-z_]\w*$/i.test(name) && name !== "default")
    return [
      ...names.map((name, n) => `const take${n} = ${take(name)}`),
      `export { ${names.map((name, n) => `take${n} as ${name}`).join(", ")} }`,
      `export default /* @__PURE__ */ (() => process.getBuiltinModule("${id}"))()`
    ].join("\n")
  }
}

/**
 * What a dependency makes at its start though only its help pages need it (15 ms: half of all that Node itself needs):
 * made when it is used. An update that changes the text fails the build.
 */
const madeLate = {
  name: "madeLate",
  transform: (code, id) => {
    if (!/effect\/dist\/cli\/CliOutput\.js$/.test(id)) return null
    const made = /const graphemeSegmenter = (?:\/\*#__PURE__\*\/)?\s*(new Intl\.Segmenter\([^;]*?\));/
    if (!made.test(code))
      throw new Error(`${id} makes its segmenter otherwise now: see madeLate in rolldown.config.mjs`)
    return code.replace(
      made,
      "let segmenter; const graphemeSegmenter = { segment: (text) => (segmenter ??= $1).segment(text) };"
    )
  }
}

/**
 * The page's terminal as a page without inline styles can have it: what it would write into style elements and
 * attributes becomes style sheets and properties (src/page/sheetStyle.ts). An update that changes these fails the build.
 */
const styleSheets = {
  name: "styleSheets",
  transform: (code, id) => {
    if (!/@xterm\/xterm\/lib\/xterm\.mjs$/.test(id)) return null
    const replaced = (text, from, to, times) => {
      const parts = text.split(from)
      if (parts.length !== times + 1)
        throw new Error(`${id}: ${from} is there ${parts.length - 1} times: see styleSheets in rolldown.config.mjs`)
      return parts.join(to)
    }
    const sheets = replaced(code, 'createElement("style")', 'createElement("sheet-style")', 3)
    return replaced(
      sheets,
      't.setAttribute("style",`${t.getAttribute("style")||""}${e};`)',
      "t.style.cssText+=`${e};`",
      1
    )
  }
}

/** A style sheet without comments and indentation: the licenses of what is in it are in THIRD-PARTY-NOTICES. */
const plainCss = (css) => css.replace(/\/\*[^]*?\*\//g, "").replace(/\s*\n\s*/g, "")

/**
 * The page of `leap web` as a module with its files, in JSON, Brotli and base64: what is served ships in leap's own
 * files, and is no path of the disk. What most visits do not need is a file of its own.
 */
const page = {
  name: "page",
  resolveId: (id) => (id === "leap:page" ? "\0leap:page" : null),
  load: async (id) => {
    if (id !== "\0leap:page") return null
    const at = (path) => fileURLToPath(new URL(path, import.meta.url))
    const text = (path) => readFileSync(at(path), "utf8")
    const chunks = async (input, output) => {
      const build = await rolldown({
        cwd: at("."),
        input,
        platform: "browser",
        logLevel: "warn",
        plugins: [styleSheets]
      })
      const made = await build.generate({ minify: true, ...output })
      await build.close()
      return made.output
    }
    const scripts = [
      ...(await chunks("src/page/main.tsx", {
        format: "esm",
        entryFileNames: "page.js",
        chunkFileNames: "[name].js"
      })),
      ...(await chunks("src/page/coloursWorker.ts", { format: "iife", entryFileNames: "colours.js" }))
    ]
    const shell = [
      ["/", "text/html; charset=utf-8", text("src/page/index.html")],
      [
        "/page.css",
        "text/css; charset=utf-8",
        [text("node_modules/@xterm/xterm/css/xterm.css"), text("src/page/page.css")].map(plainCss).join("")
      ],
      ...scripts.map(({ code, fileName }) => [`/${fileName}`, "text/javascript; charset=utf-8", code]),
      [
        "/manifest.webmanifest",
        "application/manifest+json",
        JSON.stringify(JSON.parse(text("src/page/manifest.webmanifest")))
      ],
      ["/icon.svg", "image/svg+xml", text("src/page/icon.svg")],
      ["/icon.png", "image/png", readFileSync(at("src/page/icon.png"), "base64"), true]
    ]
    // a service worker that differs replaces the shell that browsers keep
    const version = createHash("sha256").update(JSON.stringify(shell)).digest("hex").slice(0, 16)
    const [{ code: worker }] = await chunks("src/page/serviceWorker.ts", { format: "esm", codeSplitting: false })
    const names = shell.map(([path]) => path.slice(1)).join(" ")
    const script = worker.replace("SHELL-VERSION", version).replace("SHELL-FILES", names)
    const files = [...shell, ["/sw.js", "text/javascript; charset=utf-8", script]]
    // a package is compressed, but not as well as a text of one kind can be
    const packed = brotliCompressSync(
      JSON.stringify(files.map(([path, type, body, base64 = false]) => [path, { type, body, base64 }])),
      { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT, [constants.BROTLI_PARAM_LGWIN]: 24 } }
    )
    return `export const packed = "${packed.toString("base64")}"`
  }
}

/**
 * The files that these three use before they know what is asked for: the quick commands, every other command, and every
 * session's host.
 */
const starts = { quick: new Set(), main: new Set(), hostMain: new Set() }

/**
 * Finds them: those which its own bundle has, and those which these import for others' sake, since a file is loaded
 * whole. A package's list of its own files imports nothing for itself, and the quick way's files import none for others.
 */
const start = {
  name: "start",
  buildStart: async () => {
    for (const [name, files] of Object.entries(starts)) {
      // what every session comes to load is a host's, too
      const its =
        name === "hostMain" ? /\/(?:Provider|ScreenXterm|host|controlServer|recordDatabase|prices)\.\w+$/ : /^$/
      const apart = {
        name: "apart",
        resolveDynamicImport: (id) =>
          typeof id !== "string" || its.test(id) ? null : { id: `apart:${id}`, external: true }
      }
      const plugins = [apart, builtins, madeLate]
      const build = await rolldown({
        ...sources,
        cwd: import.meta.dirname,
        input: name === "quick" ? "src/quick/quick.ts" : `src/${name}.ts`,
        logLevel: "silent",
        plugins
      })
      const { output } = await build.generate({ format: "esm", codeSplitting: false })
      await build.close()
      for (const id of Object.keys(output[0].modules)) if (!id.startsWith("\0")) files.add(id)
    }
  },
  buildEnd() {
    for (const files of [starts.main, starts.hostMain]) {
      const next = [...files]
      for (let id = next.pop(); id !== undefined; id = next.pop()) {
        if (/\/index\.js$/.test(id)) continue
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) {
          if (files.has(imported)) continue
          files.add(imported)
          next.push(imported)
        }
      }
    }
  }
}

/** What most commands load beside that: one file less each time. */
const usual = /src\/programs\/commands\/shared\/common\.ts$|effect\/dist\/cli\/Argument\.js$/

/** The file into which a module goes that every command needs: the host's too, or not; null for all others. */
const startFile = (id) => {
  if (usual.test(id)) return "commands"
  if (id.startsWith("\0") || first.test(id) || !starts.main.has(id)) return null
  return starts.hostMain.has(id) ? "common" : "commands"
}

/**
 * Node holds a file with one character beyond Latin-1 as two bytes a character, in memory for as long as the process
 * lives, and reads it slower. In literals an escape means the same; templates of `String.raw` become plain ones.
 */
const ascii = {
  name: "ascii",
  generateBundle: (_, bundle) => {
    const escaped = (text) =>
      text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk" || !/[^\0-\x7f]/.test(chunk.code)) continue
      let done = 0
      const parts = []
      for (const { end, start, text } of taggedTexts(chunk.code)) {
        parts.push(escaped(chunk.code.slice(done, start)), text === null ? chunk.code.slice(start, end) : escaped(text))
        done = end
      }
      chunk.code = parts.join("") + escaped(chunk.code.slice(done))
    }
  }
}

/** The tags `String.raw` and the texts of templates with a tag, in order, with what takes their place; null: they stay. */
const taggedTexts = (code) => {
  const found = []
  const walk = (node) => {
    if (node === null || typeof node !== "object") return
    if (node.type === "TaggedTemplateExpression") {
      const { quasi, tag } = node
      const isRaw = code.slice(tag.start, tag.end) === "String.raw"
      if (isRaw) found.push({ start: tag.start, end: quasi.start, text: "" })
      for (const { start, value } of quasi.quasis) {
        const at = code.startsWith(value.raw, start) ? start : start + 1
        const text = isRaw ? value.raw.replace(/[\\`]|\$(?=\{)/g, "\\$&") : null
        found.push({ start: at, end: at + value.raw.length, text })
      }
    }
    for (const part of Object.values(node)) walk(part)
  }
  walk(parseAst(code))
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** Says that the files beside it are CommonJS, whatever the folder above says of its own. */
const commonJs = {
  name: "commonJs",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "package.json", source: '{ "type": "commonjs" }\n' })
  }
}

/** What the files export to each other: 1.5 ms of a command's start and 1 MB of a host were its getters. */
const plainExports = {
  name: "plainExports",
  renderChunk: (code) => ({ code: directExports(code), map: null })
}

/**
 * A Node that is too old says so in one line, before anything is loaded that it lacks. Written for any Node there is, in
 * front of what the bundler makes.
 */
const oldNode = {
  name: "oldNode",
  generateBundle(_, bundle) {
    const { engines } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"))
    const oldest = /^>=(\d+)\.(\d+)\.\d+$/.exec(engines.node)
    if (oldest === null) throw new Error(`package.json: engines.node is ${engines.node}, and no least version`)
    const [, major, minor] = oldest
    const guard =
      `(function(v){var p=v.split(".");if(+p[0]<${major}||+p[0]==${major}&&+p[1]<${minor}){` +
      `process.stderr.write("leap: Node ${major}.${minor} or newer is needed, and this is Node "+v+"\\n");` +
      `process.exit(1)}})(process.versions.node);`
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk" && chunk.isEntry) chunk.code = guard + chunk.code
  }
}

const sources = {
  platform: "node",
  // A native addon with a binary for each platform: installed, never bundled. Slack's own libraries are for the bridge
  // to Slack alone, and large.
  external: ["node-pty", "@slack/socket-mode", "@slack/web-api"],
  // jsonc-parser's CommonJS build looks for its parts at run time, where no bundle can have them.
  resolve: { mainFields: ["module", "main"] }
}

/** One entry; what it imports dynamically becomes a chunk of its own, loaded only when asked for. */
export default defineConfig({
  ...sources,
  input: { leap: "src/bin.ts" },
  plugins: [builtins, madeLate, page, start, plainExports, ascii, oldNode, commonJs],
  output: {
    dir: "dist",
    // what src/quick/codeCache.ts can load with V8's code for it, as it cannot ES modules
    format: "cjs",
    dynamicImportInCjs: false,
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // What all commands load is one file: each file more costs the start of every command. What only some load is apart;
    // so is what the quick way stands on, which must not load the rest.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        // what hosts share with the quick way, of whose own they need nothing
        { name: "shared", test: (id) => isQuick(id) && starts.hostMain.has(id), priority: 2.5 },
        // what starts a session's host before the whole program is loaded; that and the host load it, too
        {
          name: "begin-host",
          test: /src\/(?:layers\/system\/hostProcess|domain\/words\/environment\/hostMemory)\.ts$/,
          priority: 2.5
        },
        { name: "quick", test: isQuick, priority: 2 },
        // what the quick way loads where a session has ended with messages waiting, and the whole program too
        {
          name: "queue-log",
          test: /src\/domain\/(?:engine\/queue\/(?:Leftovers|QueueFold|QueueScan|QueueTorn|formerCauses)|words\/(?:formats\/cutJson|wording\/(?:causeWords|lostWords)))\.ts$/,
          priority: 2
        },
        // what the quick way loads for calls, and for what is recorded, and the whole program too
        {
          name: "call-words",
          test: /src\/domain\/\w+\/(?:operations\/(?:callCommands|doneWords|namesMessage|proposalLines|whyText)|worktrees\/changesText|wording\/(?:answeredLine|changedModes))\.ts$/,
          priority: 2
        },
        {
          name: "record-text",
          test: /src\/(?:domain\/\w+\/(?:history\/(?:LogEntry|Report|durationText|logLine|recordPages|recordTimes|searchQuery)|arguments\/since)|layers\/files\/recordReader)\.ts$/,
          priority: 2
        },
        // what hosts load, too, which write what is recorded
        { name: "select", test: /src\/layers\/files\/select\.ts$/, priority: 2 },
        {
          name: "audit-text",
          test: /(?:src\/(?:domain\/engine\/approvals\/(?:auditPage|readAudit)|layers\/files\/auditReader)\.ts|dist\/generated\/auditForm\.mts)$/,
          priority: 2
        },
        // what a host loads, too, and the quick way for an audit log alone
        { name: "secrets", test: /src\/domain\/(?:words\/text\/Secrets|policy\/summary)\.ts$/, priority: 2 },
        // what the quick way loads for a help page, and some commands
        { name: "help-text", test: /src\/domain\/words\/(?:arguments\/helpText|text\/wrapWords)\.ts$/, priority: 2 },
        {
          name: "json-schema",
          test: /node_modules\/(?:ajv|ajv-formats|fast-uri|fast-deep-equal|json-schema-traverse)\//,
          priority: 2
        },
        // what programs do with their options: tables, which grow with each program that is known, and what reads them
        { name: "programs", test: /src\/domain\/policy\/knownPrograms\/(?!Program|table)\w+\.ts$/, priority: 2 },
        {
          name: "shells",
          test: /node_modules\/unbash\/|policy\/(?:knownPrograms\/Program|ShellWords)\.ts$/,
          priority: 2
        },
        { debugName: "starts", name: startFile, test: (id) => startFile(id) !== null, priority: 2 },
        { name: "builtins", test: /^\0node:/, priority: 1 }
      ]
    }
  }
})

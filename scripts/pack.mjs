// Makes the package that is published, in a folder of its own with a package.json of its own, and packs it.
//
//   npm run pack            prints the tarball's path and size
//   node scripts/pack.mjs --to DIR
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { rolldown } from "rolldown"
import { parseAst } from "rolldown/parseAst"
import { minifySync } from "rolldown/utils"
import command from "../rolldown.config.mjs"
import { exportsIn } from "./api/reports.mjs"
import { writeDeclarations } from "./pack/declarations.mjs"
import { entries, manifestOf } from "./pack/manifest.mjs"
import { noticesOf, packagesOf } from "./pack/notices.mjs"

const root = path.dirname(import.meta.dirname)
const at = (...parts) => path.join(root, ...parts)
const largest = 2_180_000

const flag = process.argv.indexOf("--to")
const target = flag < 0 ? at("dist") : path.resolve(process.argv[flag + 1])
const stage = path.join(target, "package")

/** Builds, and gives the files of node_modules that went in. */
const bundle = async (options, output) => {
  const build = await rolldown({ ...options, cwd: root, logLevel: "silent" })
  const { output: chunks } = await build.write(output)
  await build.close()
  return chunks.flatMap((chunk) => chunk.moduleIds ?? []).filter((id) => id.includes("/node_modules/"))
}

/** Others' code is nobody's to read in a stack trace, and half as large so; what it exports keeps its name. */
const othersSmall = {
  name: "othersSmall",
  transform: (code, id) => {
    if (!/\/node_modules\/.*\.[cm]?js$/.test(id)) return null
    const { code: small, errors } = minifySync(id, code)
    if (errors.length > 0) throw new Error(`${id}: ${errors.map(({ message }) => message).join("; ")}`)
    return { code: small, map: null }
  }
}

/**
 * Lines without their indentation and the space around punctuation, and none that name a source, of which the package had
 * 50 KB; texts and regular expressions stay as they are, and so does which line a stack trace names.
 */
const flat = {
  name: "flat",
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue
      const texts = []
      const walk = (node) => {
        if (node === null || typeof node !== "object") return
        if (node.type === "TemplateElement" || node.type === "Literal") texts.push(node)
        for (const part of Object.values(node)) walk(part)
      }
      walk(parseAst(chunk.code))
      const spare = /^(?:\t+|\/\/ (?:src|node_modules)\/.*\n)/gm
      const close = (code) => code.replace(spare, "").replace(/ ?(=>|===|!==|&&|\|\||[=,:;{}()?]) ?/g, "$1")
      let done = 0
      const parts = []
      for (const { end, start } of texts.toSorted((one, other) => one.start - other.start)) {
        parts.push(close(chunk.code.slice(done, start)), chunk.code.slice(start, end))
        done = end
      }
      chunk.code = parts.join("") + close(chunk.code.slice(done))
      parseAst(chunk.code)
    }
  }
}

fs.rmSync(stage, { recursive: true, force: true })
fs.mkdirSync(stage, { recursive: true })

const { output, ...program } = command
const inCommand = await bundle(program, { ...output, dir: path.join(stage, "program") })
const inLibrary = await bundle(
  {
    input: Object.fromEntries(entries.map((name) => [name, at("src", `${name}.ts`)])),
    platform: "node",
    external: [/^effect(\/|$)/, /^@effect\//, /^vitest(\/|$)/, "node-pty"],
    plugins: [othersSmall, flat],
    resolve: { mainFields: ["module", "main"] }
  },
  // A stack trace has the names of functions, and lines; all else is in the declarations and the sources.
  {
    dir: path.join(stage, "dist"),
    format: "esm",
    // The tarball is in the order of names: what a part and the command's part of the same name share compresses away,
    // where a hash, which would part some of them by chance, made the package 8 kB larger or smaller.
    chunkFileNames: "[name]-0.js",
    comments: false,
    minify: { compress: true, mangle: { toplevel: false, keepNames: true }, codegen: { removeWhitespace: false } }
  }
)
writeDeclarations(root, stage, entries, (declared) =>
  fs.writeFileSync(path.join(target, "exports.txt"), exportsIn(root, declared).report)
)

const page = await rolldown({
  cwd: root,
  input: ["src/page/main.tsx", "src/page/coloursWorker.ts"],
  platform: "browser",
  logLevel: "silent"
})
const { output: pageChunks } = await page.generate()
await page.close()
const inPage = pageChunks.flatMap((chunk) => chunk.moduleIds ?? []).filter((id) => id.includes("/node_modules/"))

const own = JSON.parse(fs.readFileSync(at("package.json"), "utf8"))
const names = new Set(inLibrary.map((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)[1]))
fs.writeFileSync(path.join(stage, "package.json"), `${JSON.stringify(manifestOf(own, [...names]), null, 2)}\n`)
const bundled = packagesOf([...inCommand, ...inLibrary, ...inPage])
fs.writeFileSync(path.join(stage, "THIRD-PARTY-NOTICES"), noticesOf(bundled))
const named = bundled.map(({ license, name, version }) => ({ name, version, license }))
fs.writeFileSync(path.join(target, "bundled.json"), JSON.stringify(named))
fs.mkdirSync(path.join(stage, "bin"))
fs.copyFileSync(at("scripts", "pack", "leap.cjs"), path.join(stage, "bin", "leap.cjs"))
fs.chmodSync(path.join(stage, "bin", "leap.cjs"), 0o755)
// CONTRIBUTING.md and CHANGELOG.md are for those who have a clone: no release came before this one
const files = ["hooks", "docs", "examples", "README.md", "SECURITY.md", "LICENSE"]
// pictures are for those who read the documents where the sources are, what was measured for those who can measure it
// there; what docs/api says, the declarations say too
const isShipped = (file) => !["pictures", "api", "performance.md"].includes(path.basename(file))
for (const name of ["settings.schema.json", "events.schema.json"])
  fs.copyFileSync(at("dist/generated", name), path.join(stage, name))
for (const name of files) fs.cpSync(at(name), path.join(stage, name), { recursive: true, filter: isShipped })

const packed = spawnSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", target, stage], {
  cwd: target,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "pipe"]
})
if (packed.status !== 0) throw new Error(`npm pack ended with ${packed.status}: ${packed.stderr}`)
const [made] = JSON.parse(packed.stdout)
process.stdout.write(`${path.join(target, made.filename)}  ${made.size} bytes, ${made.entryCount} files\n`)
if (made.size >= largest) throw new Error(`the package has ${made.size} bytes: no more than ${largest} are wanted`)

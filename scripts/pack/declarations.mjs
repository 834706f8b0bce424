// The library's type declarations: those that its entries reach.
import { spawnSync } from "node:child_process"
import fs from "node:fs"
import path from "node:path"

/** Relative specifiers of a declaration file, as TypeScript prints them. */
const specifier = /((?:from |import\(|import )")(\.[^"]+?)\.ts(")/g

/** Has the compiler write the declarations of the entries to a folder, with all that they stand on. */
export const emitDeclarations = (root, out, entries) => {
  // a file for each run: two may be under way
  const config = path.join(root, "node_modules", ".cache", `declarations-${process.pid}.tsconfig.json`)
  fs.mkdirSync(path.dirname(config), { recursive: true })
  fs.writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        // What is wrong in the types is told by the check of all sources, not once more here.
        noCheck: true,
        incremental: false,
        tsBuildInfoFile: null,
        rootDir: root,
        outDir: out,
        typeRoots: [path.join(root, "node_modules", "@types")]
      },
      files: [
        ...entries.map((name) => path.join(root, "src", `${name}.ts`)),
        path.join(root, "src/layers/terminal/node-pty.d.ts")
      ],
      include: []
    })
  )
  try {
    const tsc = path.join(root, "node_modules", ".bin", "tsc")
    const run = spawnSync(tsc, ["-p", config, "--checkers", "1"], { encoding: "utf8" })
    if (run.status !== 0) throw new Error(`the declarations could not be made:\n${run.stdout}${run.stderr}`)
  } finally {
    fs.rmSync(config, { force: true })
  }
}

/** Where a declaration file passes names on from. */
const passesOn = /^export [^;]*? from "(\.[^"]+?)\.ts"/gm
const comment = /^[ \t]*\/\*\*[\s\S]*?\*\/[ \t]*\n/gm

/** Writes `<stage>/dist/types`. `use` is given the folder as the compiler wrote it. */
export const writeDeclarations = (root, stage, entries, use) => {
  const out = path.join(stage, "dist", "types")
  emitDeclarations(root, out, entries)
  use(out)

  const reached = new Set()
  const shown = new Set()
  const show = (file) => {
    if (shown.has(file)) return
    shown.add(file)
    for (const [, to] of fs.readFileSync(file, "utf8").matchAll(passesOn))
      show(path.resolve(path.dirname(file), `${to}.d.ts`))
  }
  for (const name of entries) show(path.join(out, "src", `${name}.d.ts`))
  const visit = (file) => {
    if (reached.has(file)) return
    reached.add(file)
    const text = fs.readFileSync(file, "utf8")
    for (const [, , to] of text.matchAll(specifier)) visit(path.resolve(path.dirname(file), `${to}.d.ts`))
    // Compilers that do not take .ts for .d.ts find these too.
    fs.writeFileSync(file, text.replaceAll(specifier, "$1$2.js$3"))
  }
  for (const name of entries) visit(path.join(out, "src", `${name}.d.ts`))

  for (const name of fs.readdirSync(out, { recursive: true })) {
    const file = path.join(out, name)
    if (fs.statSync(file).isFile() && !reached.has(file)) fs.rmSync(file)
  }
  // where nobody can import it, its comments are for those who have the sources
  for (const file of reached)
    if (!shown.has(file)) fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll(comment, ""))
  removeEmpty(out)
}

const removeEmpty = (dir) => {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(path.join(dir, entry.name))
  }
  if (fs.readdirSync(dir).length === 0) fs.rmdirSync(dir)
}

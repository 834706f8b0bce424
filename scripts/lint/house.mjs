// Lint rules of this house, loaded by .oxlintrc.json: which part of the source may import what, and what purity means.
import { dirname, isAbsolute, relative, resolve, sep } from "node:path"

const domainData = [
  "Array", "BigDecimal", "BigInt", "Boolean", "Brand", "Data", "DateTime", "Duration", "Encoding", "Equal", "Equivalence", "Function",
  "HashMap", "HashSet", "Hash", "Iterable", "Match", "Number", "Option", "Order", "Predicate", "Record", "Result", "Schema", "SchemaGetter",
  "SchemaIssue", "SchemaTransformation", "String", "Struct", "Trie", "Tuple", "Types", "absurd", "flow", "hole", "identity", "pipe"
]

/**
 * For each part: the parts it may import, and the packages. Everything else is refused, so that a new package or folder
 * has to be decided on here. `effect` lists the names that may be taken from the package, where not all may.
 */
const walls = {
  domain: { parts: ["domain"], packages: [/^effect$/, /^jsonc-parser$/, /^picomatch$/, /^toml-eslint-parser$/], effect: domainData, why: "domain is pure data and functions" },
  services: { parts: ["domain", "services"], packages: [/^effect(\/|$)/], why: "a service is a contract" },
  // A layer may stand in for another and load it when it is first needed.
  layers: { parts: ["domain", "services"], dynamic: ["domain", "services", "layers"], packages: [/./], why: "a layer implements services; two layers share through domain or a third service" },
  programs: { parts: ["domain", "services", "programs"], packages: [/^effect(\/|$)/], why: "a program asks for services" },
  demo: { parts: ["demo", "domain/demo"], packages: [/^node:/], why: "the demo CLI is a program that leap hosts, not a part of leap" },
  "main.ts": { parts: ["domain", "services", "layers", "programs", "version.ts"], dynamic: ["agentMain.ts"], packages: [/./], why: "main joins layers and programs" },
  "agentMain.ts": { parts: ["services", "layers", "programs"], packages: [/./], why: "agentMain joins what runs CLIs headless" },
  "hostMain.ts": { parts: ["domain", "services", "layers", "programs", "version.ts"], packages: [/./], why: "hostMain joins what a host needs" },
  "version.ts": { parts: [], packages: [], why: "the version is a constant" },
  "index.ts": { parts: ["domain", "services", "layers", "programs"], packages: [], why: "index only names what the library offers" },
  "bin.ts": { parts: [], dynamic: ["main.ts", "hostMain.ts", "version.ts", "demo"], packages: [/^node:/], why: "bin imports nothing before it has looked at the arguments" }
}

/** `domain`, `layers`, `main.ts` …: the part of src a file belongs to; null outside src. */
const partOf = (root, file) => {
  const path = relative(resolve(root, "src"), file).split(sep)
  return path[0] === ".." || isAbsolute(path.join("/")) ? null : path
}

const isIn = (path, part) => part.split("/").every((name, index) => path[index] === name)

/**
 * A layer too big for one file has parts named after it (ScreenXterm, ScreenXtermCells), and a family of layers has a folder
 * of its own (the providers), which its registry gathers.
 */
const isOwnPart = (from, to) => {
  const folder = from.slice(0, -1).join("/")
  if (!isIn(to, folder)) return false
  if (from.length > 2 || to.length > from.length) return true
  return to.at(-1).startsWith(from.at(-1).replace(/\.ts$/, ""))
}

/** Why `file` may not import `source`, or null. */
const refusal = (root, file, source, dynamic, names) => {
  const from = partOf(root, file)
  if (from === null) return null
  const wall = walls[from[0]]
  if (wall === undefined) return null
  if (!source.startsWith(".")) {
    if (!wall.packages.some((known) => known.test(source))) return `${from[0]} may not import ${source}: ${wall.why}`
    const refused = source === "effect" && wall.effect !== undefined ? names.find((name) => !wall.effect.includes(name)) : undefined
    return refused === undefined ? null : `${from[0]} may not take ${refused} from effect: ${wall.why}`
  }
  const to = partOf(root, resolve(dirname(file), source))
  if (to === null) return `${from[0]} may not import ${source}, outside of src`
  const allowed = dynamic && wall.dynamic !== undefined ? wall.dynamic : wall.parts
  if (allowed.some((part) => isIn(to, part))) return null
  if (from[0] === "layers" && to[0] === "layers" && isOwnPart(from, to)) return null
  return `${from[0]} may not import ${to.join("/")}: ${wall.why}`
}

const namesOf = (node) => {
  if (node.type === "ImportDeclaration") {
    return node.specifiers.map((it) => it.type === "ImportSpecifier" ? it.imported.name ?? it.imported.value : "*")
  }
  if (node.type === "ExportNamedDeclaration") return node.specifiers.map((it) => it.local.name ?? it.local.value)
  return ["*"]
}

const wallsRule = {
  create(context) {
    const check = (node, source, dynamic) => {
      const literal = source?.type === "Literal" ? source : source?.type === "TSLiteralType" ? source.literal : null
      if (source && literal === null) {
        if (partOf(context.cwd, context.filename) !== null) context.report({ node, message: "an import of a computed name cannot be checked" })
        return
      }
      if (literal === null || typeof literal.value !== "string") return
      const message = refusal(context.cwd, context.filename, literal.value, dynamic, namesOf(node))
      if (message !== null) context.report({ node, message })
    }
    return {
      Program(node) {
        const from = partOf(context.cwd, context.filename)
        if (from !== null && walls[from[0]] === undefined) {
          context.report({ node, message: `src/${from[0]} has no place in the walls (scripts/lint/house.mjs)` })
        }
      },
      ImportDeclaration: (node) => check(node, node.source, false),
      ExportAllDeclaration: (node) => check(node, node.source, false),
      ExportNamedDeclaration: (node) => check(node, node.source, false),
      ImportExpression: (node) => check(node, node.source, true),
      TSImportType: (node) => check(node, node.source ?? node.argument, false)
    }
  }
}

const impure = new Map([
  ["Date", ["now"]], ["DateTime", ["now", "nowUnsafe", "nowInCurrentZone", "nowAsDate"]], ["Math", ["random"]]
])

/** No clock, no randomness, no state of the module: what a function returns depends on its arguments alone. */
const pureRule = {
  create(context) {
    return {
      NewExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0) {
          context.report({ node, message: "domain has no clock: take the time as an argument" })
        }
      },
      CallExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date") {
          context.report({ node, message: "domain has no clock: take the time as an argument" })
        }
      },
      MemberExpression(node) {
        if (node.object.type !== "Identifier") return
        const name = node.computed ? node.property.value : node.property.name
        if (impure.get(node.object.name)?.includes(name)) {
          context.report({ node, message: `domain has no clock and no randomness: take what ${node.object.name}.${name} gives as an argument` })
        }
      },
      Program(node) {
        for (const statement of node.body) {
          const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
          if (declaration?.type === "VariableDeclaration" && declaration.kind !== "const") {
            context.report({ node: declaration, message: "domain has no state of its own" })
          }
        }
      }
    }
  }
}

export default { meta: { name: "house" }, rules: { walls: wallsRule, pure: pureRule } }

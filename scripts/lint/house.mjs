// Lint rules of this repository, loaded by .oxlintrc.json: which part of the source may import what, and what purity
// means.
import { causesRule } from "./causes.mjs"
import { liveRule } from "./live.mjs"
import { dirname, isAbsolute, relative, resolve, sep } from "node:path"

const domainData = [
  "Array",
  "BigDecimal",
  "BigInt",
  "Boolean",
  "Brand",
  "Data",
  "DateTime",
  "Duration",
  "Encoding",
  "Equal",
  "Equivalence",
  "Function",
  "HashMap",
  "HashSet",
  "Hash",
  "Iterable",
  "Match",
  "Number",
  "Option",
  "Order",
  "Predicate",
  "Record",
  "Result",
  "Schema",
  "SchemaGetter",
  "SchemaIssue",
  "SchemaTransformation",
  "String",
  "Struct",
  "Trie",
  "Tuple",
  "Types",
  "absurd",
  "flow",
  "hole",
  "identity",
  "pipe"
]

/**
 * For each part: the parts it may import, and the packages. Everything else is refused, so that a new package or folder
 * needs an entry here. `effect`: the names that may be imported from the package, where not all may.
 */
const walls = {
  domain: {
    parts: ["domain"],
    packages: [/^effect$/, /^get-east-asian-width$/, /^jsonc-parser$/, /^toml-eslint-parser$/, /^unbash$/],
    effect: domainData,
    why: "domain is pure data and functions"
  },
  services: { parts: ["domain", "services"], packages: [/^effect(\/|$)/], why: "a service is a contract" },
  // A layer may load another one when it is first needed.
  layers: {
    parts: ["domain", "services"],
    dynamic: ["domain", "services", "layers"],
    packages: [/./],
    why: "a layer implements services; two layers share through domain or a third service"
  },
  programs: {
    parts: ["domain", "services", "programs"],
    packages: [/^effect(\/|$)/],
    why: "a program asks for services"
  },
  demoCli: {
    parts: ["demoCli", "domain/providers/demo"],
    packages: [/^node:/],
    why: "the demo CLI is a program that leap hosts, not a part of leap"
  },
  "layers.ts": { parts: ["layers"], packages: [/^effect$/], why: "layers.ts assembles what all mains share" },
  "commandLine.ts": {
    parts: ["domain", "services", "layers", "layers.ts", "programs"],
    dynamic: ["agentMain.ts"],
    packages: [/^@effect\//, /^effect(\/|$)/],
    why: "commandLine joins layers and programs, and is in no process of its own"
  },
  "main.ts": {
    parts: ["layers/terminal", "commandLine.ts", "version.ts"],
    packages: [/./],
    why: "main joins a command line and its process"
  },
  "agentMain.ts": {
    parts: ["services", "layers", "programs"],
    packages: [/./],
    why: "agentMain joins what runs CLIs headless"
  },
  "hostMain.ts": {
    parts: ["domain", "services", "layers", "layers.ts", "programs", "version.ts"],
    packages: [/./],
    why: "hostMain joins what a host needs"
  },
  "host.ts": {
    parts: ["layers", "layers.ts", "agentMain.ts", "programs", "version.ts"],
    packages: [/./],
    why: "host joins layers and programs, as the mains do, for programs that embed leap"
  },
  // The kit lives where leap's own tests use it.
  "testing.ts": {
    parts: [],
    outside: [/^test\/support\//, /^test\/suites\/provider\//],
    packages: [],
    why: "testing names what tests are made with"
  },
  "testingSuite.ts": {
    parts: [],
    outside: [/^test\/suites\//],
    packages: [],
    why: "it needs a test runner, which testing.ts does not"
  },
  "version.ts": { parts: [], packages: [], why: "the version is a constant" },
  "index.ts": {
    parts: ["domain", "services", "layers", "layers.ts", "programs"],
    packages: [],
    why: "index only names what the library offers"
  },
  page: {
    parts: [
      "page",
      "domain/surfaces/web",
      "domain/store/worktrees/Finish.ts",
      "domain/store/worktrees/changeKinds.ts",
      "domain/store/worktrees/moments.ts",
      "domain/store/worktrees/patchLines.ts",
      "domain/store/worktrees/sideBySide.ts",
      "domain/words/attention",
      "domain/surfaces/operations",
      "domain/terminal/sequences",
      "domain/words/formats/JsonForm.ts",
      "domain/words/session/WriteClashes.ts",
      "domain/words/session/failedMessage.ts",
      "domain/words/session/newTag.ts",
      "domain/words/session/tagRules.ts",
      "domain/words/session/states.ts",
      "domain/words/text/ulid.ts",
      "domain/words/text/CharWidth.ts"
    ],
    packages: [/^preact(\/|$)/, /^@preact\/signals$/, /^@xterm\//, /^prismjs\//, /^#generated\/frameForm\.mts$/],
    why: "the page runs in browsers and loads no Effect: of the domain it takes what loads none, and types"
  },
  quick: {
    parts: [
      "quick",
      "domain",
      "layers/files/auditReader.ts",
      "layers/files/leapPaths.ts",
      "layers/files/lockHolder.ts",
      "layers/files/recordReader.ts",
      "layers/files/regularFile.ts",
      "layers/files/select.ts",
      "layers/system/hostProcess.ts",
      "layers/control/hostWire.ts",
      "layers/system/proc.ts"
    ],
    packages: [/^node:/, /^#generated\//],
    why: "the quick way loads no Effect (test/quick/bundle.live.test.ts)"
  },
  "bin.ts": {
    parts: ["quick", "version.ts"],
    dynamic: ["main.ts", "hostMain.ts", "demoCli", "quick"],
    packages: [/^node:/],
    why: "bin imports nothing large before it has looked at the arguments"
  }
}

/**
 * The rooms of each part, from the bottom up: a room imports itself and rooms named before it, so that there are no
 * cycles. `loose`: files that may stand outside of all rooms.
 */
const rooms = {
  domain: {
    // by wings, which stand on each other in this order, too
    order: [
      "words/text",
      "words/formats",
      "words/session",
      "words/reading",
      "words/problems",
      "words/environment",
      "words/attention",
      "words/wording",
      "words/arguments",
      "terminal/sequences",
      "terminal/relay",
      "terminal/recording",
      "store/relocation",
      "store/worktrees",
      "store/hookSpool",
      "store/conversations",
      "store/settings",
      "policy",
      "cli/usage",
      "cli/wiring",
      "cli/headless",
      "cli/provider",
      "engine/failure",
      "engine/queue",
      "engine/agentMail",
      "engine/tracker",
      "engine/delivery",
      "engine/approvals",
      "engine/history",
      "engine/continuation",
      "engine/machine",
      "providers",
      "surfaces/notify",
      "surfaces/operations",
      "surfaces/attachChannel",
      "surfaces/tui",
      "surfaces/overlay",
      "surfaces/picker",
      "surfaces/queueClient",
      "surfaces/monitor",
      "surfaces/webAccess",
      "surfaces/web",
      "surfaces/acp",
      "surfaces/outgoing"
    ],
    loose: []
  },
  layers: {
    order: [
      "terminal",
      "files",
      "system",
      "control",
      "relocator",
      "worktrees",
      "providers",
      "headless",
      "web",
      "acp",
      "outgoing"
    ],
    loose: []
  },
  programs: {
    order: [
      "prompts",
      "client",
      "starting",
      "cliSetup",
      "host",
      "embed",
      "attach",
      "queueClient",
      "sessions",
      "monitor",
      "headless",
      "replay",
      "demo",
      "mcp",
      "acp",
      "web",
      "outgoing",
      "commands"
    ],
    loose: ["exit.ts", "cli.ts"]
  }
}

/**
 * The file names of a CLI's folder in domain/providers, so that the same subject has the same file for every CLI. A
 * part of such a file is named after it: ScreenFrame.ts. Show is what `leap demo` plays with its own CLI.
 */
const providerFiles = [
  "Identity",
  "Detection",
  "Screen",
  "Hooks",
  "OwnStatus",
  "Transcript",
  "Arguments",
  "Input",
  "Dialog",
  "Permissions",
  "Usage",
  "History",
  "Resume",
  "Relocation",
  "Headless",
  "Wiring",
  "Show"
]

/** Whether a file of a CLI's folder has none of these names. */
const isMisnamed = ([part, room, , name]) =>
  part === "domain" &&
  room === "providers" &&
  name !== undefined &&
  !providerFiles.some((known) => new RegExp(`^${known}(?:[A-Z].*)?\\.ts$`).test(name))

/** `domain`, `layers`, `main.ts` …: the part of src a file belongs to; null outside src. */
const partOf = (root, file) => {
  const path = relative(resolve(root, "src"), file).split(sep)
  return path[0] === ".." || isAbsolute(path.join("/")) ? null : path
}

const isIn = (path, part) => part.split("/").every((name, index) => path[index] === name)

/** A file in lower case is shared within its room and is not a layer; layers begin with a capital. */
const isShared = (name) => /^[a-z]/.test(name)

/**
 * The files that a layer may import from other layers: parts named after it (ScreenXterm, ScreenXtermCells), files that
 * its room shares (in lower case), and, for the registry of a family, that family's folders.
 */
const isOwnPart = (from, to) => {
  if (from[1] !== to[1]) return false
  const name = to.at(-1)
  if (isShared(name) || to.length > from.length) return true
  return (
    from.slice(0, -1).join("/") === to.slice(0, -1).join("/") &&
    (from.length > 3 || isShared(from.at(-1)) || name.startsWith(from.at(-1).replace(/\.ts$/, "")))
  )
}

/** The room that a file is in: in domain one of a wing, or a wing that is one room (policy, the CLIs' own). */
const roomOf = (path) =>
  path[0] === "domain" && !rooms.domain.order.includes(path[1]) ? `${path[1]}/${path[2]}` : path[1]

/** Why a room may not import another one, or null. */
const roomRefusal = (from, to) => {
  const known = rooms[from[0]]
  if (known === undefined || from[0] !== to[0]) return null
  const loose = (path) => path.length === 2
  if (loose(from)) return null
  if (loose(to))
    return to[1] === "exit.ts"
      ? null
      : `${from[0]}/${from[1]} may not import ${to.join("/")}: a room imports rooms below it`
  const [a, b] = [known.order.indexOf(roomOf(from)), known.order.indexOf(roomOf(to))]
  if (b > a)
    return `${from[0]}/${roomOf(from)} may not import ${to.join("/")}: a room imports rooms below it (scripts/lint/house.mjs has their order)`
  // a CLI's folder does not import another CLI's
  if (from[1] === "providers" && to[1] === "providers" && from.length > 3 && to.length > 3 && from[2] !== to[2]) {
    return `${from.slice(0, 3).join("/")} may not import ${to.join("/")}: what two CLIs share belongs to neither`
  }
  return null
}

/** Why `file` may not import `source`, or null. */
const refusal = (root, file, source, dynamic, names) => {
  const from = partOf(root, file)
  if (from === null) return null
  const wall = walls[from[0]]
  if (wall === undefined) return null
  if (!source.startsWith(".")) {
    if (!wall.packages.some((known) => known.test(source))) return `${from[0]} may not import ${source}: ${wall.why}`
    const refused =
      source === "effect" && wall.effect !== undefined ? names.find((name) => !wall.effect.includes(name)) : undefined
    return refused === undefined ? null : `${from[0]} may not take ${refused} from effect: ${wall.why}`
  }
  const to = partOf(root, resolve(dirname(file), source))
  if (to === null) {
    const place = relative(root, resolve(dirname(file), source))
      .split(sep)
      .join("/")
    return wall.outside?.some((known) => known.test(place)) === true
      ? null
      : `${from[0]} may not import ${source}, outside of src`
  }
  const allowed = dynamic && wall.dynamic !== undefined ? wall.dynamic : wall.parts
  if (allowed.some((part) => isIn(to, part))) return roomRefusal(from, to)
  if (from[0] === "layers" && to[0] === "layers" && isOwnPart(from, to)) return roomRefusal(from, to)
  return `${from[0]} may not import ${to.join("/")}: ${wall.why}`
}

const namesOf = (node) => {
  if (node.type === "ImportDeclaration") {
    return node.specifiers.map((it) => (it.type === "ImportSpecifier" ? (it.imported.name ?? it.imported.value) : "*"))
  }
  if (node.type === "ExportNamedDeclaration") return node.specifiers.map((it) => it.local.name ?? it.local.value)
  return ["*"]
}

const wallsRule = {
  create(context) {
    const check = (node, source, dynamic) => {
      const literal = source?.type === "Literal" ? source : source?.type === "TSLiteralType" ? source.literal : null
      if (source && literal === null) {
        if (partOf(context.cwd, context.filename) !== null)
          context.report({ node, message: "an import of a computed name cannot be checked" })
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
        if (from !== null && isMisnamed(from)) {
          context.report({
            node,
            message: `${from.at(-1)} is no name of a CLI's file (scripts/lint/house.mjs has them): the same thing has one name for every CLI`
          })
        }
        const known = from === null ? undefined : rooms[from[0]]
        if (
          known !== undefined &&
          !(from.length === 2 ? known.loose.includes(from[1]) : known.order.includes(roomOf(from)))
        ) {
          context.report({
            node,
            message: `${from[0]}/${from[1]} is in no room (scripts/lint/house.mjs has the rooms of each part)`
          })
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
  ["Date", ["now"]],
  ["DateTime", ["nowUnsafe"]],
  ["Math", ["random"]],
  ["performance", ["now"]]
])

const readsClock = "no clock here: take the time as an argument, or where there are Effects from Clock"

/** In the domain also what is an Effect, which takes the time from Clock. */
const refusedInDomain = new Map([...impure, ["DateTime", ["now", "nowUnsafe", "nowInCurrentZone", "nowAsDate"]]])

/** No clock and no randomness: time and chance come by arguments, or from Effect's services. */
const clockRule = {
  create(context, refused = impure) {
    return {
      NewExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0)
          context.report({ node, message: readsClock })
      },
      CallExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date")
          context.report({ node, message: readsClock })
      },
      MemberExpression(node) {
        if (node.object.type !== "Identifier") return
        const name = node.computed ? node.property.value : node.property.name
        if (refused.get(node.object.name)?.includes(name)) context.report({ node, message: readsClock })
      }
    }
  }
}

/** No clock, no randomness, no state of the module: what a function returns depends on its arguments alone. */
const pureRule = {
  create(context) {
    return {
      ...clockRule.create(context, refusedInDomain),
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

/** The formatter's width; it does not break strings. */
const columns = 120

/** Files whose lines may still be longer; none is to be added. */
const wide = [
  /^demoCli\/cells\.ts$/,
  /^domain\/cli\/headless\//,
  /^domain\/policy\//,
  /^domain\/providers\/[^/]+\/Headless\.ts$/,
  /^domain\/words\/(?:text|formats)\//,
  /^layers\/headless\//,
  /^programs\/(?:headless|host)\//
]

/** No line is wider than this: no string, no comment and no regular expression. */
const columnsRule = {
  create(context) {
    return {
      Program() {
        const path = partOf(context.cwd, context.filename)?.join("/")
        if (path === undefined || wide.some((file) => file.test(path))) return
        for (const [index, text] of context.sourceCode.text.split("\n").entries()) {
          const length = [...text].length
          if (length <= columns) continue
          context.report({
            loc: { start: { line: index + 1, column: columns }, end: { line: index + 1, column: text.length } },
            message: `the line has ${length} columns of ${columns}: break the string, or the comment`
          })
        }
      }
    }
  }
}

/** Parts in which asynchronous work is an Effect. */
const effectful = ["domain", "services", "layers", "programs"]

/** Files in which a function may be `async` all the same, and why. */
const promising = new Map([
  [
    "layers/relocator/RelocationFilesNode.ts",
    "a copy reads, hashes and writes at once; an interruption aborts it by a signal and waits until it has ended"
  ]
])

/** No `async`: a promise cannot be interrupted, and its failure has no type. */
const effectRule = {
  create(context) {
    const path = partOf(context.cwd, context.filename)
    const refused = path !== null && effectful.includes(path[0]) && !promising.has(path.join("/"))
    const check = (node) => {
      if (refused && node.async) {
        context.report({ node, message: "no async here: an Effect can be interrupted, and says how it fails" })
      }
    }
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check }
  }
}

export default {
  meta: { name: "house" },
  rules: {
    walls: wallsRule,
    pure: pureRule,
    clock: clockRule,
    columns: columnsRule,
    effect: effectRule,
    live: liveRule,
    causes: causesRule
  }
}

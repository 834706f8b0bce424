// The lint rule of live tests: what they may not depend on, so that the gate is a function of the commit: the speed of
// the machine, chance, the network, what is installed. A test that needs one of these is a thorough test
// (`*.thorough.test.ts`).
import { relative, sep } from "node:path"

/** The longest sleep of a fixed time, in milliseconds. */
const longestSleep = 200

/** Files in which one of these is meant, by the kind of what is refused there, and why. */
const meant = new Map([
  [
    "test/layers/files/HookInboxSpool.live.test.ts",
    {
      sleep:
        "what follows an event goes by leap's own clock, and is to be over; a sleep too short proves less and fails nothing"
    }
  ]
])

const units = { nano: 1e-6, micro: 1e-3, milli: 1, second: 1e3, minute: 6e4, hour: 36e5, day: 864e5 }

/** The milliseconds that a literal says, by itself or as a duration of Effect's; null for anything else. */
const millisOf = (node) => {
  if (node?.type === "CallExpression" && nameOf(node.callee).startsWith("Duration.")) {
    const of = units[nameOf(node.callee).slice("Duration.".length).replace(/s$/, "")]
    const [amount] = node.arguments
    return of === undefined || typeof amount?.value !== "number" ? null : amount.value * of
  }
  if (node?.type !== "Literal") return null
  if (typeof node.value === "number") return node.value
  const [, amount, unit] = /^([\d.]+) (nano|micro|milli|second|minute|hour|day)s?$/.exec(node.value) ?? []
  return unit === undefined ? null : Number(amount) * units[unit]
}

/** `Effect.sleep`, `performance.now`, `spawn`: the words of a callee without what is called or computed. */
const nameOf = (node) => {
  if (node?.type === "Identifier") return node.name
  if (node?.type === "CallExpression") return nameOf(node.callee)
  if (node?.type === "MemberExpression" && !node.computed) return `${nameOf(node.object)}.${node.property.name}`
  return "?"
}
const lastOf = (name) => name.slice(name.lastIndexOf(".") + 1)

/** A clock that nobody sets. */
const readsClock = (node) =>
  node?.type === "CallExpression" &&
  /^(?:Date\.now|(?:globalThis\.)?performance\.now|(?:process\.)?hrtime(?:\.bigint)?)$/.test(nameOf(node.callee))

/** All nodes of a tree, itself first. */
function* nodesOf(node) {
  if (typeof node?.type !== "string") return
  yield node
  for (const [key, value] of Object.entries(node)) {
    if (key === "parent") continue
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === "object" && child !== null) yield* nodesOf(child)
  }
}

/** What asserts no upper bound: that something took its time is true on a slow machine too. */
const lowerBounds = new Set(["isAbove", "isAtLeast"])
const randomNames = new Set(["randomBytes", "randomUUID", "randomInt", "randomFillSync", "getRandomValues"])
const starters = new Set(["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "runToEnd"])
const installers = /^(?:npm|npx|apt-get|apt|curl|wget|pnpm|yarn|pip|pip3)\b/
const connectors = new Set(["fetch", "connect", "createConnection", "request", "get", "post", "WebSocket"])
/** Names and addresses of this machine, and those that belong to nobody. */
const nowhere =
  /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1\]?|(?:.+\.)?(?:example|test|invalid|localhost|example\.(?:com|net|org)))$/

/** The host that a literal of this call leads to, outside of this machine; null where there is none. */
const hostOf = (node) => {
  for (const each of node.arguments) {
    const text = each.type === "TemplateLiteral" ? each.quasis[0]?.value.cooked : each.value
    const host =
      typeof text === "string" ? /^(?:https?|wss?):\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/?#]*)/.exec(text)?.[1] : null
    // the beginning of a template whose host is computed
    if (host && !nowhere.test(host)) return host
    if (each.type !== "ObjectExpression") continue
    const named = each.properties.find((it) => it.key?.name === "host" || it.key?.name === "hostname")?.value?.value
    if (typeof named === "string" && !nowhere.test(named)) return named
  }
  return null
}

export const liveRule = {
  create(context) {
    const file = relative(context.cwd, context.filename).split(sep).join("/")
    const report = (node, kind, message) => {
      if (meant.get(file)?.[kind] === undefined) context.report({ node, message })
    }
    /** Variables that hold a moment, and those that hold how long something took. */
    const moments = new Set()
    const spans = new Set()
    const isMoment = (node) => readsClock(node) || (node?.type === "Identifier" && moments.has(node.name))
    const isSpan = (node) =>
      (node.type === "Identifier" && spans.has(node.name)) ||
      (node.type === "BinaryExpression" && node.operator === "-" && isMoment(node.left) && isMoment(node.right))
    const has = (node, test) => {
      for (const each of nodesOf(node)) if (test(each)) return true
      return false
    }
    const remember = (node) => {
      if (node.type !== "VariableDeclarator" || node.init === null) return
      if (node.id.type === "ArrayPattern" && has(node.init, (it) => nameOf(it.callee) === "Effect.timed")) {
        for (const { name } of nodesOf(node.id.elements[0])) if (name !== undefined) spans.add(name)
      }
      if (node.id.type !== "Identifier") return
      // the value of a function is not read where it is made
      if (/Function/.test(node.init.type)) return
      if (has(node.init, isSpan)) spans.add(node.id.name)
      else if (readsClock(node.init)) moments.add(node.id.name)
    }
    const random = (node, name) =>
      report(node, "random", `no ${name} in a live test: draw from the seed of the run, or write the value down`)
    return {
      Program(node) {
        for (const each of nodesOf(node)) remember(each)
      },
      ImportSpecifier(node) {
        if (/^(?:node:)?crypto$/.test(node.parent.source.value) && randomNames.has(node.imported.name))
          random(node, node.imported.name)
      },
      ExportSpecifier(node) {
        if (/^(?:node:)?crypto$/.test(node.parent.source?.value) && randomNames.has(node.local.name))
          random(node, node.local.name)
      },
      MemberExpression(node) {
        const name = nameOf(node)
        if (
          name === "Math.random" ||
          (/^(?:crypto|Crypto|webcrypto|globalThis\.crypto)\./.test(name) && randomNames.has(lastOf(name)))
        )
          random(node, name)
      },
      VariableDeclarator(node) {
        const { init } = node
        if (init?.type !== "BinaryExpression" || init.operator !== "+") return
        if (readsClock(init.left) && init.right.type === "Literal")
          report(node, "bound", "a wait ends by a state, and gives up after `patience` (test/support/run/patience.ts)")
      },
      NewExpression(node) {
        const host = connectors.has(lastOf(nameOf(node.callee))) ? hostOf(node) : null
        if (host !== null) report(node, "network", `no network in a live test: ${host} is another machine`)
      },
      CallExpression(node) {
        const name = nameOf(node.callee)
        const last = lastOf(name)
        const [first, second] = node.arguments
        if (
          /^(?:assert|expect)(?:\.|$)/.test(name) &&
          !lowerBounds.has(last) &&
          node.arguments.some((it) => has(it, isSpan))
        )
          report(
            node,
            "clock",
            "no upper bound on wall-clock time: prove it by a count, an order or a clock of the test's"
          )
        const slept =
          last === "sleep" || last === "delay" ? millisOf(first) : last === "setTimeout" ? millisOf(second) : null
        if (slept !== null && slept > longestSleep)
          report(node, "sleep", `no sleep of ${slept} ms: wait for the state that ends it (200 ms are the most)`)
        if (/^Effect\.timeout/.test(name)) {
          const given = first?.type === "ObjectExpression" ? first : second?.type === "ObjectExpression" ? second : null
          const duration = given?.properties.find((it) => it.key?.name === "duration")?.value
          if ([first, second, duration].some((it) => millisOf(it) !== null))
            report(
              node,
              "bound",
              "a wait ends by a state, and gives up after `patience` (test/support/run/patience.ts)"
            )
        }
        if (name === "Schedule.recurs" && first?.type === "Literal" && first.value > 20)
          report(
            node,
            "bound",
            "look again as long as `lookingAgain` does (test/support/run/patience.ts), not so many times"
          )
        if (
          /^(?:it|test)(?:\.|$)/.test(name) &&
          node.arguments.length > 1 &&
          typeof node.arguments.at(-1).value === "number"
        )
          report(node, "bound", "a test takes no longer than `testPatience` (test/support/run/patience.ts)")
        if (starters.has(last)) {
          const program = first?.type === "ArrayExpression" ? first.elements[0] : first
          const text = program?.type === "TemplateLiteral" ? program.quasis[0]?.value.cooked : program?.value
          if (typeof text === "string" && installers.test(text))
            report(
              node,
              "install",
              `no ${installers.exec(text)[0]} in a live test: it installs or fetches what may not be there`
            )
        }
        const host = connectors.has(last) ? hostOf(node) : null
        if (host !== null) report(node, "network", `no network in a live test: ${host} is another machine`)
      }
    }
  }
}

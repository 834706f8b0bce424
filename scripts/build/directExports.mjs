import { parseAst } from "rolldown/parseAst"

/** The names that a pattern on the left of an assignment changes. */
const namesOf = (pattern) => {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern.name]
    case "AssignmentPattern":
      return namesOf(pattern.left)
    case "RestElement":
      return namesOf(pattern.argument)
    case "ArrayPattern":
      return pattern.elements.flatMap(namesOf)
    case "ObjectPattern":
      return pattern.properties.flatMap((property) => namesOf(property.value ?? property))
    default:
      return []
  }
}

/** The names that anything in the code changes after their declaration, in whatever scope: more than needed, never less. */
const changedNames = (ast) => {
  const changed = new Set()
  const walk = (node) => {
    if (node === null || typeof node !== "object") return
    if (node.type === "AssignmentExpression") for (const name of namesOf(node.left)) changed.add(name)
    if (node.type === "UpdateExpression") for (const name of namesOf(node.argument)) changed.add(name)
    if (node.type === "ForInStatement" || node.type === "ForOfStatement")
      for (const name of namesOf(node.left)) changed.add(name)
    for (const part of Object.values(node)) walk(part)
  }
  walk(ast)
  return changed
}

/** What a statement of the bundler's own exports by a getter, `Object.defineProperty(exports, name, { get })`; else null. */
const getterOf = (code, { expression, type }) => {
  if (type !== "ExpressionStatement" || expression.type !== "CallExpression") return null
  const [to, name, described] = expression.arguments
  if (code.slice(expression.callee.start, expression.callee.end) !== "Object.defineProperty") return null
  if (to?.name !== "exports" || described?.type !== "ObjectExpression") return null
  const get = described.properties.find(({ key }) => key.name === "get")?.value
  const given = get?.body?.body?.[0]
  return given?.type === "ReturnStatement" && given.argument?.type === "Identifier"
    ? { name: name.value, local: given.argument.name }
    : null
}

/**
 * The code of a CommonJS chunk with its exports as plain properties instead of getters, where their values stay what
 * they are once the chunk has run. A getter is a function to make for each name, and one to call at each use.
 */
export const directExports = (code) => {
  const ast = parseAst(code)
  const found = ast.body.flatMap((statement) => {
    const getter = getterOf(code, statement)
    return getter === null ? [] : [{ statement, ...getter }]
  })
  if (found.length === 0) return code
  const changed = changedNames(ast)
  let done = 0
  const parts = []
  for (const { local, name, statement } of found) {
    if (changed.has(local)) continue
    parts.push(code.slice(done, statement.start), `exports[${JSON.stringify(name)}] = ${local};`)
    done = statement.end
  }
  return parts.join("") + code.slice(done)
}

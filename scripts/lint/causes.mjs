// What is told to people is not read back: nothing depends on a sentence that leap itself has made.

/** What reads a string. */
const readers = new Set(
  "startsWith endsWith includes indexOf match matchAll replace replaceAll search slice split substring test exec".split(
    " "
  )
)

/** The name of a variable or a member; null for anything else. */
const nameOf = (node) =>
  node.type === "ChainExpression"
    ? nameOf(node.expression)
    : node.type === "Identifier"
      ? node.name
      : node.type === "MemberExpression" && !node.computed
        ? node.property.name
        : null
const told = new Set(["why", "reason"])
/** What leap says of a session's problem, or of what its queue waits for. */
const isOfStatus = (node) => {
  const inner = node.type === "ChainExpression" ? node.expression : node
  if (inner.type !== "MemberExpression" || inner.computed) return false
  const of = nameOf(inner.object)
  const name = inner.property.name
  return (of === "problem" && name === "message") || (/^(?:pause|unwired|night)$/.test(of) && name === "text")
}
const isTold = (node) => told.has(nameOf(node)) || isOfStatus(node)
/** A sentence, as opposed to a word that names something. */
const isText = (node) => node.type === "Literal" && typeof node.value === "string" && node.value.includes(" ")
/** Whoever compares something with so many words reads what somebody has written. */
const isSentence = (node) => isText(node) && /[a-z']+ [a-z']+ [a-z']+/i.test(node.value)

/** Whether a call reads a text that leap tells: by a method of its, by an expression, or by looking for it in another. */
const reads = ({ arguments: given, callee }) =>
  readers.has(callee.property.name) &&
  (isTold(callee.object) ||
    given.some(isTold) ||
    (/^(?:starts|ends|includes|indexOf)/.test(callee.property.name) && given.some(isSentence)))

/** A message's, or a session's, `why` and `reason` are for people: what decides is the cause. */
export const causesRule = {
  create(context) {
    const report = (node) =>
      context.report({ node, message: "what is told to people decides nothing: ask for the cause" })
    return {
      CallExpression(node) {
        const { callee } = node
        if (callee.type === "MemberExpression" && !callee.computed && reads(node)) report(node)
      },
      BinaryExpression(node) {
        if (!/^[!=]==?$/.test(node.operator)) return
        const sides = [node.left, node.right]
        if (sides.some(isSentence) || (sides.some(isTold) && sides.some(isText))) report(node)
      }
    }
  }
}

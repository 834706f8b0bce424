// What is told to people is not read back: nothing depends on a sentence that leap itself has made.

/** What reads a string. */
const readers = new Set(
  "startsWith endsWith includes indexOf match matchAll replace replaceAll search slice split substring test".split(" ")
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
const isTold = (node) => nameOf(node) === "why"
/** A sentence, as opposed to a word that names something. */
const isText = (node) => node.type === "Literal" && typeof node.value === "string" && node.value.includes(" ")

/** A message's, or a session's, `why` is for people: what decides is its cause. */
export const causesRule = {
  create(context) {
    const report = (node) =>
      context.report({ node, message: "'why' is told to people and decides nothing: ask for the cause" })
    return {
      CallExpression(node) {
        const { callee } = node
        if (callee.type !== "MemberExpression" || callee.computed || !readers.has(callee.property.name)) return
        if (isTold(callee.object) || (callee.property.name === "test" && node.arguments.some(isTold))) report(node)
      },
      BinaryExpression(node) {
        if (!/^[!=]==?$/.test(node.operator)) return
        if ((isTold(node.left) && isText(node.right)) || (isText(node.left) && isTold(node.right))) report(node)
      }
    }
  }
}

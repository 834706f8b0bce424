import type { LenientNode } from "../../words/formats/LenientJson.ts"

export interface Notes {
  /** `counts`: what counts instead. */
  readonly warn: (at: { readonly offset: number }, why: string, counts?: string) => void
}

export type ObjectNode = Extract<LenientNode, { readonly kind: "object" }>

export const describe = (node: LenientNode): string => {
  if (node.kind !== "leaf") return node.kind === "array" ? "a list" : "an object"
  if (!node.whole) return "something that cannot be read"
  if (node.value === null) return "null"
  const text = JSON.stringify(node.value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** A leaf's value if it was read completely; undefined otherwise. */
export const leafOf = (node: LenientNode): unknown => (node.kind === "leaf" && node.whole ? node.value : undefined)

/** A member's value, if it is a leaf that was read completely; undefined otherwise. */
export const leafAt = (members: ReadonlyMap<string, LenientNode>, name: string): unknown => {
  const node = members.get(name)
  return node === undefined ? undefined : leafOf(node)
}

/** Warns that this is left out. Returns null, which stands for it. */
export const leavingOut =
  (node: LenientNode, path: string, { warn }: Notes) =>
  (why: string): null => {
    warn(node, `"${path}" was left out: ${why}`)
    return null
  }

/** An object's members, the last of each name; warns about unknown and duplicate names. */
export const membersOf = (
  node: ObjectNode,
  path: string,
  known: ReadonlySet<string> | null,
  notes: Notes
): ReadonlyMap<string, LenientNode> => {
  const found = new Map<string, LenientNode>()
  for (const { key, offset, value } of node.members) {
    const name = `"${path}${key}"`
    if (known !== null && !known.has(key)) {
      notes.warn({ offset }, `${name} is nothing that leap knows`)
      continue
    }
    if (found.has(key)) notes.warn({ offset }, `${name} stands there twice`, "the last one")
    found.set(key, value)
  }
  return found
}

/** The object at this place; warns of any other value. */
export const objectAt = (node: LenientNode | undefined, path: string, notes: Notes): ObjectNode | null => {
  if (node === undefined || node.kind === "object") return node ?? null
  notes.warn(node, `"${path}" must be an object, it is ${describe(node)}`)
  return null
}

/** The leaves of the object at this place, by their names; null, with a warning, for any other value. */
export const leavesAt = (node: LenientNode | undefined, path: string, notes: Notes) => {
  const object = objectAt(node, path, notes)
  if (object === null) return node === undefined ? [] : null
  return Array.from(membersOf(object, `${path}.`, null, notes), ([name, value]) => [name, leafOf(value)] as const)
}

/** The items of the list at this place; null, with a warning, for any other value. */
export const itemsAt = (
  node: LenientNode | undefined,
  path: string,
  notes: Notes
): ReadonlyArray<LenientNode> | null => {
  if (node === undefined) return []
  if (node.kind === "array") return node.items
  notes.warn(node, `"${path}" must be a list, it is ${describe(node)}`)
  return null
}

const textProblem = (value: string): string | null =>
  /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value) ? "it holds a control character" : null

/** One of the literals; warns of anything else, for which `otherwise` counts. */
export const choice = <A extends string>(
  node: LenientNode | undefined,
  path: string,
  schema: { readonly literals: ReadonlyArray<A> },
  otherwise: A,
  notes: Notes
): A => {
  if (node === undefined) return otherwise
  const value = leafOf(node)
  const found = schema.literals.find((literal) => literal === value)
  if (found === undefined) {
    notes.warn(
      node,
      `"${path}" must be ${schema.literals.map((it) => `"${it}"`).join(" or ")}, it is ${describe(node)}`,
      `"${otherwise}"`
    )
  }
  return found ?? otherwise
}

/** A text without control characters but tabs; null, with a warning, for anything else. */
export const text = (node: LenientNode | undefined, path: string, notes: Notes): string | null => {
  if (node === undefined) return null
  const value = leafOf(node)
  if (typeof value !== "string") {
    notes.warn(node, `"${path}" must be a text, it is ${describe(node)}`)
    return null
  }
  const problem = textProblem(value)
  if (problem !== null) notes.warn(node, `"${path}" cannot be used: ${problem}`)
  return problem === null ? value : null
}

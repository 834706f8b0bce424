import { decodeText, type LenientNode, member, parse } from "../LenientJson.ts"
import { AutoSendMode, ChurnMode, Modes } from "../Session.ts"

const choice = <A extends string>(node: LenientNode | null, schema: { readonly literals: ReadonlyArray<A> }): A | undefined =>
  node?.kind === "leaf" && node.whole ? schema.literals.find((literal) => literal === node.value) : undefined

/** The modes that a tag's file holds: each that can be read, however damaged the rest is. Total. */
export const readModes = (content: Uint8Array): Partial<Modes> => {
  const { exact, text } = decodeText(content)
  const { root } = parse(text, exact)
  const autoSend = choice(member(root, "autoSend"), AutoSendMode)
  const churn = choice(member(root, "churn"), ChurnMode)
  return { ...(autoSend === undefined ? {} : { autoSend }), ...(churn === undefined ? {} : { churn }) }
}

const schemaVersion = 1

/** What newer versions of leap may have put into the file beside the modes. */
const others = (node: LenientNode | null): Readonly<Record<string, unknown>> =>
  node?.kind !== "object" ? {} : Object.fromEntries(node.members.flatMap(({ key, value }) =>
    value.kind === "leaf" && value.whole && !Object.hasOwn(Modes.fields, key) ? [[key, value.value]] : []))

/** The file's content with these modes in it. */
export const writeModes = (before: Uint8Array | null, modes: Modes): Uint8Array => {
  const { exact, text } = decodeText(before ?? new Uint8Array())
  const kept = others(parse(text, exact).root)
  return new TextEncoder().encode(`${JSON.stringify({ schema: schemaVersion, ...kept, ...modes })}\n`)
}

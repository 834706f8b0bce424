import { decodeText, type LenientNode, member, parse } from "../../words/formats/LenientJson.ts"
import { AutoSendMode, ChurnMode, Modes, NightMode } from "../../words/session/Session.ts"

const choice = <A extends string>(
  node: LenientNode | null,
  schema: { readonly literals: ReadonlyArray<A> }
): A | undefined =>
  node?.kind === "leaf" && node.whole ? schema.literals.find((literal) => literal === node.value) : undefined

/** The readable modes in a tag's file, however damaged the rest is. */
export const readModes = (content: Uint8Array): Partial<Modes> => {
  const { exact, text } = decodeText(content)
  const { root } = parse(text, exact)
  const autoSend = choice(member(root, "autoSend"), AutoSendMode)
  const churn = choice(member(root, "churn"), ChurnMode)
  const night = choice(member(root, "night"), NightMode)
  const muted = member(root, "mute")
  const mute = muted?.kind === "leaf" && muted.whole && typeof muted.value === "string" ? muted.value : undefined
  return {
    ...(autoSend === undefined ? {} : { autoSend }),
    ...(churn === undefined ? {} : { churn }),
    ...(night === undefined ? {} : { night }),
    ...(mute === undefined ? {} : { mute })
  }
}

const schemaVersion = 1

/** Members that newer versions of leap may have written beside the modes. */
const others = (node: LenientNode | null): Readonly<Record<string, unknown>> =>
  node?.kind !== "object"
    ? {}
    : Object.fromEntries(
        node.members.flatMap(({ key, value }) =>
          value.kind === "leaf" && value.whole && !Object.hasOwn(Modes.fields, key) ? [[key, value.value]] : []
        )
      )

export const writeModes = (before: Uint8Array | null, modes: Modes): Uint8Array => {
  const { exact, text } = decodeText(before ?? new Uint8Array())
  const kept = others(parse(text, exact).root)
  return new TextEncoder().encode(`${JSON.stringify({ schema: schemaVersion, ...kept, ...modes })}\n`)
}

import { fieldsOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"

/** Any layer of a CLI's settings may keep hooks from running. leap reads which; only events prove that hooks do run. */

/** Where and how a CLI is to run. */
export interface SwitchPlace {
  readonly env: Readonly<Record<string, string>>
  readonly directory: string
  readonly args: ReadonlyArray<string>
}

/** A settings file that is there. */
export interface SettingsText {
  readonly path: string
  readonly text: string
}

/** What may switch a CLI's hooks off beside the files that leap edits. */
export interface HookSwitches {
  /** The files of its layers; `…/*.json` stands for all such files of a directory. */
  readonly files: (place: SwitchPlace) => ReadonlyArray<string>
  /** What keeps leap's hooks from running here, each reason with where it stands. Total: never fails. */
  readonly off: (place: SwitchPlace, texts: ReadonlyArray<SettingsText>) => ReadonlyArray<string>
}

/** All values that are given to an option: `--name value` and `--name=value`. */
export const optionValues = (args: ReadonlyArray<string>, ...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.flatMap((arg, index) => {
    const equals = arg.indexOf("=")
    if (equals > 0 && names.includes(arg.slice(0, equals))) return [arg.slice(equals + 1)]
    const next = args[index + 1]
    return names.includes(arg) && next !== undefined ? [next] : []
  })

/** The directory and those above it, the nearest first, without `/`. */
export const upwards = (directory: string): ReadonlyArray<string> => {
  const parts = directory.split("/").filter((part) => part !== "")
  return parts.map((_, index) => `/${parts.slice(0, parts.length - index).join("/")}`)
}

/** A layer's value of a switch, if any, and its place. */
export interface LayerValue<A> {
  readonly where: string
  readonly value: A | undefined
}

/** The value of the last layer that has one. */
export const lastValue = <A>(
  layers: ReadonlyArray<LayerValue<A>>
): { readonly where: string; readonly value: A } | undefined => {
  for (const { value, where } of layers.toReversed()) if (value !== undefined) return { where, value }
  return undefined
}

/** The JSON of a text; null for none. */
export const jsonIn = (text: string): unknown => jsonOf(text.replace(/^\uFEFF/, ""))

/** Whether a layer's settings set `disableAllHooks`. */
export const allDisabledIn = ({ path, text }: SettingsText): LayerValue<boolean> => ({
  where: path,
  value: booleanOf(fieldsOf(jsonIn(text))["disableAllHooks"])
})

/** A field as a truth value; undefined for anything else. */
export const booleanOf = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined)

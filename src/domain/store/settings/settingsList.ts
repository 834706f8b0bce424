import { jsonSchemaOf } from "../../words/formats/jsonSchemaOf.ts"
import { Schema } from "effect"
import { defaultSettings, settings, type Settings } from "./Settings.ts"

export interface ListedSetting {
  /** Its place in the file: `notify.quietHours`. */
  readonly name: string
  /** Its values: `pause|always`, `true|false`, `text`, `number`, `list`, `table`; `or null` if allowed. */
  readonly takes: string
  readonly description: string
}

interface Described {
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Described>
  readonly description?: string
  readonly properties?: Readonly<Record<string, Described>>
}

/** The settings file as users write it: everything is optional. For editors; leap itself reads more leniently. */
export const SettingsFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String.annotate({ description: "Where this description is" })),
  ...(settings.file as Schema.Struct<Schema.Struct.Fields>).fields
}).annotate({ title: "Settings of leap" })

export const settingsSchema = (): Described => jsonSchemaOf(SettingsFile, "error")

const words: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true|false",
  number: "number",
  integer: "whole number",
  array: "list",
  object: "table",
  null: "null"
}

const takesOf = ({ anyOf, enum: literals, type = "" }: Described): string => {
  if (anyOf !== undefined) {
    const parts = anyOf.map(takesOf)
    const others = parts.filter((part) => part !== "null").join("|")
    return others.length < parts.join("|").length ? `${others} or null` : others
  }
  return literals === undefined ? (words[type] ?? "text") : literals.join("|")
}

const leaves = (at: Described, name: string): ReadonlyArray<ListedSetting> =>
  at.properties === undefined
    ? [{ name, takes: takesOf(at), description: at.description ?? "" }]
    : Object.entries(at.properties).flatMap(([key, value]) => leaves(value, name === "" ? key : `${name}.${key}`))

export const settingsList = (): ReadonlyArray<ListedSetting> =>
  leaves(settingsSchema(), "").filter(({ name }) => name !== "$schema")

export const valueAt = (settings: Settings, name: string): unknown =>
  name
    .split(".")
    .reduce<unknown>(
      (at, key) =>
        typeof at === "object" && at !== null && Object.hasOwn(at, key)
          ? (at as Record<string, unknown>)[key]
          : undefined,
      settings
    )

export const defaultAt = (name: string): unknown => valueAt(defaultSettings, name)

import { Result } from "effect"
import type { Node } from "jsonc-parser"
import * as JsoncEdit from "../../words/text/JsoncEdit.ts"
import { jsonOf } from "../../words/reading/Json.ts"

/** The content of `projects.json`. For a `problem` Gemini CLI discards the whole file at its next start. */
export type RegistryText = { readonly projects: ReadonlyMap<string, string> } | { readonly problem: string }

/** An empty registry, as Gemini CLI writes it. */
export const emptyRegistry = JSON.stringify({ projects: {} }, null, 2)

interface Parts {
  readonly root: Node
  readonly projects: Node
}

/** Of several members with one name the last counts, as in JavaScript. */
const member = (node: Node, key: string): Node | undefined =>
  node.type === "object" ? node.children?.findLast((property) => property.children?.[0]?.value === key) : undefined

const valueOf = (property: Node | undefined): Node | undefined => property?.children?.[1]

const partsOf = (text: string): Parts | null => {
  const root = Result.getOrElse(JsoncEdit.parse(text), () => null)
  if (root === null) return null
  const projects = valueOf(member(root, "projects"))
  return projects?.type === "object" ? { root, projects } : null
}

/** Reads a registry as strictly as Gemini CLI does. */
export const readRegistry = (text: string): RegistryText => {
  const parts = jsonOf(text) === null ? null : partsOf(text)
  if (parts === null) return { problem: "it is no list of projects" }
  const projects = new Map<string, string>()
  for (const { children = [] } of parts.projects.children ?? []) {
    const [key, value] = children
    const folder: unknown = value?.type === "string" ? value.value : null
    if (typeof folder !== "string" || !/^[a-z0-9-]+$/.test(folder))
      return { problem: `the entry of ${JSON.stringify(key?.value)} is no name of a folder` }
    projects.set(String(key?.value), folder)
  }
  return { projects }
}

/** The text with this folder for the project, and no other change. The text must be valid. */
export const withProject = (text: string, project: string, folder: string): string => {
  const parts = partsOf(text)
  if (parts === null) return text
  const value = valueOf(member(parts.projects, project))
  if (value === undefined) return JsoncEdit.append(text, parts.root, parts.projects, project, folder, 0)
  return value.value === folder ? text : splice(text, value, folder)
}

/** Undoes {@link withProject}: `before` is the former folder or null. An entry that has changed since is left. */
export const withoutProject = (text: string, project: string, folder: string, before: string | null): string => {
  const parts = partsOf(text)
  const property = parts === null ? undefined : member(parts.projects, project)
  const value = valueOf(property)
  if (parts === null || property === undefined || value?.value !== folder || before === folder) return text
  return before === null ? JsoncEdit.takeOut(text, parts.root, parts.projects, property) : splice(text, value, before)
}

const splice = (text: string, { length, offset }: Node, value: string): string =>
  text.slice(0, offset) + JSON.stringify(value) + text.slice(offset + length)

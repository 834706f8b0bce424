import { Result } from "effect"
import type { Node } from "jsonc-parser"
import * as JsoncEdit from "../../words/formats/JsoncEdit.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { absolute } from "../../words/text/paths.ts"

/** The content of `projects.json`. With a `problem` Gemini CLI discards the whole file at its next start. */
type RegistryText = { readonly projects: ReadonlyMap<string, string> } | { readonly problem: string }

export const emptyRegistry = JSON.stringify({ projects: {} }, null, 2)

/** Of several members with one name the last counts, as in JavaScript. */
const member = (node: Node, key: string): Node | undefined =>
  node.type === "object" ? node.children?.findLast((property) => property.children?.[0]?.value === key) : undefined

const valueOf = (property: Node | undefined): Node | undefined => property?.children?.[1]

const partsOf = (text: string) => {
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

/** The text with this folder for the project and otherwise unchanged. The text must be valid. */
export const withProject = (text: string, project: string, folder: string): string => {
  const parts = partsOf(text)
  if (parts === null) return text
  const value = valueOf(member(parts.projects, project))
  if (value === undefined) return JsoncEdit.append(text, parts.root, parts.projects, project, folder, 0)
  return value.value === folder ? text : splice(text, value, folder)
}

/** Undoes {@link withProject}: `before` is the former folder or null. An entry that has changed in between stays. */
export const withoutProject = (text: string, project: string, folder: string, before: string | null): string => {
  const parts = partsOf(text)
  const property = parts === null ? undefined : member(parts.projects, project)
  const value = valueOf(property)
  if (parts === null || property === undefined || value?.value !== folder || before === folder) return text
  return before === null ? JsoncEdit.takeOut(text, parts.root, parts.projects, property) : splice(text, value, before)
}

const splice = (text: string, { length, offset }: Node, value: string): string =>
  text.slice(0, offset) + JSON.stringify(value) + text.slice(offset + length)

export const markerName = ".project_root"

/** The directories of Gemini CLI in which a project has a folder, in its search order. */
export const bases = ["tmp", "history"] as const
export type Base = (typeof bases)[number]

/** Gemini CLI's records of projects: its registry, from project directory to folder name, and the folders' markers. */
export interface Projects {
  readonly registry: ReadonlyMap<string, string>
  /** For each folder name the marker's text; null: unreadable. A folder without a marker has no owner. */
  readonly markers: Readonly<Record<Base, ReadonlyMap<string, string | null>>>
}

const ownerOf = (text: string): string => absolute("/", text.trim())

/** Whether Gemini CLI can find a project's folders again, since it trims white space from its markers. */
export const isFindable = (project: string): boolean => ownerOf(project) === project

/** The owner of a folder by one base directory: this project, another one, or none. */
const claimIn = ({ markers }: Projects, base: Base, folder: string, project: string): "own" | "other" | "none" => {
  const text = markers[base].get(folder)
  return text === undefined ? "none" : text !== null && ownerOf(text) === project ? "own" : "other"
}

const isFree = (projects: Projects, folder: string, project: string): boolean =>
  bases.every((base) => claimIn(projects, base, folder, project) !== "other")

export const slugify = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "") || "project"

/** The folder of a project: the registry's if no marker contradicts it, else the markers'; null: none. */
export const folderOf = (projects: Projects, project: string): string | null => {
  const registered = projects.registry.get(project)
  if (registered !== undefined && isFree(projects, registered, project)) return registered
  for (const base of bases) {
    const marked = [...projects.markers[base].keys()]
      .sort()
      .find((folder) => claimIn(projects, base, folder, project) === "own" && isFree(projects, folder, project))
    if (marked !== undefined) return marked
  }
  return null
}

/** The folder that Gemini CLI would choose: the project's, else the directory's name, numbered if it is taken. */
export const chooseFolder = (projects: Projects, project: string): string => {
  const known = folderOf(projects, project)
  if (known !== null) return known
  const name = slugify(project.slice(project.lastIndexOf("/") + 1) || "project")
  // An entry that the markers contradict is dropped before a new one is made.
  const taken = new Set([...projects.registry].filter(([owner]) => owner !== project).map(([, folder]) => folder))
  for (let n = 0; ; n++) {
    const candidate = n === 0 ? name : `${name}-${n}`
    if (!taken.has(candidate) && isFree(projects, candidate, project)) return candidate
  }
}

import { absolute } from "../../places/sessions/SessionRecord.ts"

/** The name of the file in a project's folders that names the project. */
export const markerName = ".project_root"

/** The directories of Gemini CLI in which a project has a folder, in the order in which it searches them. */
export const bases = ["tmp", "history"] as const
export type Base = (typeof bases)[number]

/** Gemini CLI's records of projects: its registry, and, per base directory, the text of every folder's marker. */
export interface Projects {
  readonly registry: ReadonlyMap<string, string>
  /** From folder name to the marker's text, null for an unreadable one. Without a marker a folder has no owner. */
  readonly markers: Readonly<Record<Base, ReadonlyMap<string, string | null>>>
}

const ownerOf = (text: string): string => absolute("/", text.trim())

/** Whether Gemini CLI can find the folders of a project again: it trims white space from its markers. */
export const isFindable = (project: string): boolean => ownerOf(project) === project

/** The owner of a folder by one base directory: this project, another one, or none. */
const claimIn = ({ markers }: Projects, base: Base, folder: string, project: string): "own" | "other" | "none" => {
  const text = markers[base].get(folder)
  return text === undefined ? "none" : text !== null && ownerOf(text) === project ? "own" : "other"
}

const isFree = (projects: Projects, folder: string, project: string): boolean =>
  bases.every((base) => claimIn(projects, base, folder, project) !== "other")

/** The folder name made from a directory's name. */
export const slugify = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "-")
    .replace(/-+/g, "-")
    .replace(/^-|-$/g, "") || "project"

/** The folder that a project has: the registry's if no marker contradicts it, else the markers'; null for none. */
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

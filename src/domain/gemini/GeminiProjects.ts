import { absolute } from "../sessions/SessionRecord.ts"

/** The name of the file in a project's folders that says whose they are. */
export const markerName = ".project_root"

/** The directories of Gemini CLI's own in which a project has a folder, as it looks at them in turn. */
export const bases = ["tmp", "history"] as const
export type Base = (typeof bases)[number]

/** What Gemini CLI has of projects: its registry, and in each base directory the text of every folder's marker. */
export interface Projects {
  /** Project directory to folder name. */
  readonly registry: ReadonlyMap<string, string>
  /** Folder name to the marker's text; null for a marker that cannot be read. Without one a folder is nobody's. */
  readonly markers: Readonly<Record<Base, ReadonlyMap<string, string | null>>>
}

const ownerOf = (text: string): string => absolute("/", text.trim())

/** Whether Gemini CLI takes the folders of a project for the project's: it reads its markers without white space at their ends. */
export const isFindable = (project: string): boolean => ownerOf(project) === project

/** Whose a folder is by one base directory: the project's, another's, or nobody's. */
const claimIn = ({ markers }: Projects, base: Base, folder: string, project: string): "own" | "other" | "none" => {
  const text = markers[base].get(folder)
  return text === undefined ? "none" : text !== null && ownerOf(text) === project ? "own" : "other"
}

/** Whether no marker says that the folder is another project's. */
const isFree = (seen: Projects, folder: string, project: string): boolean => bases.every((base) => claimIn(seen, base, folder, project) !== "other")

/** A directory's name as that of a folder. */
export const slugify = (name: string): string =>
  name.toLowerCase().replace(/[^a-z0-9]/g, "-").replace(/-+/g, "-").replace(/^-|-$/g, "") || "project"

/** The folder that is a project's already: by the registry where the markers do not gainsay it, else by the markers; or null. */
export const folderOf = (seen: Projects, project: string): string | null => {
  const registered = seen.registry.get(project)
  if (registered !== undefined && isFree(seen, registered, project)) return registered
  for (const base of bases) {
    const marked = [...seen.markers[base].keys()].sort().find((folder) => claimIn(seen, base, folder, project) === "own" && isFree(seen, folder, project))
    if (marked !== undefined) return marked
  }
  return null
}

/**
 * The folder of a project as Gemini CLI would choose it: the one it has, else one named after the directory, numbered
 * until no other project has it by the registry or by a marker.
 */
export const chooseFolder = (seen: Projects, project: string): string => {
  const known = folderOf(seen, project)
  if (known !== null) return known
  const name = slugify(project.slice(project.lastIndexOf("/") + 1) || "project")
  // an entry that the markers gainsay is dropped before a new one is made
  const taken = new Set([...seen.registry].filter(([owner]) => owner !== project).map(([, folder]) => folder))
  for (let n = 0;; n++) {
    const candidate = n === 0 ? name : `${name}-${n}`
    if (!taken.has(candidate) && isFree(seen, candidate, project)) return candidate
  }
}

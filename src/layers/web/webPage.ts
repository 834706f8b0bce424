import { files } from "leap:page"
import type { PageFile } from "../../services/WebListener.ts"

/** The page's files by their paths. */
export const page: ReadonlyMap<string, PageFile> = new Map(files)

import { files } from "leap:page"
import type { PageFile } from "../../services/WebListener.ts"

export const page: ReadonlyMap<string, PageFile> = new Map(files)
